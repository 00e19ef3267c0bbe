"""What the values of a parameter are in a study: lists and grids, distributions, given samples."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from duoti.strict import explained
from duoti.system.arrays import Reals

INNERMOST = 2.0**-54  # probabilities of exactly 0 and 1 have no finite quantile


class Distribution:
    """Values of a parameter that are drawn: `dt.normal`, `dt.uniform`, `dt.choice`, ...

    Attributes
    ----------
    kind:
        What it is, such as "normal".
    numbers:
        The numbers or values that it was made with.
    """

    def __init__(self, kind: str, numbers: tuple[Any, ...], quantile: Callable[[Reals], Any]):
        self.kind, self.numbers, self._quantile = kind, numbers, quantile

    def quantile(self, probability: Reals) -> Any:
        """The values that are not exceeded with these probabilities."""
        return self._quantile(np.clip(probability, INNERMOST, 1.0 - 2.0 * INNERMOST))

    def __repr__(self) -> str:
        return f"{self.kind}({', '.join(format(x, 'g') if isinstance(x, float) else repr(x) for x in self.numbers)})"


class Samples:
    """Given values of a parameter, one for each sample."""

    def __init__(self, values: Any):
        self.values = values

    def __repr__(self) -> str:
        return f"{len(self.values)} given samples"


def _number(what: str, name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.floating | np.integer):
        raise ValueError(f"dt.{what}: {name} is {value!r}, not a number")
    if not math.isfinite(value):
        raise ValueError(f"dt.{what}: {name} is {value!r}, not a finite number")
    return float(value)


@explained
def grid(low: float, high: float, count: int, spacing: Literal["linear", "log"] = "linear") -> Reals:
    """Evenly spaced values, with both ends, in the unit of the parameter.

    Parameters
    ----------
    low, high:
        The ends.
    count:
        How many values.
    spacing:
        "linear", or "log" for equal ratios.
    """
    a, b = _number("grid", "low", low), _number("grid", "high", high)
    if isinstance(count, bool) or not float(count).is_integer() or count < 1:
        raise ValueError(f"dt.grid: count is {count!r}; give a whole number, from 1")
    if count == 1 and a != b:
        raise ValueError(f"dt.grid: one value cannot be both {a:g} and {b:g}; give a list, or more values")
    if spacing not in ("linear", "log"):
        raise ValueError(f'dt.grid: spacing is {spacing!r}; give "linear" or "log"')
    if spacing == "log" and not (a > 0.0 and b > 0.0):
        raise ValueError(f"dt.grid: equal ratios need positive ends, not {a:g} and {b:g}")
    return np.geomspace(a, b, int(count)) if spacing == "log" else np.linspace(a, b, int(count))


@explained
def normal(mean: float, sd: float, low: float | None = None, high: float | None = None) -> Distribution:
    """A normal distribution, in the unit of the parameter.

    Parameters
    ----------
    mean, sd:
        Mean and standard deviation, those before it is truncated.
    low, high:
        Bounds of a truncated distribution, such as `low=0` for a mass.
    """
    from scipy.special import ndtr, ndtri

    m, s = _number("normal", "mean", mean), _number("normal", "sd", sd)
    if s < 0.0:
        raise ValueError(f"dt.normal: the standard deviation is {s:g}; it cannot be negative")
    a = -math.inf if low is None else _number("normal", "low", low)
    b = math.inf if high is None else _number("normal", "high", high)
    if not a < b or (s == 0.0 and not a <= m <= b):
        raise ValueError(f"dt.normal: there is nothing between low = {a:g} and high = {b:g}")
    if s == 0.0:
        return Distribution("normal", (m, s), lambda u: np.full(np.shape(u), m))
    below, above = float(ndtr((a - m) / s)), float(ndtr((b - m) / s))
    if not above - below > 1e-12:
        raise ValueError(f"dt.normal: hardly any value lies between low = {a:g} and high = {b:g}")
    numbers = (m, s) if low is None and high is None else (m, s, low, high)
    return Distribution("normal", numbers, lambda u: np.clip(m + s * ndtri(below + (above - below) * u), a, b))


@explained
def uniform(low: float, high: float) -> Distribution:
    """A uniform distribution between two values, in the unit of the parameter.

    Parameters
    ----------
    low, high:
        The ends.
    """
    a, b = _ends("uniform", low, high)
    return Distribution("uniform", (a, b), lambda u: a + (b - a) * u)


@explained
def loguniform(low: float, high: float) -> Distribution:
    """A distribution whose logarithm is uniform: for numbers of unknown size.

    Parameters
    ----------
    low, high:
        The ends, both positive.
    """
    a, b = _ends("loguniform", low, high)
    if a <= 0.0:
        raise ValueError(f"dt.loguniform: low is {a:g}; it must be positive")
    return Distribution("loguniform", (a, b), lambda u: a * (b / a) ** u)


@explained
def triangular(low: float, mode: float, high: float) -> Distribution:
    """A triangular distribution: from low to high, most likely near the mode.

    Parameters
    ----------
    low, mode, high:
        The ends and the peak, in this order.
    """
    a, b = _ends("triangular", low, high)
    c = _number("triangular", "mode", mode)
    if not a <= c <= b:
        raise ValueError(f"dt.triangular: the mode {c:g} is not between {a:g} and {b:g}")
    at = (c - a) / (b - a)

    def quantile(u: Reals) -> Reals:
        rising = a + np.sqrt(u * (b - a) * (c - a))
        return np.where(u < at, rising, b - np.sqrt((1.0 - u) * (b - a) * (b - c)))

    return Distribution("triangular", (a, c, b), quantile)


@explained
def choice(values: Sequence[Any], weights: Sequence[float] | None = None) -> Distribution:
    """One of some values, drawn at random.

    Parameters
    ----------
    values:
        The values.
    weights:
        How likely each is, relative to the others; by default all alike.
    """
    given = tuple(values)
    if not given:
        raise ValueError("dt.choice: there is no value to choose")
    share = np.ones(len(given)) if weights is None else np.asarray(weights, dtype=float)
    if share.shape != (len(given),) or not np.all(share >= 0.0) or not 0.0 < np.sum(share) < math.inf:
        raise ValueError(f"dt.choice: weights={weights!r}; give a number from 0 for each of {len(given)} values")
    bounds = np.cumsum(share / np.sum(share))[:-1]
    numbers: tuple[Any, ...] = (list(given),) if weights is None else (list(given), [float(w) for w in share])
    return Distribution("choice", numbers, lambda u: np.array(given)[np.searchsorted(bounds, u, side="right")])


@explained
def samples(values: ArrayLike) -> Samples:
    """Given values, one for each sample: for designs made elsewhere (SALib), or measured ones.

    All parameters with given samples have the same number of them; sample k takes value k of each.

    Parameters
    ----------
    values:
        The values, in the unit of the parameter.
    """
    given = np.asarray(values)
    if given.ndim != 1 or not len(given):
        raise ValueError(f"dt.samples: the values have the shape {given.shape}; give one value for each sample")
    return Samples(given)


def _ends(what: str, low: Any, high: Any) -> tuple[float, float]:
    a, b = _number(what, "low", low), _number(what, "high", high)
    if not a < b:
        raise ValueError(f"dt.{what}: low = {a:g} is not below high = {b:g}")
    return a, b


def is_frozen(given: Any) -> bool:
    """Whether it is a frozen distribution of scipy.stats, or one that behaves like it."""
    return callable(getattr(given, "ppf", None))


def from_scipy(frozen: Any) -> Distribution:
    """A frozen distribution of scipy.stats, such as `scipy.stats.weibull_min(1.5)`."""
    name = getattr(getattr(frozen, "dist", None), "name", type(frozen).__name__)
    numbers = (*getattr(frozen, "args", ()), *getattr(frozen, "kwds", {}).values())
    return Distribution(str(name), numbers, frozen.ppf)


# ------------------------------------------------------------------------------------------------------- unit cube


def unit_samples(kind: str, count: int, dimensions: int, seed: int) -> Reals:
    """[count, dimensions] points of the unit cube: random, Sobol points, or a Latin hypercube; reproducible."""
    if kind == "random":
        return np.random.default_rng(seed).random((count, dimensions))
    from scipy.stats import qmc as scipys

    qmc: Any = scipys  # "seed" has another name from SciPy 1.15 on, which older ones do not know
    if kind == "sobol":
        engine = qmc.Sobol(dimensions, scramble=True, seed=np.random.default_rng(seed))
        whole = engine.random_base2(max(count - 1, 0).bit_length())  # a power of two: no warning of SciPy's
        return whole[:count]
    return qmc.LatinHypercube(dimensions, seed=np.random.default_rng(seed)).random(count)


def correlated(points: Reals, correlation: Reals) -> Reals:
    """Points of the unit cube whose normal quantiles have a correlation matrix (a Gaussian copula)."""
    from scipy.special import ndtr, ndtri

    factor = np.linalg.cholesky(correlation)
    normals = ndtri(np.clip(points, INNERMOST, 1.0 - 2.0 * INNERMOST))
    return ndtr(np.einsum("ij,kj->ik", normals, factor))  # the same bits for any number of points, unlike BLAS


SAMPLINGS = ("random", "sobol", "latin_hypercube")
DISTRIBUTIONS: dict[str, Any] = {
    "normal": normal, "uniform": uniform, "loguniform": loguniform, "triangular": triangular, "choice": choice,
}  # fmt: skip
"""Distributions by their names in files."""
