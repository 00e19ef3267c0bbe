"""The record beside the state: multipliers of the solver that ran, powers of single force elements."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.examples import four_bar
from duoti.integrate.record import MULTIPLIERS, RecordBlock, RecordLayout, record_of_multipliers
from duoti.model.element_id import ElementId
from duoti.results.evaluate.observe import ENERGIES, POWERS, observe
from support.long_runs import slider_crank
from support.random_forces import add_random_forces
from support.random_models import random_model
from support.same import same

DATA = Path(__file__).parents[1] / "reference" / "data"
LENGTH, MASS, GRAVITY = 0.8, 1.5, 9.81


def pendulum(**event):
    """A point on a massless rod, let go when the rod is level: the tension is 3 m g sin(angle)."""
    m = dt.Model("rod", gravity=(0, 0, -GRAVITY))
    m.add_body("ball", dt.Inertia.sphere(MASS, radius=0.05), position=(LENGTH, 0, 0))
    m.add_joint("plane", dt.Planar("y"), m.ground, "ball", at=(LENGTH, 0, 0))
    m.add_marker("hook", m.ground)
    m.add_constraint("rod", dt.Distance("hook", "ball", LENGTH))
    if event:
        m.add_event("low", dt.Event("ball.position.z + 0.4", **event))
    return m


def tension(r):
    """By the balance of energy, v² = 2 g h, and of forces along the rod."""
    return 3 * MASS * GRAVITY * -r["ball.position.z"] / LENGTH


# ---------------------------------------------------------------------------------------------------------- the layout


def test_the_layout_names_the_columns():
    m = slider_crank(driven=False)
    m.add_constraint("drive", dt.JointMotion("A", "3*t"))
    system = dt.compile(m)
    layout = record_of_multipliers(system)
    assert {block.owner for block in layout.blocks} == set(system.closure_names)
    assert layout.size == system.closures.rows == len(layout.columns) == len(layout.units)
    units = dict(zip(layout.columns, layout.units, strict=True))
    assert units["constraint:drive.multipliers[0]"] == "N m"
    assert set(units.values()) == {"N", "N m"}
    assert [k for columns in layout.columns_of(MULTIPLIERS).values() for k in columns] == list(range(layout.size))
    assert RecordLayout.from_lists(json.loads(json.dumps(layout.as_lists()))) == layout


def test_further_blocks_find_their_place():
    A, B, pad = ElementId("joint", "A"), ElementId("constraint", "B"), ElementId("force", "pad")
    layout = RecordLayout(
        (
            RecordBlock("multipliers", A, ("N", "N")),
            RecordBlock("multipliers", B, ("N m",)),
            RecordBlock("mode", pad, ("1",)),
        )
    )
    assert layout.columns_of("multipliers") == {A: range(2), B: range(2, 3)}
    assert layout.columns_of("mode") == {pad: range(3, 4)}
    assert layout.columns_of("impulses") == {}
    assert layout.columns == [
        "A.multipliers[0]",
        "A.multipliers[1]",
        "constraint:B.multipliers[0]",
        "force:pad.mode[0]",
    ]


def test_explicit_solvers_record_nothing():
    r = dt.simulate(pendulum(), 0.1)
    assert r.record_layout == RecordLayout()
    assert r.record.shape == (len(r), 0)
    assert r.source("plane.reaction_force") == r.source("multipliers") == "computed"
    assert np.array_equal(r.multipliers("rod"), r.recompute().multipliers("rod"))


# ------------------------------------------------------------------------------------------- multipliers of the solvers


def test_generalised_alpha_agrees_with_the_state_to_second_order():
    """The four-bar, at outputs on and between steps: each halving of the step divides the difference by four.

    After 0.1 s: the start leaves an error of its own in the multipliers, which dies out.
    """
    times = np.linspace(0.1, 0.2, 101)
    steps, between = [], []
    for step in (4e-3, 2e-3, 1e-3):
        r = dt.simulate(four_bar.build(), 0.2, outputs=times, solver=dt.GeneralisedAlpha(step=step))
        assert r.source("D.reaction_force") == r.source("A.a") == r.source("multipliers") == "record"
        assert r.source("A.angle") == "state"
        assert r.source("D.angle") == r.source("coupler.velocity") == "computed"
        difference = np.max(np.abs(r.multipliers("D") - r.recompute().multipliers("D")), axis=1)
        steps.append(np.max(difference[::4]))  # every 4 ms: the end of a step
        between.append(np.max(difference))
    for errors in (steps, between):
        orders = np.log2(np.array(errors[:-1]) / errors[1:])
        assert np.all(np.abs(orders - 2.0) < 0.15), (orders, errors)


@pytest.mark.parametrize("solver", [dt.HHT(step=1e-3), dt.Newmark(step=1e-3)], ids=repr)
def test_the_family_of_generalised_alpha(solver):
    """The tension of a pendulum to h² times its second derivative, which is 6 m g²/L at most (see `tension`)."""
    r = dt.simulate(pendulum(), 0.3, outputs=0.0025, solver=solver)
    assert r.source("multipliers") == "record"
    assert np.max(np.abs(-r.multipliers("rod")[:, 0] - tension(r))) < 6 * MASS * GRAVITY**2 / LENGTH * solver.step**2


@pytest.mark.parametrize(("solver", "accuracy"), [(dt.Radau(), 1e-5), (dt.IDA(rtol=1e-8, atol=1e-10), 1e-4)], ids=repr)
def test_radau_and_ida_record_the_tension(solver, accuracy):
    """Radau: of order 3 where the state, to 1e-8, is of order 5: 3/5 of its digits.

    IDA does not control the multipliers: 1e-8 of the velocities, over steps of some 1e-4 s and less.
    """
    if isinstance(solver, dt.IDA):
        pytest.importorskip("sksundae")
    r = dt.simulate(pendulum(), 0.6, outputs=0.003, solver=solver)
    assert r.source("multipliers") == "record"
    size = 3 * MASS * GRAVITY
    assert np.max(np.abs(-r.multipliers("rod")[:, 0] - tension(r))) < accuracy * size
    again = r.recompute()
    assert again.source("multipliers") == "computed"
    assert np.max(np.abs(again.multipliers("rod") - r.multipliers("rod"))) < accuracy * size


@pytest.mark.parametrize("solver", [dt.GeneralisedAlpha(step=2e-3), dt.Radau(rtol=1e-5, atol=1e-7)], ids=repr)
def test_reactions_balance_with_accelerations(solver):
    """Newton's law for the coupler and the rocker, to round-off: both belong to the multipliers that were recorded."""
    m = four_bar.build()
    r = dt.simulate(m, 0.1, outputs=0.0015, solver=solver)
    weight = np.array(m.gravity)
    coupler = r["B.reaction_force"] - r["C.reaction_force"] + m.bodies["coupler"].inertia.mass * weight
    rocker = r["C.reaction_force"] + r["D.reaction_force"] + m.bodies["rocker"].inertia.mass * weight
    for name, force in (("coupler", coupler), ("rocker", rocker)):
        wanted = m.bodies[name].inertia.mass * r[f"{name}.acceleration"]
        assert np.max(np.abs(force - wanted)) < 1e-11, name
    difference = r["B.reaction_force"] - r.recompute()["B.reaction_force"]
    assert 1e-9 < np.max(np.abs(difference)) < 0.1  # they are others, but not much


