"""Custom operators that take and give sparse arrays, as their infer_storage_type says."""

from tests.snippets import snippets

_BEFORE = """
seen = []

class Square(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        seen.append([x.stype for x in in_data + out_data])
        x = in_data[0]
        self.assign(out_data[0], req[0], nd.sparse.square(x) if x.stype != "default" else x * x)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        seen.append([x.stype for x in out_grad + in_data + out_data + in_grad])
        x, g = in_data[0], out_grad[0]
        if x.stype == "row_sparse":
            result = nd.sparse.elemwise_mul(x, g) * 2
        else:
            result = x.tostype("default") * g.tostype("default") * 2
        self.assign(in_grad[0], req[0], result.tostype(in_grad[0].stype))

@mx.operator.register("stored_square")
class Prop(mx.operator.CustomOpProp):
    def infer_storage_type(self, stypes):
        return stypes, [stypes[0]], []

    def infer_storage_type_backward(self, heads, inputs, outputs, grads, states):
        return [inputs[0]], inputs, outputs, [inputs[0]], states

    def create_operator(self, ctx, shapes, dtypes):
        return Square()

class Plain(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] * 2)

@mx.operator.register("dense_alone")
class PlainProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx, shapes, dtypes):
        return Plain()

def made(stype):
    return nd.array([[1, 2], [0, 0], [0, 3]]).tostype(stype)

def show(array):
    out.extend([array.stype, array.asnumpy()])
"""

CASES = snippets(
    """
## call/each-type
for stype in ("default", "row_sparse", "csr"):
    show(nd.Custom(made(stype), op_type="stored_square"))
nd.waitall()
out += seen
## record/row-sparse
x = made("row_sparse")
x.attach_grad()
with autograd.record():
    y = nd.Custom(x, op_type="stored_square")
y.backward(nd.ones((3, 2)).tostype("row_sparse"))
nd.waitall()
show(y)
show(x.grad)
out += seen
## record/csr
x = made("csr")
x.attach_grad()
with autograd.record():
    y = nd.Custom(x, op_type="stored_square")
y.backward(nd.array([[1, 2], [3, 4], [5, 6]]).tostype("csr"))
nd.waitall()
show(y)
show(x.grad)
## graph/each-type
for stype in ("default", "row_sparse", "csr"):
    y = mx.sym.Custom(mx.sym.var("x", stype=stype), op_type="stored_square", name="q")
    e = y.bind(mx.cpu(), {"x": made(stype)}, args_grad={"x": nd.zeros((3, 2)).tostype(stype)})
    for _ in range(2):
        e.forward(is_train=True)
        e.backward(nd.ones((3, 2)).tostype(stype))
    nd.waitall()
    show(e.outputs[0])
    show(e.grad_dict["x"])
    out += seen
## graph/then-others
x = mx.sym.var("x", stype="row_sparse")
y = mx.sym.sparse.square(mx.sym.Custom(x, op_type="stored_square", name="q"))
e = y.bind(mx.cpu(), {"x": made("row_sparse")})
e.forward(is_train=False)
show(e.outputs[0])
## refused/dense-alone
nd.Custom(made("row_sparse"), op_type="dense_alone").wait_to_read()
""",
    _BEFORE,
)
