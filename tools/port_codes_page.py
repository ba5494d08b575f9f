"""Writes docs/guide/port-codes.md from the table of port/codes.py."""

from __future__ import annotations

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from mxtorch.port.codes import Code  # noqa: E402 - the path is set above

PAGE = ROOT / "docs" / "guide" / "port-codes.md"
HEAD = """# The notes of scan and port

`tools/port_codes_page.py` writes this page from the table in the source. Each note has a place and
a number. Those that a person must act on make the exit code 1, and stand in the ported text as a
comment, `# mxtorch[MXT003]: …`, before the statement.
"""


def page() -> str:
    """The whole page."""
    return "".join([HEAD, *map(section, sorted(Code, key=lambda code: code.number))])


def section(code: Code) -> str:
    """What the page says of one note."""
    kind = "A person must act." if code.act else "For information."
    example = f"\n```text\n{code.example}```\n" if code.example else ""
    return (
        f"\n## {code.number}\n\n**{code.text}.** {kind}\n\n{code.why}\n{example}\n"
        f"What to do: {code.remedy}\n"
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
