"""Snippet cases written as text: a line `## id`, then the code, until the next such line.

`## id [exact]` gives the case another class than "tol". Runs under Python 3.8 too.
"""

import re

from tests.cases import C

HEADER = re.compile(r"^## (?P<id>\S.*?)(?: \[(?P<cls>\w+)\])?$", re.MULTILINE)


def snippets(text, before=""):
    """The cases of `text`; each one's code starts with `before`."""
    found = list(HEADER.finditer(text))
    if not found or text[: found[0].start()].strip():
        raise ValueError("a table of snippets starts with a line `## id`")
    ends = [match.start() for match in found[1:]] + [len(text)]
    return [
        C(match["id"], before + text[match.end() : end].strip("\n") + "\n", match["cls"] or "tol")
        for match, end in zip(found, ends)  # noqa: B905 - Python 3.8
    ]
