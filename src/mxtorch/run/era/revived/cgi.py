"""What programs used of the module `cgi` of Python before 3.13."""

from __future__ import annotations

from email.message import Message
from urllib.parse import parse_qs as parse_qs
from urllib.parse import parse_qsl as parse_qsl

from mxtorch.run.era.stand_ins import escape as escape


def parse_header(line: str) -> tuple[str, dict[str, str]]:
    """The value and the parameters of a header such as Content-Type."""
    message = Message()
    message["content-type"] = line
    (value, _), *parameters = message.get_params(failobj=[("", "")])
    return value, dict(parameters)
