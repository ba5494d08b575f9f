"""Recorded cases: CSVIter, MNISTIter, and MXDataIter, the class of both."""

from __future__ import annotations

from tests.snippets import snippets

BEFORE = """
import atexit, os, shutil, struct, tempfile
T = tempfile.mkdtemp() + os.sep
atexit.register(shutil.rmtree, T, True)
def write(name, text):
    with open(T + name, 'wb') as f:
        f.write(text if isinstance(text, bytes) else text.encode())
def told(it, count=1):
    out.append([repr(it.provide_data), repr(it.provide_label), it.batch_size])
    for _ in range(count):
        for b in it:
            # copies: MXNet loads a later batch into the same memory
            out.append([[a.asnumpy() for a in b.data + b.label], b.pad, b.index])
        it.reset()
def fails(**kwargs):
    try:
        list(mx.io.CSVIter(**kwargs))
        out.append('done')
    except mx.base.MXNetError:
        out.append('refused')
write('d.csv', '\\n'.join('%d,%d' % (2 * i, 2 * i + 1) for i in range(7)) + '\\n')
write('l.csv', '\\n'.join(str(i * 10) for i in range(7)))
write('l2.csv', '\\n'.join('%d,%d' % (i * 10, -i) for i in range(7)))
def digits(n=20):
    img = (onp.arange(n)[:, None, None] * onp.ones((1, 3, 2))).astype('uint8')
    img[:, 0, 1] = 255
    write('im', struct.pack('>IIII', 2051, n, 3, 2) + img.tobytes())
    write('la', struct.pack('>II', 2049, n) + onp.arange(n).astype('uint8').tobytes())
def mnist(**kwargs):
    return mx.io.MNISTIter(image=T + 'im', label=T + 'la', silent=True, **kwargs)
"""

_LINES = "\n".join(
    f"""
## libsvm/line/{name}
write('a.t', {text!r})
told(mx.io.LibSVMIter(data_libsvm=T + 'a.t', data_shape=(3,), batch_size=1))
"""
    for name, text in (
        ("weight", "1:2.5 0:0.5\n2 1:1\n"),
        ("comment", "1 1:3 # hello\n2 1:1\n"),
        ("empty", "1 0:1\n\n2 1:1\n"),
        ("all-comment", "# c\n1 0:1\n"),
        ("qid", "1 qid:3 1:1\n"),
        ("spaces", "  1   0:1\t2:3  \r\n2 1:1"),
        ("floats", "1 0:0.1 1:1e-3 2:1.66034"),
    )
)

