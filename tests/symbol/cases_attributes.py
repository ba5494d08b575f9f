"""Attributes of nodes that are not the operator's; symbols as text; what they refuse."""

from tests.cases import C

_A = """
    a = sym.var("a")

    def attrs(symbol):
        return {name: sorted(of.items()) for name, of in symbol.attr_dict().items()}
"""

CASES = [
    C(
        "hidden/keyword",
        _A
        + """
    s = sym.FullyConnected(a, num_hidden=3, name="f", lr_mult=2, wd_mult=0.5, ctx_group="g")
    out += [attrs(s), s.tojson(), s.attr("lr_mult"), s.attr("__lr_mult__")]
    out += [attrs(sym.relu(a, lr_mult=1, name="r")), attrs(sym.load_json(s.tojson()))]
    """,
    ),
    C(
        "hidden/asked-without-underscores",
        _A
        + """
    keys = ["ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage", "shape", "zz"]
    for key in keys:
        v = sym.var("v", attr={"__%s__" % key: "1"})
        out += [key, v.attr(key), v.attr("__%s__" % key), sorted(v.list_attr().items())]
    """,
    ),
    C(
        "hidden/set-on-a-group",
        """
    sym.Group([sym.var("a"), sym.var("b")])._set_attr(lr_mult="2")
    """,
        raises="MXNetError",
    ),
    C(
        "compose/in-place",
        """
    f = sym.FullyConnected(sym.var("d"), num_hidden=2, name="f")
    out += [f._compose(d=sym.var("q"), name="g"), f.name, f.list_arguments(), f.list_outputs()]
    """,
    ),
    C(
        "hidden/attr",
        _A
        + """
    s = sym.FullyConnected(a, num_hidden=3, name="f", attr={"lr_mult": "2", "__mood__": "so so"})
    out += [attrs(s)]
    """,
    ),
    C(
        "unknown/attr",
        _A
        + """
    sym.FullyConnected(a, num_hidden=3, attr={"foo": "2"})
    """,
        raises="MXNetError",
    ),
    C(
        "unknown/scope",
        _A
        + """
    with mx.AttrScope(foo="2"):
        sym.FullyConnected(a, num_hidden=3)
    """,
        raises="MXNetError",
    ),
    C(
        "unknown/operator-without-attributes",
        _A
        + """
    out += [sym.relu(a, attr={"foo": "1"}, name="r").attr_dict()]
    """,
    ),
    C(
        "name",
        _A
        + """
    s = sym.FullyConnected(a, num_hidden=3, name="f")
    group = sym.Group([a, s])
    out += [a.attr("name"), s.attr("name"), group.attr("name"), group.attr("foo")]
    """,
    ),
    C(
        "debug_str",
        _A
        + """
    s = sym.FullyConnected(a, num_hidden=3, name="f", lr_mult=1)
    out += [a.debug_str(), s.debug_str(), sym.Group([s, a]).debug_str(), (s + 1).debug_str()]
    """,
    ),
    C(
        "split_v2/file",
        _A
        + """
    out += [sym.split_v2(a, 3).tojson(), sym.split_v2(a, (1, 3), axis=1).tojson()]
    """,
    ),
    C("no-truth", "bool(sym.var('a'))", raises="NotImplementedForSymbol"),
    C("concat/nothing", "sym.Concat(name='q')", raises="MXNetError"),
    C("var/attr-number", "sym.var('c', attr={'foo': 1})", raises="ValueError"),
    C("var/profiler_scope", "sym.var('c', profiler_scope='x')", raises="ValueError"),
    C("infer_shape/None", "sym.var('a').infer_shape(a=None)", raises="TypeError"),
    C("load/number", "sym.load(3)", raises="TypeError"),
    C("save/no-folder", "sym.var('a').save('/no/such/folder/x')", raises="MXNetError"),
    C(
        "method/inplace",
        _A
        + """
    out += [a.expand_dims(axis=0, inplace=True).tojson(), a.squeeze(axis=0, inplace=True).tojson()]
    out += [a.flatten(inplace=True).tojson(), a.expand_dims(0, inplace=False).tojson()]
    """,
    ),
    C(
        "method/defaults-in-the-graph",
        _A
        + """
    out += [a.squeeze().tojson(), a.squeeze(0).tojson(), a.diag().tojson(), a.diag(k=1).tojson()]
    out += [sym.squeeze(a).tojson(), sym.diag(a).tojson()]
    """,
    ),
    C("group/of-nothing", "sym.Group([])", raises="TypeError"),
]
