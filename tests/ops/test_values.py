"""Every sample row gives MXNet's values, forward and backward."""

import pytest

import mxtorch as mx
from tests import recorded
from tests.cases import S


@pytest.mark.parametrize(("row", "line"), recorded.params(S))
def test_values(row, line):
    recorded.check(mx, row, line)
