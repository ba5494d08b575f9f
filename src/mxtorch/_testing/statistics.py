"""Whether a generator draws from the distribution that it should; with SciPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mxtorch._core.errors import MXNetError, MXNetValueError

Generator = Callable[[int], Any]


def _stats() -> Any:
    try:
        import scipy.stats  # type: ignore[import-untyped,unused-ignore]
    except ImportError as error:
        raise MXNetError("tests of distributions need SciPy: pip install scipy") from error
    return scipy.stats


def gen_buckets_probs_with_ppf(
    ppf: Callable[[float], float], nbuckets: int
) -> tuple[list[tuple[float, float]], list[float]]:
    """Ranges between quantiles, and their probabilities, all equal; `ppf` gives the quantiles."""
    assert nbuckets > 0, f"there must be at least one range, got {nbuckets}"
    share = 1.0 / nbuckets
    buckets = [(ppf(share * i), ppf(share * (i + 1))) for i in range(nbuckets)]
    return buckets, [share] * nbuckets


def mean_check(generator: Generator, mu: float, sigma: float, nsamples: int = 1000000) -> bool:
    """Whether the mean of the samples is within 3 standard errors of `mu`."""
    mean = np.array(generator(nsamples)).mean()
    margin = 3 * sigma / np.sqrt(nsamples)
    within: bool = (mu - margin < mean) & (mean < mu + margin)
    return within


def var_check(generator: Generator, sigma: float, nsamples: int = 1000000) -> bool:
    """Whether the variance of the samples is within 3 standard errors of `sigma ** 2`."""
    variance = np.array(generator(nsamples)).var(ddof=1)
    margin = 3 * np.sqrt(2 * sigma**4 / (nsamples - 1))
    within: bool = (sigma**2 - margin < variance) & (variance < sigma**2 + margin)
    return within


def chi_square_check(
    generator: Generator, buckets: Sequence[Any], probs: Sequence[float], nsamples: int = 1000000
) -> tuple[float, np.ndarray, np.ndarray]:
    """(p-value, counts, expected counts) of a chi-square test of `nsamples` samples.

    `buckets` is a list of ranges, tuples in ascending order, or of the values that are possible.
    ValueError where the counts do not add up to those expected.
    """
    if not probs:
        raise MXNetValueError("chi_square_check: there are no probabilities")
    assert isinstance(buckets, list), f"buckets is a list, got {type(buckets).__name__}"
    assert len(probs) == len(buckets), f"{len(probs)} probabilities for {len(buckets)} buckets"
    continuous = isinstance(buckets[0], (list, tuple))
    expected = (nsamples * np.array(probs, dtype=np.float32)).astype(np.int32)
    samples = np.array(generator(nsamples))
    assert samples.size == nsamples, f"the generator gave {samples.size} of {nsamples} samples"
    if continuous:
        edges = [edge for bucket in buckets for edge in bucket]
        places = np.searchsorted(edges, samples.ravel(), side="right")
        # a sample in a gap counts for the range behind it, as in MXNet
        counts = np.array([(places // 2 == i).sum() for i in range(len(buckets))])
    else:
        counts = np.array([(samples == np.array(bucket)).sum() for bucket in buckets])
    _, p = _stats().chisquare(f_obs=counts, f_exp=expected)
    return p, counts, expected


def verify_generator(
    generator: Generator,
    buckets: Sequence[Any],
    probs: Sequence[float],
    nsamples: int = 1000000,
    nrepeat: int = 5,
    success_rate: float = 0.2,
    alpha: float = 0.05,
) -> list[float]:
    """AssertionError unless a share `success_rate` of `nrepeat` tests has a p-value above `alpha`.

    The p-values of `chi_square_check`.
    """
    found = [chi_square_check(generator, buckets, probs, nsamples) for _ in range(nrepeat)]
    p_values = [p for p, _, _ in found]
    successes = sum(p > alpha for p in p_values)
    if successes < nrepeat * success_rate:
        counts = [list(map(int, one)) for _, one, _ in found]
        expected = [list(map(int, one)) for _, _, one in found]
        raise AssertionError(
            f"Generator test fails, Chi-square p={p_values}, obs_freq={counts}, "
            f"expected_freq={expected}.\nbuckets={buckets}, probs={probs}"
        )
    return p_values
