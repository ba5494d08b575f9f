"""Snippet cases written as text: a line `## id`, then the code, until the next such line.

`## id [exact]` gives the case another class than "tol". With `[warns]` the code may warn, and the
warnings' classes are the last thing in `out`. A first line `# xfail: reason` says that mxtorch
differs on purpose. Runs under Python 3.8 too.
"""

import re
import textwrap

from tests.cases import C

HEADER = re.compile(r"^## (?P<id>\S.*?)(?: \[(?P<tag>\w+)\])?$", re.MULTILINE)


XFAIL = "# xfail: "
WARNS = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
{}
out.append([w.category.__name__ for w in caught])
"""


def snippet(id, tag, code, before=""):
    """One case."""
    first, _, rest = code.partition("\n")
    xfail = first[len(XFAIL) :] if first.startswith(XFAIL) else None
    code = before + (rest if xfail else code)
    if tag == "warns":
        return C(id, WARNS.format(textwrap.indent(code, "    ")), xfail=xfail)
    return C(id, code, tag or "tol", xfail=xfail)


def snippets(text, before=""):
    """The cases of `text`; each one's code starts with `before`."""
    found = list(HEADER.finditer(text))
    if not found or text[: found[0].start()].strip():
        raise ValueError("a table of snippets starts with a line `## id`")
    ends = [match.start() for match in found[1:]] + [len(text)]
    return [
        snippet(match["id"], match["tag"], text[match.end() : end].strip("\n") + "\n", before)
        for match, end in zip(found, ends)  # noqa: B905 - Python 3.8
    ]


def calls(before, lines):
    """A case of each line of `lines`: statements, then, after the last `;`, what is compared.

    ` [warns]` at its end: the code may warn. A statement alone is compared by its error.
    """
    found = []
    for line in lines.strip().splitlines():
        text, tag = (line[:-8], "warns") if line.endswith(" [warns]") else (line, None)
        statements, _, last = text.rpartition("; ")
        if re.match(r"[\w.\[\]:,()]+ = ", last) is None:
            last = f"out.append({last})"
        code = "\n".join([*statements.split("; "), last]).strip() + "\n"
        found.append(snippet("calls/" + line, tag, code, before.lstrip("\n")))
    return found
