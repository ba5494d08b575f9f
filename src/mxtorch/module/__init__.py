"""`mx.mod`: symbols trained by `Module.fit` or step by step."""

from mxtorch.module import (
    base_module,
    bucketing_module,
    executor_group,
    module,
    python_module,
    sequential_module,
)
from mxtorch.module.base_module import BaseModule
from mxtorch.module.bucketing_module import BucketingModule
from mxtorch.module.module import Module
from mxtorch.module.python_module import PythonLossModule, PythonModule
from mxtorch.module.sequential_module import SequentialModule
