"""What the snippets about images start with; runs under Python 3.8 too."""

from tests.cases import C

SETUP = """
from tests.cases import TESTS
I = mx.image
FOLDER = str(TESTS / 'data' / 'images') + '/'
PHOTO = FOLDER + 'cat.jpg'
im = I.imread(PHOTO)
"""
LEVEL = 1 / 128  # of the largest value: one level where that is 128 or more
WHY = "one level of 255: other versions of OpenCV round a few pixels in 100,000 differently"


def values(table, setup=SETUP, **facts):
    """A case for each line `label: expression` of a table."""
    return [C(k, f"{setup}\nout.append({v})\n", **facts) for k, v in table.items()]
