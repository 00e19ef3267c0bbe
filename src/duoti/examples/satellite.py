"""Satellite with a panel on a springy hinge, on an elliptic orbit about the Earth.

A bus of 500 kg carries a panel of 40 kg and 3 m on a hinge with a spring and some damping; the panel starts bent by
0.1 rad and swings out. The Earth attracts each body by Newton's law: there is no uniform gravity. The orbit has its
perigee 7000 km from the Earth's centre and the eccentricity 0.2; events mark apogee and perigee, and the second
perigee ends the run, after the period that Kepler's third law tells.
"""

from __future__ import annotations

import numpy as np

import duoti as dt

DURATION = 12000.0  # two orbits; the perigee ends the run after one
PICTURE = {"solid": True, "channels": ["hinge.angle"]}

GM = 3.986004418e14  # of the Earth [m³/s²]
PERIGEE = 7.0e6  # m
ECCENTRICITY = 0.2
BUS, PANEL = 500.0, 40.0  # kg


def build() -> dt.Model:
    """Drawn at the perigee."""
    m = dt.Model("satellite", gravity=(0, 0, 0))  # no uniform gravity: the Earth attracts by Newton's law
    speed = np.sqrt(GM * (1 + ECCENTRICITY) / PERIGEE)
    bus = m.add_body("bus", dt.Inertia.box(BUS, size=(1.0, 1.0, 1.5)), position=(PERIGEE, 0, 0))
    panel = m.add_body("panel", dt.Inertia.box(PANEL, size=(3.0, 1.0, 0.02)), position=(PERIGEE + 2.0, 0, 0))
    m.add_joint("orbit", dt.Free(), m.ground, bus, v0={"velocity": (0, speed, 0)})
    m.add_joint("hinge", dt.Revolute("y"), bus, panel, at=(PERIGEE + 0.5, 0, 0), q0=0.1)
    m.add_force("spring", dt.JointSpring("hinge", stiffness=2.0, damping=0.5))
    m.add_force("earth_bus", dt.PointGravity(m.ground, bus, strength=GM * BUS))
    m.add_force("earth_panel", dt.PointGravity(m.ground, panel, strength=GM * PANEL))
    approach = " + ".join(f"bus.position.{c}*bus.velocity.{c}" for c in "xyz")
    m.add_event("apogee", dt.Event(approach, direction="falling"))
    m.add_event("perigee", dt.Event(approach, direction="rising", terminal=True))
    m.add_marker("centre", bus)
    m.ground.shapes.append(dt.Shape.sphere(6.371e6, colour="steelblue"))
    return m


def main() -> dt.Result:
    """Simulate one turn and compare with Kepler."""
    axis = PERIGEE / (1 - ECCENTRICITY)
    period = 2 * np.pi * np.sqrt(axis**3 / GM)  # Kepler's third law, for a point mass
    r = dt.simulate(build(), DURATION, rtol=1e-10)
    print(r.summary())
    apogee = np.linalg.norm(r["bus.position"], axis=1).max()
    print(f"period {r.t[-1]:.3f} s (Kepler: {period:.3f} s), apogee {apogee / 1e3:.3f} km "
          f"(Kepler: {axis * (1 + ECCENTRICITY) / 1e3:.3f} km)")  # fmt: skip
    return r


if __name__ == "__main__":
    main()
