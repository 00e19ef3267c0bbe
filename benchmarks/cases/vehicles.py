"""A car of 17 bodies over a random road (ISO 8608, class C) at 20 m/s: against real time, and spheres as wheels.

The car has a chassis and four double wishbones of four bodies each: 30 rates, four closed loops and four tie rods
without mass, 16 constraints. The tyres are TMeasy's, with transient slips. The spheres have the vertical stiffness and
radius of the tyres, and touch the same road by compliant contacts with regularised friction.
"""

from __future__ import annotations

import time

import numpy as np

import duoti as dt
from benchmarks.harness import Pair, Side, case
from duoti.vehicle.car import WHEELS

SPEED, SECONDS, RTOL = 20.0, 5.0, 1e-5


def road() -> dt.Road:
    """The same for both tracks, so that an extrusion is its shape for the spheres."""
    return dt.Road.random("C", length=200.0, seed=1)


def car(spheres: bool = False) -> dt.System:
    """Straight ahead; nothing steers or drives it."""
    axle = dt.vehicle.axle(dt.vehicle.double_wishbone())
    m = dt.vehicle.car(axle, axle, road=None if spheres else road(), speed=SPEED)
    assert len(m.bodies) == 17
    if spheres:
        ground = road().shape(x=(-5.0, SPEED * SECONDS + 10.0), y=(-2.0, 2.0))
        law = dt.CompliantContact(stiffness=2e5, damping=300.0, friction=0.9, slip_speed=0.05)
        for wheel in WHEELS:
            shapes = (ground, dt.Shape.sphere(0.31))
            m.add_contact(f"{wheel}.contact with the road", law, "ground", f"{wheel}.wheel", shapes=shapes)
    return dt.compile(m)


def run(system: dt.System) -> tuple[float, dt.Result]:
    """Processor time per simulated second."""
    began = time.process_time()
    r = dt.simulate(system, SECONDS, outputs=0.01, rtol=RTOL, progress=False)
    assert r.t[-1] == SECONDS, r.reason
    return (time.process_time() - began) / SECONDS, r


@case("car of 17 bodies on a road of class C", "real time", 10.0, shown=False)
def car_in_real_time() -> Pair:
    system = car()
    fine = dt.simulate(system, SECONDS, outputs=0.01, rtol=1e-9, progress=False)
    error = float(np.max(np.abs(run(system)[1]["chassis.position"][:, 2] - fine["chassis.position"][:, 2])))
    return Pair(Side(taken=lambda: run(system)[0], error=error, setting=f"rtol {RTOL:g}"),
                Side(taken=lambda: 1.0), unit="m", clock="process")  # fmt: skip


@case("tyres of a car of 17 bodies", "spheres as wheels", 1.0, shown=False)
def car_on_spheres() -> Pair:
    tyres, spheres = car(), car(spheres=True)
    return Pair(Side(taken=lambda: run(tyres)[0], setting=f"rtol {RTOL:g}"),
                Side(taken=lambda: run(spheres)[0], setting=f"rtol {RTOL:g}"), clock="process")  # fmt: skip
