"""Stochastic variance reduced gradients for Module."""

from mxtorch.contrib.svrg_optimization import svrg_module, svrg_optimizer
