"""Tori, surfaces of revolution and extrusions on shapes without an exact pair: as triangles, within a stated deviation.

Positions at rest are those of the curved surfaces, in closed form. Corners of the triangles are on these, so that
each surface may be deeper by its deviation along the normal; a slope of the normal makes more of it.
"""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.contact.collide.surfaces import FINE, surface_of

G = 9.81
RING, TUBE = 0.25, 0.1


def torus(ring: float = RING, tube: float = TUBE, **given) -> dt.Shape:
    return dt.Inertia.torus(1.0, ring_radius=ring, tube_radius=tube, **given).shapes[0]


def deviation(shape: dt.Shape) -> float:
    return surface_of(shape).deviation


def falls(below: dt.Shape, shape: dt.Shape, position, law=None, duration: float = 0.6, rotation=None) -> dt.Result:
    """What becomes of a body over a shape on ground; contacts of lists, as most have them."""
    m = dt.Model("falls")
    m.ground.shapes.append(below)
    inertia = dt.Inertia(1.0, matrix=np.diag([0.01, 0.01, 0.01]))
    b = m.add_body("b", inertia, position=position, rotation=rotation, shapes=[shape])
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("all", law or dt.RigidContact(friction=0.5), "all", "all")
    r = dt.simulate(m, duration)
    assert r.ok, r.reason
    return r


@pytest.mark.parametrize(
    "shape",
    [
        torus(),
        torus(ring=1.0, tube=0.01),
        dt.Shape.revolution("0.2 + 0.05*sin(10*z)", limits=(-0.2, 0.3)),
        dt.Shape.revolution([(-0.2, 0.2), (0, 0.22), (0.2, 0.2)]),
        dt.Shape.extrusion("0.1*sin(5*x)", 2.0, limits=(-1, 1)),
        dt.Shape.extrusion([(-0.3, 0), (-0.2, 0.2), (0.2, 0.2), (0.3, 0)], 2.0),
    ],
    ids=["torus", "thin torus", "wave", "barrel", "hills", "ridge"],
)
def test_triangles_are_near_the_surface_and_look_outward(shape):
    """Centres of triangles are nearer to the surface than the deviation, which is a thousandth or two of the size."""
    made = surface_of(shape)
    triangles = made.corner.reshape(-1, 3, 3)
    size = float(np.max(np.ptp(triangles.reshape(-1, 3), axis=0)))
    assert 0.0 < made.deviation <= 2 * FINE * size
    x, y, z = np.mean(triangles, axis=1).T
    r = np.hypot(x, y)
    if shape.kind == "torus":
        d = dict(shape.dimensions)
        inside = d["tube_radius"] - np.hypot(r - d["ring_radius"], z)
    else:
        from duoti.model.pairs.profiles import outline

        along, height = outline(shape, 4001).T
        inside = np.interp(x, along, height) - z if shape.kind == "extrusion" else np.interp(z, along, height) - r
        if shape.kind == "revolution":
            inside = inside[np.abs(made.normal[:, 2]) < 0.99]  # not of the ends
    assert np.max(np.abs(inside)) <= made.deviation + 1e-6 * size  # of the outline's own steps
    if shape.kind == "extrusion":
        assert np.min(made.normal[:, 2]) > 0.0
    else:  # closed: the volume by the theorem of Gauss is positive, and no edge is open
        assert np.sum(np.linalg.det(triangles)) > 0.0
        assert np.min(made.across) >= 0


def test_a_ball_lies_in_the_hole_of_a_torus():
    """It touches a circle: its centre is r + t from all centres of the tube."""
    r = falls(torus(), dt.Shape.sphere(0.25), (0, 0, 0.3))
    high = np.sqrt((0.25 + TUBE) ** 2 - RING**2)
    slope = (0.25 + TUBE) / high
    assert r["b.position.z"][-1] == pytest.approx(high, abs=slope * deviation(torus()))
    assert np.abs(r["b.position"][-1, :2]) == pytest.approx(0, abs=2 * slope * deviation(torus()))
    assert r["all.force.z"][-1] == pytest.approx(G, rel=1e-5)
    assert any("a torus: " in note and "within" in note for note in r.stats.notes)


def test_a_torus_lies_on_a_torus():
    r = falls(torus(), torus(), (0, 0, 2 * TUBE + 0.02))
    assert r["b.position.z"][-1] == pytest.approx(2 * TUBE, abs=2 * deviation(torus()))
    assert r["all.force.z"][-1] == pytest.approx(G, rel=1e-5)


