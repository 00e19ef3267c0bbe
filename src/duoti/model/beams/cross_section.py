"""Cross-sections of beams: areas, moments, torsion constants, shear factors, outlines."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.spatial.axes import LARGEST, is_finite_number
from duoti.strict import Explained, explained_constructors

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


Outline = tuple[tuple[tuple[float, float], ...], ...]
"""Closed lines of points (y, z) about the centroid, the outer one first, then those of holes."""
ROUND = 48  # points of the outline of a circle


@explained_constructors
@dataclass(frozen=True)
class Section(Explained):
    r"""A cross-section about its centroid: y to the left of the beam's direction x, z towards `up`.

    $$I_y = \int z^2 dA, \qquad I_z = \int y^2 dA, \qquad I_{yz} = \int y z\, dA$$

    Makers such as `Section.rectangle` know all of these; `changed` replaces some.

    Parameters
    ----------
    area:
        Area [m²].
    Iy, Iz, Iyz:
        Second moments of area [m⁴]; Iy belongs to bending in the x-z plane.
    torsion_constant:
        Torsion constant J [m⁴].
    shear_factors:
        (ky, kz): the shear stiffnesses are ky G A and kz G A.
    shear_centre:
        (y, z) [m] of the shear centre.
    outline:
        Closed lines of points (y, z), for stresses and drawing.
    name:
        Name for messages and files.
    """

    area: float
    Iy: float
    Iz: float
    torsion_constant: float
    shear_factors: tuple[float, float] = (1.0, 1.0)
    Iyz: float = 0.0
    shear_centre: tuple[float, float] = (0.0, 0.0)
    outline: Outline = ()
    name: str = ""
    made: tuple[str, tuple[tuple[str, Any], ...]] | None = field(default=None, repr=False, compare=False)
    """Which of the shapes below made it, and the sizes that it was given."""

    def __repr__(self) -> str:
        if self.made is not None:
            kind, given = self.made
            return f"Section.{kind}({', '.join(f'{name}={value!r}' for name, value in given)})"
        return (
            f"Section(area={self.area!r}, Iy={self.Iy!r}, Iz={self.Iz!r}, torsion_constant={self.torsion_constant!r})"
        )

    def __post_init__(self) -> None:
        faults = [
            f"{what} is {value!r}; it must be a positive number"
            for what, value in (
                ("area", self.area), ("Iy", self.Iy), ("Iz", self.Iz), ("torsion_constant", self.torsion_constant),
            )
            if not _positive(value)
        ]  # fmt: skip
        pair = _numbers(self.shear_factors, 2)
        if pair is None or min(pair) <= 0.0:
            faults.append(f"shear_factors are {self.shear_factors!r}; give two positive numbers (ky, kz)")
        if (centre := _numbers(self.shear_centre, 2)) is None:
            faults.append(f"shear_centre is {self.shear_centre!r}; give two numbers (y, z)")
        if not faults and not self.Iyz**2 < self.Iy * self.Iz:
            faults.append(f"Iyz = {self.Iyz!r} is too large for Iy = {self.Iy:.6g} and Iz = {self.Iz:.6g}")
        if faults:
            raise ValueError("Section: " + "; ".join(faults))
        object.__setattr__(self, "shear_factors", pair)
        object.__setattr__(self, "shear_centre", centre)
        lines = tuple(tuple((float(y), float(z)) for y, z in line) for line in self.outline)
        object.__setattr__(self, "outline", lines)

    def changed(self, **values: Any) -> Section:
        """The same section with other numbers: `section.changed(shear_factors=(1, 1))`."""
        return replace(self, **{"made": None, **values})

    def named(self, name: str) -> Section:
        """The same section with a name, under which files write it once."""
        return replace(self, name=name)

    def between(self, other: Section, part: float) -> Section:
        """A section between this one (part = 0) and another of the same shape (part = 1), sizes changing linearly.

        Of polygons, whose torsion constant J takes long to find, J (Iy + Iz)/A⁴ and the shear factors are linear, too.
        """
        if self.made is None or other.made is None or self.made[0] != other.made[0]:
            raise ValueError(
                "a taper needs two sections of one shape, such as two rectangles; else give one Beam a node"
            )
        sizes = {key: _between(value, dict(other.made[1])[key], part) for key, value in self.made[1]}
        if self.made[0] == "polygon":
            return self._polygon_between(other, sizes["points"], part)
        return getattr(type(self), self.made[0])(**sizes)

    def _polygon_between(self, other: Section, points: list[list[float]], part: float) -> Section:
        corners, (area, Iy, Iz, Iyz) = _around(np.asarray(points))
        ends = [[s.torsion_constant * s.polar_moment / s.area**4, *s.shear_factors] for s in (self, other)]
        torsion, *factors = ((1.0 - part) * np.array(ends[0]) + part * np.array(ends[1])).tolist()
        outline = tuple((float(y), float(z)) for y, z in corners)
        made = Section(area, Iy, Iz, torsion * area**4 / (Iy + Iz), tuple(factors), Iyz, outline=(outline,))
        return _made(made, "polygon", points=points)

    @property
    def polar_moment(self) -> float:
        """Iy + Iz [m⁴]: the rotary inertia about x is density times this."""
        return self.Iy + self.Iz

    @classmethod
    def rectangle(cls, width: float, height: float) -> Section:
        """Solid rectangle: `width` [m] along y, `height` [m] along z (towards `up`).

        Torsion by Saint-Venant's series (Timoshenko & Goodier 1970, art. 109); shear factors 5/6 (Reissner 1945).
        """
        _check_sizes("rectangle", width=width, height=height)
        a, b = max(width, height), min(width, height)
        # sum of tanh(n π a/2b)/n⁵ over odd n: that of 1/n⁵ is 31/32 ζ(5), and 1 - tanh(x) = 2/(exp(2x) + 1) dies out
        series = 31.0 / 32.0 * 1.0369277551433699 - sum(
            2.0 / (math.exp(min(n * math.pi * a / b, 700.0)) + 1.0) / n**5 for n in range(1, 12, 2)
        )
        torsion = a * b**3 * (1.0 / 3.0 - 64.0 / math.pi**5 * b / a * series)
        y, z = width / 2.0, height / 2.0
        made = cls(
            width * height, width * height**3 / 12.0, height * width**3 / 12.0, torsion, (5.0 / 6.0, 5.0 / 6.0),
            outline=(((-y, -z), (y, -z), (y, z), (-y, z)),),
        )  # fmt: skip
        return _made(made, "rectangle", width=width, height=height)

    @classmethod
    def circle(cls, radius: float) -> Section:
        """Solid circle of `radius` [m]. Shear factors 6/7 (Cowper 1966, for nu = 0; 0.89 for nu = 0.3)."""
        _check_sizes("circle", radius=radius)
        second = math.pi * radius**4 / 4.0
        made = cls(math.pi * radius**2, second, second, 2.0 * second, (6.0 / 7.0, 6.0 / 7.0), outline=(_ring(radius),))
        return _made(made, "circle", radius=radius)

    @classmethod
    def tube(cls, outer_radius: float, inner_radius: float) -> Section:
        """Circular tube [m]. Shear factors by Cowper 1966 for nu = 0: 6/7 (solid) to 1/2 (thin wall)."""
        _check_sizes("tube", outer_radius=outer_radius, inner_radius=inner_radius)
        if inner_radius >= outer_radius:
            raise ValueError(f"tube: inner_radius {inner_radius} must be below outer_radius {outer_radius}")
        second = math.pi * (outer_radius**4 - inner_radius**4) / 4.0
        m2 = (inner_radius / outer_radius) ** 2
        factor = 6.0 * (1.0 + m2) ** 2 / (7.0 * (1.0 + m2) ** 2 + 20.0 * m2)
        made = cls(
            math.pi * (outer_radius**2 - inner_radius**2), second, second, 2.0 * second, (factor, factor),
            outline=(_ring(outer_radius), _ring(inner_radius)),
        )  # fmt: skip
        return _made(made, "tube", outer_radius=outer_radius, inner_radius=inner_radius)

    @classmethod
    def i(cls, height: float, width: float, web: float, flange: float) -> Section:
        """I-section: `height` along z and `width` of both flanges along y, thickness of `web` and `flange` [m].

        Torsion without fillets after El Darwish & Johnston 1965; warping is free (no bimoment). Shear factors by the
        energy of shear stresses (see `polygon`).
        """
        _check_sizes("i", height=height, width=width, web=web, flange=flange)
        _check_walls("i", height, width, web, flange)
        h, b, s, f = height / 2.0, width / 2.0, web / 2.0, height / 2.0 - flange
        made = _by_corners(
            [(-b, -h), (b, -h), (b, -f), (s, -f), (s, f), (b, f), (b, h), (-b, h), (-b, f), (-s, f), (-s, -f), (-b, -f)]
        )
        made = replace(made, torsion_constant=i_torsion_constant(height, width, web, flange))
        return _made(made, "i", height=height, width=width, web=web, flange=flange)

    @classmethod
    def channel(cls, height: float, width: float, web: float, flange: float) -> Section:
        """Channel: `height` along z, `width` of both flanges along +y from the back of the web, thicknesses [m].

        As `i`; the shear centre lies outside the web, at 3 b² t / (6 b t + h s) from its middle line, b and h between
        middle lines (thin walls: Timoshenko & Gere 1961, section 5.2).
        """
        _check_sizes("channel", height=height, width=width, web=web, flange=flange)
        _check_walls("channel", height, width, web, flange)
        h, f = height / 2.0, height / 2.0 - flange
        made = _by_corners([(0.0, -h), (width, -h), (width, -f), (web, -f), (web, f), (width, f), (width, h), (0.0, h)])
        b, d = width - web / 2.0, height - flange
        to_middle = made.outline[0][0][0] + web / 2.0
        centre = to_middle - 3.0 * b**2 * flange / (6.0 * b * flange + d * web)
        J = channel_torsion_constant(height, width, web, flange)
        made = replace(made, torsion_constant=J, shear_centre=(centre, 0.0))
        return _made(made, "channel", height=height, width=width, web=web, flange=flange)

    @classmethod
    def polygon(cls, points: ArrayLike) -> Section:
        """Solid section with straight edges between `points` (y, z) [m]; the beam's axis is its centroid.

        Area and moments are exact (Green's theorem), the torsion constant solves Saint-Venant's problem to six digits
        (thin walls: three). Shear factors: from the energy of shear stresses Q/(I b), averaged over the width b of the
        cut (Timoshenko & Gere 1961, section 2.17: 5/6 for a rectangle); the shear centre is taken at the centroid.
        """
        made = _by_corners(points)
        made = replace(made, torsion_constant=torsion_constant(np.array(made.outline[0])))
        return _made(made, "polygon", points=np.asarray(points, dtype=float).tolist())


def _by_corners(points: ArrayLike) -> Section:
    """A section with all numbers but its torsion constant, for which 1 stands."""
    try:
        corners = np.asarray(points, dtype=float)
    except (TypeError, ValueError, OverflowError):
        corners = np.zeros((0, 2))
    if corners.ndim != 2 or corners.shape[1] != 2 or len(corners) < 3 or not np.all(np.isfinite(corners)):
        raise ValueError("polygon: points must be three or more finite pairs (y, z)")
    corners, (area, Iy, Iz, Iyz) = _around(corners)
    if _crosses_itself(corners):
        raise ValueError("polygon: edges cross each other; give the points in their order around the section")
    outline = tuple((float(y), float(z)) for y, z in corners)
    return Section(area, Iy, Iz, 1.0, shear_factors(corners, area, Iy, Iz), Iyz, outline=(outline,))


def _around(points: np.ndarray) -> tuple[np.ndarray, tuple[float, float, float, float]]:
    """Corners about their centroid, counter-clockwise; area, Iy, Iz, Iyz."""
    area, centroid, Iy, Iz, Iyz = area_moments(points)
    if area < 0.0:  # clockwise
        points = points[::-1]
        area, centroid, Iy, Iz, Iyz = area_moments(points)
    if not area > 0.0:
        raise ValueError("polygon: the points enclose no area")
    Iyz = 0.0 if abs(Iyz) < 1e-12 * max(Iy, Iz) else Iyz  # round-off of a symmetric section
    return points - centroid, (area, Iy, Iz, Iyz)


def _between(a: Any, b: Any, part: float) -> Any:
    if np.shape(a) != np.shape(b):
        raise ValueError("a taper needs polygons with equally many points")
    mixed = np.asarray(a, dtype=float) * (1.0 - part) + np.asarray(b, dtype=float) * part
    return mixed.tolist() if mixed.ndim else float(mixed)


def _made(section: Section, kind: str, **sizes: Any) -> Section:
    return replace(section, made=(kind, tuple(sizes.items())))


def _positive(value: Any) -> bool:
    return is_finite_number(value) and 0.0 < value <= LARGEST**0.2  # fourth powers of lengths are computed


def _numbers(given: Any, count: int) -> tuple[float, ...] | None:
    try:
        found = tuple(float(x) for x in given)
    except (TypeError, ValueError, OverflowError):
        return None
    return found if len(found) == count and all(map(math.isfinite, found)) else None


def _check_sizes(what: str, **sizes: float) -> None:
    if faults := [f"{name} is {value!r}" for name, value in sizes.items() if not _positive(value)]:
        raise ValueError(f"{what}: {'; '.join(faults)}; lengths are positive numbers [m]")


def _check_walls(what: str, height: float, width: float, web: float, flange: float) -> None:
    if web >= width or 2.0 * flange >= height:
        raise ValueError(
            f"{what}: walls leave no room: web {web} must be below width {width}, twice flange {flange} below height "
            f"{height}"
        )


def _ring(radius: float) -> tuple[tuple[float, float], ...]:
    angles = [2.0 * math.pi * k / ROUND for k in range(ROUND)]
    return tuple((radius * math.cos(a), radius * math.sin(a)) for a in angles)


def _crosses_itself(corners: np.ndarray) -> bool:
    """Whether two edges that are no neighbours meet."""
    n = len(corners)
    following = np.roll(corners, -1, axis=0)

    def side(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
        return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

    for i in range(n):
        for j in range(i + 2, n):
            if (j + 1) % n == i:
                continue
            a, b, c, d = corners[i], following[i], corners[j], following[j]
            if side(a, b, c) * side(a, b, d) < 0.0 and side(c, d, a) * side(c, d, b) < 0.0:
                return True
    return False
