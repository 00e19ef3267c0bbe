"""Materials, sections and beams against closed forms, and against sections made in another way."""

from __future__ import annotations

import math

import numpy as np
import pytest

import duoti as dt

STEEL = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)


def test_rectangle_against_polygon_and_handbook():
    r = dt.Section.rectangle(width=0.02, height=0.05)
    p = dt.Section.polygon([(0, 0), (0.02, 0), (0.02, 0.05), (0, 0.05)])
    for name in ("area", "Iy", "Iz"):
        assert getattr(p, name) == pytest.approx(getattr(r, name), rel=1e-13)
    assert r.Iy == pytest.approx(0.02 * 0.05**3 / 12)  # z, towards up, is the height
    assert p.torsion_constant == pytest.approx(r.torsion_constant, rel=1e-6)  # six digits promised
    np.testing.assert_allclose(p.shear_factors, (5 / 6, 5 / 6), rtol=1e-12)
    # Timoshenko & Goodier 1970, art. 109: J = 0.1406 a^4 for a square, 0.249 a b^3 for 2.5 : 1
    assert dt.Section.rectangle(width=1, height=1).torsion_constant == pytest.approx(0.1406, abs=5e-5)
    assert r.torsion_constant == pytest.approx(0.249 * 0.05 * 0.02**3, rel=2e-3)


def test_triangle_ellipse_and_clockwise_points():
    corners = [(0, 0), (1, 0), (0.5, math.sqrt(3) / 2)]
    t = dt.Section.polygon(corners)
    assert t.torsion_constant == pytest.approx(math.sqrt(3) / 80, rel=1e-6)  # Timoshenko & Goodier, art. 106
    assert dt.Section.polygon(corners[::-1]).Iy == pytest.approx(t.Iy)
    a, b = 0.3, 0.2
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    e = dt.Section.polygon(np.column_stack([a * np.cos(angle), b * np.sin(angle)]))
    exact = math.pi * a**3 * b**3 / (a**2 + b**2)
    lacking = 1 - e.area / (math.pi * a * b)  # the polygon lies inside; J goes with the square of the area
    assert e.torsion_constant == pytest.approx(exact * (1 - 2 * lacking), rel=lacking)


def test_thin_walls():
    """An open section of thin walls: the sum of b t³/3, less 0.105 t⁴ at each free end, more at junctions."""
    c = dt.Section.channel(height=1.0, width=0.5, web=0.01, flange=0.01)
    assert c.torsion_constant == pytest.approx((0.98 + 2 * 0.5) * 0.01**3 / 3, rel=2e-2)
    for made in (dt.Section.channel, dt.Section.i):  # the formulas are fits, good to a per cent
        thick = made(height=0.2, width=0.1, web=0.008, flange=0.011)
        same = dt.Section.polygon(thick.outline[0])
        assert thick.torsion_constant == pytest.approx(same.torsion_constant, rel=1e-2)
    with pytest.raises(ValueError, match="too thin"):
        dt.Section.polygon([(0, 0), (1, 0), (1, 1e-4), (0, 1e-4)])
    b, h, t = 0.495, 0.99, 0.01
    assert c.shear_centre[0] - c.outline[0][0][0] == pytest.approx(0.005 - 3 * b**2 * t / (6 * b * t + h * t))
    tube = dt.Section.tube(outer_radius=1.0, inner_radius=0.999999)
    np.testing.assert_allclose(tube.shear_factors, 0.5, rtol=1e-5)
    i = dt.Section.i(height=0.2, width=0.1, web=0.0056, flange=0.0085)  # IPE 200 without its fillets
    assert i.area == pytest.approx(2 * 0.1 * 0.0085 + (0.2 - 0.017) * 0.0056)
    assert i.Iy == pytest.approx(0.1 * 0.2**3 / 12 - 0.0944 * 0.183**3 / 12)
    assert i.shear_factors[1] == pytest.approx(0.183 * 0.0056 / i.area, rel=0.1)  # about the web's part of the area


def test_product_of_inertia_turns_the_axes():
    """A rectangle drawn turned: its stiffness matrix is the turned one of the upright rectangle."""
    angle = 0.4
    R = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    upright = np.array([(-1, -2), (1, -2), (1, 2), (-1, 2)]) * 0.01
    turned = dt.Section.polygon(upright @ R.T)
    K0 = dt.Beam(dt.Section.rectangle(width=0.02, height=0.04), STEEL).matrix
    K = dt.Beam(turned, STEEL).matrix
    np.testing.assert_allclose(K[4:, 4:], R @ K0[4:, 4:] @ R.T, rtol=1e-12)
    J = dt.Beam(turned, STEEL).inertia
    assert J[0, 0] == pytest.approx(np.trace(J[1:, 1:]))


def test_beam_numbers():
    b = dt.Beam(dt.Section.circle(radius=0.01), STEEL, damping_time=1e-3)
    assert b.mass == pytest.approx(7850 * math.pi * 1e-4)
    np.testing.assert_allclose(
        np.diag(b.matrix)[[0, 3, 4]],
        [2.1e11 * math.pi * 1e-4, STEEL.shear_modulus * math.pi * 5e-9, 2.1e11 * math.pi * 2.5e-9],
    )
    s = dt.Beam.from_stiffness(EA=1, GAy=2, GAz=3, GJ=4, EIy=5, EIz=6, mass_per_length=7, rotary_inertia=(8, 9, 10))
    np.testing.assert_array_equal(s.matrix, np.diag([1, 2, 3, 4, 5, 6]))
    full = dt.Beam.from_stiffness(matrix=b.matrix, mass_per_length=1, rotary_inertia=(1, 1, 1))
    np.testing.assert_array_equal(full.matrix, b.matrix)


@pytest.mark.parametrize(("make", "says"), [
    (lambda: dt.Material(youngs_modulus=-1, poisson_ratio=0.7, density=0), "youngs_modulus.*poisson_ratio.*density"),
    (lambda: dt.Section.rectangle(width=0, height=-1), "width is 0; height is -1"),
    (lambda: dt.Section.polygon([(0, 0), (1, 1), (1, 0), (0, 1), (0.2, 3)]), "cross"),
    (lambda: dt.Section.tube(outer_radius=1, inner_radius=2), "inner_radius"),
    (lambda: dt.Section.i(height=0.1, width=0.1, web=0.2, flange=0.01), "no room"),
    (lambda: dt.Beam(None, None), "section.*material"),
    (lambda: dt.Beam.from_stiffness(EA=1, mass_per_length=1, rotary_inertia=(1, 1, 1)), "GAy.*EIz missing"),
    (lambda: dt.Beam.from_stiffness(matrix=-np.eye(6), mass_per_length=1, rotary_inertia=(1, 1, 1)), "definite"),
    (lambda: dt.Beam(dt.Section.circle(radius=1), STEEL, damping_time=-1), "damping_time"),
])  # fmt: skip
def test_refusals(make, says):
    with pytest.raises(ValueError, match=says):
        make()