def test_a_torus_hangs_in_a_torus():
    """Two links of a chain, crossed at right angles: the centres of the rings are 2 (R - r) apart."""
    upper, lower = torus(0.1, 0.02, axis="x"), torus(0.1, 0.02, axis="y")
    r = falls(upper, lower, (0, 0, -2 * 0.08 + 0.01), law=dt.RigidContact(friction=0.8))
    assert r["b.position.z"][-1] == pytest.approx(-2 * 0.08, abs=2 * deviation(upper))
    assert r["all.force.z"][-1] == pytest.approx(G, rel=1e-3)


BODIES = {
    "box": (dt.Shape.box((0.2, 0.2, 0.2)), 0.1),
    "capsule": (dt.Shape.capsule(0.05, 0.3, axis="y"), 0.05),
    "cylinder": (dt.Shape.cylinder(0.1, 0.2), 0.1),
    "disc": (dt.Shape.disc(0.15), 0.0),
    "rod": (dt.Inertia.rod(1.0, length=0.3, axis="y").shapes[0], 0.0),
    "ellipsoid": (dt.Shape.ellipsoid((0.1, 0.15, 0.1)), 0.1),
    "cone": (dt.Inertia.cone(1.0, radius=0.1, height=0.3).shapes[0], 0.0),
    "torus": (torus(0.15, 0.05), 0.05),
}


@pytest.mark.parametrize("what", BODIES)
def test_bodies_rest_on_an_extrusion(what):
    """A road that is level where they are: the profile is 0.2 high."""
    shape, high = BODIES[what]
    road = dt.Shape.extrusion("0.2 - 3*max(0, abs(x) - 0.4)^3", 2.0, limits=(-0.9, 0.9))
    r = falls(road, shape, (0.02, 0.1, 0.2 + high + 0.01))
    assert r["b.position.z"][-1] == pytest.approx(0.2 + high, abs=deviation(road) + 1e-3)  # tori have a deviation, too
    assert r["all.force.z"][-1] == pytest.approx(G, rel=1e-5)


@pytest.mark.parametrize("what", ["ball", "cylinder", "disc", "box"])
def test_bodies_rest_on_a_surface_of_revolution(what):
    """A barrel with a waist, axis along x: what lies across its waist stands on the waist or on both bulges."""
    waist = dt.Shape.revolution("0.2 + 2*z^2", limits=(-0.2, 0.2), axis="x")
    shape, high = {
        "ball": (dt.Shape.sphere(0.1), 0.1),
        "cylinder": (dt.Shape.cylinder(0.1, 0.2, axis="y"), 0.1),
        "disc": (dt.Shape.disc(0.1, axis="y"), 0.1),
        "box": (dt.Shape.box((0.2, 0.2, 0.2)), 0.1 + 2 * 0.1**2),
    }[what]
    m = dt.Model("waist")
    m.ground.shapes.append(waist)
    b = m.add_body("b", dt.Inertia(1.0, matrix=np.diag([0.01] * 3)), position=(0, 0, 0.2 + high + 0.01), shapes=[shape])
    m.add_joint("slide", dt.Prismatic("z"), m.ground, b)  # on the top of a barrel nothing lies by itself
    m.add_contact("all", dt.RigidContact(), m.ground, b)
    r = dt.simulate(m, 0.5)
    assert r.ok, r.reason
    assert r["b.position.z"][-1] == pytest.approx(0.2 + high, abs=1.1 * deviation(waist))
    assert r["all.force.z"][-1] == pytest.approx(G, rel=1e-6)


def test_a_ball_presses_into_a_torus():
    """Compliant contact: the depth at rest is weight / stiffness for the one point above the tube."""
    m = dt.Model("press")
    m.ground.shapes.append(torus())
    b = m.add_body("b", dt.Inertia.sphere(1.0, radius=0.05), position=(RING, 0, TUBE + 0.05))
    m.add_joint("slide", dt.Prismatic("z"), m.ground, b)
    m.add_contact("all", dt.CompliantContact(stiffness=1e4, damping=50.0), m.ground, b)
    r = dt.simulate(m, 1.0)
    assert r.ok, r.reason
    assert r["b.position.z"][-1] == pytest.approx(TUBE + 0.05 - G / 1e4, abs=deviation(torus()) + 1e-6)


def test_points_are_refused_by_name():
    m = dt.Model("point")
    m.ground.shapes.append(torus())
    b = m.add_body("b", dt.Inertia.sphere(1.0, radius=0.05), position=(RING, 0, 1), shapes=[dt.Shape.point()])
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("tip", dt.RigidContact(), m.ground, b)
    with pytest.raises(dt.ModelError, match=r"a torus of .* against a point"):
        dt.simulate(m, 0.1)