CASES = snippets(
    _LINES
    + """
## csv/round-batch
told(mx.io.CSVIter(data_csv=T + 'd.csv', data_shape=(2,), batch_size=3), 4)

## csv/exact
told(mx.io.CSVIter(data_csv=T + 'd.csv', data_shape=(2,), batch_size=7), 2)

## csv/one
told(mx.io.CSVIter(data_csv=T + 'd.csv', data_shape=(2,), batch_size=1), 2)

## csv/last-batch-has-old-rows
told(mx.io.CSVIter(data_csv=T + 'd.csv', data_shape=(2,), label_csv=T + 'l.csv', batch_size=3,
                   round_batch=False), 2)

## csv/labels
told(mx.io.CSVIter(data_csv=T + 'd.csv', data_shape=(2, 1), label_csv=T + 'l2.csv',
                   label_shape=(2,), batch_size=4))

## csv/label-shape-without-labels
told(mx.io.CSVIter(data_csv=T + 'd.csv', data_shape=(2,), batch_size=3, label_shape=(2,)))

## csv/names
told(mx.io.CSVIter(data_csv=T + 'd.csv', data_shape=(2,), batch_size=4, data_name='q',
                   label_name='r'))

## csv/integers
for dtype in ('int32', 'int64'):
    told(mx.io.CSVIter(data_csv=T + 'd.csv', data_shape=(2,), label_csv=T + 'l.csv', batch_size=4,
                       dtype=dtype))

## csv/texts-as-arguments
told(mx.io.CSVIter(data_csv=T + 'd.csv', data_shape='(2,)', batch_size='3', round_batch='False'))
told(mx.io.CSVIter(data_csv=T + 'd.csv', data_shape=2, batch_size=3, ctx='cpu', prefetch_buffer=1))
told(mx.io.CSVIter(data_csv=T + 'd.csv', data_shape=[2], batch_size=3, round_batch=1))

## csv/refused
fails(data_csv=T + 'd.csv', data_shape=(2,), batch_size=4, dtype='float64')
fails(data_csv=T + 'd.csv', data_shape=(2,), batch_size=4, dtype='uint8')
fails(data_csv=T + 'd.csv', data_shape=(2,), batch_size=4, dtype='other')
fails(data_csv=T + 'd.csv', data_shape=(2,), batch_size=4, round_batch='x')
fails(data_csv=T + 'd.csv', data_shape=(2,))
fails(data_csv=T + 'none.csv', data_shape=(2,), batch_size=4)
fails(data_csv=T + 'd.csv', data_shape=(3,), batch_size=2)
fails(data_csv=T + 'd.csv', data_shape=(2,), label_csv=T + 'l.csv', label_shape=(2,), batch_size=2)
write('l3.csv', '1\\n2\\n')
fails(data_csv=T + 'd.csv', data_shape=(2,), label_csv=T + 'l3.csv', batch_size=3)
for text in ('1,2\\n3\\n5,6\\n', 'a,b\\n4,5\\n', ''):
    write('w.csv', text)
    fails(data_csv=T + 'w.csv', data_shape=(2,), batch_size=1)

## csv/lines
for text in ('1, 2\\r\\n\\n3 ,4\\n 5,6', '1,2,\\n3,4,\\n', '1,2\\r3,4'):
    write('w.csv', text)
    told(mx.io.CSVIter(data_csv=T + 'w.csv', data_shape=(2,), batch_size=1))

## csv/several-files
write('e.csv', '100,200\\n')
told(mx.io.CSVIter(data_csv=T + 'e.csv;' + T + 'd.csv', data_shape=(2,), batch_size=4))

## csv/folder
os.mkdir(T + 'f'); write('f/a.csv', '1,2\\n3,4\\n')
told(mx.io.CSVIter(data_csv=T + 'f/', data_shape=(2,), batch_size=2))

## csv/floats [exact]
texts = ['nan', 'inf', '-inf', '+4', '.5', '5.', ' 7 ', '1e+2', '1E2', '1e40', '1e-40', '1e-50',
         '123456789012345678901234567890', '0.123456789012345678901234567890', 'INF', 'NaN',
         '1e400', 'infinity', '99999999999999999999', '3.4028236e38', '1e-10', '1e-37', '1e-38',
         '2e-38', '1.5e-39', '1e38', '1e37', '5e38', '2.5e39', '3.4e38', '1.17549435e-38', '-0']
write('w.csv', '\\n'.join(texts))
told(mx.io.CSVIter(data_csv=T + 'w.csv', data_shape=(1,), batch_size=len(texts)))

## csv/floats-random [exact]
for fmt in ('%.18e', '%g', '%.6f', '%.3f', '%.17g', '%.9g', '%d'):
    onp.savetxt(T + 'w.csv', onp.random.randn(100, 5) * 10, delimiter=',', fmt=fmt)
    out += mx.io.CSVIter(data_csv=T + 'w.csv', data_shape=(5,), batch_size=100).next().data

## csv/integer-texts
texts = ['1.7', '-1.7', '+4', ' 4', '0x10', '010', '99999999999', '-99999999999',
         '9223372036854775808']
write('w.csv', '\\n'.join(texts))
for dtype in ('int32', 'int64'):
    told(mx.io.CSVIter(data_csv=T + 'w.csv', data_shape=(1,), batch_size=len(texts), dtype=dtype))

## libsvm/rows
write('a.t', '1.0 0:0.5 2:1.2\\n-2.0\\n-3.0 0:0.6 1:2.4 2:1.2\\n4 2:-1.2\\n')
it = mx.io.LibSVMIter(data_libsvm=T + 'a.t', data_shape=(3,), batch_size=3)
told(it, 4)
b = it.next()
out += [b.data[0].stype, b.label[0].stype, b.data[0].data, b.data[0].indices, b.data[0].indptr]
told(mx.io.LibSVMIter(data_libsvm=T + 'a.t', data_shape=5, batch_size=1, dtype='float32'))

## libsvm/labels
write('a.t', '1 0:0.5 2:1.2\\n2\\n3 1:2.4\\n')
write('b.t', '1.0\\n-2.0 0:0.125\\n-3.0 2:1.2\\n4 1:1.0\\n')
it = mx.io.LibSVMIter(data_libsvm=T + 'a.t', data_shape=(3,), label_libsvm=T + 'b.t',
                      label_shape=(3,), batch_size=3)
out.append([repr(it.provide_data), repr(it.provide_label)])
b = it.next(); out += [b.label[0].stype, b.data[0].asnumpy(), b.label[0].asnumpy()]

## libsvm/parts
write('a.t', '\\n'.join('%d %d:%d' % (i, i % 3, i * i) for i in range(30)) + '\\n')
for count in (1, 2, 3, 7):
    for part in range(count):
        told(mx.io.LibSVMIter(data_libsvm=T + 'a.t', data_shape=(3,), batch_size=1, num_parts=count,
                              part_index=part))

## libsvm/refused
def refused(text='1 0:1\\n2 1:1\\n', **kwargs):
    write('a.t', text)
    try:
        kwargs = {'data_libsvm': T + 'a.t', 'data_shape': 3, 'batch_size': 1, **kwargs}
        list(mx.io.LibSVMIter(**kwargs))
        out.append('done')
    except mx.base.MXNetError:
        out.append('refused')
refused(); refused(data_shape=(2, 2)); refused(round_batch=False); refused(label_shape=(2,))
refused('1 -1:1\\n'); refused(''); refused(num_parts=2, part_index=2)
refused(label_libsvm=T + 'a.t')

## iter/parts
it = mx.io.CSVIter(data_csv=T + 'd.csv', data_shape=(2,), batch_size=3)
out += [type(it).__name__, isinstance(it, mx.io.DataIter), it.first_batch is None]
out += [bool(it.iter_next()), bool(it.iter_next()), it.getdata(), it.getlabel(), it.getpad()]
out += [it.getindex(), it.next().index, it.first_batch is None, bool(it.iter_next()), it.getindex()]
out += [bool(it.iter_next()), bool(it.iter_next()), next(it, None)]

## iter/context
with mx.Context('cpu', 1):
    b = mx.io.CSVIter(data_csv=T + 'd.csv', data_shape=(2,), batch_size=3).next()
out += [str(b.data[0].context), str(b.label[0].context)]

## iter/debug_skip_load
it = mx.io.CSVIter(data_csv=T + 'd.csv', data_shape=(2,), batch_size=3)
it.debug_skip_load()
out += [it.next().index, it.next().index, it.next().pad]

## iter/batch-stays
it = mx.io.CSVIter(data_csv=T + 'd.csv', data_shape=(2,), batch_size=3)
b = it.next(); it.next(); out += [b.data, b.index]

## iter/in-ResizeIter
it = mx.io.CSVIter(data_csv=T + 'd.csv', data_shape=(2,), batch_size=3, round_batch=False)
it = mx.io.ResizeIter(it, 4)
told(it, 2)

## mnist/shuffled
digits()
for seed in (0, 1, 7):
    told(mnist(batch_size=6, seed=seed), 2)

## mnist/in-order
digits()
told(mnist(batch_size=6, shuffle=False), 2)

## mnist/flat
digits()
told(mnist(batch_size=6, flat=True))

## mnist/parts
digits()
for part in range(3):
    told(mnist(batch_size=2, shuffle=False, num_parts=3, part_index=part))
    told(mnist(batch_size=2, seed=1, num_parts=3, part_index=part))

## mnist/many
digits(256)
b = mnist(batch_size=256, seed=3).next(); out += [b.data, b.label, b.index]

## mnist/fewer-than-a-batch
digits()
mnist(batch_size=60)

## mnist/batch-of-none
digits()
mnist(batch_size=0)

## mnist/no-such-part
digits()
mnist(num_parts=3, part_index=3)

## mnist/other-type
digits()
mnist(batch_size=2, dtype='int32')

## mnist/no-file
mx.io.MNISTIter(silent=True)
""",
    BEFORE,
)
