"""What may be MXNet's and is not understood: names in strings, methods of values of any class."""

from __future__ import annotations

import ast
import builtins
import re
from functools import cached_property

from mxtorch.port.codes import Code
from mxtorch.port.engine import FilePort
from mxtorch.port.names import PACKAGES
from mxtorch.port.outcome import Outcome
from mxtorch.port.values import Value

_WORD = re.compile(r"\w+")
# What objects of MXNet have, and neither torch's, NumPy's nor Python's.
_DISTINCT = frozenset([
    "argmax_channel", "as_in_context", "as_in_ctx", "as_nd_ndarray", "as_np_ndarray", "asnumpy",
    "asscalar", "attach_grad", "broadcast_axes", "broadcast_like", "copyto", "depth_to_space",
    "expand_dims", "nanprod", "one_hot", "ones_like", "zeros_like", "reshape_like", "shape_array",
    "size_array", "slice_axis", "slice_like", "softmin", "space_to_depth", "split_v2", "stype",
    "tostype", "wait_to_read", "wait_to_write", "to_dlpack_for_read", "to_dlpack_for_write",
    "collect_params", "hybridize", "infer_shape", "infer_type", "initialize", "load_parameters",
    "load_params", "name_scope", "optimize_for", "register_child", "register_op_hook",
    "save_parameters", "save_params", "grad_req", "lr_mult", "wd_mult", "list_ctx", "list_data",
    "list_grad", "list_row_sparse_data", "reset_ctx", "row_sparse_data", "set_data",
    "get_constant", "load_dict", "allreduce_grads", "set_learning_rate", "load_states",
    "save_states", "attr_dict", "get_children", "get_inputs", "get_internals",
    "infer_shape_partial", "infer_type_partial", "list_arguments", "list_attr",
    "list_auxiliary_states", "list_inputs", "list_outputs", "simple_bind", "tojson", "debug_str",
    "borrow_optimizer", "forward_backward", "get_input_grads", "get_outputs", "init_optimizer",
    "init_params", "install_monitor", "iter_predict", "load_optimizer_states", "save_checkpoint",
    "save_optimizer_states", "set_params", "update_metric", "switch_bucket", "provide_data",
    "provide_label", "pushpull", "row_sparse_pull", "set_gradient_compression", "get_name_value",
    "get_global", "reset_local", "getdata", "getlabel", "getpad", "getindex", "iter_next",
    "hard_reset", "device_typeid", "begin_state", "arg_dict", "aux_dict", "grad_dict",
    "copy_params_from",
])  # fmt: skip
# Methods that others have too, where these parts of MXNet are in use.
_OF_PARTS = {
    "mx.mod.": frozenset(["bind", "fit", "get_params", "get_states", "predict", "score"]),
    "mx.io.": frozenset(["next", "reset"]),
    "mx.kv.": frozenset(["init", "pull", "push"]),
}
# Calls that NumPy's or torch's arrays have too, and answer otherwise; attributes likewise.
_SHARED = frozenset(["astype", "copy", "data", "flatten", "grad", "pick", "slice"])
_OTHERWISE = frozenset(["max", "min", "sort", "repeat", "topk"])
_READ = frozenset(["context", "size"])
_CODES = (0, -2, -3, -4)
# Names under which programs have their options.
_OPTIONS = frozenset(["args", "opt", "opts", "options", "config", "cfg", "conf", "hparams", "self"])
_RUNS = ("eval", "exec", "__import__", "compile")
_MODULES = ("importlib.import_module", "importlib.util.find_spec")


def note_unclear(port: FilePort) -> None:
    """Note what stays in the port and may be MXNet's, and what strings hold of it."""
    _Unclear(port).note()


