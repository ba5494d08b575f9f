"""Every recorded snippet (tests/<room>/cases_*.py) does what it does in MXNet."""

import pytest

import mxtorch as mx
from tests import recorded
from tests.cases import C


# A case may warn, as it does in MXNet; torch's and Python's own warnings stay errors.
@pytest.mark.filterwarnings("ignore::UserWarning:__case__", "ignore::DeprecationWarning:__case__")
@pytest.mark.parametrize(("case", "line"), recorded.params(C))
def test_snippet(case, line):
    if case.id.startswith("absent-gpu/") and mx.num_gpus():
        pytest.skip("this machine has an accelerator")
    recorded.check(mx, case, line)
