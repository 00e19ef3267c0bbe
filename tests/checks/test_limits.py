"""Limits of joints: what `check` says about them, and what a run says whose solver cannot stop at them."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import duoti as dt


def parallelogram(limits) -> dt.Model:
    """Implicit solvers cannot hold a joint of a loop at its stop."""
    m = dt.Model("parallelogram")
    for name, x in (("left", 0.0), ("right", 1.0)):
        m.add_body(name, dt.Inertia.rod(1.0, length=0.5, axis="z"), position=(x, 0, 0.25))
    m.add_body("top", dt.Inertia.rod(2.0, length=1.0, axis="x"), position=(0.5, 0, 0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, "left", at=(0, 0, 0), q0=0.1, limits=limits)
    m.add_joint("B", dt.Revolute("y"), "left", "top", at=(0, 0, 0.5))
    m.add_joint("C", dt.Revolute("y"), "top", "right", at=(1, 0, 0.5))
    m.add_joint("D", dt.Revolute("y"), m.ground, "right", at=(1, 0, 0))
    return m


def test_check_says_nothing_about_limits_that_stop():
    assert [each.code for each in dt.check(parallelogram([(-1, 1)])).warnings] == ["redundant"]


@pytest.mark.parametrize(("limits", "said"), [([(-9, 1)], "limit 1"), ([(-np.inf, 0.5)], "limit 0.5")])
def test_a_run_says_that_it_left_them(limits, said, tmp_path):
    m = parallelogram(limits)
    with pytest.warns(dt.errors.SimulationWarning, match=f"A.angle went to .*{said}"):
        r = dt.simulate(m, 0.7, solver="radau")
    assert not r.ok
    assert r.reason_code == "stop-passed"
    assert "nothing stops joints at their limits" in r.summary()
    with pytest.warns(dt.errors.SimulationWarning):
        kept = dt.simulate(m, 0.7, solver="radau", out=tmp_path / "run.h5")
    assert (kept.ok, kept.reason) == (r.ok, r.reason)


def test_a_run_that_is_stopped_says_nothing():
    r = dt.simulate(parallelogram([(-9, 1)]), 0.7)
    assert r.stats.notes == ()
    assert r["A.angle"][-1] == pytest.approx(1.0, abs=1e-9)


def test_the_command_says_it(tmp_path):
    from duoti.cli.app import app

    parallelogram([(-1, 1)]).save(tmp_path / "swing.yaml")
    run = ["run", str(tmp_path / "swing.yaml"), "-d", "0.7", "--solver", "radau"]
    said = CliRunner().invoke(app, run)
    assert said.exit_code == 3
    assert "nothing stops joints at their limits: A.angle went to" in said.output
    said = CliRunner().invoke(app, [*run, "--json"])
    assert "A.angle went to" in json.loads(said.stdout)["reason"]
