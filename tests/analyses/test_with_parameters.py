"""Other numbers in a compiled system: the same, to the last bit, as a model compiled with them."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.system.setter import arrays_of


def arm(**numbers) -> dt.Model:
    value = {"k": 100.0, "mass": 2.0, "stiffness": 80.0, "eye": (0.3, 0.0, 0.0), "gravity": (0, 0, -9.81), "q0": 0.2,
             "length": 0.9} | numbers  # fmt: skip
    m = dt.Model("arm", gravity=value["gravity"], parameters={"k": value["k"], "c": 0.5})
    upper = m.add_body("upper", dt.Inertia.rod(value["mass"], length=1.0, axis="x"), position=(0.5, 0, 0))
    lower = m.add_body("lower", dt.Inertia.sphere(1.0, 0.1), position=(1.0, 0, 0))
    tag = m.add_body("tag", dt.Inertia.box(0.2, (0.1, 0.2, 0.3)), position=(0.4, 0, 0.1))
    m.add_joint("A", dt.Revolute("y"), m.ground, upper, at=(0, 0, 0), q0=value["q0"])
    m.add_joint("B", dt.Universal("y", "z"), upper, lower, at=(1, 0, 0))
    m.add_joint("W", dt.Fixed(), upper, tag)
    m.add_marker("hook", m.ground, (0, 0.2, 1))
    m.add_marker("eye", upper, value["eye"])
    m.add_force("spring", dt.SpringDamper("hook", "eye", value["stiffness"], 1.0, 0.5))
    m.add_force("bush", dt.Bushing("hook", "eye", stiffness=(1, 2, 3, 0.1, 0.2, 0.3)))
    m.add_force("drive", dt.JointTorque("A", "-k*q - c*v + 3*step(t, 0, 0, 1, k/100)"))
    m.add_state("z", "k*A.angle - z")
    m.add_event("passes", dt.Event("A.angle - k/1000"))
    return m


CHANGES = {
    "a parameter": ({"k": 40.0}, {"k": 40.0}),
    "a stiffness": ({"spring.stiffness": 20.0}, {"stiffness": 20.0}),
    "a mass, beside a weld": ({"upper.mass": 5.0}, {"mass": 5.0}),
    "gravity": ({"gravity": (1.0, 0, -3.0)}, {"gravity": (1.0, 0, -3.0)}),
    "an initial value": ({"A.q0": -0.4}, {"q0": -0.4}),
    "the place of a marker": ({"eye.position": (0.6, 0.1, 0)}, {"eye": (0.6, 0.1, 0)}),
    "several": ({"k": 7.0, "spring.stiffness": 20.0, "upper.mass": 1.0}, {"k": 7.0, "stiffness": 20.0, "mass": 1.0}),
}


@pytest.mark.parametrize("what", CHANGES)
def test_as_if_compiled_with_them(what: str) -> None:
    changes, numbers = CHANGES[what]
    system = dt.compile(arm())
    changed = system.with_parameters(changes)
    ours, theirs = dt.simulate(changed, 0.5), dt.simulate(arm(**numbers), 0.5)
    np.testing.assert_allclose(ours.q, theirs.q, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(ours.z, theirs.z, rtol=1e-12, atol=1e-13)
    assert [e.t for e in ours.events] == pytest.approx([e.t for e in theirs.events], rel=1e-12)
    np.testing.assert_allclose(ours.energy.total, theirs.energy.total, rtol=1e-11, atol=1e-11)
    assert not np.allclose(ours.q, dt.simulate(system, 0.5).q)  # and the first system is as it was
    np.testing.assert_array_equal(dt.simulate(system, 0.5).q, dt.simulate(arm(), 0.5).q)


def test_numbers_share_all_other_arrays() -> None:
    system = dt.compile(arm())
    changed = system.with_parameters({"spring.stiffness": 1.0}, k=3.0)
    assert changed.tree is system.tree
    assert changed.loads.markers is system.loads.markers
    assert changed.model.forces["spring"].stiffness == 1.0
    assert system.model.forces["spring"].stiffness == 80.0
    assert changed.model.parameters["k"] == 3.0


def with_lists(k: float) -> dt.Model:
    """A thin beam, whose nodes are a list of the element, beside a law that reads a parameter."""
    m = dt.Model("beam", gravity=(0, 0, -9.81), parameters={"k": k})
    m.add_marker("end", m.ground, position=(1, 0, 0))
    for i in (1, 2):
        m.add_body(f"n{i}", dt.Inertia.point(0.3), position=(i / 3, 0, 0))
        m.add_joint(f"j{i}", dt.Translation(), m.ground, f"n{i}", at=(i / 3, 0, 0))
    m.add_force("beam", dt.beams.ThinBeam(["ground", "n1", "n2", "end"], 50.0, 2.0))
    m.add_force("push", dt.AppliedForce("n1", (0, 0, "k*(1 + sin(k*t))")))
    return m


def test_parameters_beside_elements_with_lists() -> None:
    """Lists of elements stand apart from the programs of laws: these are replaced, and nothing is compiled anew."""
    system = dt.compile(with_lists(2.0))
    changed = system.with_parameters({"k": 5.0})
    assert changed.tree is system.tree
    assert changed.loads.forces is system.loads.forces
    ours, theirs = dt.simulate(changed, 0.3), dt.simulate(with_lists(5.0), 0.3)
    np.testing.assert_array_equal(ours.states, theirs.states)
    assert not np.allclose(ours.q, dt.simulate(system, 0.3).q)


def test_preferences_that_mean_nothing_are_refused() -> None:
    system = dt.compile(arm())
    for changes, words in (
        ({"kk": 1.0}, "has no parameter .kk.. Did you mean .k."),
        ({"spring.stifness": 1.0}, "stiffness"),
        ({"k": np.nan}, "finite numbers"),
        ({"upper.mass": -1.0}, "not negative"),
        ({"gravity": (0, 1)}, "three finite numbers"),
        ({"spring.damping": -1.0}, "must not be negative"),
        ({"upper.inertia": 3.0}, "not an inertia"),
    ):
        with pytest.raises((ValueError, dt.ModelError), match=words):
            system.with_parameters(changes)


def same_systems(ours: dt.System, theirs: dt.System) -> None:
    """Bit for bit: the numbers that kernels read, and initial states."""
    mine, other = arrays_of(ours), arrays_of(theirs)
    for name, array in mine.items():
        np.testing.assert_array_equal(array, other[name], name)
    np.testing.assert_array_equal(ours.loads.markers.X_BM, theirs.loads.markers.X_BM)
    np.testing.assert_array_equal(ours.tree.X_PF, theirs.tree.X_PF)


def test_what_a_file_computes_follows(tmp_path: Path) -> None:
    """Numbers as of a file that is read with the value; what was changed since it was read stays."""
    (tmp_path / "m.yaml").write_text(
        "duoti: 1\nparameters: {r: 0.5, k: 10}\n"
        "bodies: {b: {inertia: {rod: {mass: 1, length: =2*r, axis: x}}, position: [=r, 0, 0]}}\n"
        "joints: {A: {type: revolute, axis: y, between: [ground, b], at: [0, 0, 0]}}\n"
        "forces:\n"
        "  f: {type: joint_torque, joint: A, value: -k*q}\n"
        "  c: {type: joint_damping, joint: A, damping: =k/5}\n"
    )
    m = dt.load(tmp_path / "m.yaml")
    m.joints["A"].q0 = 0.4
    system = dt.compile(m)
    for values in ({"r": 0.7}, {"r": 0.7, "k": 20.0, "b.mass": 3.0}, {"k": 5.0, "A.v0": 1.0}):
        declared = {name: x for name, x in values.items() if name in ("r", "k")}
        meant = dt.load(tmp_path / "m.yaml", parameters=declared)
        meant.joints["A"].q0 = 0.4
        same_systems(
            system.with_parameters(values),
            dt.compile(meant).with_parameters({n: x for n, x in values.items() if n not in declared}),
        )
    twice = system.with_parameters({"r": 0.6}).with_parameters({"r": 0.7})
    same_systems(twice, system.with_parameters({"r": 0.7}))
    ends = [
        dt.simulate(system.with_parameters({"r": r}), 0.3, solver=dt.RK4(step=0.01))["A.angle"][-1] for r in (0.4, 0.9)
    ]
    batch = dt.simulate_batch(system, 0.3, {"r": [0.4, 0.9]}, solver=dt.RK4(step=0.01), lanes=1)
    assert np.array_equal(batch["A.angle"][:, -1], ends)
    s = dt.Stepper(m, dt.RK4(step=0.01))
    s.set(r=0.9)
    s.step(0.3)
    assert s["A.angle"] == pytest.approx(ends[1], abs=1e-12)
    with pytest.raises(ValueError, match="finite"):
        system.with_parameters({"r": np.nan})
    with pytest.raises(ValueError, match="cannot be computed anew"):
        system.with_parameters({"r": -1.0})
    m.add_force("law", dt.JointTorque("A", lambda t: 0.0))
    with pytest.raises(ValueError, match=r"(?s)cannot be computed anew.*law"):
        dt.compile(m).with_parameters({"r": 0.7})


def test_it_takes_a_fraction_of_compiling() -> None:
    model = arm()
    system = dt.compile(model)

    def seconds(what) -> float:
        times = []
        for _ in range(30):
            began = time.process_time()
            what()
            times.append(time.process_time() - began)
        return float(np.median(times))

    assert seconds(lambda: system.with_parameters({"spring.stiffness": 5.0})) < 0.1 * seconds(lambda: dt.compile(model))


def test_the_model_of_a_changed_system_is_whole() -> None:
    """Joints, markers and forces refer to the bodies that stand in it, after several changes too."""
    m = dt.Model("arm")
    inboard = m.ground
    for i in range(2):
        body = m.add_body(f"b{i}", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5 - i))
        m.add_joint(f"J{i}", dt.Revolute("y"), inboard, body, at=(0, 0, -i), q0=0.3)
        inboard = body
    m.add_marker("tip", inboard)
    changed = dt.compile(m).with_parameters({"b0.mass": 2.0, "J1.q0": 0.1})
    changed = changed.with_parameters({"b0.com.x": 0.1, "b1.mass": 3.0})
    first, second = dt.simulate(changed, 0.1), dt.simulate(changed.model, 0.1)
    np.testing.assert_array_equal(first["J0.angle"], second["J0.angle"])
    assert dt.check(changed.model).ok
