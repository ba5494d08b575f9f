"""The exception tree.

MXNetError (RuntimeError)
├── MXNetTypeError (TypeError)            an argument of the wrong type
├── MXNetValueError (ValueError)          a value that is not possible
│   └── MXNetShapeError                   shapes that do not fit
├── MXNetIndexError (IndexError)          an index outside its array
├── MXNetAttributeError (AttributeError)  a name that does not exist
└── NotSupportedError (NotImplementedError)  MXNet has it, mxtorch refuses it and says why
"""


class MXNetError(RuntimeError):
    """Base of every error that mxtorch raises on purpose."""


class MXNetTypeError(MXNetError, TypeError):
    """An argument of the wrong type."""


class MXNetValueError(MXNetError, ValueError):
    """A value that is not possible here."""


class MXNetShapeError(MXNetValueError):
    """Shapes that do not fit together."""


class MXNetIndexError(MXNetError, IndexError):
    """An index outside its array."""


class MXNetAttributeError(MXNetError, AttributeError):
    """A name that does not exist."""


class NotSupportedError(MXNetError, NotImplementedError):
    """MXNet has it and mxtorch refuses it; the text says why and the way round."""
