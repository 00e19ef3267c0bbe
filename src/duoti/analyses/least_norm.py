"""Forces of more actuators than there are freedoms: the smallest that do it, within bounds."""

from __future__ import annotations

import numpy as np

from duoti.system.arrays import Reals

RANK = 1e-10  # singular values below this part of the largest are none


class NotPossibleError(ValueError):
    """No forces, or none within the bounds, do what is asked.

    `lacking`: what is left of each equation; or `beyond`: by how much each force would be beyond its bounds.
    """

    def __init__(self, message: str, lacking: Reals | None = None, beyond: Reals | None = None):
        self.lacking, self.beyond = lacking, beyond
        super().__init__(message)


def least_norm(A: Reals, b: Reals, weights: Reals, scale: float, tolerance: float) -> Reals:
    """u with A u = b and the least sum of weights u²; scale: size of the forces, for the judgement whether A u = b."""
    root = 1.0 / np.sqrt(weights)
    u = root * np.linalg.lstsq(A * root, b, rcond=RANK)[0]
    lacking = A @ u - b
    if np.max(np.abs(lacking), initial=0.0) > tolerance * max(scale, 1e-300):
        raise NotPossibleError("the actuators cannot do it", lacking)
    return u


def bounded_least_norm(
    A: Reals, b: Reals, weights: Reals, low: Reals, high: Reals, scale: float, tolerance: float
) -> Reals:
    """The same with low <= u <= high.

    With u = u0 + Z y, A Z = 0, and x = sqrt(weights) u this is a least-distance problem, min |x|² with C y >= d, which
    non-negative least squares solves exactly (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23).
    """
    u = least_norm(A, b, weights, scale, tolerance)
    if np.all(u >= low) and np.all(u <= high):
        return u
    from scipy.optimize import nnls

    root = 1.0 / np.sqrt(weights)
    _, sigma, Vt = np.linalg.svd(A * root)
    Z = Vt[int(np.sum(sigma > RANK * np.max(sigma, initial=0.0))) :].T  # x = x0 + Z y, with x0 orthogonal to Z
    x0 = u / root
    finite_low, finite_high = np.isfinite(low), np.isfinite(high)
    C = np.vstack([Z[finite_low], -Z[finite_high]])
    d = np.concatenate([(low / root - x0)[finite_low], (x0 - high / root)[finite_high]])
    E, f = np.vstack([C.T, d]), np.append(np.zeros(Z.shape[1]), 1.0)
    dual, _ = nnls(E, f)
    r = E @ dual - f
    if abs(r[-1]) < 1e-12:
        raise NotPossibleError("no forces within the bounds do it", beyond=np.maximum(low - u, u - high))
    y = -r[:-1] / r[-1]
    return np.clip(root * (x0 + Z @ y), low, high)
