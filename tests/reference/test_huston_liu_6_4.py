"""Seven bodies with a cavity: mass and centre of mass.

R. L. Huston and Liu Youwu, 多体系统动力学 (Multibody System Dynamics), volume 2, Tianjin University Press,
1991, section 6.4, figure 6.4.2 and table 6.4.1. A steel cube with a cylindrical cavity carries a steel
cylinder, a chain of four rods and a steel sphere; here it is built from dimensions and densities.
"""

from __future__ import annotations

import numpy as np
import pytest

from duoti.spatial import Inertia, combined

STEEL = 7.8e3  # kg/m^3
SIDE = 1.0  # edge of the cube, length of the cylinder and of each rod [m]
DIAMETER = 1 / 3  # of cavity, cylinder and sphere [m]

# The published result: total mass [kg], sums of mass times coordinate [kg m], centre [m].
MASS, MOMENT, CENTRE = 7990.32, (3596.6, 4230.3, 5016.5), (0.450, 0.529, 0.628)


def seven_bodies(rod_density: float) -> Inertia:
    half, radius = SIDE / 2, DIAMETER / 2
    bore = {"density": STEEL, "radius": radius, "length": SIDE, "axis": "z"}
    parts = [
        -Inertia.cylinder(com=(half, half, half), **bore),
        Inertia.box(density=STEEL, size=(SIDE, SIDE, SIDE), com=(half, half, half)),
        Inertia.cylinder(com=(half, half, 1.5 * SIDE), **bore),
    ]
    # The rods: the first leaves the side of the cylinder at its top, against x; the next two lie in a plane
    # normal to x, 30 degrees down and 60 degrees up from y; the last runs against x again to the sphere.
    joint = np.array([half - radius, half, 2 * SIDE])
    c30, s30 = np.sqrt(3) / 2, 1 / 2
    for direction in np.array([[-1, 0, 0], [0, c30, -s30], [0, s30, c30], [-1, 0, 0]]):
        middle = joint + half * direction
        parts.append(Inertia.rod(length=SIDE, axis=direction, density_per_length=rod_density, com=middle))
        joint = joint + SIDE * direction
    centre = joint + np.array([-radius, 0, 0])
    parts.append(Inertia.sphere(density=STEEL, radius=radius, com=centre))
    return combined(parts)


@pytest.mark.parametrize("rod_density", [9.75, 9.8])
def test_total_mass(rod_density):
    """The text has rods of 9.8 kg/m, the table 9.75 kg each (from a volume rounded to 0.00125 m^3).

    The table's only other rounding that matters is the sphere's volume, 0.0194 m^3 +- 0.00005: +- 0.39 kg at
    most, in fact 151.32 - 151.26 = 0.06 kg. Cavity and cylinder cancel.
    """
    body = seven_bodies(rod_density)
    sphere = STEEL * np.pi / 6 * DIAMETER**3
    expected = MASS - (151.32 - sphere) + 4 * (rod_density - 9.75)
    assert body.mass == pytest.approx(expected, rel=1e-13)  # the same sum, up to round-off
    assert abs(body.mass - MASS) < 0.07 + 4 * (rod_density - 9.75)
    assert round(seven_bodies(9.75).mass, 1) == pytest.approx(7990.3)


@pytest.mark.parametrize("rod_density", [9.75, 9.8])
def test_centre_of_mass(rod_density):
    """The centre is printed with three decimals, so it may differ by half of the last one."""
    np.testing.assert_allclose(seven_bodies(rod_density).com, CENTRE, rtol=0.0, atol=0.0005)


def test_first_moments():
    """Table 6.4.1 with the table's rods.

    Its cavity and cylinder are rounded from 680.68 to 680 kg; they cancel in mass and in x and y, but not in
    z, where the difference of 0.68 kg acts with 1.5 - 0.5 = 1 m. The sphere's 0.06 kg acts with up to 2.37 m,
    which is 0.14 kg m, and the last printed digit of the totals is 0.1: another 0.05.
    """
    body = seven_bodies(9.75)
    moment = body.mass * body.com
    rounded_z = STEEL * np.pi / 4 * DIAMETER**2 * SIDE - 680
    assert rounded_z == pytest.approx(0.678, abs=0.0005)
    np.testing.assert_allclose(moment - (0, 0, rounded_z), MOMENT, rtol=0.0, atol=0.14 + 0.05)
