"""Points and thin shapes that fall on others: they stop where they should, in every engine."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.contact.impact.least_norm import share_out

S, G = dt.Shape, 9.81
BELOW = {
    "sphere": S.sphere(0.3, position=(0, 0, -0.3)),
    "capsule": S.capsule(0.3, 0.6, axis="x", position=(0, 0, -0.3)),
    "box": S.box((0.6, 0.6, 0.4), position=(0, 0, -0.2)),
    "side of a cylinder": S.cylinder(0.3, 0.6, axis="x", position=(0, 0, -0.3)),
    "end of a cylinder": S.cylinder(0.3, 0.4, axis="z", position=(0, 0, -0.2)),
    "ellipsoid": S.ellipsoid((0.4, 0.3, 0.2), position=(0, 0, -0.2)),
}
SOLVERS = {"default": None, "event-driven": dt.DOPRI5(), "time-stepping": dt.Moreau(step=1e-3)}


def fallen(shapes, height, solver=None, joint=None, place=(0.0, 0.0), turn=None, law=None, duration=0.4) -> dt.Result:
    m = dt.Model("fall")
    turned = {} if turn is None else {"rotation": turn}
    inertia = dt.Inertia.box(2.0, size=(0.2, 0.3, 0.2))
    b = m.add_body("b", inertia, position=(*place, height), **turned)
    m.add_joint("j", joint or dt.Free(), m.ground, b)
    m.add_contact("c", law or dt.RigidContact(friction=0.5), m.ground, b, shapes=shapes)
    return dt.simulate(m, duration, **({} if solver is None else {"solver": solver}))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("below", BELOW)
def test_a_point_falls_on_a_shape(below, solver):
    """Exactly over its middle, where ends and spheres have their axes: it stops at z = 0 and is carried.

    An event-driven impact is at sqrt(2 h / g), to the solver's tolerance.
    """
    r = fallen((BELOW[below], S.point()), 0.02, SOLVERS[solver], dt.Prismatic("z"))
    assert r.ok, r.reason
    assert r["b.position.z"][-1] == pytest.approx(0.0, abs=1e-6)
    assert r["c.force"][-1] == pytest.approx([0, 0, 2.0 * G], abs=1e-4)
    if solver == "event-driven":
        assert r.impacts[0].time == pytest.approx((2 * 0.02 / G) ** 0.5, rel=1e-6)


def test_a_fast_point_does_not_pass_a_thin_plate():
    """The size of the plate alone says how far a point may go in a step."""
    for speed in (10.0, 100.0):
        m = dt.Model("shot")
        b = m.add_body("b", dt.Inertia.sphere(0.01, radius=0.01), position=(0, 0, 1.0))
        m.add_joint("j", dt.Free(), m.ground, b, v0=[0, 0, -speed, 0, 0, 0])
        m.add_contact("c", dt.RigidContact(), m.ground, b, shapes=(S.box((1, 1, 0.05)), S.point()))
        r = dt.simulate(m, 0.2, solver=dt.DOPRI5())
        assert r.ok, r.reason
        assert r["b.position.z"][-1] == pytest.approx(0.025, abs=1e-6)


@pytest.mark.sample(5)
@pytest.mark.parametrize("number", [2, 3, 5, 6, 20])
@pytest.mark.parametrize("place", [(0, 0), (0.1, 0.05), (0.25, 0.25), (0.013, 0.022)])
def test_a_disc_lies_on_a_height_field(number, place):
    """Flat, over corners, edges and within triangles of the field; and one that leans comes to lie on it, too.

    It falls by at most 0.1 m, to 1.4 m/s: in a step of 1 ms, which is not located, it overlaps by at most 1.4 mm.
    """
    field = S.heightfield(np.zeros((number, number)), (1, 1))
    r = fallen((field, S.disc(0.1)), 0.02, place=place)
    assert r.ok, r.reason
    assert r["b.position"][-1] == pytest.approx([*place, 0.0], abs=1e-6)
    turn = dt.Rotation.about((1, 2, 0), 0.4)
    r = fallen(
        (field, S.disc(0.1)), 0.1, place=place, turn=turn, duration=3.0
    )  # how long it rocks is a matter of chance
    assert r.ok, r.reason
    assert r["c.gap"].min() > -1.4e-3
    assert r["b.position.z"][-1] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_mesh_on_a_guide_lands_on_a_cylinder(swapped, tmp_path):
    """Its guide takes all friction, so that the rows of friction are zero: the two points share the impulse."""
    file = tmp_path / "box.obj"
    corners = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]
    file.write_text("\n".join(f"v {x} {y} {z}" for x, y, z in corners) + "\nf 1 2 4 3\nf 5 7 8 6\n")
    shapes = (S.cylinder(0.3, 0.6, axis="x", position=(0, 0, -0.3)), S.mesh(str(file)))
    m = dt.Model("press")
    b = m.add_body("b", dt.Inertia.box(2.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.12))
    m.add_joint("j", dt.Prismatic("z"), m.ground, b)
    sides = (b, m.ground) if swapped else (m.ground, b)
    m.add_contact("c", dt.RigidContact(friction=0.5), *sides, shapes=shapes[::-1] if swapped else shapes)
    r = dt.simulate(m, 0.4, solver=dt.DOPRI5())
    assert r.ok, r.reason
    assert r["b.position.z"][-1] == pytest.approx(0.1, abs=1e-6)
    assert r["c.normal_force"][-1] == pytest.approx(2.0 * G, rel=1e-6)


def test_impulses_of_points_that_cannot_slide():
    """Two points of one body on a guide: halves each, and no friction, since it moves nothing."""
    W = np.zeros((4, 4))
    W[::2, ::2] = 0.5
    found = share_out(W, np.array([1.2, 0, 2e-18, 0]), np.array([-0.6, 0, -0.6, 0]), np.full(2, 0.5), 2)
    assert found == pytest.approx([0.6, 0, 0.6, 0], abs=1e-12)
