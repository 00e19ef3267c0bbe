"""Two bodies with shapes, anywhere: their points of contact."""

from __future__ import annotations

import numpy as np

import duoti as dt
from duoti.contact.build import rigid_contacts
from duoti.contact.workspace import ContactGeometry


def two(first, second):
    """Two free bodies with these shapes; returns a function of q that gives the points of contact."""
    m = dt.Model("two", gravity=(0, 0, 0))
    for name in ("a", "b"):
        body = m.add_body(name, dt.Inertia.sphere(1.0, radius=0.1))
        m.add_joint(f"free {name}", dt.Free(), m.ground, body)
    m.add_contact("touch", dt.RigidContact(), "a", "b", shapes=(first, second))
    s = dt.compile(m)
    geometry = ContactGeometry(s, rigid_contacts(s), biases=False)

    def points(q):
        geometry.look(q, np.zeros(s.nv), 10.0, np.zeros((geometry.of.contacts.slots, 3, s.nv)), bias=False)
        w = geometry.contact.work
        near = np.flatnonzero(w.gap < 1e29)
        return w.gap[near].copy(), w.point[near].copy(), w.frame[near, :3].copy()

    return points


def random_pose(rng, spread):
    quaternion = rng.normal(size=4)
    return np.r_[rng.normal(size=3) * spread, quaternion / np.linalg.norm(quaternion)]


def extent(shape, u):
    """Furthest extent of a shape along unit vectors u of its frame (its support function), as textbooks have it."""
    d = dict(shape.dimensions)
    if shape.kind == "point":
        return 0.0 * u[..., 2]
    if shape.kind == "sphere":
        return d["radius"] + 0.0 * u[..., 2]
    if shape.kind == "capsule":
        return d["radius"] + 0.5 * d["length"] * np.abs(u[..., 2])
    if shape.kind == "box":
        return np.abs(u) @ [0.5 * d["size_x"], 0.5 * d["size_y"], 0.5 * d["size_z"]]
    if shape.kind == "ellipsoid":
        return np.linalg.norm(u * [d["semi_x"], d["semi_y"], d["semi_z"]], axis=-1)
    return d["radius"] * np.hypot(u[..., 0], u[..., 1]) + 0.5 * d.get("length", 0.0) * np.abs(u[..., 2])


def separation(n, q, a, b):
    """How far two shapes are apart along n."""
    R_a, R_b = (dt.Rotation(q[7 * k + 3 : 7 * k + 7]).matrix for k in range(2))
    return n @ (q[7:10] - q[:3]) - extent(a, n @ R_a) - extent(b, -n @ R_b)
