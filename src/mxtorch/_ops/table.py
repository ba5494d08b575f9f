"""Importing this module fills the operator table with every family."""

from mxtorch._ops import binary, reduce

FAMILIES = (binary, reduce)
