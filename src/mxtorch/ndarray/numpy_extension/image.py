"""`mx.nd.npx.image`: its functions on mx.np arrays."""

from mxtorch.ndarray.numpy._namespace import fill

fill(globals(), "npx.image")
