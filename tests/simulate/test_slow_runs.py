"""Runs whose steps lead nowhere: said within seconds, with the force or joint that makes them so short."""

import time

import pytest

import duoti as dt
from duoti.analyses.simulate.trust import chatter


def slider(law: str):
    m = dt.Model("slider", gravity=(0, 0, 0))
    m.add_body("block", dt.Inertia.point(1.0))
    m.add_joint("A", dt.Prismatic("x"), m.ground, "block", v0=1.0)
    m.add_force("bias", dt.JointTorque("A", 1e-3))
    m.add_force("law", dt.JointTorque("A", law))
    return m


def tiny_pendulum():
    m = dt.Model("tiny")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1e-12, axis="x"), position=(0.5e-12, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    return m


@pytest.mark.full
def test_a_law_that_chatters_ends_the_run():
    began = time.perf_counter()
    with pytest.warns(dt.errors.SimulationWarning, match='force "law" (jumps|chatters)'):
        r = dt.simulate(slider("-5*sign(A.velocity)"), 100.0)
    assert time.perf_counter() - began < 60.0  # some seconds, but machines may be busy
    assert not r.ok
    assert r.reason_code == "step-too-small"
    assert "the run was stopped" in r.reason
    assert 0.19 < r.t[-1] < 1.0


def test_an_implicit_solver_names_the_law_that_jumps():
    with pytest.warns(dt.errors.SimulationWarning, match='force "law" jumps'):
        r = dt.simulate(slider("-5*sign(A.velocity)"), 10.0, solver="radau")
    assert not r.ok


@pytest.mark.parametrize(
    ("model", "solver", "message"),
    [
        (
            lambda: slider("-1e16*A.position"),
            None,
            r'joint "A" \(body "block", A.velocity\), and force "law" changes most',
        ),
        (lambda: slider("-1e16*A.position"), "auto", r'force "law" changes most'),
        (tiny_pendulum, None, r'joint "A" \(body "rod", A.rate\)'),
    ],
)
def test_motions_that_are_far_too_fast(model, solver, message, monkeypatch):
    monkeypatch.setattr(chatter, "SECONDS", 0.2)
    monkeypatch.setattr(chatter, "PATIENCE", 0.3)
    with pytest.warns(dt.errors.SimulationWarning, match=message):
        r = dt.simulate(model(), 1e3, solver=solver)
    assert not r.ok
    assert r.reason_code == "step-too-small"
    assert "more are needed" in r.reason
    assert r.t[-1] > 0.0


def test_a_stiffness_beyond_all_measure():
    with pytest.warns(dt.errors.SimulationWarning, match='force "law" changes most'):
        r = dt.simulate(slider("-1e30*(A.position - 0.1)"), 10.0)
    assert not r.ok


def test_no_word_about_a_run_that_comes_to_its_end():
    """A million steps are not many."""
    r = dt.simulate(slider("-1e8*A.position"), 5.0, outputs=1.0)
    assert r.ok, r.reason
    assert not r.stats.notes
