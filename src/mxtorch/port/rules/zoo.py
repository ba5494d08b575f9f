"""Gluon's model zoo: networks written into the file, without weights that were trained."""

from __future__ import annotations

import re

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer
from mxtorch.port.rules._common import is_false, same

_ROOM = "mx.gluon.model_zoo.vision"
_PLAIN = ("ctx", "root", "prefix", "params")
_PARAMS = "classes=1000, pretrained=False, ctx=None, root=None, prefix=None, params=None"
_KNOWN = re.compile(
    r"(?P<resnet>resnet(?P<depth>\d+)_v(?P<version>[12]))"
    r"|(?P<vgg>vgg(?P<layers>\d+)(?P<norm>_bn)?)"
    r"|(?P<mobilenet>mobilenet(?P<times>[01][._]\d+))|(?P<alexnet>alexnet)"
)


def _made(match: Match, name: str) -> str | None:
    """The call that makes a network; weights that were trained are a person's to convert."""
    found = _KNOWN.fullmatch(name)
    if found is None or not match.only("name", "classes", "pretrained", *_PLAIN):
        return None
    if match.has("pretrained") and not is_false(match, "pretrained"):
        return None
    given = ""
    if found["resnet"]:
        helper, given = "resnet", f"{found['version']}, {found['depth']}"
    elif found["vgg"]:
        helper, given = "vgg", found["layers"]
    elif found["mobilenet"]:
        helper, given = "mobilenet", found["times"].replace("_", ".")
    else:
        helper = "alexnet"
    texts = [given] if given else []
    texts += [f"classes={match.text('classes')}"] if match.has("classes") else []
    texts += ["batch_norm=True"] if found["norm"] else []
    return _placed(match, f"{match.helper(helper)}({', '.join(texts)})")


def _placed(match: Match, made: str) -> str:
    has_device = match.has("ctx") and match.value("ctx").kind == "device"
    return f"{made}.to({match.text('ctx')})" if has_device else made


def _get_model(match: Match) -> str | None:
    """By a name that is written out, or that shows when it runs."""
    name = match.constant("name")
    if isinstance(name, str):
        return _made(match, name.lower())
    if not match.only("name", "classes", "pretrained", *_PLAIN):
        return None
    if match.has("pretrained") and not is_false(match, "pretrained"):
        return None
    classes = f", classes={match.text('classes')}" if match.has("classes") else ""
    return _placed(match, f"{match.helper('get_model')}({match.text('name')}{classes})")


def _by_function(name: str) -> Writer:
    return lambda match: _made(match, name)


_FUNCTIONS = {
    **{f"resnet{d}_v{v}": f"resnet({v}, {d})" for d in (18, 34, 50, 101, 152) for v in (1, 2)},
    **{f"vgg{d}": f"vgg({d})" for d in (11, 13, 16, 19)},
    **{f"vgg{d}_bn": f"vgg({d}, batch_norm=True)" for d in (11, 13, 16, 19)},
    **{
        f"mobilenet{m.replace('.', '_')}": f"mobilenet({m})" for m in ("1.0", "0.75", "0.5", "0.25")
    },
    "alexnet": "alexnet()",
}
REGISTRY.add(
    Rule(
        "zoo",
        f"call {_ROOM}.get_model",
        _get_model,
        "net = gluon.model_zoo.vision.get_model('resnet18_v1', classes=10)",
        "net = resnet(1, 18, classes=10)",
        params=f"name, {_PARAMS}",
        needs=(),
    ),
    *(
        Rule(
            f"zoo-{name}",
            f"attr mx.gluon.Block.{name}",
            same,
            f"part = gluon.model_zoo.vision.alexnet().{name}",
            f"part = alexnet().{name}",
            needs=(),
        )
        for name in ("features", "output")
    ),
    *(
        Rule(
            f"zoo-{name}",
            f"call {_ROOM}.{name}",
            _by_function(name),
            f"net = gluon.model_zoo.vision.{name}()",
            f"net = {made}",
            params=_PARAMS,
            needs=(),
        )
        for name, made in _FUNCTIONS.items()
    ),
)
