"""`mx.nd.npx`: MXNet's own operators on mx.np arrays."""

from mxtorch.ndarray.numpy._namespace import fill
from mxtorch.ndarray.numpy_extension import image, random

fill(globals(), "npx")