@pytest.mark.parametrize("solver", [dt.GeneralisedAlpha(step=1e-3), dt.Radau()], ids=repr)
@pytest.mark.parametrize("outputs", ["steps", 0.01])
def test_the_record_at_an_event_that_ends_the_run(solver, outputs):
    r = dt.simulate(pendulum(terminal=True), 2.0, outputs=outputs, solver=solver)
    assert r.reason.startswith('event "low"')
    assert len(r.record) == len(r.t)
    assert r["ball.position.z"][-1] == pytest.approx(-0.4, abs=1e-9)
    assert -r.multipliers("rod")[-1, 0] == pytest.approx(3 * MASS * GRAVITY * 0.5, rel=1e-4)


@pytest.mark.parametrize(
    "solver", [dt.GeneralisedAlpha(step=1e-3), dt.Radau(), dt.IDA(rtol=1e-8, atol=1e-10)], ids=repr
)
def test_the_record_before_and_after_a_jump(solver):
    """At 30° the ball loses half its speed: its tension m (g sin + v²/l) falls from 3 to 1.5 m g sin 30°.

    Then v² = 2 g l (sin(angle) - 0.75 sin(30°)), and the tension m g (3 sin(angle) - 1.5 sin(30°)).
    """
    if isinstance(solver, dt.IDA):
        pytest.importorskip("sksundae")
    m = pendulum(direction="falling", jump=lambda t, q, v, z: (q, 0.5 * v, z))
    weight = MASS * GRAVITY
    at_steps = dt.simulate(m, 0.5, outputs="steps", solver=solver)
    t_jump = at_steps.events[0].t
    at_times = dt.simulate(m, 0.5, outputs=[0.0, 0.1, t_jump, 0.45, 0.5], solver=solver)
    for r in (at_steps, at_times):
        assert r.record.shape == (len(r.t), 1)
        assert r.source("multipliers") == "record"
        (k,) = np.flatnonzero(np.diff(r.t) == 0)
        found = -r.multipliers("rod")[:, 0]
        assert found[k] == pytest.approx(3 * weight * 0.5, rel=1e-4)
        assert found[k + 1] == pytest.approx(1.5 * weight * 0.5, rel=1e-4)
        after = 3 * weight * -r["ball.position.z"] / LENGTH - 0.75 * weight
        wanted = np.where(np.arange(len(r.t)) <= k, tension(r), after)
        assert np.max(np.abs(found - wanted)) < 1e-4 * 3 * weight
    assert len(at_times.t) == 6


