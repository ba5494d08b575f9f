"""mx.rtc refuses, and says what to do instead."""

import pytest

import mxtorch as mx


def test_cuda_source_is_refused():
    with pytest.raises(mx.MXNetError, match="load_inline"):
        mx.rtc.CudaModule("__global__ void f() {}")
    with pytest.raises(NotImplementedError, match="CustomOp"):
        mx.rtc.CudaKernel(None, "f", [], [])
