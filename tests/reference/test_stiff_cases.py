"""Stiff springs, hydraulics, a rheonomic constraint and a bicycle, solved by the implicit methods.

The numbers are in `data/`, with their source and the tolerance that they deserve; what is asserted is the case's own
tolerance. Tolerances of the solvers are chosen from their promise (error per step) and the length of the run, not from
the case's numbers.
"""

from __future__ import annotations

import numpy as np
import pytest
from cases import Case, case

import duoti as dt

RADAU = dt.Radau(rtol=1e-9, atol=1e-11)


def assert_near(got, wanted, tolerance):
    __tracebackhide__ = True
    error = np.max(np.abs(np.asarray(got) - np.asarray(wanted)))
    assert error <= tolerance, f"error {error:.3g} is above {tolerance:.3g}"


def run(model, times, solver=RADAU, **options) -> dt.Result:
    """Simulate up to the last of the times, with outputs at these."""
    r = dt.simulate(model, duration=float(times[-1]), outputs=times, solver=solver, **options)
    assert r.ok, r.reason
    assert r.reason == "end time reached"
    return r


# ------------------------------------------------------------------------------------------- L04: flyball governor


def flyball(c: Case) -> dt.Model:
    p = c.p
    rho, a, offset = p["rho"], np.radians(p["alpha_deg"]), p["hinge_offset"]
    m = dt.Model("flyball governor", gravity=(0, 0, -p["g"]))
    length, thick, _ = p["rod"]
    shaft = m.add_body("shaft", dt.Inertia.box(density=rho, size=(thick, thick, length)), position=(0, 0, length / 2))
    slider = m.add_body("slider", dt.Inertia.box(density=rho, size=3 * [p["slider"]]), position=(0, 0, p["s0"]))
    m.add_joint("spin", dt.Revolute("z"), m.ground, shaft, at=(0, 0, 0), v0=p["omega0"])
    m.add_joint("slide", dt.Prismatic("z"), shaft, slider)
    for side, name in ((1, "right"), (-1, "left")):
        hinge = np.array([side * offset, 0, 1.0])
        along = np.array([side * np.cos(a), 0, -np.sin(a)])
        rod = dt.Inertia.box(density=rho, size=p["rod"]) + dt.Inertia.point(p["point_mass"], com=(length / 2, 0, 0))
        turn = dt.Rotation.about("y", a if side > 0 else np.pi - a)
        m.add_body(name, rod, position=hinge + along * length / 2, rotation=turn)
        # beta, the angle below the horizontal, grows about +y on the right and about -y on the left
        m.add_joint(f"hinge {name}", dt.Revolute((0, side, 0)), shaft, name, at=hinge)
        m.add_marker(f"lug {name}", slider, position=(side * offset, 0, 0))
        m.add_force(f"spring {name}", dt.SpringDamper(f"lug {name}", name, p["K"], p["C"], p["l0"]))
    return m


# ------------------------------------------------------------------------------------------------- L06: car axis


def car_axis(c: Case) -> dt.Model:
    """Both masses slide in the plane; the road is a bar hinged at the left foot, its motion prescribed."""
    p = c.p
    m = dt.Model("car axis", gravity=(0, -p["g"], 0), parameters={"r": p["r"], "w": p["w"], "L": p["L"]})
    mass = dt.Inertia.point(p["M"] * p["eps"] ** 2 / 2)
    road = m.add_body("road", dt.Inertia.rod(1.0, p["L"], axis="x"), position=(p["L"] / 2, 0, 0))
    m.add_joint("bump", dt.Revolute("z"), m.ground, road, at=(0, 0, 0))
    m.add_constraint("drive", dt.JointMotion("bump", "asin(r*sin(w*t)/L)"))
    m.add_marker("left foot", road, position=(-p["L"] / 2, 0, 0))
    m.add_marker("right foot", road, position=(p["L"] / 2, 0, 0))
    for name, x in (("left", 0.0), ("right", p["L"])):
        m.add_body(name, mass, position=(x, p["L0"], 0))
        move = dt.Composite(dt.Prismatic("x"), dt.Prismatic("y"))
        m.add_joint(f"to {name}", move, m.ground, name, v0=(-p["L0"] / p["L"], 0))
        m.add_force(f"spring {name}", dt.SpringDamper(f"{name} foot", name, stiffness=1.0, rest_length=p["L0"]))
    m.add_constraint("axle", dt.Distance("left", "right", p["L"]))
    m.add_constraint("upright", dt.PointOnPlane("left foot", "left", normal="x"))
    return m


# -------------------------------------------------------------------------------------- X02: boom with cylinder


