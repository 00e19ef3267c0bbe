"""`dt.equilibrium`: starts, rates that run on, misuse, and what the result offers."""

from __future__ import annotations

import numpy as np
import pytest
from test_assembly import four_bar

import duoti as dt


def test_rates_that_run_on_without_a_drive():
    """The bundled governor on a free spindle: the same angle as with a drive of that speed."""
    from duoti.examples import governor

    m = governor.build()
    del m.forces["engine"]
    e = dt.equilibrium(m, rates={"spindle": 25.0})
    assert e.ok, e.reason
    assert e["spindle.rate"] == pytest.approx(25.0, rel=1e-12)
    ball = e["ball.position"]
    assert np.arctan2(np.hypot(*ball[:2]), -ball[2]) == pytest.approx(governor.steady_angle(25.0), abs=1e-9)
    r = dt.simulate(m, 0.3, state=e.state)
    assert np.ptp(r["slide.position"]) < 1e-8


def test_starts():
    """By joint, as q, or as the model starts; loops are closed from there."""
    m = four_bar()
    system = dt.compile(m, force_cut=["C"])
    low = dt.equilibrium(system)
    assert low.ok
    assert low.stable
    again = dt.equilibrium(system, low.q)
    assert again.iterations <= 1
    assert dt.equilibrium(system, low.q + 0.02)["A.angle"] == pytest.approx(low["A.angle"], abs=1e-10)
    drawn = dt.equilibrium(system, {"A": 0.2})
    assert drawn["A.angle"] == pytest.approx(low["A.angle"], abs=1e-10)
    assert low["C.angle"] == pytest.approx(again["C.angle"], abs=1e-10)  # a cut joint has its channels, too
    assert "crank.position" in low
    assert "crank.positio" not in low
    assert set(low.multipliers) == set(dt.constraint_jacobian(system, low.q).rows)


def test_forces_in_loops_balance():
    """At rest, M a + h - forces = G^T multipliers, and the reactions carry the weight."""
    system = dt.compile(four_bar(), force_cut=["C"])
    e = dt.equilibrium(system)
    G = dt.constraint_jacobian(system, e.q).matrix
    tree = dt.inverse_dynamics_derivatives(system, e.q, e.v, 0 * e.v, multipliers=list(e.multipliers.values()))
    assert np.all(np.isfinite(tree.dq))
    zero = np.zeros(3)
    weight = -dt.generalised_forces(system, e.q, zero)
    a = dt.accelerations(system, e.q, zero)
    assert np.abs(a).max() < 1e-8
    assert weight.shape == (3,)
    total = e["A.reaction_force"] + e["D.reaction_force"]
    assert total == pytest.approx((0, 0, system.model.mass * 9.81), abs=1e-8)
    assert G.shape[1] == 3


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda m: dt.equilibrium("four-bar"), TypeError, "is not a model"),
        (lambda m: dt.equilibrium(m, {"E": 1.0}), dt.ChannelError, 'there is no joint "E"'),
        (lambda m: dt.equilibrium(m, [1.0]), ValueError, "needs 3 numbers"),
        (lambda m: dt.equilibrium(m, rates={"E": 1.0}), dt.ChannelError, 'rates: there is no joint "E"'),
        (lambda m: dt.equilibria(3), TypeError, "is not a model"),
        (lambda m: dt.equilibrium_path(m, "load", 3.0), dt.ChannelError, 'has no parameter "load"'),
        (lambda m: dt.root_locus(m, "k", [1.0]), dt.ChannelError, 'has no parameter "k"'),
    ],
)
def test_misuse_is_named(call, error, text):
    with pytest.raises(error, match=text):
        call(four_bar())


def test_a_body_in_free_fall_says_so():
    m = dt.Model("stone")
    m.add_body("stone", dt.Inertia.sphere(2.0, 0.1))
    m.add_joint("F", dt.Free(), m.ground, "stone")
    e = dt.equilibrium(m)
    assert not e.ok
    assert not e.stable
    assert "F.v[2] is pushed by -19.62 N" in e.reason
    with pytest.raises(ValueError, match="no equilibrium to linearise about"):
        dt.linearise(m, e)
    assert "no equilibrium of 'stone'" in str(e)
    m.gravity = (0, 0, 0)
    e = dt.equilibrium(m)
    assert e.ok
    assert len(e.indifferent) == 6
