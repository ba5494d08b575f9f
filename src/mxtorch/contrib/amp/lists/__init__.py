"""AMP's lists of operators."""

from mxtorch.contrib.amp.lists import symbol_bf16, symbol_fp16