def boom(c: Case) -> dt.Model:
    """The pressures are first-order states; the flow through an orifice has the sign of the pressure drop."""
    p = c.p
    m = dt.Model("boom", gravity=(0, -9.81, 0), parameters=p | {"L0": np.sqrt(2) * 0.25})
    beam = dt.Inertia(120.0, com=(0.5, 0, 0), matrix=np.diag([10.0, 10.0, 10.0]))
    m.add_body("boom", beam)
    m.add_joint("hinge", dt.Revolute("z"), m.ground, "boom", at=(0, 0, 0))
    m.add_marker("base", m.ground, position=(0, -0.25, 0))
    m.add_marker("lug", "boom", position=(0.25, 0, 0))
    length = "hypot(lug.position.x, lug.position.y + 0.25)"
    speed = f"((lug.position.x*lug.velocity.x + (lug.position.y + 0.25)*lug.velocity.y)/{length})"
    valve = f"(2*(0.1*(clip(1 - cos(pi*t), 0.5, 1.5) - 0.5) + L0 - {length}))"

    def root(x):
        return f"sign({x})*sqrt(abs({x}))"

    for k, opening in ((0, valve), (1, f"(-{valve})")):
        flow = f"{opening}*Qn*if({opening} >= 0, {root(f'ps - p{k}')}, {root(f'p{k} - pt')})"
        m.add_state(f"p{k}", f"K/V{k}*({'-A0' if k == 0 else 'A1'}*{speed} + {flow})", initial=2e6, unit="Pa")
    m.add_force("cylinder", dt.LineForce("base", "lug", "-p0*A0 + p1*A1 + d*speed"))
    return m


# ---------------------------------------------------------------------------- X03: pendulum with friction at its tip


def rubbing_pendulum(c: Case) -> dt.Model:
    p = c.p
    m = dt.Model("pendulum", gravity=(0, -9.81, 0), parameters={"F": p["F"], "eps": p["eps"]})
    bar = m.add_body("bar", dt.Inertia.box(p["m"], size=(p["L"], p["d"], p["d"])), position=(p["L"] / 2, 0, 0))
    m.add_joint("hinge", dt.Revolute("z"), m.ground, bar, at=(0, 0, 0))
    m.add_marker("tip", bar, position=(p["L"] / 2, 0, 0))
    speed = "max(hypot(tip.velocity.x, tip.velocity.y), eps)"
    m.add_force("rubbing", dt.AppliedForce("tip", [f"-F*tip.velocity.x/{speed}", f"-F*tip.velocity.y/{speed}", 0]))
    return m


# ---------------------------------------------------------------------------------- X09: bar on a stiff planar spring


def hung_bar(c: Case, origin: float = 0.0) -> dt.Model:
    """Origin of the bar's frame: so far left of the centre of mass."""
    p = c.p
    m = dt.Model("bar", gravity=(0, -9.81, 0))
    bar = dt.Inertia(p["m"], com=(origin, 0, 0), matrix=np.eye(3))
    m.add_body("bar", bar, position=(-0.5 - origin, 1, 0))
    m.add_joint("plane", dt.Planar("z"), m.ground, "bar")
    m.add_marker("com", "bar", position=(origin, 0, 0))
    m.add_marker("end", "bar", position=(origin - p["L"] / 2, 0, 0))
    m.add_marker("nail", m.ground, position=(-1, 1, 0))
    k, d = p["k"], p["c"]
    m.add_force("spring", dt.Bushing("nail", "end", (k, k, 0, 0, 0, 0), (d, d, 0, 0, 0, 0)))
    return m


# ------------------------------------------------------------------------------------------------------ V01: bicycle

DOWN = np.diag([1.0, -1.0, -1.0])  # the case has z down, here it is up


def bicycle(c: Case, speed: float) -> dt.Model:
    """Upright, rolling straight ahead along x."""
    p = c.p
    m = dt.Model("bicycle", gravity=(0, 0, -p["g"]))

    def inertia(mass, moments):
        xx, zz, xz = moments
        # knife-edge wheels in a plane of symmetry: the moment about y of frame and fork has no influence on roll and
        # steer; any possible value serves
        return dt.Inertia(mass, matrix=DOWN @ np.array([[xx, 0, xz], [0, xx + zz, 0], [xz, 0, zz]]) @ DOWN)

    def wheel(mass, xx, yy):
        return dt.Inertia(mass, matrix=np.diag([xx, yy, xx]))

    rear, front = np.array([0, 0, p["rR"]]), np.array([p["w"], 0, p["rF"]])
    frame = m.add_body("frame", inertia(p["mB"], p["IB"]), position=(p["xB"], 0, -p["zB"]))
    fork = m.add_body("fork", inertia(p["mH"], p["IH"]), position=(p["xH"], 0, -p["zH"]))
    m.add_body("rear", wheel(p["mR"], p["IRxx"], p["IRyy"]), position=rear)
    m.add_body("front", wheel(p["mF"], p["IFxx"], p["IFyy"]), position=front)
    # the steering axis meets the ground at the trail before the front contact and is tilted back
    lean = np.array([-np.sin(p["lam"]), 0, np.cos(p["lam"])])
    m.add_joint("float", dt.Free(), m.ground, frame, v0={"velocity": (speed, 0, 0)})
    m.add_joint("steer", dt.Revolute(-lean), frame, fork, at=(p["w"] + p["c"], 0, 0))
    m.add_joint("rear hub", dt.Revolute("y"), frame, "rear", at=rear, v0=speed / p["rR"])
    m.add_joint("front hub", dt.Revolute("y"), fork, "front", at=front, v0=speed / p["rF"])
    for name, radius in (("rear", p["rR"]), ("front", p["rF"])):
        m.add_marker(f"{name} axle", name, rotation=dt.Rotation.between((0, 0, 1), (0, 1, 0)))
        m.add_constraint(f"{name} rolls", dt.RollingDisc(f"{name} axle", radius))
    return m
