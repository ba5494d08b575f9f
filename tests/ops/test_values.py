"""Every sample row gives MXNet's values, forward and backward."""

import pytest
from tests import recorded
from tests.cases import S

import mxtorch as mx


@pytest.mark.parametrize(("row", "line"), recorded.params(S))
def test_values(row, line):
    recorded.check(mx, row, line)
