"""Numbers of polygonal sections: moments, Saint-Venant's torsion, shear factors."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def area_moments(corners: Array) -> tuple[float, Array, float, float, float]:
    """Area (positive if counter-clockwise), centroid, and Iy, Iz, Iyz about the centroid, by Green's theorem."""
    first = corners[0]
    y, z = (corners - first).T
    y2, z2 = np.roll(y, -1), np.roll(z, -1)
    c = y * z2 - y2 * z
    area = float(c.sum()) / 2.0
    if area == 0.0:
        return 0.0, first, 0.0, 0.0, 0.0
    cy, cz = float(((y + y2) * c).sum()) / (6.0 * area), float(((z + z2) * c).sum()) / (6.0 * area)
    Iy = float(((z * z + z * z2 + z2 * z2) * c).sum()) / 12.0 - area * cz * cz
    Iz = float(((y * y + y * y2 + y2 * y2) * c).sum()) / 12.0 - area * cy * cy
    Iyz = float(((y * z2 + 2.0 * y * z + 2.0 * y2 * z2 + y2 * z) * c).sum()) / 24.0 - area * cy * cz
    return area, first + np.array([cy, cz]), Iy, Iz, Iyz


def torsion_constant(corners: Array) -> float:
    """Saint-Venant's torsion constant J of a solid polygon with its centroid at the origin, counter-clockwise.

    The error of `_torsion_by_elements` falls with the square of the elements' size: two steps of Romberg's scheme. Six
    digits for solid sections, three for thin walls; walls too thin for 1920 elements are refused.
    """
    for elements in (960, 1920):
        coarse, middle, fine = (_torsion_by_elements(corners, elements // k) for k in (4, 2, 1))
        better, best = middle + (middle - coarse) / 3.0, fine + (fine - middle) / 3.0
        if abs(best - better) < 0.02 * best:
            return best + (best - better) / 15.0
    raise ValueError(
        "polygon: its walls are too thin for the computation of its torsion constant; give all numbers of the section: "
        "dt.Section(area=, Iy=, Iz=, torsion_constant=, ...)"
    )


def i_torsion_constant(height: float, width: float, web: float, flange: float) -> float:
    """J of an I-section without fillets (El Darwish & Johnston 1965, Journal of the Structural Division 91)."""
    ratio = web / flange
    bulge = (flange**2 + web**2 / 4.0) / flange  # diameter of the circle inscribed in the junction
    junction = -0.042 + 0.2204 * ratio - 0.0725 * ratio**2
    walls = 2.0 / 3.0 * width * flange**3 + (height - 2.0 * flange) * web**3 / 3.0
    return walls + 2.0 * junction * bulge**4 - 0.42 * flange**4


def channel_torsion_constant(height: float, width: float, web: float, flange: float) -> float:
    """J of a channel without fillets (El Darwish & Johnston 1965)."""
    ratio = web / flange
    bulge = 2.0 * (web + flange - math.sqrt(2.0 * web * flange))
    junction = -0.0908 + 0.2621 * ratio - 0.0945 * ratio**2
    walls = 2.0 / 3.0 * width * flange**3 + (height - 2.0 * flange) * web**3 / 3.0
    return walls + 2.0 * junction * bulge**4 - 0.42 * flange**4


def _torsion_by_elements(corners: Array, elements: int) -> float:
    """J by that many boundary elements.

    The warping function w is harmonic with the normal derivative z n_y - y n_z on the boundary, and J = Iy + Iz - the
    integral of w (z n_y - y n_z) along it (Timoshenko & Goodier 1970, art. 108). Boundary elements of constant w that
    become smaller towards corners, with collocation at their middles; a constant dipole layer on a straight element is
    the angle under which it is seen, and the layer of sources of known, linear strength on an edge has a closed form,
    so that nothing is approximated but w itself.
    """
    _, _, Iy, Iz, _ = area_moments(corners)
    w = corners[:, 0] + 1j * corners[:, 1]
    after = np.roll(w, -1)
    edge, n = after - w, len(w)
    along, normal = edge / np.abs(edge), -1j * edge / np.abs(edge)
    each = max(elements // n, 4)
    s = (1.0 - np.cos(np.pi * np.arange(each + 1) / each)) / 2.0  # fine at both ends
    points = w[:, None] + edge[:, None] * s
    first, last = points[:, :-1].ravel(), points[:, 1:].ravel()
    middle, owner = (first + last) / 2.0, np.repeat(np.arange(n), each)
    seen = np.angle((last[None, :] - middle[:, None]) / (first[None, :] - middle[:, None]))
    np.fill_diagonal(seen, 0.0)
    seen[owner[:, None] == owner[None, :]] = 0.0  # an edge is seen from itself under no angle
    # sources of strength g = z n_y - y n_z = g0 + g1 x, x along the edge from the foot of the point: with r² = x² + d²
    # the integrals of ln r and x ln r are x ln r - x + d atan(x/d) and (r² ln r - r²/2 - ...)/2
    layer = np.zeros(len(middle))
    flow = np.zeros(len(middle))
    for k in range(n):
        seen_from = (middle - w[k]) * np.conj(along[k])
        foot, d = seen_from.real, np.abs(seen_from.imag)
        own = owner == k
        d[own] = 0.0
        g0 = (w[k] * np.conj(normal[k])).imag + foot * (along[k] * np.conj(normal[k])).imag
        g1 = (along[k] * np.conj(normal[k])).imag
        flow[own] = g0[own]
        for x, sign in ((np.abs(edge[k]) - foot, 1.0), (-foot, -1.0)):
            r2 = x * x + d * d
            log = 0.5 * np.log(np.where(r2 > 0.0, r2, 1.0))
            angle = np.where(d > 0.0, d * np.arctan2(x, np.where(d > 0.0, d, 1.0)), 0.0)
            layer += sign * (g0 * (x * log - x + angle) + g1 * (r2 * log - r2 / 2.0) / 2.0)
    length = np.abs(last - first)
    # Green's formula at the middles: pi w = integral of (w d(ln r)/dn - g ln r), the first by angles; w has mean zero
    A = np.pi * np.eye(len(middle)) - seen + length[None, :] / length.sum()
    warping = np.linalg.solve(A, -layer)
    return Iy + Iz - float((warping * flow * length).sum())


def shear_factors(corners: Array, area: float, Iy: float, Iz: float) -> tuple[float, float]:
    """(ky, kz) by the energy of the shear stresses V Q/(I b), constant over the width b of a cut."""
    flipped = corners[:, ::-1] * np.array([1.0, 1.0])
    return _shear_factor(flipped, area, Iz), _shear_factor(corners, area, Iy)


def _shear_factor(corners: Array, area: float, second: float) -> float:
    """I² / (A integral of Q²/b dz): 5/6 for a rectangle; cuts across z."""
    levels = np.unique(corners[:, 1])
    levels = levels[np.concatenate([[True], np.diff(levels) > 1e-12 * np.ptp(levels)])]
    x, g = np.polynomial.legendre.leggauss(12)
    below, total = 0.0, 0.0  # Q: moment of the part below
    for low, high in itertools.pairwise(levels):
        h = high - low
        z = low + h * (x + 1.0) / 2.0
        b = _width(corners, z)
        slope, start = np.polyfit(z - low, b, 1)  # the width is linear between levels
        s = z - low
        Q = below - (start * (low * s + s**2 / 2.0) + slope * (low * s**2 / 2.0 + s**3 / 3.0))
        total += float((g * h / 2.0 * Q**2 / b).sum())
        below -= float(start * (low * h + h**2 / 2.0) + slope * (low * h**2 / 2.0 + h**3 / 3.0))
    return second**2 / (area * total)


def _width(corners: Array, z: Array) -> Array:
    """Total width of the polygon at the heights z, none of which is that of a corner."""
    a, b = corners, np.roll(corners, -1, axis=0)
    width = np.zeros(len(z))
    for (y1, z1), (y2, z2) in zip(a, b, strict=True):
        if z1 != z2:
            crossed = (np.minimum(z1, z2) < z) & (z < np.maximum(z1, z2))
            y = y1 + (y2 - y1) * (z - z1) / (z2 - z1)
            width += np.where(crossed, y * np.sign(z2 - z1), 0.0)
    return np.abs(width)
