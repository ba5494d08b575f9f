"""Every recorded snippet (tests/<room>/cases_*.py) does what it does in MXNet."""

import pytest

import mxtorch as mx
from tests import recorded
from tests.cases import C


@pytest.mark.parametrize(("case", "line"), recorded.params(C))
def test_snippet(case, line):
    recorded.check(mx, case, line)
