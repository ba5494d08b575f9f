"""Times the programs of one side: reads lines `NAME<tab>COUNT`, prints the seconds of each.

`worker.py mxnet` runs those in MXNet's API, under real MXNet (Python 3.8) or `mxtorch run`;
`worker.py torch` runs those by hand in torch, which are all that it imports.
"""

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def mxnet_side():
    """The programs, and how to wait for what they began."""
    import mxnet as mx

    from bench.programs import PROGRAMS
    from bench.workloads import WORKLOADS

    table = {**PROGRAMS, **WORKLOADS}
    return lambda name: table[name](mx), mx.nd.waitall


def torch_side():
    """The same by hand."""
    from bench import torch_programs, torch_workloads

    table = {**torch_programs.PROGRAMS, **torch_workloads.WORKLOADS}
    return lambda name: table[name](), lambda: None


def main():
    prepare, wait = {"mxnet": mxnet_side, "torch": torch_side}[sys.argv[1]]()
    prepared = {}
    print("ready", flush=True)
    for line in sys.stdin:
        name, count = line.rstrip("\n").split("\t")
        if name not in prepared:
            prepared[name] = prepare(name)
            prepared[name]()  # the first call may import and compile a good deal
        work = prepared[name]
        wait()
        start = time.perf_counter()
        for _ in range(int(count)):
            work()
        wait()
        print(time.perf_counter() - start, flush=True)
    os._exit(0)  # real MXNet may hang in its own exit


if __name__ == "__main__":
    main()
