"""Loggers whose lines begin with a coloured level, date, process and place."""

from __future__ import annotations

import logging
import warnings

__all__ = ["CRITICAL", "DEBUG", "ERROR", "INFO", "NOTSET", "WARNING", "getLogger", "get_logger"]

CRITICAL = logging.CRITICAL
ERROR = logging.ERROR
WARNING = logging.WARNING
INFO = logging.INFO
DEBUG = logging.DEBUG
NOTSET = logging.NOTSET


class _Formatter(logging.Formatter):
    """`I1130 11:44:11 31255 /a/b.py:f:3] text`, the head coloured."""

    def __init__(self, colored: bool = True) -> None:
        self.colored = colored
        super().__init__(datefmt="%m%d %H:%M:%S")

    def _get_color(self, level: int) -> str:
        if level >= WARNING:
            return "\x1b[31m"
        return "\x1b[32m" if level >= INFO else "\x1b[34m"

    def _get_label(self, level: int) -> str:
        names = {CRITICAL: "C", ERROR: "E", WARNING: "W", INFO: "I", DEBUG: "D"}
        return names.get(level, "U")

    def format(self, record: logging.LogRecord) -> str:
        """One record's line."""
        head = f"{self._get_label(record.levelno)}%(asctime)s %(process)d %(pathname)s"
        head += ":%(funcName)s:%(lineno)d]"
        if self.colored:
            head = f"{self._get_color(record.levelno)}{head}\x1b[0m"
        self._style._fmt = f"{head} %(message)s"
        return super().format(record)


def get_logger(
    name: str | None = None,
    filename: str | None = None,
    filemode: str | None = None,
    level: int = WARNING,
) -> logging.Logger:
    """A logger that writes to stderr, or plain messages to `filename`; one for each name."""
    logger = logging.getLogger(name)
    if name is not None and not getattr(logger, "_init_done", None):
        handler: logging.Handler
        if filename:
            handler = logging.FileHandler(filename, filemode or "a")
        else:
            handler = logging.StreamHandler()
            handler.setFormatter(_Formatter())
        logger.addHandler(handler)
        logger.setLevel(level)
        logger._init_done = True  # type: ignore[attr-defined]
    return logger


def getLogger(
    name: str | None = None,
    filename: str | None = None,
    filemode: str | None = None,
    level: int = WARNING,
) -> logging.Logger:
    """Deprecated: `get_logger`."""
    warnings.warn(
        "getLogger is deprecated, Use get_logger instead.", DeprecationWarning, stacklevel=2
    )
    return get_logger(name, filename, filemode, level)
