"""Lists of names as they are written in the tables."""


def names(text: str) -> list[str]:
    """The names in a text."""
    return text.split()
