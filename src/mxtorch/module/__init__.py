"""`mx.mod`: symbols trained by `Module.fit` or step by step."""

from mxtorch.module import base_module, executor_group, module
from mxtorch.module.base_module import BaseModule
from mxtorch.module.module import Module
