"""Operators of graphs: csr matrices whose values are the numbers of edges (int64).

Neighbours are drawn as MXNet draws them: a call takes one number from the engine that `shuffle`
uses, and every vertex draws from an engine seeded with it. What MXNet leaves unset is 0 here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mxtorch._core import rng
from mxtorch._core.attrs import Shape
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError, MXNetValueError
from mxtorch._core.op import Attrs, op
from mxtorch._core.rng.mt import Engine
from mxtorch._core.storage import Compressed, sparse_kernel

_MAX_RAW = 0xFFFFFFFF
_AHEAD = 64  # raw numbers looked at at a time
# How many of so many neighbours to take → their positions.
Choose = Callable[[Tensor, int], list[int]]


def _no_graph(name: str) -> MXNetTypeError:
    return MXNetTypeError(f"{name} takes a csr matrix of int64; cast it with tostype('csr')")


def _check_graph(name: str, graph: Any) -> Compressed:
    if not isinstance(graph, Compressed) or graph.data.dtype is not torch.int64:
        raise _no_graph(name)
    return graph


def _vertices(name: str, vertices: Any, limit: int) -> list[int]:
    if not isinstance(vertices, Tensor) or vertices.dtype is not torch.int64 or vertices.ndim != 1:
        raise MXNetTypeError(f"{name} takes vertices as vectors of int64")
    numbers: list[int] = vertices.tolist()
    for number in numbers:
        if not 0 <= number < limit:
            raise MXNetValueError(f"{name}: vertex {number} is not in a graph of {limit} vertices")
    return numbers


def _from_rows(shape: Sequence[int], rows: Sequence[Sequence[Any]], like: Compressed) -> Compressed:
    """A csr matrix of (column, value) pairs by rows; rows that are not given are empty."""
    lengths = [len(row) for row in rows] + [0] * (shape[0] - len(rows))
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    columns = [column for row in rows for column, _ in row]
    values = [value for row in rows for _, value in row]
    device = like.data.device
    return Compressed(
        shape,
        torch.from_numpy(ends).to(device),
        torch.tensor(columns, dtype=torch.int64, device=device),
        torch.tensor(values, dtype=like.data.dtype, device=device),
    )


def _row(graph: Compressed, vertex: int) -> slice:
    return slice(int(graph.indptr[vertex]), int(graph.indptr[vertex + 1]))


# edges -------------------------------------------------------------------------------------------


@op(name="_contrib_edge_id", mixed=True)
def edge_id(data: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """The number of the edge from each `u[i]` to `v[i]`, -1 where there is none."""
    raise _no_graph("edge_id")


@sparse_kernel("_contrib_edge_id")
def _edge_id(data: Any, u: Any, v: Any) -> Tensor:
    if not (isinstance(data, Compressed) and isinstance(u, Tensor) and isinstance(v, Tensor)):
        raise MXNetTypeError("edge_id takes a csr matrix and two dense vectors")
    if u.ndim != 1 or u.shape != v.shape or u.dtype is not v.dtype:
        raise MXNetShapeError("edge_id takes two vectors of one length and one dtype")
    places = zip(data.rows().tolist(), data.indices.tolist(), strict=True)
    edges = dict(zip(places, data.data.tolist(), strict=True))
    found = [
        edges.get(place, -1) for place in zip(u.long().tolist(), v.long().tolist(), strict=True)
    ]
    return torch.tensor(found, dtype=data.data.dtype, device=data.data.device)


@op(name="_contrib_dgl_adjacency")
def dgl_adjacency(data: Tensor) -> Tensor:
    """The graph with the value 1 (float32) for each edge."""
    raise _no_graph("dgl_adjacency")


@sparse_kernel("_contrib_dgl_adjacency")
def _dgl_adjacency(data: Any) -> Compressed:
    graph = _check_graph("dgl_adjacency", data)
    return graph.with_data(torch.ones_like(graph.data, dtype=torch.float32))


# parts of graphs ---------------------------------------------------------------------------------


def _subgraph_count(attrs: Attrs) -> int:
    sets = int(attrs.get("num_args") or 2) - 1
    return 2 * sets if attrs["return_mapping"] else sets


@op(name="_contrib_dgl_subgraph", outputs=_subgraph_count, mixed=True)
def dgl_subgraph(*data: Tensor, return_mapping: bool) -> tuple[Tensor, ...]:
    """The edges between each set of vertices (sorted), numbered anew; with `return_mapping`
    followed by the same with the old numbers. `data`: the graph, then the sets."""
    raise _no_graph("dgl_subgraph")


@sparse_kernel("_contrib_dgl_subgraph")
def _dgl_subgraph(graph: Any, *sets: Any, return_mapping: bool) -> list[Compressed]:
    graph = _check_graph("dgl_subgraph", graph)
    if not sets:
        raise MXNetValueError("dgl_subgraph takes a graph and one or more sets of vertices")
    pairs = [_induced(graph, vertices) for vertices in sets]
    return [new for new, _ in pairs] + ([old for _, old in pairs] if return_mapping else [])


def _induced(graph: Compressed, chosen: Any) -> tuple[Compressed, Compressed]:
    vertices = _vertices("dgl_subgraph", chosen, graph.shape[0])
    if vertices != sorted(vertices):
        raise MXNetValueError("dgl_subgraph: the vertices of a set must be sorted")
    place = {vertex: i for i, vertex in enumerate(vertices)}
    rows = []
    for vertex in vertices:
        row = _row(graph, vertex)
        edges = zip(graph.indices[row].tolist(), graph.data[row].tolist(), strict=True)
        rows.append([(place[end], number) for end, number in edges if end in place])
    old = _from_rows((len(vertices),) * 2, rows, graph)
    return old.with_data(torch.arange(len(old.data), device=old.data.device)), old


def _compact_count(attrs: Attrs) -> int:
    graphs = int(attrs.get("num_args") or 2) // 2
    return 2 * graphs if attrs["return_mapping"] else graphs


@op(name="_contrib_dgl_graph_compact", outputs=_compact_count, mixed=True)
def dgl_graph_compact(
    *graph_data: Tensor, return_mapping: bool, graph_sizes: Shape
) -> tuple[Tensor, ...]:
    """Sampled graphs without their empty rows and columns, edges numbered anew.

    `graph_data`: the graphs, then the vertices of each as the samplers give them. With
    `return_mapping` a matrix without edges follows for each graph, as in MXNet.
    """
    raise _no_graph("dgl_graph_compact")


@sparse_kernel("_contrib_dgl_graph_compact")
def _dgl_graph_compact(
    *data: Any, return_mapping: bool, graph_sizes: tuple[int, ...]
) -> list[Compressed]:
    count = len(data) // 2
    if len(data) != 2 * count or len(graph_sizes) != count:
        raise MXNetValueError(
            "dgl_graph_compact takes as many graphs as arrays of vertices and sizes; there are "
            f"{len(data)} arrays and {len(graph_sizes)} sizes"
        )
    found = [_compacted(*row) for row in zip(data[:count], data[count:], graph_sizes, strict=True)]
    if not return_mapping:
        return found
    return found + [_from_rows(graph.shape, [], graph) for graph in found]


def _compacted(graph: Any, vertices: Any, size: int) -> Compressed:
    graph = _check_graph("dgl_graph_compact", graph)
    numbers = _vertices("dgl_graph_compact", vertices, max(graph.shape) + 1)
    if not numbers or numbers[-1] != size or size >= len(numbers):
        raise MXNetValueError(
            f"dgl_graph_compact: a graph of {numbers[-1:]} vertices, its size is said to be {size}"
        )
    place = {vertex: i for i, vertex in enumerate(numbers[:size])}
    ends = graph.indices[: int(graph.indptr[size])].tolist()
    strange = [end for end in ends if end not in place]
    if strange:
        raise MXNetValueError(
            f"dgl_graph_compact: an edge leads to vertex {strange[0]}, which was not sampled"
        )
    columns = torch.tensor([place[end] for end in ends], dtype=torch.int64)
    device = graph.data.device
    return Compressed(
        (size, size),
        graph.indptr[: size + 1].clone(),
        columns.to(device),
        torch.arange(len(ends), device=device),
    )


# sampling ----------------------------------------------------------------------------------------


class _Raw:
    """The numbers of an engine, from its first one for each that iterates."""

    def __init__(self, seed: int) -> None:
        self._engine = Engine(seed)
        self._known: list[int] = []

    def __iter__(self) -> Iterator[int]:
        place = 0
        while True:
            if place == len(self._known):
                self._known += self._engine.take(_AHEAD).tolist()
            yield self._known[place]
            place += 1


def _distinct(raw: _Raw, bound: int, count: int) -> set[int]:
    """So many different whole numbers of [0, bound), as `std::uniform_int_distribution` has."""
    found: set[int] = set()
    scale = _MAX_RAW // bound
    numbers = iter(raw)
    while len(found) < count:
        number = next(numbers)
        if number < bound * scale:
            found.add(number // scale)
    return found


def _uniformly(raw: _Raw, wanted: int) -> Choose:
    def choose(ends: Tensor, count: int) -> list[int]:
        if count > 2 * wanted:
            return sorted(_distinct(raw, count, wanted))
        return sorted({*range(count)} - _distinct(raw, count, count - wanted))

    return choose


class _Sums:
    """Weights as the leaves of a tree of float32 sums: drawn from without being put back."""

    def __init__(self, weights: np.ndarray) -> None:
        self.leaves = 1 << max(len(weights) - 1, 0).bit_length()
        self.sums = np.zeros(2 * self.leaves, np.float32)
        self.sums[self.leaves : self.leaves + len(weights)] = weights
        for i in range(self.leaves - 1, 0, -1):
            self.sums[i] = self.sums[2 * i] + self.sums[2 * i + 1]

    def take(self, raw: int) -> int:
        """The leaf that a raw number falls on; it weighs nothing from now on."""
        unit = np.float32(raw) / np.float32(2**32)
        rest = min(unit, np.nextafter(np.float32(1), np.float32(0))) * self.sums[1]
        i = 1
        while i < self.leaves:
            i *= 2
            if rest >= self.sums[i]:
                rest -= self.sums[i]
                i += 1
        weight, up = self.sums[i], i
        while up:
            self.sums[up] -= weight
            up //= 2
        return i - self.leaves


def _by_weight(raw: _Raw, weights: np.ndarray, wanted: int) -> Choose:
    def choose(ends: Tensor, count: int) -> list[int]:
        sums = _Sums(weights[ends.cpu().numpy()])
        found = {sums.take(number) for number in islice(raw, wanted)}
        if len(found) < wanted or max(found) >= count:
            raise MXNetValueError(
                f"{wanted} of {count} neighbours are wanted; fewer of them weigh more than 0"
            )
        return sorted(found)

    return choose


def _explore(
    graph: Compressed, seeds: list[int], hops: int, wanted: int, limit: int, choose: Choose
) -> tuple[dict[int, int], dict[int, Any]]:
    """Which vertices are reached, in which layer, over which edges, in the order of their
    discovery until there are `limit` of them."""
    layers = dict.fromkeys(seeds, 0)
    edges: dict[int, Any] = {}
    queue = list(layers)
    for vertex in queue:  # which grows
        if len(layers) >= limit:
            break
        if layers[vertex] >= hops:
            continue
        row = _row(graph, vertex)
        ends, numbers = graph.indices[row], graph.data[row]
        count = len(ends)
        places = list(range(count)) if count <= wanted else choose(ends, count)
        edges[vertex] = list(zip(ends[places].tolist(), numbers[places].tolist(), strict=True))
        for end, _ in edges[vertex]:
            if end not in layers and len(layers) < limit:
                layers[end] = layers[vertex] + 1
                queue.append(end)
    return layers, edges


def _sampled(
    graph: Compressed, chosen: Any, hops: int, wanted: int, limit: int, choose: Choose
) -> tuple[Tensor, Compressed, Tensor, list[int]]:
    """Vertices and their number, edges, layers; the vertices once more as numbers."""
    name = "dgl_csr_neighbor_sample"
    seeds = _vertices(name, chosen, graph.shape[0])
    if len(seeds) > limit:
        raise MXNetValueError(
            f"{name}: max_num_vertices={limit} is less than the {len(seeds)} seeds"
        )
    layers, edges = _explore(graph, seeds, hops, wanted, limit, choose)
    order = sorted(layers)
    vertices, depths = torch.zeros(limit + 1, dtype=torch.int64), torch.zeros(limit).long()
    vertices[: len(order)] = torch.tensor(order, dtype=torch.int64)
    vertices[-1] = len(order)
    depths[: len(order)] = torch.tensor([layers[v] for v in order], dtype=torch.int64)
    rows = [edges.get(vertex, []) for vertex in order]
    device = graph.data.device
    part = _from_rows((limit, graph.shape[1]), rows, graph)
    return vertices.to(device), part, depths.to(device), order


def _seeded() -> _Raw:
    return _Raw(int(rng.current().one.take(1)[0]))


def _triples(attrs: Attrs) -> int:
    return 3 * (int(attrs.get("num_args") or 2) - 1)


@op(name="_contrib_dgl_csr_neighbor_uniform_sample", outputs=_triples, mixed=True)
def dgl_csr_neighbor_uniform_sample(
    *seed_arrays: Tensor, num_hops: int = 1, num_neighbor: int = 2, max_num_vertices: int = 100
) -> tuple[Tensor, ...]:
    """Parts of a graph around sets of seeds, `num_neighbor` neighbours of each vertex.

    `seed_arrays`: the graph (csr, int64), then the sets (int64). Gives for all sets the vertices
    (max_num_vertices + 1, sorted; their number last), then for all the edges (csr,
    max_num_vertices rows), then for all the layers in which vertices were found.
    """
    raise _no_graph("dgl_csr_neighbor_uniform_sample")


@sparse_kernel("_contrib_dgl_csr_neighbor_uniform_sample")
def _uniform_sample(
    graph: Any, *sets: Any, num_hops: int = 1, num_neighbor: int = 2, max_num_vertices: int = 100
) -> list[Any]:
    graph = _check_graph("dgl_csr_neighbor_uniform_sample", graph)
    choose = _uniformly(_seeded(), num_neighbor)
    parts = [
        _sampled(graph, chosen, num_hops, num_neighbor, max_num_vertices, choose) for chosen in sets
    ]
    return [part[i] for i in range(3) for part in parts]


def _quadruples(attrs: Attrs) -> int:
    return 4 * (int(attrs.get("num_args") or 3) - 2)


@op(name="_contrib_dgl_csr_neighbor_non_uniform_sample", outputs=_quadruples, mixed=True)
def dgl_csr_neighbor_non_uniform_sample(
    *seed_arrays: Tensor, num_hops: int = 1, num_neighbor: int = 2, max_num_vertices: int = 100
) -> tuple[Tensor, ...]:
    """The same with the vertices' weights (float32) behind the graph: neighbours are drawn in
    proportion to them, and the weights of the vertices come before the layers."""
    raise _no_graph("dgl_csr_neighbor_non_uniform_sample")


@sparse_kernel("_contrib_dgl_csr_neighbor_non_uniform_sample")
def _non_uniform_sample(
    graph: Any,
    weights: Any,
    *sets: Any,
    num_hops: int = 1,
    num_neighbor: int = 2,
    max_num_vertices: int = 100,
) -> list[Any]:
    graph = _check_graph("dgl_csr_neighbor_non_uniform_sample", graph)
    if not isinstance(weights, Tensor) or weights.dtype is not torch.float32:
        raise MXNetTypeError("dgl_csr_neighbor_non_uniform_sample takes float32 weights")
    if tuple(weights.shape) != (graph.shape[0],):
        raise MXNetShapeError(
            f"a graph of {graph.shape[0]} vertices has a weight for each, not {weights.shape}"
        )
    table = weights.detach().cpu().numpy()
    choose = _by_weight(_seeded(), table, num_neighbor)
    columns: list[list[Any]] = [[], [], [], []]
    for chosen in sets:
        vertices, part, depths, order = _sampled(
            graph, chosen, num_hops, num_neighbor, max_num_vertices, choose
        )
        own = weights.new_zeros(max_num_vertices)
        own[: len(order)] = weights[order]
        for column, value in zip(columns, (vertices, part, own, depths), strict=True):
            column.append(value)
    return [value for column in columns for value in column]
