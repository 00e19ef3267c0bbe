"""Limits of joints, which are data: what `check` and a run say about them."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import duoti as dt


def swing(limits, **more) -> dt.Model:
    m = dt.Model("swing")
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), limits=limits, **more)
    return m


def test_check_says_that_limits_stop_nothing():
    (finding,) = dt.check(swing([(-1, 1)])).warnings
    assert (finding.code, finding.names, finding.key) == ("limits-no-stops", ("A",), "limits")
    assert dt.check(swing([(-1, 1)])).ok
    assert not dt.check(swing(None)).warnings
    assert not dt.check(swing([(-np.inf, np.inf)])).warnings


@pytest.mark.parametrize(("limits", "said"), [([(-9, 1)], "limit 1"), ([(0.5, np.inf)], "limit 0.5")])
def test_a_run_says_that_it_left_them(limits, said, tmp_path):
    q0 = {"q0": 0.6} if limits[0][0] == 0.5 else {}
    m = swing(limits, v0=-2.0 if q0 else 0.0, **q0)
    with pytest.warns(dt.LimitsWarning, match=f"A.angle went to .*{said}"):
        r = dt.simulate(m, 1.0)
    assert "nothing stops joints at their limits" in r.summary()
    with pytest.warns(dt.LimitsWarning):
        kept = dt.simulate(m, 1.0, out=tmp_path / "run.h5")
    assert kept.stats.notes == r.stats.notes


def test_a_run_within_them_says_nothing():
    r = dt.simulate(swing([(-1e-12, np.pi)]), 2.0)
    assert r.stats.notes == ()


def test_the_command_says_it(tmp_path):
    from duoti.cli.app import app

    swing([(-1, 1)]).save(tmp_path / "swing.yaml")
    said = CliRunner().invoke(app, ["run", str(tmp_path / "swing.yaml"), "-d", "1"])
    assert said.exit_code == 0
    assert "nothing stops joints at their limits: A.angle went to" in said.output
    said = CliRunner().invoke(app, ["run", str(tmp_path / "swing.yaml"), "-d", "1", "--json"])
    assert "A.angle went to" in json.loads(said.stdout)["notes"][0]
    said = CliRunner().invoke(app, ["check", str(tmp_path / "swing.yaml")])
    assert said.exit_code == 0
    assert 'the limits of joint "A" stop nothing' in said.output
