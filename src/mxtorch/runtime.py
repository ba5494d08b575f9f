"""What this installation can do."""

from __future__ import annotations

import importlib.util
import platform
from collections import OrderedDict

import torch

from mxtorch._core.device import num_gpus
from mxtorch._core.errors import MXNetError
from mxtorch._core.torch_compat import is_built_for_cuda

__all__ = ["Feature", "Features", "feature_list"]


class Feature:
    """A feature and whether it is there."""

    def __init__(self, name: str, enabled: bool) -> None:
        self._name, self._enabled = name, enabled

    @property
    def name(self) -> str:
        """The feature's name."""
        return self._name

    @property
    def enabled(self) -> bool:
        """Whether it is there."""
        return self._enabled

    def __repr__(self) -> str:
        return f"{'✔' if self.enabled else '✖'} {self.name}"


def _is_x86() -> bool:
    return platform.machine().lower() in ("x86_64", "amd64")


def _has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def feature_list() -> list[Feature]:
    """MXNet's features, with what torch has of them."""
    cuda = num_gpus() > 0 and is_built_for_cuda()
    vector = torch.backends.cpu.get_cpu_capability()
    avx2 = vector.startswith(("AVX2", "AVX512"))
    found = {
        "CUDA": cuda,
        "CUDNN": cuda and torch.backends.cudnn.is_available(),
        "NCCL": cuda and torch.distributed.is_available() and torch.distributed.is_nccl_available(),
        "CUDA_RTC": False,
        "TENSORRT": False,
        "CPU_SSE": _is_x86(),
        "CPU_SSE2": _is_x86(),
        "CPU_SSE3": _is_x86(),
        "CPU_SSE4_1": avx2,
        "CPU_SSE4_2": avx2,
        "CPU_SSE4A": False,
        "CPU_AVX": avx2,
        "CPU_AVX2": avx2,
        "OPENMP": torch.backends.openmp.is_available(),
        "SSE": False,
        "F16C": avx2,
        "JEMALLOC": False,
        "BLAS_OPEN": not torch.backends.mkl.is_available(),
        "BLAS_ATLAS": False,
        "BLAS_MKL": torch.backends.mkl.is_available(),
        "BLAS_APPLE": platform.system() == "Darwin",
        "LAPACK": True,
        "MKLDNN": torch.backends.mkldnn.is_available(),
        "OPENCV": _has("cv2"),
        "CAFFE": False,
        "PROFILER": True,
        "DIST_KVSTORE": torch.distributed.is_available(),
        "CXX14": False,
        "INT64_TENSOR_SIZE": True,
        "SIGNAL_HANDLER": False,
        "DEBUG": False,
        "TVM_OP": False,
    }
    return [Feature(name, bool(enabled)) for name, enabled in found.items()]


class Features(OrderedDict[str, Feature]):
    """The features by name; there is one such object."""

    instance: Features | None = None

    def __new__(cls) -> Features:
        """The one object, made when first asked for."""
        if cls.instance is None:
            cls.instance = super().__new__(cls)
            super().__init__(cls.instance, [(f.name, f) for f in feature_list()])
        return cls.instance

    def __init__(self) -> None:
        """It is filled already."""

    def __repr__(self) -> str:
        return str(list(self.values()))

    def is_enabled(self, feature_name: str) -> bool:
        """Whether a feature is there, its name in any case; RuntimeError for an unknown one."""
        name = feature_name.upper()
        if name not in self:
            raise MXNetError(
                f"Feature '{name}' is unknown, known features are: {list(self.keys())}"
            )
        return self[name].enabled
