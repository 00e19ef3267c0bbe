"""Flexible bodies in models: checks, loops, solvers, files, and a stiff one against a rigid one."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.simulate.trust.validity import LargeDeflectionWarning
from duoti.system.compile.copy_model import own_copy
from support.flexible_bodies import random_lumps

STEEL = dt.Material(youngs_modulus=2e11, poisson_ratio=0.3, density=7800.0)


def rod(length: float = 1.0, stiffer: float = 1.0, modes: int = 2, **options) -> dt.Flexible:
    beam = dt.Beam(
        dt.Section.rectangle(width=0.02, height=0.02),
        dt.Material(youngs_modulus=stiffer * 2e11, poisson_ratio=0.3, density=7800.0),
    )
    return dt.Flexible.from_beam(beam, length=length, elements=4, modes=modes, **options)


def four_bar(coupler) -> dt.Model:
    """A crank, a coupler with interfaces at its ends, a rocker; driven by gravity, all pins about y."""
    m = dt.Model("four-bar")
    m.add_body("crank", dt.Inertia.rod(1.0, length=0.3, axis="z"), position=(0, 0, 0.15))
    m.add_body("coupler", coupler, position=(0, 0, 0.3))
    m.add_body("rocker", dt.Inertia.rod(1.0, length=0.3, axis="z"), position=(1.0, 0, 0.15))
    m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0), q0=0.2)
    m.add_joint("B", dt.Revolute("y"), "crank", "coupler", at=(0, 0, 0.3))
    m.add_joint("C", dt.Revolute("y"), "coupler", "rocker", at=(1.0, 0, 0.3))
    m.add_joint("D", dt.Revolute("y"), m.ground, "rocker", at=(1.0, 0, 0))
    return m


def test_a_very_stiff_body_is_a_rigid_one():
    """In a closed loop, 1e4 times as stiff as steel: deflections of 1e-9 m; both motions to the tolerance."""
    stiff = rod(stiffer=1e4)
    options = {"outputs": 0.02, "rtol": 1e-7, "atol": 1e-7}
    flexible = dt.simulate(four_bar(stiff), 0.04, solver=dt.Radau(), **options)
    rigid = dt.simulate(four_bar(stiff.rigid), 0.04, solver=dt.Radau(), **options)
    assert flexible.ok, flexible.reason
    np.testing.assert_allclose(flexible["A.angle"], rigid["A.angle"], rtol=0, atol=1e-6)
    assert np.abs(flexible["coupler.modes"]).max() < 1e-7


@pytest.mark.parametrize("solver", [dt.Radau(), dt.GeneralisedAlpha(step=2e-5), dt.IDA()])
def test_solvers_agree_on_a_flexible_loop(solver):
    """Steel: the explicit solver at 1e-9 is the reference; generalised-alpha has an error of order h^2."""
    m, tight = four_bar(rod(damping_ratio=0.02)), {"rtol": 1e-9, "atol": 1e-11}
    exact = dt.simulate(m, 0.01, outputs=0.002, solver=dt.DOP853(), **tight)
    r = dt.simulate(m, 0.01, outputs=0.002, solver=solver)
    assert r.ok, r.reason
    np.testing.assert_allclose(r["A.angle"], exact["A.angle"], rtol=0, atol=1e-5)
    np.testing.assert_allclose(r["coupler.modes"], exact["coupler.modes"], rtol=0, atol=2e-5)


def test_the_balance_of_energy_holds_with_modal_damping():
    r = dt.simulate(four_bar(rod(damping_ratio=0.05)), 0.02, outputs=0.002, solver=dt.DOPRI5())
    assert r.energy.dissipated[-1] > 0.0
    assert np.abs(r.energy.residual).max() < 1e-6 * np.abs(r.energy.kinetic).max()


def test_the_default_solver_is_auto():
    r = dt.simulate(four_bar(rod()), 0.02, outputs=0.01)
    assert r.stats.solver.startswith("Auto")


def test_a_cantilever_sags_and_its_deflection_is_judged():
    """Tip of a clamped rod under its weight: m g L^3 / (8 E I), plus shear 0.1 %; far too soft, a warning says so."""
    for softer, expected in ((1.0, 0.0), (1e-4, 1.0)):
        body = rod(stiffer=softer, damping_ratio=0.5)
        m = dt.Model("cantilever")
        m.add_body("rod", body)
        m.add_joint("clamp", dt.Fixed(), m.ground, "rod", at=(0, 0, 0))
        m.add_marker("tip", "rod", interface="end")
        e = dt.equilibrium(m)
        sag = body.mass * 9.81 / (8 * softer * 2e11 * 0.02**4 / 12)
        assert e["tip.position"][2] == pytest.approx(-sag, rel=3e-3)
        if expected:
            with pytest.warns(LargeDeflectionWarning, match="% of its length"):
                r = dt.simulate(m, 2.0, outputs=0.1)
            assert any("small deformations" in note for note in r.stats.notes)
    node = r.displacement("rod", 4)
    np.testing.assert_allclose(node[:, 2], r["tip.position"][:, 2], atol=1e-12)
    with pytest.raises(dt.errors.ChannelError, match=r"0 \.\.\. 4"):
        r.displacement("rod", 5)
    with pytest.raises(dt.errors.ChannelError, match="no flexible body"):
        r.displacement("clamp", 0)


def test_what_acts_elsewhere_than_at_interfaces_is_refused_all_at_once():
    m = dt.Model("wrong")
    m.add_body("rod", rod(), q0=[1.0])
    m.add_body("box", dt.Inertia.box(1, size=(1, 1, 1)), v0=[1.0])
    m.add_marker("x", "rod", interface="ende")
    m.add_marker("y", "box", interface="end")
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("y"), "rod", "box", at=(0.5, 0, 0))
    codes = [finding.code for finding in dt.check(m).errors]
    assert codes.count("no-interface") == 2
    assert codes.count("initial-value") == 2
    del m.markers["x"], m.markers["y"]
    m.bodies["rod"].q0 = m.bodies["box"].v0 = None
    m.add_marker("middle", "rod", (0.5, 0, 0))
    m.add_force("push", dt.AppliedForce("middle", (0, 0, 1)))
    report = dt.check(m)
    assert [f.code for f in report.errors] == ["not-at-interface", "not-at-interface"]
    assert any(f.code == "idle-interface" for f in report.findings)


def test_laws_read_modes_and_files_keep_all(tmp_path):
    m = four_bar(rod())
    del m.joints["D"]
    m.bodies["coupler"].q0 = {6: 1e-4}
    m.add_marker("tip", "coupler", interface="end")
    m.add_force("push", dt.AppliedForce("tip", (0, 0, "1e3 * coupler.modes[6]")))
    m.save(tmp_path / "four_bar.yaml")
    again = dt.load(tmp_path / "four_bar.yaml")
    runs = [dt.simulate(each, 0.02, outputs=0.01, solver=dt.Radau()) for each in (m, again)]
    np.testing.assert_array_equal(runs[0].states, runs[1].states)
    assert runs[0]["coupler.modes"][0, 6] == 1e-4
    path = tmp_path / "run.h5"
    dt.simulate(m, 0.02, outputs=0.01, solver=dt.Radau(), out=path)
    kept = dt.open_result(path)
    np.testing.assert_array_equal(kept["coupler.modes"], runs[0]["coupler.modes"])
    np.testing.assert_allclose(kept["tip.position"], runs[0]["tip.position"])


def test_what_is_for_rigid_bodies_only_says_so():
    system = dt.compile(four_bar(rod()))
    with pytest.raises(NotImplementedError, match="flexible"):
        dt.kane(system, *system.state())


def test_required_forces_of_a_flexible_arm():
    """A drive that holds an arm still carries its weight: m g L / 2, and the sag moves the mass centre little."""
    m = dt.Model("arm")
    body = rod(damping_ratio=0.1)
    m.add_body("arm", body)
    m.add_joint("A", dt.Revolute("y"), m.ground, "arm", at=(0, 0, 0))
    m.add_constraint("hold", dt.JointMotion("A", "0"))
    e = dt.equilibrium(m)
    assert e.ok, e.reason
    r = dt.simulate(m, 0.05, outputs=0.01, solver=dt.Radau())
    assert r.ok
    assert r.reaction("A")[0].shape[-1] == 3


def test_lumps_without_geometry_have_modes_only():
    body = dt.Flexible(random_lumps(np.random.default_rng(0)).reduced())
    m = dt.Model("free", gravity=(0, 0, 0))
    m.add_body("b", body)
    m.add_joint("f", dt.Free(), m.ground, "b")
    r = dt.simulate(m, 0.01, outputs=0.01)
    with pytest.raises(dt.errors.ChannelError, match="without nodes"):
        r.displacement("b", 0)


def test_a_cable_on_an_interface_of_a_mesh_based_body():
    """Copies of a model share its flexible bodies, and copies of cables refer to the copies of their nodes."""
    mesh = dt.Mesh.box((1, 0.05, 0.05), (4, 1, 1), centre=(0.5, 0, 0))
    jib = dt.Flexible.from_mesh(mesh, STEEL, {"root": "x-", "tip": "x+"}, modes=1)
    m = dt.Model("crane")
    m.add_body("jib", jib)
    m.add_joint("hinge", dt.Revolute("y"), m.ground, "jib")
    post = m.add_marker("post", m.ground, position=(0, 0, 1))
    tip = m.add_marker("tip", "jib", interface="tip")
    m.add_cable("c", post, tip, stiffness=1e5, mass_per_length=0.5, elements=2)
    assert dt.check(m).ok
    made = own_copy(m)
    assert made.cables["c"].start is made.bodies["c.start"]
    assert made.bodies["jib"].inertia is jib
    assert dt.simulate(m, 0.002, outputs=0.002, solver=dt.Radau()).ok
    assert copy.deepcopy(m).bodies["jib"].inertia is jib
    again = pickle.loads(pickle.dumps(m)).bodies["jib"].inertia  # factorises again
    np.testing.assert_allclose(again.frequency_errors(2), jib.frequency_errors(2), rtol=0, atol=1e-9)
