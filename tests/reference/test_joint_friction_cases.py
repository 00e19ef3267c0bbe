"""Dry friction in joints with located changes between stick and slip, against closed forms."""

from __future__ import annotations

import near
import numpy as np
import pytest
from cases import case

import duoti as dt

SOLVERS = [dt.DOPRI5(rtol=1e-10, atol=1e-12), dt.Radau(rtol=1e-10, atol=1e-12)]
# what is left of these tolerances after some hundred steps; a speed of 1e-9 m/s counts as none
TOLERANCE = 1e-8


def test_C10_stick_slip_on_a_belt():
    c = case("C10")
    p, ref = c.p["a"], c.reference["a"]
    m = dt.Model("belt", gravity=(0, 0, 0))
    for name in ("belt", "mass"):
        m.add_body(name, dt.Inertia.point(p["m"]))
    m.add_joint("drive", dt.Prismatic("x"), m.ground, "belt")
    m.add_joint("slide", dt.Prismatic("x"), "belt", "mass")
    m.add_constraint("motion", dt.JointMotion("drive", f"{p['vb']}*t"))
    m.add_force("spring", dt.CartesianSpring("ground", "mass", [p["k"], 0, 0], [0, 0, 0]))
    m.add_force("friction", dt.JointFriction("slide", constant=p["Fk"], static_constant=p["Fs"]))
    r = dt.simulate(m, 3.0, outputs=1e-3, solver=SOLVERS[0])
    assert r.ok
    times = np.array([event.t for event in r.events])
    near.assert_near(np.diff(times)[:5:2], [ref["T_slip"]] * 3, TOLERANCE)
    near.assert_near(np.diff(times)[1:5:2], [ref["T_stick"]] * 2, TOLERANCE)
    later = r.t > times[1]
    x, v = r["mass.position.x"][later], r["mass.velocity.x"][later]
    # an extreme lies at most half an output away, 0.5 ms: second order in it
    near.assert_near([x.max(), x.min()], [ref["x_max"], ref["x_min"]], 1e-6)
    near.assert_near([v.min()], [ref["v_min"]], 1e-5)
    at = [np.interp(t, r.t, r["mass.position.x"]) for t in times[2:4]]
    near.assert_near(at, [ref["x_slip_start"], ref["x_stick_start"]], 1e-6)


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: type(s).__name__)
def test_C10_coulomb_decay(solver):
    c = case("C10")
    p, ref = c.p["b"], c.reference["b"]
    m = dt.Model("oscillator")
    mass = m.add_body("mass", dt.Inertia.point(p["m"]))
    m.add_joint("slide", dt.Prismatic("x"), m.ground, mass, q0=p["x0"])
    m.add_force("spring", dt.JointSpring("slide", p["k"]))
    m.add_force("friction", dt.JointFriction("slide", friction=p["mu"]))
    half = ref["half_period"] * np.arange(len(ref["peaks"]))
    r = dt.simulate(m, 2.0, outputs=[*half, 1.8, 2.0], solver=solver)
    assert r.ok
    first = np.array([np.argmin(np.abs(r.t - t)) for t in half])  # at a jump there are two outputs
    near.assert_near(r["slide.position"][first], ref["peaks"], TOLERANCE)
    near.assert_near([r.events[-1].t], [ref["stop_time"]], TOLERANCE)
    near.assert_near(r["slide.position"][-2:], [ref["rest"]] * 2, TOLERANCE)
    assert r["slide.position"][-1] == r["slide.position"][-2]
