"""Recorded cases: files of records, byte for byte, their index, and headers of images."""

from __future__ import annotations

from tests.snippets import snippets

BEFORE = """
import atexit, os, pickle, shutil, struct, tempfile
T = tempfile.mkdtemp() + os.sep
atexit.register(shutil.rmtree, T, True)
R, H = mx.recordio, mx.recordio.IRHeader
M = struct.pack('<I', 0xced7230a)
RECORDS = [b'', b'a', b'ab', b'abc', b'abcd', b'abcde', M, M + M, b'xxxx' + M + b'yyyy',
           b'xx' + M + b'yy', b'xxxx' + M, M + b'yyyy', b'x' * 1000, M + b'y', b'x' + M * 3 + b'z']
def content(name):
    with open(T + name, 'rb') as f:
        return f.read()
def write(records=RECORDS):
    w = R.MXRecordIO(T + 'a.rec', 'w')
    for record in records:
        w.write(record)
    w.close()
def indexed(**kwargs):
    w = R.MXIndexedRecordIO(T + 'a.idx', T + 'a.rec', 'w', **kwargs)
    for i in range(5):
        w.write_idx(i * 2, b'record%d' % i * (i + 1))
    return w
def reader(**kwargs):
    return R.MXIndexedRecordIO(T + 'a.idx', T + 'a.rec', 'r', **kwargs)
def fails(call, *errors):
    try:
        out.append(call())
    except errors:
        out.append('refused')
"""