def test_auto_records_where_it_is_implicit(tmp_path):
    make = lambda: slider_crank(stiff=True)  # noqa: E731
    r = dt.simulate(make(), 1.0, outputs="steps", solver="auto", out=tmp_path / "run.h5")
    assert any("Radau" in note for note in r.stats.notes)
    assert r.source("A.reaction_force") == "record in part"
    written = np.isfinite(np.asarray(r.record)).all(axis=1)
    assert written.any()
    assert not written.all()
    assert np.isnan(np.asarray(r.record)[~written]).all()
    name = r.record_layout.blocks[0].owner.name
    mine, computed = r.multipliers(name), r.recompute().multipliers(name)
    assert np.array_equal(mine[~written], computed[~written])
    size = np.max(np.abs(computed))
    assert 0 < np.max(np.abs(mine[written] - computed[written])) < 1e-5 * size


# ------------------------------------------------------------------------------------------------------------ on disk


@pytest.mark.parametrize("outputs", ["steps", 0.003])
def test_a_file_has_the_record(tmp_path, outputs):
    import h5py

    path, model = tmp_path / "run.h5", slider_crank()
    settings = {"duration": 0.3, "outputs": outputs, "solver": dt.GeneralisedAlpha(step=1e-3)}
    want = dt.simulate(model, **settings)
    got = dt.simulate(model, **settings, out=path, checkpoint=0)
    assert same(want, got)
    assert got.record_layout == want.record_layout
    assert np.array_equal(got["A.reaction_force"], want["A.reaction_force"])
    with h5py.File(path) as file:
        assert file.attrs["format_version"] == 2
        assert np.array_equal(file["x"][:], want.record)
        assert [name.decode() for name in file["record_columns"]] == want.record_layout.columns
        assert [unit.decode() for unit in file["record_units"]] == want.record_layout.units
    got.save(tmp_path / "copy.h5")
    copy = dt.open_result(tmp_path / "copy.h5")
    assert same(want, copy)
    assert copy.source("multipliers") == "record"
    assert np.array_equal(copy["D.reaction_torque"], want["D.reaction_torque"])


def test_a_record_of_other_equations_is_not_used(tmp_path):
    r = dt.simulate(pendulum(), 0.05, solver=dt.GeneralisedAlpha(step=0.01))
    others = RecordLayout((RecordBlock("multipliers", ElementId("joint", "no"), ("N",)),))
    made = dt.Result(r.system, r.t, r.states, True, "", r.stats, record=r.record, record_layout=others)
    with pytest.raises(dt.errors.ResultFileError, match=r"other equations .* result.recompute\(\)"):
        made.multipliers("rod")
    assert np.array_equal(made.recompute().multipliers("rod"), r.recompute().multipliers("rod"))


