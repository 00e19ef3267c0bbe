"""Inertias of imported files, which are often not quite possible."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from duoti.formats.reading import Reading
from duoti.formats.xml_tree import Element
from duoti.spatial import Inertia


def checked_inertia(
    reading: Reading, element: Element, owner: str, mass: float, com: NDArray[np.float64], matrix: NDArray[np.float64]
) -> Inertia:
    """The inertia as given.

    A matrix that is not positive semi-definite is a fault. Moments that violate the triangle inequality are common in
    robot descriptions (rounded or guessed numbers); they are used as given, and noted.
    """
    try:
        return Inertia(mass, com, matrix)
    except ValueError as error:
        moments = np.linalg.eigvalsh(0.5 * (matrix + matrix.T))
        if moments[0] < -1e-8 * np.abs(moments).max() or mass < 0.0:
            reading.error(element, f"{owner}: {error}")
            return Inertia.point(max(mass, 0.0), com=com)
        shown = ", ".join(f"{x:.4g}" for x in moments)
        reading.note(
            element,
            f"{owner}: no body has principal moments ({shown}) kg m², one above the sum of the others; used as given",
            changes_motion=False,
        )
        return Inertia.as_given(mass, com, matrix)
