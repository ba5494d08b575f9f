"""What programs have around them: downloads, callbacks, an optimizer of single arrays."""

from __future__ import annotations

import hashlib
import logging
import os
import sys
import urllib.request


def check_sha1(filename, sha1_hash):
    """Whether a file has this SHA-1; the hash may be shortened."""
    with open(filename, "rb") as file:
        found = hashlib.sha1(file.read()).hexdigest()
    length = min(len(found), len(sha1_hash))
    return found[:length] == sha1_hash[:length]


def download(url, path=None, overwrite=False, sha1_hash=None):
    """Get a file, unless it is there already; its path."""
    name = url.split("/")[-1]
    path = name if path is None else os.path.expanduser(path)
    path = os.path.join(path, name) if os.path.isdir(path) else path
    good = os.path.exists(path) and (not sha1_hash or check_sha1(path, sha1_hash))
    if overwrite or not good:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        urllib.request.urlretrieve(url, path)
        if sha1_hash and not check_sha1(path, sha1_hash):
            raise ValueError(f"{path} has another SHA-1 than {sha1_hash}")
    return path


def log_train_metric(period, auto_reset=False):
    """A callback that logs the metric after each `period` batches."""

    def log(param):
        if param.nbatch % period == 0 and param.eval_metric is not None:
            for name, value in param.eval_metric.get_name_value():
                logging.info(
                    "Iter[%d] Batch[%d] Train-%s=%f", param.epoch, param.nbatch, name, value
                )
            if auto_reset:
                param.eval_metric.reset()

    return log


class ProgressBar:
    """A callback that draws how many of `total` batches are done."""

    def __init__(self, total, length=80):
        self.total, self.length = total, length

    def __call__(self, param):
        share = param.nbatch / self.total
        done = round(self.length * share)
        bar = "=" * done + "-" * (self.length - done)
        sys.stdout.write(f"[{bar}] {-int(-100 * share // 1)}%\r")


class Updater:
    """An optimizer of arrays that are told one by one: number, gradient, weight."""

    def __init__(self, make, scale=1.0):
        self.make, self.scale, self.optimizers = make, scale, {}

    def __call__(self, index, grad, weight):
        if isinstance(index, (list, tuple)):
            for one in zip(index, grad, weight, strict=True):
                self(*one)
            return
        if index not in self.optimizers:
            self.optimizers[index] = self.make([weight])
        before, weight.grad = weight.grad, grad.detach() * self.scale
        self.optimizers[index].step()
        weight.grad = before