class _Unclear:
    def __init__(self, port: FilePort) -> None:
        self.port = port

    def note(self) -> None:
        for node in self.port.of(ast.Call):
            told = self._in_string(node)
            if told:
                self.port.roots |= self._imported & set(_WORD.findall(told))
                self._tell(node, told, told)
        for node in self.port.of(ast.Attribute):
            if self._may_be_mxnets(node) and self._is_left(node):
                what = f"{node.attr}, of a value whose class reading does not tell"
                self._tell(node, f"*.{node.attr}", what)

    def _tell(self, node: ast.expr, name: str, what: str) -> None:
        self.port.counts.left += 1
        self.port.outcomes[node] = Outcome("unclear")
        self.port.unclear[node] = name
        self.port.note(node, Code.UNCLEAR, what)

    # Strings

    def _in_string(self, node: ast.Call) -> str:
        """A call that runs or imports what a string names, if that may be MXNet's."""
        function = self.port.flow.value(node.func)
        runs = function.kind == "builtin" and function.name in _RUNS
        if not node.args or not (runs or function == _python(function, _MODULES)):
            return ""
        text = node.args[0]
        if isinstance(text, ast.Constant) and isinstance(text.value, (str, bytes)):
            held = str(text.value)
            return f"{function.name}({held!r})" if self._names.search(held) else ""
        parts = [n.value for n in ast.walk(text) if isinstance(n, ast.Constant)]
        named = any(self._names.search(str(part)) for part in parts)
        return f"{function.name} of a text" if named or (runs and self._is_mxnets) else ""

    @cached_property
    def _names(self) -> re.Pattern[str]:
        """Names of the packages, and of what the file has from them."""
        names = {*PACKAGES, *self._imported}
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")

    @cached_property
    def _imported(self) -> set[str]:
        return {name for name, value in self.port.flow.scope.items() if value.is_mxnet()}

    @cached_property
    def _is_mxnets(self) -> bool:
        return bool(self._imported or self.port.members)

    # Methods

    def _may_be_mxnets(self, node: ast.Attribute) -> bool:
        owner, name = self.port.flow.value(node.value), node.attr
        if name in self._own or not _is_unknown(owner):
            return False
        if name in _DISTINCT:
            return True
        root = node.value
        while isinstance(root, (ast.Attribute, ast.Subscript)):
            root = root.value
        if isinstance(root, ast.Name) and root.id in self._options:
            return False
        call = self._call(node)
        if call is None:
            return name in _READ
        if any(name in names for names in self._parts):
            return True
        return name in _SHARED or _is_otherwise(name, call)

    def _call(self, node: ast.Attribute) -> ast.Call | None:
        parent = self.port.parents.get(node)
        return parent if isinstance(parent, ast.Call) and parent.func is node else None

    @cached_property
    def _own(self) -> set[str]:
        """Methods and attributes of the program's own classes."""
        flow = self.port.flow
        classes = [*flow.classes.values()]
        if flow.outside is not None:
            classes += flow.outside.classes.values()
        return {name for c in classes for name in (*c.methods, *c.attributes)}

    @cached_property
    def _parts(self) -> list[frozenset[str]]:
        used = self.port.members
        return [n for part, n in _OF_PARTS.items() if any(m.startswith(part) for m in used)]

    @cached_property
    def _options(self) -> set[str]:
        """Names of options, by what they are called or where they come from."""
        found = set(_OPTIONS)
        for node in self.port.of(ast.Assign):
            made = node.value.func if isinstance(node.value, ast.Call) else None
            if isinstance(made, ast.Attribute) and made.attr.startswith("parse_"):
                found |= {n.id for t in node.targets for n in ast.walk(t)
                          if isinstance(n, ast.Name)}  # fmt: skip
        return found

    @cached_property
    def _result(self) -> str:
        return self.port.source.result()

    def _is_left(self, node: ast.Attribute) -> bool:
        """Whether no rule took the place, and the port has it as it was."""
        port, call = self.port, self._call(node)
        taken = port.outcomes.keys() | port.renamed.keys()
        if node in taken or call in taken:
            return False
        outer: ast.AST | None = node
        while outer is not None:
            if outer in port.removed:
                return False
            outer = port.parents.get(outer)
        attribute = re.compile(rf"\.\s*{node.attr}\b")
        text = port.rendered(call or node)
        return attribute.search(self._result if text is None else text) is not None


def _python(value: Value, names: tuple[str, ...]) -> Value:
    return value if value.kind == "python" and value.name in names else Value("none")


def _is_unknown(value: Value) -> bool:
    """Whether a value may be of any class."""
    if value.kind == "method":
        owner = value.items[0]
        return owner.kind == "instance" or _is_unknown(owner)
    if value.kind == "builtin":
        return not hasattr(builtins, value.name)
    return value.kind == "unknown"


def _is_otherwise(name: str, call: ast.Call) -> bool:
    """Whether torch's method of that name answers these arguments otherwise."""
    keywords = {k.arg for k in call.keywords}
    if "exclude" in keywords or (name in _OTHERWISE and "axis" in keywords):
        return True
    if name == "transpose":
        return len(call.args) != 2
    if name == "reshape":
        given = [n for a in call.args for n in ast.walk(a)]
        codes = [a.value for a in given if isinstance(a, ast.Constant)]
        negative = [-n.operand.value for n in given if isinstance(n, ast.UnaryOp)
                    and isinstance(n.op, ast.USub) and isinstance(n.operand, ast.Constant)
                    and isinstance(n.operand.value, int)]  # fmt: skip
        return "shape" in keywords or 0 in codes or any(code in _CODES for code in negative)
    return False
