"""Functions and classes that a ported file gets in its own text, a file a subject.

They use torch, NumPy and each other, since their source is copied.
"""
