"""`pytest -p mxtorch.pytest_plugin`: tests of MXNet programs run, unchanged, on PyTorch.

The alias is there before the first conftest.py is. Options: --no-era, --quiet-era, --map. With
MXNET_TEST_SEED every test starts with that seed.
"""

from __future__ import annotations

import random
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

from mxtorch import random as mx_random
from mxtorch._core import env
from mxtorch._core.errors import MXNetError
from mxtorch.run import entry
from mxtorch.run.era import hooks


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of `mxtorch run`."""
    group = parser.getgroup("mxtorch", "MXNet's tests on PyTorch")
    group.addoption("--no-era", action="store_true", help="do not put removed names back")
    group.addoption(
        "--quiet-era", action="store_true", help="put removed names back without a notice"
    )
    group.addoption(
        "--map", dest="device_map", metavar="GPU=DEVICE", help="let a device take a GPU's place"
    )


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> Generator[None, Any, Any]:
    """Install before a conftest.py is imported."""
    _install(early_config)
    return (yield)


def pytest_configure(config: pytest.Config) -> None:
    """Install if a conftest.py has named the plugin."""
    _install(config)


def _install(config: pytest.Config) -> None:
    options = config.known_args_namespace
    if options.no_era and options.quiet_era:
        raise pytest.UsageError("--quiet-era and --no-era exclude each other")
    era = "off" if options.no_era else "quiet" if options.quiet_era else None
    try:
        entry.install(era, options.device_map)
    except MXNetError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_report_header(config: pytest.Config) -> str:
    """Which mxnet the tests import."""
    return "mxnet: mxtorch, MXNet 1.9.1's API on PyTorch"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Which removed names were put back: pytest hides what is said while it imports."""
    finder = hooks.installed()
    if finder is not None and not finder.era.quiet:
        for row in sorted(finder.era.given, key=lambda row: row.full_name):
            terminalreporter.write_line(
                f"mxtorch: put back {row.full_name} ({row.since}); write {row.advice}"
            )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Seed the generators as MXNET_TEST_SEED says."""
    seed = env.TEST_SEED.get()
    if seed is not None:
        random.seed(seed)
        np.random.seed(seed)
        mx_random.seed(seed)
