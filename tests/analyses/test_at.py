"""The instant of every analysis: `at=` and `t=`; a model or a compiled system as the first argument."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest

import duoti as dt


def model() -> dt.Model:
    m = dt.Model("arm", parameters={"k": 3.0})
    m.add_body("rod", dt.Inertia.rod(2.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_body("end", dt.Inertia.sphere(1.0, 0.1), position=(1, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0), q0=0.2, v0=0.1)
    m.add_joint("B", dt.Revolute("y"), "rod", "end", at=(1, 0, 0))
    for joint in "AB":
        m.add_force(f"spring{joint}", dt.JointSpring(joint, stiffness=80.0))
    m.add_force("law", dt.JointTorque("A", "k*z - 0.1*v + t"))
    m.add_state("z", "A.angle - z", 0.3)
    return m


A = np.array([0.3, -0.4])
CALLS = {
    "accelerations": lambda m, **k: dt.accelerations(m, **k),
    "state_rates": lambda m, **k: dt.analyses.state_rates(m, **k),
    "mass_matrix": lambda m, **k: dt.mass_matrix(m, **k),
    "inverse_dynamics": lambda m, **k: dt.inverse_dynamics(m, a=A, **k),
    "generalised_forces": lambda m, **k: dt.analyses.generalised_forces(m, **k),
    "jacobian": lambda m, **k: dt.jacobian(m, "end", **k),
    "energies": lambda m, **k: dt.energies(m, **k),
    "momentum": lambda m, **k: dt.momentum(m, **k),
    "forward_dynamics_derivatives": lambda m, **k: dt.analyses.forward_dynamics_derivatives(m, **k).dq,
    "inverse_dynamics_derivatives": lambda m, **k: dt.analyses.inverse_dynamics_derivatives(m, a=A, **k).dq,
    "marker_derivatives": lambda m, **k: dt.analyses.marker_derivatives(m, "end", a=A, **k).acceleration,
    "constraint_jacobian": lambda m, **k: dt.analyses.constraint_jacobian(m, **k).free,
    "kane": lambda m, **k: dt.kane(m, **k).active_forces,
    "inertial_regressor": lambda m, **k: dt.identification.inertial_regressor(m, a=A, **k).matrix,
}


def function_of(name):
    """At the top of the package, or in one of its parts."""
    return next(getattr(part, name) for part in (dt, dt.analyses, dt.identification) if name in part.__all__)


def flat(value) -> np.ndarray:
    parts = value if isinstance(value, tuple) else (value,)
    return np.concatenate([np.ravel(np.asarray(part, dtype=float)) for part in parts])


@pytest.mark.parametrize("name", CALLS)
def test_all_forms_of_an_instant_are_the_same_state(name):
    m, call = model(), CALLS[name]
    system = dt.compile(m)
    r = dt.simulate(system, 0.4, outputs=0.1)
    q, v, z, t = r.q[3], r.v[3], r.z[3], float(r.t[3])
    takes = inspect.signature(function_of(name)).parameters
    plain = {key: value for key, value in (("q", q), ("v", v), ("z", z), ("t", t)) if key in takes}
    expected = flat(call(system, **plain))
    time = {"t": t} if "t" in takes else {}
    for first in (m, system):
        np.testing.assert_array_equal(flat(call(first, at=(q, v, z), **time)), expected)
        np.testing.assert_array_equal(flat(call(first, at=(r, 3))), expected)
        np.testing.assert_array_equal(flat(call(first, at=(r, 0.3))), expected)
    start = {key: value for key, value in zip("qv", system.state({"A": 0.7}), strict=True) if key in takes}
    np.testing.assert_array_equal(flat(call(m, at={"A": 0.7})), flat(call(system, **start)))
    with pytest.raises(TypeError, match="give one of them"):
        call(m, at=(q, v), q=q)


def test_analyses_of_a_position():
    m = model()
    e = dt.equilibrium(m, at={"A": -0.3, "z": 0.0})
    r = dt.simulate(m, 0.2)
    assert e.ok
    system = dt.compile(m)
    for at in (e, r, (r, 0), (e.q, e.v, e.z), e.q, {"B": 0.1}):
        assert dt.equilibrium(m, at=at, t=0.0).q == pytest.approx(e.q, abs=1e-9)
        assert dt.equilibrium(system, at=at, t=0.0).q == pytest.approx(e.q, abs=1e-9)
    d = dt.analyses.equilibrium_derivatives(m, ["k"], at=e)
    assert dt.analyses.equilibrium_derivatives(system, ["k"]).displacements == pytest.approx(d.displacements, rel=1e-6)
    p = dt.parameter_derivatives(m, ["rod.mass"], at=(r, -1))
    assert dt.parameter_derivatives(system, ["rod.mass"], at=r).accelerations == pytest.approx(p.accelerations)
    lin = [dt.linearise(each, at=(r, -1)).eigenvalues for each in (m, system)]
    np.testing.assert_allclose(lin[0], lin[1])
    assert dt.equilibrium_path(system, "k", 4.0, at=e).ok
    assert dt.root_locus(system, "k", [3.0]).ok


def test_a_run_goes_on_from_a_row():
    m = model()
    whole = dt.simulate(m, 1.0, outputs=0.25, rtol=1e-10, atol=1e-12)
    for at in ((whole, 2), (whole, 0.5)):
        rest = dt.simulate(m, 0.5, outputs=0.25, rtol=1e-10, atol=1e-12, at=at)
        assert rest.t[0] == 0.5
        np.testing.assert_allclose(rest.q[-1], whole.q[-1], atol=1e-8)
        np.testing.assert_allclose(rest.z[-1], whole.z[-1], atol=1e-8)
    assert dt.simulate(m, 0.1, at=dt.equilibrium(m), t=0.0)["A.rate"][0] == 0.0
    assert dt.simulate(m, 0.1, at={"A": 0.5})["A.angle"][0] == 0.5


@pytest.mark.parametrize(("at", "words"), [
    ({"AA": 0.1}, "no joint or state"),
    (([0.1], [0.1, 0.2]), "q"),
    ((1, 2, 3, 4), "give"),
    ("row", "no row"),
    ("time", "no output at t"),
    ("other", "other coordinates"),
])  # fmt: skip
def test_instants_that_mean_nothing_are_refused(at, words):
    m = model()
    if isinstance(at, str):
        r = dt.simulate(m, 0.2, outputs=0.1)
        other = dt.Model("other")
        other.add_body("b", dt.Inertia.point(1.0))
        other.add_joint("J", dt.Prismatic("z"), other.ground, "b")
        at = {"row": (r, 7), "time": (r, 0.05), "other": dt.simulate(other, 0.1)}[at]
    for use in (dt.accelerations, dt.linearise, dt.equilibrium):
        with pytest.raises((ValueError, dt.errors.ChannelError), match=words):
            use(m, at=at)


OLD = [
    (lambda m: dt.equilibrium(m, start={"A": 0.1}), lambda m: dt.equilibrium(m, at={"A": 0.1})),
    (lambda m: dt.simulate(m, 0.1, state=([0.1, 0], [0, 0])), lambda m: dt.simulate(m, 0.1, at=([0.1, 0], [0, 0]))),
    (lambda m: dt.simulate(m, 0.1, start_time=2.0), lambda m: dt.simulate(m, 0.1, t=2.0)),
    (lambda m: dt.mass_matrix(system=m, q=[0.1, 0.2]), lambda m: dt.mass_matrix(m, [0.1, 0.2])),
    (lambda m: dt.parameter_derivatives(m, ["k"], [0.1, 0.2], [0, 0]),
     lambda m: dt.parameter_derivatives(m, ["k"], at=([0.1, 0.2], [0, 0]))),
    (lambda m: dt.parameter_derivatives(m, ["k"], q=[0.1, 0.2]),
     lambda m: dt.parameter_derivatives(m, ["k"], at=([0.1, 0.2], [0.1, 0]))),
    (lambda m: dt.analyses.gravity_compensation(m, part=0.5),
     lambda m: dt.analyses.gravity_compensation(m, fraction=0.5)),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), OLD)
def test_old_spellings_warn_once_and_work(old, new):
    m = model()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        was = old(m)
    assert [each.category for each in caught] == [DeprecationWarning]
    assert caught[0].filename == __file__
    now = new(m)
    for key in ("q", "active_forces", "accelerations"):
        if hasattr(now, key):
            np.testing.assert_array_equal(getattr(was, key), getattr(now, key))


def test_files_keep_their_old_keys(tmp_path):
    text = "simulate: {duration: 0.1, start_time: 2}\nanalyses: {rest: {type: equilibrium, start: {A: 0.1}}}\n"
    m = model()
    m.save(tmp_path / "m.yaml")
    with (tmp_path / "m.yaml").open("a") as file:
        file.write(text)
    loaded = dt.load(tmp_path / "m.yaml")
    assert dt.check(loaded).ok, dt.check(loaded)
    done = dt.analyses.run_tasks(loaded)
    assert done["simulate"].t[0] == 2.0
    assert done["analyses"]["rest"].ok
