"""The stiff models as duoti takes them.

* flyball governor, IFToMM A05 (Gonzalez et al. 2006): stiff spring-dampers between a slider and two rods;
* car axis (IVP test set): two point masses on springs, a distance, and a guide that rotates with the road;
* a chain of links, each a free body, joined by stiff bushings, held level and let go.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import duoti as dt

GRAVITY = 9.81
LINK, WIDTH, MASS = 0.1, 0.02, 0.1  # of the chain [m, m, kg]
# with ten times as much, Exudyn's errors no longer fall with its step
STIFFNESS, DAMPING = (1e6, 1e6, 1e6, 1.0, 1.0, 1.0), (100.0, 100.0, 100.0, 0.01, 0.01, 0.01)


def governor(p: dict[str, Any]) -> dt.Model:
    m = dt.Model("flyball governor", gravity=(0, 0, -p["g"]))
    e, (length, b, h) = p["hinge_offset"], p["rod"]
    mass = p["rho"] * length * b * h
    shaft = m.add_body("shaft", dt.Inertia.box(mass, (b, h, length)), position=(0, 0, length / 2))
    m.add_joint("spin", dt.Revolute("z"), m.ground, shaft, at=(0, 0, 0), v0=p["omega0"])
    cube = dt.Inertia.box(p["rho"] * p["slider"] ** 3, (p["slider"],) * 3)
    slider = m.add_body("slider", cube, position=(0, 0, p["s0"]))
    m.add_joint("slide", dt.Prismatic("z"), shaft, slider, at=(0, 0, p["s0"]))
    rod = dt.Inertia.box(mass, p["rod"]) + dt.Inertia.point(p["point_mass"], com=(length / 2, 0, 0))
    for name, side, turn in (("right", 1.0, 0.0), ("left", -1.0, np.pi)):
        along = dt.Rotation.about("z", turn) @ dt.Rotation.about("y", np.radians(p["alpha_deg"]))
        hinge = np.array([side * e, 0, length])
        body = m.add_body(name, rod, position=hinge + along @ np.array([length / 2, 0, 0]), rotation=along)
        m.add_joint(f"hinge_{name}", dt.Revolute("y"), shaft, body, at=hinge)
        eye = m.add_marker(f"eye_{name}", slider, (side * e, 0, 0))
        m.add_force(f"spring_{name}", dt.SpringDamper(eye, body, p["K"], p["C"], p["l0"]))
    return m


def car_axis(p: dict[str, Any]) -> dt.Model:
    m = dt.Model("car axis", gravity=(0, -p["g"], 0))
    mass, length, height = p["M"] * p["eps"] ** 2 / 2, p["L"], p["L0"]
    road = m.add_body("road", dt.Inertia.point(1.0), position=(0, 0, 0))
    m.add_joint("turn", dt.Revolute("z"), m.ground, road, at=(0, 0, 0))
    m.add_constraint("drive", dt.JointMotion("turn", f"asin({p['r'] / length} * sin({p['w']} * t))"))
    left = m.add_body("left", dt.Inertia.point(mass), position=(0, height, 0))
    m.add_joint("guide", dt.Prismatic("y"), road, left, at=(0, height, 0))
    right = m.add_body("right", dt.Inertia.point(mass), position=(length, height, 0))
    m.add_joint("axle", dt.Revolute("z"), left, right, at=(0, height, 0), v0=-p["r"] * p["w"] / length)
    foot = m.add_marker("foot", road, (length, 0, 0))
    m.add_force("spring_left", dt.SpringDamper(m.ground, left, 1.0, 0.0, height))
    m.add_force("spring_right", dt.SpringDamper(foot, right, 1.0, 0.0, height))
    return m


def chain(n: int) -> dt.Model:
    m = dt.Model(f"chain of {n} bushings", gravity=(0, -GRAVITY, 0))
    inertia, previous = dt.Inertia.box(MASS, (LINK, WIDTH, WIDTH)), m.ground
    for i in range(n):
        body = m.add_body(f"link{i}", inertia, position=((i + 0.5) * LINK, 0, 0))
        m.add_joint(f"J{i}", dt.Free(), m.ground, body)
        a = m.add_marker(f"a{i}", previous, (LINK / 2 if i else 0.0, 0, 0))
        b = m.add_marker(f"b{i}", body, (-LINK / 2, 0, 0))
        m.add_force(f"bushing{i}", dt.Bushing(a, b, STIFFNESS, DAMPING))
        previous = body
    return m
