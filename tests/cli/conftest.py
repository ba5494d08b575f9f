"""What the tests of the command share."""

import pytest

from mxtorch.cli.main import main


@pytest.fixture
def mxtorch(capsys):
    """Runs the command line; gives (exit code, stdout, stderr)."""

    def run(*arguments):
        with pytest.raises(SystemExit) as info:
            main([str(argument) for argument in arguments])
        return info.value.code or 0, *capsys.readouterr()

    return run
