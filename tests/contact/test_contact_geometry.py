"""Points of contact: gaps against independent geometry, rows and biases against finite differences."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial import KDTree

import duoti as dt
from duoti.analyses.instant.derivatives import displace
from duoti.contact.build import rigid_contacts
from duoti.contact.workspace import ContactGeometry
from duoti.model.pairs import SHAPE_PAIRS, find_pair
from duoti.model.pairs.base import FAR
from duoti.model.pairs.profiles import outline
from support.meshes import CUBE, write_obj

SHAPES = {
    "plane": dt.Shape.plane(),
    "sphere": dt.Shape.sphere(0.3),
    "box": dt.Shape.box((0.5, 0.7, 0.4)),
    "capsule": dt.Shape.capsule(0.2, 0.6),
    "cylinder": dt.Shape.cylinder(0.3, 0.5),
    "disc": dt.Shape.disc(0.4),
    "cone": dt.Inertia.cone(1.0, radius=0.3, height=0.6, com=(0, 0, 0)).shapes[0],
    "torus": dt.Inertia.torus(1.0, ring_radius=0.3, tube_radius=0.1).shapes[0],
    "ellipsoid": dt.Shape.ellipsoid((0.2, 0.35, 0.5)),
    "revolution": dt.Shape.revolution([(-0.2, 0.3), (-0.05, 0.38), (0.1, 0.35), (0.2, 0.2)]),
    "extrusion": dt.Shape.extrusion("-0.5*x^2 + 0.1*x", 3.0, (-0.4, 0.5)),
    "rail": dt.Shape.rail(
        "-0.5*x^2 + 0.1*x", [(0, 0), (1, 0)], (-0.4, 0.5)
    ),  # straight; curves have tests of their own
    "mesh": dt.Shape.mesh(write_obj(Path(tempfile.mkdtemp()) / "block.obj", CUBE), (0.3, 0.6, 0.5)),
}
SHAPES["triangles"] = dt.Shape.mesh(SHAPES["mesh"].file, (0.3, 0.6, 0.5), convex=False)

PROFILES = [kind for kind, pair in SHAPE_PAIRS.items() if pair.profiles]


def two_bodies(first: str, second: str) -> dt.System:
    """Two bodies on free joints, one of them behind a revolute joint, with one contact between them."""
    m = dt.Model("pair")
    arm = m.add_body("arm", dt.Inertia.sphere(1.0, radius=0.1), position=(0.0, 0.0, 0.0))
    a = m.add_body("a", dt.Inertia.sphere(1.0, radius=0.3), position=(0.1, 0.2, 0.0))
    b = m.add_body("b", dt.Inertia.box(2.0, size=(0.5, 0.6, 0.7)), position=(0.3, 0.2, 0.9))
    m.add_joint("base", dt.Free(), m.ground, arm)
    m.add_joint("hinge", dt.Revolute((1, 2, 3)), arm, a, at=(0.1, 0.0, 0.0))
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("touch", dt.RigidContact(), a, b, shapes=(SHAPES[first], SHAPES[second]))
    return dt.compile(m)


@pytest.mark.parametrize(
    "kind",
    [
        "plane_sphere",
        "plane_ellipsoid",
        "sphere_capsule",
        "sphere_disc",
        "sphere_ellipsoid",
        "capsule_cylinder",
        "box_cylinder",
        "box_ellipsoid",
        "cylinder_cylinder",
        "cylinder_ellipsoid",
        "ellipsoid_ellipsoid",
        "ellipsoid_mesh",
        *PROFILES,
    ],
)
def test_rows_and_biases_are_derivatives(kind: str) -> None:
    """G v is the rate of the gap, and d(G v)/dt = G a + bias, by central differences (error 1e-9 of a step of 1e-5)."""
    pair = SHAPE_PAIRS[kind]
    system = two_bodies(pair.first, pair.second)
    of = rigid_contacts(system)
    assert of is not None
    geometry = ContactGeometry(system, of)
    random = np.random.default_rng(3)
    q, v = system.initial_state()
    q, v = displace(system, q, 0.3 * random.normal(size=system.nv)), random.normal(size=system.nv)
    a, h = random.normal(size=system.nv), 1e-5

    def at(step: float) -> tuple[Any, Any]:
        # the path of constant rates of v: q(s) = q o exp(s v + s^2 a / 2) up to the third order in s
        there, rates = displace(system, q, step * v + 0.5 * step**2 * a), v + step * a
        points = geometry.points(there, rates, 10.0)
        return np.array([p.gap for p in points]), np.array([p.G @ rates for p in points])

    (gap_1, u_1), (gap_0, u_0) = at(h), at(-h)
    for i, p in enumerate(geometry.points(q, v, 10.0)):
        assert p.G[0] @ v == pytest.approx((gap_1[i] - gap_0[i]) / (2 * h), abs=1e-7)
        np.testing.assert_allclose(p.G @ a + p.bias, (u_1[i] - u_0[i]) / (2 * h), atol=1e-6)
        np.testing.assert_allclose(p.frame @ p.frame.T, np.eye(3), atol=1e-14)


def surface(shape: dt.Shape, count: int, random: Any) -> Any:
    """Points on the surface of a shape in its own frame, many."""
    d = dict(shape.dimensions)
    x = random.normal(size=(count, 3))
    x /= np.linalg.norm(x, axis=1)[:, None]
    if shape.kind == "sphere":
        return d["radius"] * x
    if shape.kind == "ellipsoid":
        return x * [d["semi_x"], d["semi_y"], d["semi_z"]]
    if shape.kind == "capsule":
        z = random.uniform(-0.5, 0.5, count) * d["length"]
        return d["radius"] * x + np.stack([0 * z, 0 * z, z], axis=1)
    if shape.kind == "revolution":  # its side, without the two ends
        z, r = outline(shape, 400).T
        z, angle = random.uniform(z[0], z[-1], 10 * count), random.uniform(0, 2 * np.pi, 10 * count)
        z[:count], z[count : 2 * count] = np.min(z), np.max(z)
        r = np.interp(z, *outline(shape, 4000).T)
        return np.stack([r * np.cos(angle), r * np.sin(angle), z], axis=1)
    if shape.kind in ("extrusion", "rail"):  # straight beyond the ends of the curve
        x, y = random.uniform(-3.2, 3.2, (2, 25 * count))
        low, high = d["low"], d["high"]
        f = np.where(x < low, -0.5 * low**2 + 0.1 * low + (0.1 - low) * (x - low), -0.5 * x**2 + 0.1 * x)
        f = np.where(x > high, -0.5 * high**2 + 0.1 * high + (0.1 - high) * (x - high), f)
        return np.stack([x, y, f] if shape.kind == "extrusion" else [y, -x, f], axis=1)
    if shape.kind in ("box", "mesh"):
        what = "size" if shape.kind == "box" else "scale"
        size = np.array([d[f"{what}_{axis}"] for axis in "xyz"])
        inside = random.uniform(-0.5, 0.5, (count, 3)) * size
        corners = np.array(np.meshgrid(*3 * [[-0.5, 0.5]])).reshape(3, -1).T * size
        return np.concatenate([inside, corners])
    if shape.kind == "torus":
        angle, around = random.uniform(0, 2 * np.pi, (2, 4 * count))
        r, z = d["ring_radius"] + d["tube_radius"] * np.cos(around), d["tube_radius"] * np.sin(around)
        return np.stack([r * np.cos(angle), r * np.sin(angle), z], axis=1)
    if shape.kind == "cone":  # its side, from the rim of the base to the apex
        angle, up = random.uniform(0, 2 * np.pi, count), random.uniform(0, 1, count)
        up[: count // 2], up[-1] = 0.0, 1.0
        r = d["radius"] * (1.0 - up)
        return np.stack([r * np.cos(angle), r * np.sin(angle), d["height"] * (up - 0.25)], axis=1)
    angle, r = random.uniform(0, 2 * np.pi, count), d["radius"] * np.sqrt(random.uniform(0, 1, count))
    r[: count // 2] = d["radius"]
    z = (random.integers(0, 2, count) - 0.5) * d.get("length", 0.0)
    return np.stack([r * np.cos(angle), r * np.sin(angle), z], axis=1)


@pytest.mark.full("extrusion_revolution", "sphere_extrusion")
@pytest.mark.parametrize("kind", SHAPE_PAIRS)
def test_gaps_against_points_on_the_surfaces(kind: str) -> None:
    """The smallest gap is the distance of two clouds of points on the surfaces, up to their density (0.05 m).

    Of a plane: the depth of the lowest point, also where the shapes overlap. Distances of points on the surfaces are
    never below that of the shapes.
    """
    pair = SHAPE_PAIRS[kind]
    system = two_bodies(pair.first, pair.second)
    of = rigid_contacts(system)
    assert of is not None
    geometry, random = ContactGeometry(system, of, biases=False), np.random.default_rng(5)
    cw = geometry.contact.work
    compared = 0
    for _ in range(12):
        q = displace(system, system.initial_state()[0], 0.7 * random.normal(size=system.nv))
        gap = float(np.min(geometry.gaps(q)))
        X_A, X_B = (np.array(x) for x in cw.X_WS[of.contacts.pair_shapes[0]])
        there = surface(SHAPES[pair.second], 3000, random) @ X_B[:9].reshape(3, 3).T + X_B[9:]
        if pair.first == "plane":
            distance = float(np.min((there - X_A[9:]) @ X_A[:9].reshape(3, 3)[:, 2]))
        else:
            here = surface(SHAPES[pair.first], 3000, random) @ X_A[:9].reshape(3, 3).T + X_A[9:]
            distance = float(np.min(KDTree(here).query(there)[0]))
            if gap < 0.0:
                continue
        if gap >= FAR:  # boxes of which no corner is above a face of the other
            assert kind == "box_box"
            continue
        assert gap < distance + 1e-12
        if kind in (
            "box_box",
            "box_mesh",
            "mesh_mesh",
        ):  # that along the best separating axis: zero where they touch, but less further away
            assert gap > 0.5 * distance - 0.05
        else:
            assert distance - 0.05 < gap
        compared += 1
    assert compared > 3
    for s in range(of.contacts.slots):  # the point is midway, the normal a unit vector
        if cw.gap[s] < FAR:
            assert np.linalg.norm(cw.frame[s, :3]) == pytest.approx(1.0, abs=1e-12)


def test_every_pair_is_found_both_ways() -> None:
    for pair in SHAPE_PAIRS.values():
        assert find_pair(pair.first, pair.second) == (pair, False)
        assert find_pair(pair.second, pair.first)[0] is pair
    assert find_pair("torus", "sphere")[0] is find_pair("triangles", "sphere")[0]
    assert find_pair("cone", "box")[0] is find_pair("mesh", "box")[0]
