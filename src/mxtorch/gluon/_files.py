"""Files of a block's parameters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from mxtorch import ndarray as nd
from mxtorch._core.atomic import numbered
from mxtorch._core.errors import MXNetAssertionError, MXNetValueError
from mxtorch._core.warn import warn
from mxtorch.gluon._text import brief_list


def save_parameters(block: Any, filename: str, deduplicate: bool) -> None:
    """Write the parameters by structure; a shared one under its last name if `deduplicate`."""
    params = block._collect_params_with_prefix()
    if deduplicate:
        last_name = {parameter: name for name, parameter in params.items()}
        params = {name: parameter for parameter, name in last_name.items()}
    nd.save(filename, {name: parameter._reduce() for name, parameter in params.items()})


def load_parameters(
    block: Any,
    filename: str,
    ctx: Any,
    allow_missing: bool,
    ignore_extra: bool,
    cast_dtype: bool,
    dtype_source: str,
) -> None:
    """Read parameters by structure, or by name from files without any '.' in their names."""
    loaded = nd.load(filename)
    params = block._collect_params_with_prefix()
    if not loaded and not params:
        return
    if not isinstance(loaded, Mapping):
        raise MXNetValueError(f"file '{filename}' holds arrays without names")
    if not any("." in name for name in loaded):
        block.collect_params().load(
            filename, ctx, allow_missing, ignore_extra, block.prefix, cast_dtype, dtype_source
        )
        return
    if not allow_missing:
        _check_missing(filename, loaded, params)
    for name, array in loaded.items():
        if name in params:
            params[name]._load_init(array, ctx, cast_dtype=cast_dtype, dtype_source=dtype_source)
        elif not ignore_extra:
            raise MXNetValueError(
                f"Parameter '{name}' loaded from file '{filename}' is not present in "
                f"ParameterDict, which contains parameters {brief_list(params)}. "
                "Set ignore_extra=True to ignore. "
            )


def _check_missing(filename: str, loaded: Mapping[str, Any], params: Mapping[str, Any]) -> None:
    """Each parameter must be in the file, under any of the names that share it."""
    names_of: dict[Any, list[str]] = defaultdict(list)
    for name, parameter in params.items():
        names_of[parameter].append(name)
    for name, parameter in params.items():
        if not any(other in loaded for other in names_of[parameter]):
            raise MXNetAssertionError(
                f"Parameter '{name}' is missing in file '{filename}', which contains parameters: "
                f"{brief_list(loaded)}. Set allow_missing=True to ignore missing parameters."
            )


def export(block: Any, path: str, epoch: int, remove_amp_cast: bool) -> None:
    """Write the traced graph and the parameters that it uses, by kind and name."""
    graph = block._cached_graph[1]
    graph.save(f"{path}-symbol.json", remove_amp_cast)
    kinds = dict.fromkeys(graph.list_arguments(), "arg")
    kinds.update(dict.fromkeys(graph.list_auxiliary_states(), "aux"))
    arrays = {}
    for parameter in block.collect_params().values():
        if parameter.name in kinds:
            arrays[f"{kinds[parameter.name]}:{parameter.name}"] = parameter._reduce()
        else:
            warn(f'Parameter "{parameter.name}" is not used by the graph and not written.')
    nd.save(numbered(path, epoch, "params"), arrays)
