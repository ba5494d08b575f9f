"""`mx.npx.image`: operators on images."""

from mxtorch.ndarray.numpy._namespace import fill

fill(globals(), "npx.image")
