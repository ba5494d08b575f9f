"""Snippet cases written as text: a line `## id`, then the code, until the next such line.

`## id [exact]` gives the case another class than "tol". With `[warns]` the code may warn, and the
warnings' classes are the last thing in `out`. Runs under Python 3.8 too.
"""

import re
import textwrap

from tests.cases import C

HEADER = re.compile(r"^## (?P<id>\S.*?)(?: \[(?P<tag>\w+)\])?$", re.MULTILINE)


WARNS = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
{}
out.append([w.category.__name__ for w in caught])
"""


def snippet(id, tag, code):
    """One case."""
    if tag == "warns":
        return C(id, WARNS.format(textwrap.indent(code, "    ")))
    return C(id, code, tag or "tol")


def snippets(text, before=""):
    """The cases of `text`; each one's code starts with `before`."""
    found = list(HEADER.finditer(text))
    if not found or text[: found[0].start()].strip():
        raise ValueError("a table of snippets starts with a line `## id`")
    ends = [match.start() for match in found[1:]] + [len(text)]
    return [
        snippet(match["id"], match["tag"], before + text[match.end() : end].strip("\n") + "\n")
        for match, end in zip(found, ends)  # noqa: B905 - Python 3.8
    ]
