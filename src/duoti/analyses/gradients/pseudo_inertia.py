"""Ten numbers of a body that are physical whatever their values: the log-Cholesky form of its pseudo-inertia.

With the mass m, the first moment h = m c and S, the integral of r r^T dm, about the origin of the body's frame,

    [ S   h ]                          [ e^d1  s12   s13   t1 ]
    [ h^T m ] = U U^T,     U = e^alpha [       e^d2  s23   t2 ]                                                    (1)
                                       [             e^d3  t3 ]
                                       [                   1  ]

is positive definite for any (alpha, d, s, t), which means positive mass and moments that satisfy the triangle
inequality. The inertia about the origin is tr(S) 1 - S. Rucker and Wensing, IEEE Robot. Autom. Lett. 7 (2022) 2780.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from duoti.spatial import Inertia
from duoti.system.arrays import Reals

TINY = 1e-30  # complex step
ELEMENTS = ("xx", "xy", "yy", "xz", "yz", "zz")
PLACES = ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))
NUMBERS = ("mass", "com.x", "com.y", "com.z", *(f"inertia.{each}" for each in ELEMENTS))  # as in `model.parameters`
MOMENTS = ("mass", "mx", "my", "mz", *ELEMENTS)  # as in `inertial_regressor`


def log_cholesky(inertia: Inertia) -> Reals:
    """alpha, d, s, t of (1); ValueError if the pseudo-inertia is not positive definite."""
    m, c = inertia.mass, np.asarray(inertia.com, dtype=float)
    about = np.asarray(inertia.matrix, dtype=float) + m * (c @ c * np.eye(3) - np.outer(c, c))
    S = 0.5 * np.trace(about) * np.eye(3) - about
    whole = np.block([[S, m * c[:, None]], [m * c[None, :], np.array([[m]])]])
    turn = np.eye(4)[::-1]
    try:
        if np.linalg.eigvalsh(S - m * np.outer(c, c))[0] <= 1e-9 * np.trace(S):
            raise np.linalg.LinAlgError
        U = turn @ np.linalg.cholesky(turn @ whole @ turn) @ turn
    except np.linalg.LinAlgError:
        raise ValueError(
            "needs a positive mass and an extent in all three directions (moments that satisfy the triangle inequality "
            "strictly) to start from"
        ) from None
    scale = U[3, 3]
    U = U / scale
    return np.array([np.log(scale), *np.log(np.diag(U)[:3]), U[0, 1], U[1, 2], U[0, 2], *U[:3, 3]])


def moments_of(theta: Any) -> Any:
    """Mass, first moment and inertia about the origin, in the order of `MOMENTS`; complex numbers pass."""
    alpha, d1, d2, d3, s12, s23, s13, t1, t2, t3 = theta
    e = np.exp
    U = e(alpha) * np.array([[e(d1), s12, s13, t1], [0, e(d2), s23, t2], [0, 0, e(d3), t3], [0, 0, 0, 1.0]])
    whole = U @ U.T
    S = whole[:3, :3]
    about = (S[0, 0] + S[1, 1] + S[2, 2]) * np.eye(3) - S
    return np.array([whole[3, 3], *whole[:3, 3], *(about[i, j] for i, j in PLACES)])


def numbers_of(moments: Any) -> Any:
    """Mass, mass centre and inertia about it, in the order of `NUMBERS`."""
    m, h = moments[0], moments[1:4]
    c = h / m
    shift = m * ((c @ c) * np.eye(3) - np.outer(c, c))
    return np.array([m, *c, *(x - shift[i, j] for x, (i, j) in zip(moments[4:], PLACES, strict=True))])


def slope(f: Callable[[Any], Any], x: Reals) -> Reals:
    """df/dx by complex steps."""
    columns = [np.imag(f(x + 1j * TINY * e)) / TINY for e in np.eye(len(x))]
    return np.array(columns).T
