"""The exception tree.

MXNetError (RuntimeError)
├── MXNetTypeError (TypeError)            an argument of the wrong type
│   └── NotAnArrayError (AssertionError)  something else where an array belongs
├── MXNetValueError (ValueError)          a value that is not possible
│   └── MXNetShapeError                   shapes that do not fit
├── MXNetIndexError (IndexError)          an index outside its array
├── MXNetAttributeError (AttributeError)  a name that does not exist
├── MXNetKeyError (KeyError)              a key that does not exist
├── MXNetAssertionError (AssertionError)  a condition that MXNet asserts
├── MXNetUserWarning (UserWarning)        what MXNet raises a warning's class for
├── LostRankError                         another process of the group has died or left
├── CallbackError (the error's own class) what a program's own code raised inside an operator
└── NotSupportedError (NotImplementedError)  MXNet has it, mxtorch refuses it and says why
"""

from collections.abc import Iterator
from contextlib import contextmanager


class MXNetError(RuntimeError):
    """Base of every error that mxtorch raises on purpose."""


class MXNetTypeError(MXNetError, TypeError):
    """An argument of the wrong type."""


class NotAnArrayError(MXNetTypeError, AssertionError):
    """Something else where an array belongs; MXNet asserts that."""


class MXNetValueError(MXNetError, ValueError):
    """A value that is not possible here."""


class MXNetShapeError(MXNetValueError):
    """Shapes that do not fit together."""


class MXNetIndexError(MXNetError, IndexError):
    """An index outside its array."""


class MXNetAttributeError(MXNetError, AttributeError):
    """A name that does not exist."""


class MXNetKeyError(MXNetError, KeyError):
    """A key that does not exist."""

    __str__ = RuntimeError.__str__


class MXNetAssertionError(MXNetError, AssertionError):
    """A condition that MXNet asserts does not hold."""


class MXNetUserWarning(MXNetError, UserWarning):
    """An error for which MXNet raises `UserWarning` as an exception."""


class NotSupportedError(MXNetError, NotImplementedError):
    """MXNet has it and mxtorch refuses it; the text says why and the way round."""


class LostRankError(MXNetError):
    """Another process of the group has died or left; `rank` is its number, if that is known."""

    def __init__(self, text: str, rank: int | None = None) -> None:
        super().__init__(text)
        self.rank = rank


class CallbackError(MXNetError):
    """What a program's own code raised inside an operator; `__cause__` is the error itself."""

    __str__ = RuntimeError.__str__


_callback_classes: dict[type, type[CallbackError]] = {}


def _callback_class(cls: type[Exception]) -> type[CallbackError]:
    """A CallbackError that is a `cls` as well, where Python can make one."""
    if cls not in _callback_classes:
        try:
            made = type(cls.__name__, (CallbackError, cls), {"__module__": cls.__module__})
        except TypeError:  # a class that cannot be inherited from
            made = CallbackError
        _callback_classes[cls] = made
    return _callback_classes[cls]


def callback_error(where: str, error: Exception) -> CallbackError:
    """The error for `raise … from error` about an exception in a program's own code."""
    if isinstance(error, CallbackError):
        return error
    cls = _callback_class(type(error))
    made = cls.__new__(cls)
    made.args = (f"{where}: {type(error).__name__}: {error}",)
    return made


@contextmanager
def user_code(where: str) -> Iterator[None]:
    """Around calls of the user's methods: what they raise gets its place and stays what it is."""
    try:
        yield
    except CallbackError:
        raise
    except Exception as error:
        raise callback_error(where, error) from error


def first_line(error: BaseException) -> str:
    """What an error says, in one line; its class if it says nothing."""
    return next(iter(str(error).splitlines()), type(error).__name__)
