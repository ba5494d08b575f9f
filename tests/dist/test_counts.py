"""How often processes talk in a training step, and how many bytes they send."""

import json
import math

from tests.dist import start

BUCKET = 1000


def test_collectives_of_a_step(tmp_path):
    done = start.launch(2, "count.py", tmp_path / "found.json", MXTORCH_BUCKET_BYTES=str(BUCKET))
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    for way in ("on store", "contexts"):
        (first, *later), size = found[way]
        assert size == 10 * 4 * (7 * 7 + 7)
        assert "broadcast" in [name for name, _ in first]  # the parameters, once
        for step in later:
            assert [name for name, _ in step] == ["all_reduce"] * math.ceil(size / BUCKET)
            assert sum(count for _, count in step) == size
    (_, *later), size = found["compressed"]
    for step in later:
        assert [name for name, _ in step] == ["all_gather"] * 2
        assert [count for _, count in step] == [8, size / 16]
    _, *later = found["early"]
    for in_backward, step in later:
        assert [name for name, _ in step] == ["all_reduce"] * math.ceil(10 * 4 * 56 / BUCKET)
        assert in_backward == len(step) - 1
        assert sum(count for _, count in step) == 10 * 4 * 56
