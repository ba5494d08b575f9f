"""Programs with toolkits that were written for MXNet print what they print on real MXNet.

They run where the toolkit is installed: `pip install --no-deps gluonnlp==0.10.0`, gluoncv and
gluonts likewise, and what they import; GluonTS needs pandas < 2, and with it NumPy < 2.
`X.expected` is recorded with the same toolkit on real MXNet 1.9.1.
"""

import importlib.util
import pathlib

import pytest

from tests.e2e import lines
from tests.e2e.test_programs import expected, run

PROGRAMS = sorted((pathlib.Path(__file__).parent / "toolkits").glob("*.py"))


@pytest.mark.full
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_toolkit(program, tmp_path):
    toolkit = program.stem.partition("_")[0]
    if importlib.util.find_spec(toolkit) is None:
        pytest.skip(f"{toolkit} is not installed")
    found = lines.differences(run(program, tmp_path), expected(program))
    assert not found, "\n".join(found)
