"""`bench/scale.py`: its arithmetic on made-up measurements, and a short run of it."""

import json
import pathlib

import pytest

from bench import scale
from tests import child

SIZE = 4_000_000  # elements
PROGRAM = pathlib.Path(scale.__file__)


def row(processes, step, quick=0.001, slow=0.021):
    return {
        "processes": processes,
        "batch": 32,
        "device": "cpu",
        "bucket": 4_000_000,
        "alone": 0.04,
        "forward": 0.01,
        "gradient": 0.035,
        "dist_sync": step,
        "overlapped": step,
        "module": 0.05,
        "ddp": step,
        "gradient_bytes": 4 * SIZE,
        "all_reduce": {"4096": quick, str(SIZE): slow},
        "memory": 2**20,
    }


def test_speed_up_and_what_is_hidden():
    rows = [row(1, 0.04), row(2, 0.05)]
    assert scale.speed_up(rows, "dist_sync") == pytest.approx({1: 1.0, 2: 1.6})
    assert scale.speed_up(rows, "ddp") == pytest.approx({1: 1.25, 2: 2.0})
    assert scale.hidden(rows[0], "dist_sync") is None
    assert scale.hidden(rows[1], "dist_sync") == pytest.approx((0.04 + 0.021 - 0.05) / 0.021)


def test_model_gives_back_what_it_was_made_from():
    """A link measured with two processes, and a step modelled for two of them, agree."""
    latency, rate = scale.link(row(2, 0.06))
    one = row(1, 0.04)
    assert scale.modelled(one, 2, latency, rate, hides=False) == pytest.approx(0.04 + 0.021)
    alone = scale.modelled(one, 1, latency, rate, hides=False)
    assert alone == pytest.approx(0.04 + 4 * latency)


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (1e9, 0.04 + 0.004),  # 0.016: shorter than backward, all but the last of four buckets hide
        (0.25e9, 0.04 - 0.025 + 0.064),  # longer: it hides backward
    ],
)
def test_model_of_what_hides(rate, expected):
    assert scale.modelled(row(1, 0.04), 2, 0.0, rate, hides=True) == pytest.approx(expected)


def test_report_names_the_model():
    text = scale.report([row(1, 0.04), row(2, 0.05)], [10.0], 20.0)
    assert "modelled, not measured" in text and "10 Gbit/s" in text
    assert "us a call" in text
    assert "15.3 MiB of gradients in 4 bucket(s)" in text


@pytest.mark.full
def test_short_run(tmp_path):
    options = ("--processes=1,2", "--batch=4", "--count=2", "--json", f"--write={tmp_path / 'x'}")
    done = child.python(PROGRAM, *options, timeout=300)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert [r["processes"] for r in rows] == [1, 2] and {"ddp", "overlapped"} <= rows[1].keys()
    assert json.loads((tmp_path / "x").read_text()) == rows
    assert rows[0]["gradient_bytes"] == 4 * (512 * 1024 + 1024 * 1024 + 1024 * 100 + 2148)
