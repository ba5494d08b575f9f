"""mx.model.FeedForward: what MXNet printed for the program, its port prints with torch alone."""

import pathlib
import subprocess
import sys

from mxtorch.port import port_text
from tests.child import environment
from tests.e2e import lines

PROGRAM = pathlib.Path(__file__).parent / "programs" / "feedforward.py"


def test_the_model_learns_the_same(tmp_path):
    ported = port_text(PROGRAM.read_text(encoding="utf-8"), PROGRAM.name)
    assert ported.counts.left == ported.counts.operators == 0
    assert "mxtorch" not in ported.text
    path = tmp_path / "ported.py"
    path.write_text(ported.text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(path)],
        env=environment() | {"PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-600:]
    wanted = PROGRAM.with_suffix(".expected").read_text(encoding="utf-8")
    assert lines.differences(done.stdout, wanted) == []
