"""Inertias of imported files, which are often not quite possible."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from duoti.formats.xml.reading import Reading
from duoti.formats.xml.xml_tree import Element
from duoti.spatial import Inertia

ROUND_OFF = 1e-16  # [m²] of moments beside their mass, at least a gram: a body of 10 nm
LIFTED = 0.5  # a negative moment up to this part of the largest one is taken as a slip of measured or rounded numbers


def checked_inertia(
    reading: Reading, element: Element, owner: str, mass: float, com: NDArray[np.float64], matrix: NDArray[np.float64]
) -> Inertia:
    """The inertia as given.

    Moments that violate the triangle inequality are common in robot descriptions (rounded or guessed numbers); they are
    used as given, and noted. A negative moment is lifted to the nearest possible body, and noted as a change; one that
    is large is a fault. Round-off of a matrix of zeros is taken as zero.
    """
    matrix = 0.5 * (matrix + matrix.T) if np.allclose(matrix, matrix.T, rtol=1e-6, atol=0.0) else matrix
    if 0.0 < np.abs(matrix).max() < ROUND_OFF * max(mass, 1e-3):
        matrix = np.zeros((3, 3))
    try:
        return Inertia(mass, com, matrix)
    except ValueError as error:
        moments = np.linalg.eigvalsh(0.5 * (matrix + matrix.T))
        shown = ", ".join(f"{x:.4g}" for x in moments)
        if mass < 0.0 or moments[0] < -LIFTED * np.abs(moments).max():
            reading.error(element, f"{owner}: {error}")
            return Inertia.point(max(mass, 0.0), com=com)
        if moments[0] < -1e-8 * np.abs(moments).max():
            lifted = _nearest_possible(matrix)
            now = ", ".join(f"{x:.4g}" for x in np.linalg.eigvalsh(lifted))
            text = f"{owner}: no body has principal moments ({shown}) kg m², one is negative; changed to ({now})"
            reading.note(element, text)
            return Inertia.as_given(mass, com, lifted)
        reading.note(
            element,
            f"{owner}: no body has principal moments ({shown}) kg m², one above the sum of the others; used as given",
            changes_motion=False,
        )
        return Inertia.as_given(mass, com, matrix)


def _nearest_possible(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Inertia whose matrix of second moments is the nearest one without negative eigenvalues.

    J = trace(I)/2 - I is the integral of r r^T dm, which is positive semi-definite for all bodies and only for them
    (Wensing, Kim, Slotine 2018, eq. 9 and 10); I = trace(J) - J.
    """
    I = 0.5 * (matrix + matrix.T)
    moments, axes = np.linalg.eigh(0.5 * np.trace(I) * np.eye(3) - I)
    J = axes @ np.diag(np.maximum(moments, 0.0)) @ axes.T
    return np.trace(J) * np.eye(3) - J
