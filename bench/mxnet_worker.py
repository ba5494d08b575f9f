"""Times programs.py on real MXNet: reads lines `NAME<tab>COUNT`, prints seconds for each."""

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import mxnet as mx

from bench.programs import PROGRAMS
from bench.workloads import WORKLOADS

prepared = {}
print("ready", flush=True)
for line in sys.stdin:
    name, count = line.rstrip("\n").split("\t")
    if name not in prepared:
        prepared[name] = {**PROGRAMS, **WORKLOADS}[name](mx)
    work = prepared[name]
    mx.nd.waitall()
    start = time.perf_counter()
    for _ in range(int(count)):
        work()
    mx.nd.waitall()
    print(time.perf_counter() - start, flush=True)
os._exit(0)  # real MXNet may hang in its own exit
