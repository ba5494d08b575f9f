"""Attributes that a scope gives to symbols."""

from mxtorch._graph.naming import AttrScope

__all__ = ["AttrScope"]
