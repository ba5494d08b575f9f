"""mx.viz.print_summary: the table, letter for letter."""

from tests.snippets import snippets

_PRINTED = """
import contextlib, io, warnings
warnings.simplefilter('ignore')

def printed(*args, **kwargs):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        mx.viz.print_summary(*args, **kwargs)
    return text.getvalue().splitlines()

def net():
    x = sym.Convolution(sym.var('data'), num_filter=8, kernel=(3, 3), stride=(2, 2), name='conv1')
    x = sym.Activation(sym.BatchNorm(x, name='bn1'), act_type='relu', name='relu1')
    x = sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type='max', name='pool1')
    x = sym.Convolution(x, num_filter=4, num_group=2, kernel=(1, 1), no_bias=True, name='conv2')
    x = sym.Deconvolution(x, num_filter=4, kernel=(2, 2), name='dec', no_bias=True)
    x = sym.Flatten(sym.LeakyReLU(x, act_type='leaky', name='lk'), name='flat')
    a = sym.FullyConnected(x, num_hidden=10, name='fc')
    b = sym.FullyConnected(x, num_hidden=10, name='fc2', no_bias=True)
    x = sym.Dropout(sym.Concat(sym.elemwise_add(a, b, name='add'), a, name='cc', dim=1), name='drop')
    return sym.SoftmaxOutput(x, name='softmax')
"""  # noqa: E501 - a program

CASES = snippets(
    """
## with-shapes
out += printed(net(), shape={'data': (1, 3, 28, 28)})

## without-shapes
out += printed(net())

## width
out += printed(net(), shape={'data': (2, 3, 28, 28)}, line_length=70, positions=[.3, .5, .7, 1.])

## columns
out += printed(net(), {'data': (2, 3, 28, 28)}, 90, [30, 50, 70, 90])

## embedding
e = sym.Embedding(sym.var('ids'), input_dim=10, output_dim=4, name='emb')
out += printed(e, shape={'ids': (2, 3)}) + printed(sym.Group([e, sym.sum(e, name='s')]), shape={'ids': (2, 3)})

## several-outputs
s = sym.SliceChannel(sym.var('q'), num_outputs=2, name='sp')
out += printed(sym.elemwise_mul(s[0], s[1], name='m'), shape={'q': (2, 4)}) + printed(s, shape={'q': (2, 4)})

## not-a-symbol
mx.viz.print_summary(3)

## unknown-name
mx.viz.print_summary(net(), shape={'zz': (1,)})

## too-little-known
mx.viz.print_summary(net(), shape={})
""",  # noqa: E501 - a program
    before=_PRINTED,
)
