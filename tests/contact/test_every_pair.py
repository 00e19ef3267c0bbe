"""Every two shapes: what is dropped on another one touches it, or the model is refused; nothing falls through."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import duoti as dt
from duoti.model.pairs import THIN, find_pair
from duoti.model.pairs.base import touching_kind

SHAPES = {  # and how high they are at the place where something is dropped on them
    "plane": (dt.Shape.plane(), 0.0),
    "sphere": (dt.Shape.sphere(0.2), 0.2),
    "box": (dt.Shape.box((0.4, 0.4, 0.4)), 0.2),
    "capsule": (dt.Shape.capsule(0.1, 0.4, axis="x"), 0.1),
    "cylinder": (dt.Shape.cylinder(0.2, 0.4), 0.2),
    "disc": (dt.Shape.disc(0.3), 0.0),
    "ellipsoid": (dt.Shape.ellipsoid((0.3, 0.2, 0.2)), 0.2),
    "cone": (dt.Inertia.cone(1.0, radius=0.2, height=0.4).shapes[0], 0.4),
    "torus": (dt.Inertia.torus(1.0, ring_radius=0.25, tube_radius=0.1).shapes[0], 0.1),
    "heightfield": (dt.Shape.heightfield(np.zeros((9, 9)), (2, 2)), 0.0),
    "revolution": (dt.Shape.revolution([(-0.2, 0.2), (0, 0.22), (0.2, 0.2)]), 0.22),
    "extrusion": (dt.Shape.extrusion([(-0.3, 0), (-0.2, 0.2), (0.2, 0.2), (0.3, 0)], 2.0), 0.22),
    "point": (dt.Shape.point(), 0.0),
    "rod": (dt.Inertia.rod(1.0, length=0.4, axis="x").shapes[0], 0.0),
    "mesh": (None, 0.15),
    "non-convex mesh": (None, 0.1),
}
UNBOUNDED = ("plane", "heightfield", "extrusion")
PLACES = {"torus": (0.25, 0.013), "non-convex mesh": (-0.1, -0.1)}
L_SHAPE = ((-0.2, -0.2), (0.2, -0.2), (0.2, 0.0), (0, 0.0), (0, 0.2), (-0.2, 0.2))


def shape_of(name: str, folder) -> dt.Shape:
    shape = SHAPES[name][0]
    if shape is not None:
        return shape
    corners = [(x, y, z) for z in (-0.1, 0.1) for x, y in L_SHAPE]
    around = [(i, (i + 1) % 6, 6 + (i + 1) % 6) for i in range(6)] + [
        (i, 6 + (i + 1) % 6, 6 + i) for i in range(6)
    ]  # fmt: skip
    top = [(0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)]
    faces = [*around, *((c, b, a) for a, b, c in top), *((a + 6, b + 6, c + 6) for a, b, c in top)]
    path = folder / "l.obj"
    lines = ["v " + " ".join(map(repr, map(float, corner))) for corner in corners]
    lines += ["f " + " ".join(str(k + 1) for k in face) for face in faces]
    path.write_text("\n".join(lines))
    return dt.Shape.mesh(str(path), convex=name == "mesh")


def may_be_refused(a: str, b: str, of_a: dt.Shape, of_b: dt.Shape) -> bool:
    """Two shapes without thickness; points on meshes, whose triangles have none."""
    kinds = {touching_kind(of_a), touching_kind(of_b)}
    thin = (of_a.kind, of_b.kind) in THIN or kinds == {"disc"}
    return thin or ("point" in (a, b) and bool(kinds & {"triangles", "torus", "revolution"}))


def test_every_pair_of_solids_has_an_algorithm(tmp_path):
    shapes = {name: shape_of(name, tmp_path) for name in SHAPES}
    for a, b in itertools.product(SHAPES, SHAPES):
        if a in UNBOUNDED and b in UNBOUNDED:
            continue
        pair, _ = find_pair(touching_kind(shapes[a]), touching_kind(shapes[b]))
        assert (pair is None) == may_be_refused(a, b, shapes[a], shapes[b]), (a, b)


@pytest.mark.campaign
@pytest.mark.parametrize("listed", [True, False], ids=["all", "two"])
@pytest.mark.parametrize("below", SHAPES)
def test_nothing_falls_through(below, listed, tmp_path):
    for name in (each for each in SHAPES if each not in UNBOUNDED):
        of_a, of_b = shape_of(below, tmp_path), shape_of(name, tmp_path)
        m = dt.Model("drop")
        m.ground.shapes.append(of_a)
        place = (*PLACES.get(below, (0.02, 0.013)), SHAPES[below][1] + 0.42)
        b = m.add_body("b", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=place, shapes=[of_b])
        m.add_joint("free", dt.Free(), m.ground, b)
        m.add_contact("c", dt.RigidContact(friction=0.8), *(("all", "all") if listed else (m.ground, b)))
        if may_be_refused(below, name, of_a, of_b):
            assert any(each.code == "untreated-pair" for each in dt.check(m).errors)
            continue
        r = dt.simulate(m, 1.0, solver=dt.Moreau(1e-3), outputs=0.05)
        assert r.ok, (name, r.reason)
        assert r["b.position.z"][-1] > -1.0 or r.impacts, name
