"""Automatic names of symbols and blocks."""

from mxtorch._graph.naming import NameManager, Prefix

__all__ = ["NameManager", "Prefix"]
