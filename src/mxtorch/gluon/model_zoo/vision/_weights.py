"""What all nets share: the last step of building one, trained weights."""

from __future__ import annotations

from typing import Any, TypeVar

from mxtorch.gluon.block import HybridBlock
from mxtorch.gluon.model_zoo.model_store import get_model_file

Net = TypeVar("Net", bound=HybridBlock)


def load(net: Net, name: str, pretrained: bool, ctx: Any, root: str) -> Net:
    """The net, with the weights of that name if `pretrained`."""
    if pretrained:
        net.load_parameters(get_model_file(name, root=root), ctx=ctx)
    return net


class FeaturesThenOutput(HybridBlock):
    """A net in two parts: `features` and, on top of them, `output`."""

    features: Any
    output: Any

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """The scores of the classes."""
        return self.output(self.features(x))
