"""`mxtorch.checkpoint`: a training run that goes on where it was interrupted.

checkpoint(net, trainer, data)   a `Checkpoint`: iterate over it instead of `data`

    tree.py       nested Python values with arrays in them, as JSON and tensors, and back
    file.py       safetensors with that JSON in its header, checked when read
    randoms.py    every generator's state
    subjects.py   what is trained: Gluon blocks, Trainers, Modules, torch modules and optimizers
    handlers.py   what is around the batches of an Estimator: handlers, metrics
    sources.py    the position in the data
    run.py        when all that is written and read; one file for all processes
"""

from mxtorch._resume.run import Checkpoint as Checkpoint
from mxtorch._resume.run import checkpoint as checkpoint
