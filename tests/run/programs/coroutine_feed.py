"""2016: asyncio.coroutine feeds batches."""
import asyncio
import collections

import mxnet as mx
import numpy as np


@asyncio.coroutine
def feed(queue):
    for i in range(3):
        yield from asyncio.sleep(0)
        yield from queue.put(mx.nd.full((2,), np.float(i)))
    yield from queue.put(None)


@asyncio.coroutine
def consume(queue):
    total = mx.nd.zeros(2)
    while True:
        batch = yield from queue.get()
        if batch is None:
            return total
        assert isinstance(batch.shape, collections.Sequence)
        total += batch


@asyncio.coroutine
def main():
    queue = asyncio.Queue()
    result = yield from asyncio.gather(feed(queue), consume(queue))
    print(result[1].asnumpy().tolist())


loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
loop.run_until_complete(main())
