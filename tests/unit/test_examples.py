"""Bundled examples and the scripts in examples/ run and do what they say."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.examples import all_examples, find_example

SCRIPTS = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


@pytest.mark.parametrize("name", all_examples())
def test_bundled_example_is_in_order_and_balances_its_energy(name):
    example = all_examples()[name]
    assert example.description.endswith(".")
    model = example.build()
    report = dt.check(model)
    assert report.ok, str(report)
    assert not report.warnings, str(report)
    r = dt.simulate(model, example.duration)
    assert r.ok, r.reason
    # rtol = 1e-8 per step and some 10^3 steps, not all errors of one sign
    assert np.abs(r.energy.residual).max() < 1e-5 * np.ptp(r.energy.kinetic)


@pytest.mark.parametrize("name", all_examples())
def test_bundled_example_has_a_picture(name, tmp_path):
    pytest.importorskip("matplotlib")
    from duoti.examples.picture import draw

    example = find_example(name)
    r = dt.simulate(example.build(), min(example.duration, 0.5), outputs=0.01)
    path = draw(r, tmp_path / "picture.png")
    assert path.stat().st_size > 20_000


def test_picture_of_a_free_body_without_markers(tmp_path):
    pytest.importorskip("matplotlib")
    from duoti.examples.picture import draw

    m = dt.Model("thrown box")
    box = m.add_body("box", dt.Inertia.box(1.0, size=(1, 2, 3)))
    m.add_joint("flight", dt.Free(), m.ground, box, v0={"velocity": (1, 2, 3), "angular_velocity": (0.1, 3, 0.1)})
    assert draw(dt.simulate(m, 0.5), tmp_path / "box.png").exists()


def test_unknown_example_is_answered_with_suggestions():
    with pytest.raises(KeyError, match="furuta"):
        find_example("furutta")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: p.stem)
def test_script_runs(script, tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location(f"example_{script.stem}", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    r = module.main()
    assert r.ok, r.reason
    assert capsys.readouterr().out
    _EXPECT.get(script.stem, lambda module, r: None)(module, r)


def _arm_reaches_its_goal(module, r):
    for joint, goal in module.GOAL.items():
        assert abs(r[f"{joint}.angle"][-1] - goal) < 1e-3


def _orbit_follows_kepler(module, r):
    axis = module.PERIGEE / (1 - module.ECCENTRICITY)
    period = 2 * np.pi * np.sqrt(axis**3 / module.GM)
    # the satellite is 4 m long, not a point: its mass centre is up to 0.15 m away from the bus, of 7e6 m
    assert abs(r.t[-1] / period - 1) < 1e-6


_EXPECT = {"robot_arm": _arm_reaches_its_goal, "satellite": _orbit_follows_kepler}