def test_files_of_format_1_open(tmp_path):
    """Written by the version before the record: no multipliers of the solver, so that all follows from the states."""
    path = tmp_path / "old.h5"
    path.write_bytes(gzip.decompress((DATA / "result_format_1.h5.gz").read_bytes()))
    wanted = json.loads((DATA / "result_format_1.json").read_text())
    r = dt.open_result(path)
    rows = wanted["rows"]
    assert (r.ok, r.status, r.reason, r.stats.steps) == (True, "finished", "end time reached", 100)
    assert np.array_equal(r.t, wanted["t"])
    assert np.array_equal(np.asarray(r.states)[rows], wanted["states"])
    assert [[e.name, e.t] for e in r.events] == wanted["events"]
    assert r.record.shape == (26, 0)
    assert r.source("A.reaction_force") == "computed"
    for name, values in wanted["channels"].items():  # of numbers up to 40, with the condition of the closures, 1e4
        assert np.max(np.abs(r[name][rows] - values)) < 1e-9, name
    with pytest.raises(dt.errors.ResultFileError, match=r"format 1 .* can be opened but not resumed: use the version"):
        dt.resume(path, duration=1.0)
    assert dt.resume(path).ok  # a finished run is returned as it is
    r.save(tmp_path / "new.h5")
    assert same(r, dt.open_result(tmp_path / "new.h5"))


# ------------------------------------------------------------------------------------- powers of single force elements


def test_powers_of_elements_add_up_and_are_those_of_each_alone():
    rng = np.random.default_rng(8)
    meant = random_model(rng, 6)
    add_random_forces(rng, meant)
    m = meant.model
    r = dt.simulate(m, 0.02, outputs=0.01, solver=dt.RK4(step=0.005))
    total = observe(r.system, r.t, r.states, ENERGIES).energies[:, 2:5]
    every = observe(r.system, r.t, r.states, POWERS, forces=list(range(len(m.forces)))).powers
    assert len(m.forces) >= 10
    size = np.sum(np.abs(every), axis=1)
    assert np.all(np.abs(np.sum(every, axis=1) - total) <= 1e-15 * size)  # added in another order
    for k, name in enumerate(m.forces):
        assert np.array_equal(r[f"{name}.energy"], every[:, k, 0])
        assert np.array_equal(r[f"force:{name}.power_supplied"], every[:, k, 1])
        assert np.array_equal(r[f"{name}.power_dissipated"], every[:, k, 2])
        assert np.array_equal(r[f"{name}.power"], every[:, k, 1] - every[:, k, 2])
        assert (r.unit(f"{name}.energy"), r.unit(f"{name}.power")) == ("J", "W")
        assert r.source(f"{name}.power") == "computed"
        if not type(m.forces[name]).complex_numbers:  # friction depends on the load, and so on all other forces
            continue
        single = dt.energies(r.system.with_one_force(k), r.q[-1], r.v[-1], r.t[-1])
        found = (single.elastic, single.supplied_power, single.dissipated_power)
        assert np.array_equal(found, every[-1, k]), name


def test_power_over_time_is_work():
    """The work that each element supplies or takes, by Simpson's rule, adds up to what the solver has integrated."""
    from scipy.integrate import simpson

    m = slider_crank()
    m.add_force("loss", dt.JointDamping("B", 0.3))
    r = dt.simulate(m, 1.0, outputs=0.001, rtol=1e-10, atol=1e-12)
    supplied = sum(simpson(r[f"{name}.power_supplied"], x=r.t) for name in m.forces)
    dissipated = sum(simpson(r[f"{name}.power_dissipated"], x=r.t) for name in m.forces)
    scale = np.max(np.abs(r.energy.supplied)) + r.energy.dissipated[-1]
    assert supplied == pytest.approx(r.energy.supplied[-1], abs=1e-8 * scale)
    assert dissipated == pytest.approx(r.energy.dissipated[-1], abs=1e-8 * scale)
    assert np.array_equal(r["spring.energy"], r.energy.elastic)


def test_names_of_forces():
    m = slider_crank()
    m.add_state("spring.power", "1.0")  # states keep their names
    r = dt.simulate(m, 0.01, outputs=0.005)
    assert {"motor.power", "force:spring.power", "state:spring.power", "spring.energy"} <= set(r.channels)
    assert r["spring.power"] == pytest.approx(r.t)
    assert np.all(r["force:spring.power"] <= 0)  # only its damper takes power
    with pytest.raises(dt.errors.ChannelError, match=r'"motor" has: energy, power, power_supplied, power_dissipated'):
        r["motor.force"]
    m.add_force("feedback", dt.JointTorque("A", "motor.power"))
    with pytest.raises(dt.ModelError, match=r"motor\.power"):
        dt.compile(m)
