"""Runs cases beside real MXNet (Python 3.8): `_oracle_worker.py FAMILY RESULTS`.

The ids of the cases come as a JSON list on the standard input. Appends to RESULTS a line when a
case starts and one with what came out. The parent (record_golden.py) watches that file: a crash
or a hang costs the case that had started.
"""

import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)


def agrees(mx, row, line, surface):
    """Whether that way to call the operator gives the same in real MXNet."""
    from tests import surfaces

    try:
        surfaces.check(mx, row, line, surface)
        return True
    except Exception:  # noqa: BLE001 - this way is not offered, or gives something else
        return False


def add_surfaces(mx, row, line):
    """Notes in a row's line what its Symbol and its method do."""
    from tests import surfaces

    found = [name for name in surfaces.SURFACES if agrees(mx, row, line, name)]
    if found:
        line["as"] = found
    if "symbol" not in found:
        return
    if attempt(surfaces.output_shapes, mx, row) != [array["s"] for array in line["out"]]:
        line["infers"] = False
    shapes = attempt(surfaces.inferred, mx, row)
    if shapes:
        line["infer"] = shapes


def attempt(function, mx, row):
    """What `function` gives, or None where MXNet cannot tell."""
    try:
        return function(mx, row)
    except Exception:  # noqa: BLE001 - whatever it raises
        return None


def record(mx, case):
    """The case's line: its results, or the class of the exception."""
    from tests import cases, golden_store, replay

    try:
        line = golden_store.case_line(case, replay.run(mx, case))
    except Exception as e:  # noqa: BLE001 - whatever it is, it is what MXNet does
        line = {"id": case.id, "hash": case.hash, "error": type(e).__name__}
        return line, f"{type(e).__name__}: {str(e).strip()[:400]}"
    if isinstance(case, cases.S):
        add_surfaces(mx, case, line)
    return line, ""


def report(results, wanted, run):
    """Write what `run` gives for each id to the file, and leave without Python's cleaning up."""
    with open(results, "a", encoding="utf-8") as out:
        for name in wanted:
            out.write(json.dumps({"start": name}) + "\n")
            out.flush()
            line, message = run(name)
            out.write(json.dumps({"done": line, "message": message}) + "\n")
            out.flush()
    sys.stdout.flush()
    os._exit(0)  # MXNet can hang at exit after an error


def main():
    family, results = sys.argv[1:]
    wanted = json.load(sys.stdin)
    import mxnet as mx

    from tests import cases

    by_id = {case.id: case for case in cases.load(family)}
    report(results, wanted, lambda name: record(mx, by_id[name]))


if __name__ == "__main__":
    main()
