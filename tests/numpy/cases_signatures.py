"""Signatures of the functions and methods that MXNet wrote itself."""

from tests.cases import C

NAMES = """
np.abs np.absolute np.add np.append np.arange np.arccos np.arccosh np.arcsin np.arcsinh
np.arctan np.arctan2 np.arctanh np.argmax np.argmin np.argsort np.around np.array
np.array_split np.average np.bincount np.bitwise_and np.bitwise_not np.bitwise_or
np.bitwise_xor np.blackman np.broadcast_arrays np.broadcast_to np.cbrt np.ceil np.clip
np.column_stack np.concatenate np.copysign np.cos np.cosh np.deg2rad np.degrees np.delete
np.diag_indices_from np.diff np.divide np.dsplit np.dstack np.ediff1d np.einsum np.empty
np.empty_like np.equal np.exp np.expand_dims np.expm1 np.eye np.fabs np.fix np.flip np.fliplr
np.flipud np.floor np.full np.full_like np.genfromtxt np.greater np.greater_equal np.hamming
np.hanning np.histogram np.hsplit np.hstack np.hypot np.identity np.indices np.inner np.insert
np.invert np.isfinite np.isinf np.isnan np.isneginf np.isposinf np.lcm np.ldexp np.less
np.less_equal np.linalg.cholesky np.linalg.det np.linalg.eig np.linalg.eigh np.linalg.eigvals
np.linalg.eigvalsh np.linalg.inv np.linalg.norm np.linalg.pinv np.linalg.slogdet
np.linalg.solve np.linalg.svd np.linalg.tensorinv np.linalg.tensorsolve np.linspace np.log
np.log10 np.log1p np.log2 np.logical_not np.logspace np.matmul np.maximum np.may_share_memory
np.mean np.meshgrid np.minimum np.mod np.multiply np.nan_to_num np.ndarray.__abs__
np.ndarray.__add__ np.ndarray.__and__ np.ndarray.__bool__ np.ndarray.__eq__
np.ndarray.__float__ np.ndarray.__ge__ np.ndarray.__gt__ np.ndarray.__hash__
np.ndarray.__iadd__ np.ndarray.__iand__ np.ndarray.__imatmul__ np.ndarray.__imod__
np.ndarray.__imul__ np.ndarray.__int__ np.ndarray.__invert__ np.ndarray.__ior__
np.ndarray.__isub__ np.ndarray.__itruediv__ np.ndarray.__ixor__ np.ndarray.__le__
np.ndarray.__len__ np.ndarray.__lt__ np.ndarray.__matmul__ np.ndarray.__mod__
np.ndarray.__mul__ np.ndarray.__ne__ np.ndarray.__neg__ np.ndarray.__or__ np.ndarray.__pow__
np.ndarray.__reduce__ np.ndarray.__rmatmul__ np.ndarray.__rmod__ np.ndarray.__rmul__
np.ndarray.__round__ np.ndarray.__rpow__ np.ndarray.__rsub__ np.ndarray.__rtruediv__
np.ndarray.__sub__ np.ndarray.__truediv__ np.ndarray.__xor__ np.ndarray.abs np.ndarray.all
np.ndarray.any np.ndarray.arccos np.ndarray.arccosh np.ndarray.arcsin np.ndarray.arcsinh
np.ndarray.arctan np.ndarray.arctanh np.ndarray.argmax np.ndarray.argmax_channel
np.ndarray.argmin np.ndarray.argsort np.ndarray.as_in_context np.ndarray.as_nd_ndarray
np.ndarray.as_np_ndarray np.ndarray.astype np.ndarray.broadcast_axes np.ndarray.broadcast_to
np.ndarray.cbrt np.ndarray.ceil np.ndarray.clip np.ndarray.copy np.ndarray.copyto
np.ndarray.cos np.ndarray.cosh np.ndarray.cumsum np.ndarray.degrees np.ndarray.depth_to_space
np.ndarray.detach np.ndarray.dot np.ndarray.exp np.ndarray.expand_dims np.ndarray.expm1
np.ndarray.fix np.ndarray.flatten np.ndarray.flip np.ndarray.floor np.ndarray.item
np.ndarray.log np.ndarray.log10 np.ndarray.log1p np.ndarray.log2 np.ndarray.log_softmax
np.ndarray.max np.ndarray.mean np.ndarray.min np.ndarray.nanprod np.ndarray.nansum
np.ndarray.nonzero np.ndarray.norm np.ndarray.one_hot np.ndarray.ones_like np.ndarray.pad
np.ndarray.pick np.ndarray.prod np.ndarray.radians np.ndarray.rcbrt np.ndarray.reciprocal
np.ndarray.relu np.ndarray.repeat np.ndarray.reshape np.ndarray.reshape_like
np.ndarray.reshape_view np.ndarray.rint np.ndarray.round np.ndarray.rsqrt
np.ndarray.shape_array np.ndarray.sigmoid np.ndarray.sign np.ndarray.sin np.ndarray.sinh
np.ndarray.size_array np.ndarray.slice np.ndarray.slice_assign np.ndarray.slice_assign_scalar
np.ndarray.slice_axis np.ndarray.slice_like np.ndarray.softmax np.ndarray.softmin
np.ndarray.sort np.ndarray.space_to_depth np.ndarray.split np.ndarray.split_v2 np.ndarray.sqrt
np.ndarray.square np.ndarray.squeeze np.ndarray.std np.ndarray.sum np.ndarray.swapaxes
np.ndarray.take np.ndarray.tan np.ndarray.tanh np.ndarray.tile np.ndarray.tolist
np.ndarray.topk np.ndarray.transpose np.ndarray.trunc np.ndarray.var np.ndarray.zeros_like
np.negative np.nonzero np.not_equal np.ones_like np.outer np.pad np.percentile np.polyval
np.power np.quantile np.rad2deg np.radians np.random.beta np.random.chisquare np.random.choice
np.random.exponential np.random.gamma np.random.gumbel np.random.logistic np.random.lognormal
np.random.multinomial np.random.multivariate_normal np.random.normal np.random.pareto
np.random.power np.random.rand np.random.randint np.random.randn np.random.rayleigh
np.random.shuffle np.random.uniform np.random.weibull np.ravel np.reciprocal np.remainder
np.resize np.rint np.rot90 np.round np.round_ np.set_printoptions np.shares_memory np.sign
np.sin np.sinh np.sort np.split np.sqrt np.square np.stack np.std np.subtract np.swapaxes
np.take np.tan np.tanh np.tensordot np.tile np.tril np.true_divide np.trunc np.unique
np.unravel_index np.var np.vdot np.vsplit np.vstack np.where np.zeros np.zeros_like
npx.gpu_memory_info npx.load npx.num_gpus npx.random.bernoulli npx.random.normal_n
npx.random.uniform_n npx.reset_np npx.save npx.set_np np.ones np.row_stack np.ndarray.as_in_ctx
np.ndarray.attach_grad npx.random.seed
""".split()  # noqa: SIM905 - three hundred names, a line each otherwise

_CODE = """
import inspect
found = mx
for part in "{0}".split("."):
    found = getattr(found, part)
for p in inspect.signature(found).parameters.values():
    out.append((p.name, str(p.kind), "" if p.default is p.empty else repr(p.default)))
"""

CASES = [C("signature/" + name, _CODE.format(name)) for name in NAMES]