CASES = snippets(
    """
## file/bytes
write()
out.append(content('a.rec'))

## file/read
write()
r = R.MXRecordIO(T + 'a.rec', 'r')
found = [r.read() for _ in RECORDS]
out += [found == RECORDS, r.read(), r.read(), r.is_open, r.writable, r.flag]
r.reset()
out += [r.read(), r.read()]
r.close(); r.close()
out += [r.is_open, r.pid]
fails(r.read, RuntimeError)
r.reset()
out += [r.read(), r.is_open]

## file/empty
write([])
out += [content('a.rec'), R.MXRecordIO(T + 'a.rec', 'r').read()]

## file/wrong-direction
w = R.MXRecordIO(T + 'a.rec', 'w'); w.write(b'x')
fails(w.read, AssertionError)
w.close()
fails(lambda: w.write(b'y'), RuntimeError)
r = R.MXRecordIO(T + 'a.rec', 'r')
fails(lambda: r.write(b'y'), AssertionError)

## file/text-is-no-record
w = R.MXRecordIO(T + 'a.rec', 'w')
fails(lambda: w.write('abc'), TypeError)
fails(lambda: w.write(onp.zeros(3)), TypeError)

## file/write-starts-anew
write([b'a', b'b']); write([b'c'])
w = R.MXRecordIO(T + 'b.rec', 'w'); w.write(b'x'); w.reset(); w.write(b'y'); w.close()
out += [content('a.rec'), content('b.rec')]

## file/flags
for flag in ('x', 'a', 'rb', ''):
    fails(lambda: R.MXRecordIO(T + 'a.rec', flag), ValueError)

## file/missing
fails(lambda: R.MXRecordIO(T + 'none.rec', 'r'), mx.base.MXNetError)
fails(lambda: R.MXRecordIO(T + 'none/a.rec', 'w'), mx.base.MXNetError)

## file/damage
def rec(b, kind=0):
    return M + struct.pack('<I', kind << 29 | len(b)) + b + bytes(-len(b) % 4)
for data in (rec(b'ab')[:-1], rec(b'ab')[:-3], rec(b'ab') + b'x', rec(b'ab') + M,
             b'xxxx' + rec(b'a'), rec(b'ab') + bytes(4) + rec(b'c'),
             M + struct.pack('<I', (1 << 29) - 1) + b'abc'):
    with open(T + 'd.rec', 'wb') as f:
        f.write(data)
    r = R.MXRecordIO(T + 'd.rec', 'r')
    try:
        for _ in range(3):
            out.append(r.read())
    except mx.base.MXNetError:
        out.append('damaged')

## file/parts
def rec(b, kind=0):
    return M + struct.pack('<I', kind << 29 | len(b)) + b + bytes(-len(b) % 4)
with open(T + 'd.rec', 'wb') as f:
    f.write(rec(b'abcd', 1) + rec(b'cd', 2) + rec(b'e', 3) + rec(b'zz'))
r = R.MXRecordIO(T + 'd.rec', 'r')
out += [r.read(), r.read(), r.read()]

## file/pickle
write()
r = R.MXRecordIO(T + 'a.rec', 'r'); r.read(); r.read()
copy = pickle.loads(pickle.dumps(r))
out += [copy.is_open, copy.read(), copy.read()]
r.close()
out += [pickle.loads(pickle.dumps(r)).is_open]
w = R.MXRecordIO(T + 'b.rec', 'w'); w.write(b'x'); w.close()
out += [pickle.loads(pickle.dumps(w)).is_open, content('b.rec')]

## index/files
w = indexed()
out += [w.idx, w.keys, w.tell(), w.key_type is int, os.path.basename(w.idx_path)]
w.close()
out += [w.is_open, content('a.idx'), content('a.rec')]

## index/read
indexed().close()
r = reader()
out += [r.idx, r.keys, r.read_idx(4), r.read_idx(0), r.read(), r.read_idx(onp.int64(8))]
r.seek(6); out.append(r.read())
r.reset(); out += [r.read(), r.keys]
fails(lambda: r.read_idx(3), KeyError)
fails(lambda: r.read_idx('4'), KeyError)
fails(r.tell, AssertionError)
fails(lambda: r.write_idx(1, b'x'), AssertionError)
r.close(); out += [r.is_open, r.read_idx(2), r.is_open]

## index/wrong-direction
w = indexed()
fails(lambda: w.read_idx(2), AssertionError)
fails(lambda: w.seek(2), AssertionError)

## index/text-keys
w = R.MXIndexedRecordIO(T + 'a.idx', T + 'a.rec', 'w', key_type=str)
w.write_idx('foo', b'x'); w.write_idx('bar', b'y'); w.write_idx('foo', b'z'); w.write_idx(3, b'u')
out += [w.keys, w.idx]; w.close(); out.append(content('a.idx'))
r = reader(key_type=str)
out += [r.keys, r.idx, r.read_idx('foo'), r.read_idx('bar'), r.read_idx('3')]

## index/key-of-another-type
w = R.MXIndexedRecordIO(T + 'a.idx', T + 'a.rec', 'w')
w.write_idx('7', b'x'); out += [w.keys]; w.close()
fails(lambda: w.write_idx('a', b'x'), ValueError)

## index/missing
write()
fails(reader, OSError)

## index/damage
indexed().close()
for text in ('0\\tx\\n', 'a\\t0\\n', '0 0\\n', '0\\t0\\n\\n'):
    with open(T + 'a.idx', 'w') as f:
        f.write(text)
    fails(lambda: reader().keys, ValueError)
for text in ('0\\t7\\n', '0\\t-4\\n'):
    with open(T + 'a.idx', 'w') as f:
        f.write(text)
    fails(lambda: reader().read_idx(0), mx.base.MXNetError)
with open(T + 'a.idx', 'w') as f:
    f.write('0\\t0\\t5\\n')
out += [reader().idx, reader().read_idx(0)]

## index/pickle
indexed().close()
r = reader(); r.read_idx(4)
copy = pickle.loads(pickle.dumps(r))
out += [copy.keys, copy.read_idx(8), copy.read_idx(2)]

## header/pack
out += [tuple(H(0, 4, 2574, 0)), str(H(0, 4, 2574, 0)), H._fields]
out += [R.pack(H(0, 4, 2574, 0), b'hello'), R.pack(H(0, 4.5, 2574, 3), b'hello')]
out += [R.pack(H(0, [1, 2, 3], 7, 0), b'hello'), R.pack(H(5, onp.array([1., 2.]), 7, 0), b'')]
out += [R.pack(H(0, onp.float64(2), 7, 0), b''), R.pack(H(0, onp.int64(2), 7, 0), b'')]
out += [R.pack(H(0, onp.array(2.), 7, 0), b''), R.pack((0, 4, 1, 2), b'a')]
out += [R.pack(H(9, 4, 1, 2), b'a'), R.pack(H(0, onp.ones((2, 2)), 7, 0), b'x')]
out += [R.pack(H(0, [], 7, 0), b'x'), R.pack(H(0, True, 7, 0), b'x')]

## header/unpack
for label in (4, [1, 2, 3], [], onp.array(2.)):
    header, data = R.unpack(R.pack(H(0, label, 2**40, 9), b'hello'))
    out += [header.flag, header.label, header.id, header.id2, data, type(header).__name__]
out += [R.unpack(R.pack(H(0, 1, 2, 3), b''))[1]]

## header/refused
fails(lambda: R.pack(H(0, 4, 1, 2), 'abc'), TypeError)
fails(lambda: R.pack(H(0, -4, -1, 2), b''), struct.error)
fails(lambda: R.pack(H(0, 'a', 7, 0), b'x'), ValueError)
fails(lambda: R.unpack(b'abc'), struct.error, ValueError)
fails(lambda: R.unpack(R.pack(H(0, [1, 2, 3], 7, 0), b'')[:26]), ValueError)
fails(lambda: R.pack((1, 2), b''), TypeError)

## dataset
indexed().close()
d = gluon.data.RecordFileDataset(T + 'a.rec')
out += [len(d), d[0], d[4], d[1], os.path.basename(d.idx_file), os.path.basename(d.filename)]
out += [pickle.loads(pickle.dumps(d))[2]]
fails(lambda: d[5], IndexError)
out += [[d.transform(len)[i] for i in range(5)]]
""",
    BEFORE,
)
