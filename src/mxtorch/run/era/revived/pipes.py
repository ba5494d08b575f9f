"""What programs used of the module `pipes` of Python before 3.13."""

from shlex import quote as quote
