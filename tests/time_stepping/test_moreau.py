"""Time stepping with rigid contacts: rest without drift, stacks, loops, files, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.contact.solve import block_matrix

G = 9.81
FLOOR = dt.Shape.plane()


def boxes(count: int, top: float = 1.0, size: float = 0.2) -> dt.Model:
    """A stack of cubes of 1 kg, the uppermost with another mass."""
    m, shape = dt.Model("stack"), dt.Shape.box((size, size, size))
    below = m.ground
    for i in range(count):
        inertia = dt.Inertia.box(top if i == count - 1 else 1.0, size=(size, size, size))
        b = m.add_body(f"b{i}", inertia, position=(0, 0, (i + 0.5) * size))
        m.add_joint(f"f{i}", dt.Free(), m.ground, b)
        m.add_contact(f"c{i}", dt.RigidContact(friction=0.5), below, b, shapes=(FLOOR if i == 0 else shape, shape))
        below = b
    return m


def resting_box(steps: int) -> None:
    """On a slope of 15 degrees, held by friction (0.4)."""
    m = boxes(1)
    m.gravity = (-G * np.sin(np.radians(15)), 0, -G * np.cos(np.radians(15)))
    r = dt.simulate(m, 1e-3 * steps, outputs=[0.0, 1e-3 * steps], solver=dt.Moreau(step=1e-3))
    assert r.ok
    assert np.max(np.abs(r["b0.position"][-1] - r["b0.position"][0])) < 1e-9
    assert np.max(np.abs(r["b0.rotation"][-1] - r["b0.rotation"][0])) < 1e-9
    np.testing.assert_allclose(r["c0.force"][-1], -np.array(m.gravity), atol=1e-6)
    assert r["c0.state"][-1] == 1.0


def test_a_box_at_rest_does_not_move() -> None:
    resting_box(50_000)


@pytest.mark.campaign
def test_a_box_at_rest_does_not_move_in_a_million_steps() -> None:
    resting_box(1_000_000)


def test_a_stack_with_a_heavy_top_stands() -> None:
    """20 cubes, 100 times the mass on top: every contact carries the weight above it.

    The solver's tolerance is 1e-8 of g h in the velocities; a force error of 1e-5 N is 1e-8 of the heaviest weight.
    """
    n, heavy = 20, 100.0
    r = dt.simulate(boxes(n, heavy), 0.1, outputs=[0.0, 0.1], solver=dt.Moreau(step=1e-3))
    assert r.ok
    for i in range(n):
        assert r[f"c{i}.normal_force"][-1] == pytest.approx(G * (n - 1 - i + heavy), abs=1e-4)
        assert np.max(np.abs(r[f"b{i}.position"][-1] - r[f"b{i}.position"][0])) < 1e-9
    assert np.max(np.abs(r.energy.residual)) < 1e-9


def test_boxes_fall_on_each_other_and_come_to_rest() -> None:
    """Momentum, energy and non-penetration of three boxes that drop from small heights, one of them turned."""
    m, shape = dt.Model("heap"), dt.Shape.box((0.2, 0.2, 0.2))
    m.ground.shapes.append(FLOOR)
    for i, turn in enumerate((0.0, 0.3, 0.0)):
        b = m.add_body(
            f"b{i}", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=(0.01 * i, 0, 0.11 + 0.22 * i),
            rotation=dt.Rotation.about("z", turn), shapes=[shape],
        )  # fmt: skip
        m.add_joint(f"f{i}", dt.Free(), m.ground, b)
    m.add_contact("all", dt.RigidContact(friction=0.4), "all", "all")
    r = dt.simulate(m, 1.0, outputs=0.01, solver=dt.Moreau(step=1e-3))
    assert r.ok
    assert np.min(r["all.gap"]) > -1e-3  # an impact at 0.5 m/s overlaps by up to half a step, and is pushed out
    assert r["all.gap"][-1] > -1e-9
    assert np.max(np.abs(r.v[-1])) < 1e-6
    assert r["all.energy_lost"][-1] == pytest.approx(r.energy.dissipated[-1], abs=1e-12)
    assert np.max(np.abs(r.energy.residual)) < 1e-3 * r.energy.dissipated[-1]


def test_steps_left_unsolved_are_not_ok(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tower of balls, each ten times as heavy as the one below: few sweeps without Newton's method cannot do it."""
    m, random = dt.Model("heap"), np.random.default_rng(3)
    m.ground.shapes.append(FLOOR)
    for i in range(8):
        place = np.array([0.0, 0.0, 0.1 + 0.19 * i]) + 0.002 * random.normal(size=3)
        b = m.add_body(f"b{i}", dt.Inertia.sphere(10.0**i, radius=0.1), position=place)
        m.add_joint(f"f{i}", dt.Free(), m.ground, b)
    m.add_contact("all", dt.RigidContact(friction=0.9), "all", "all")
    good = dt.simulate(m, 0.02, outputs=[0.02], solver=dt.Moreau(step=1e-3))
    assert good.ok
    assert not any("not solved" in note for note in good.stats.notes)  # the balls overlap at first, which is noted
    monkeypatch.setattr(block_matrix, "MOST_ENTRIES", 1)  # as if there were too many bodies
    with pytest.warns(dt.errors.SimulationWarning, match="steps with contacts"):
        bad = dt.simulate(m, 0.02, outputs=[0.02], solver=dt.Moreau(step=1e-3, sweeps=10))
    assert bad.reason_code == "contact-unsolved"
    assert not bad.ok


def test_static_friction_holds_more_than_sliding() -> None:
    """A pull that grows: the block holds up to mu_s m g, then accelerates with what is beyond mu m g."""
    m = boxes(1)
    m.contacts["c0"].law = dt.RigidContact(friction=0.3, static_friction=0.5)
    m.add_force("pull", dt.AppliedForce("b0", ("10*t", 0, 0)))
    r = dt.simulate(m, 0.6, outputs=[0.4, 0.48, 0.6], solver=dt.Moreau(step=1e-4))
    breaks = 0.5 * G / 10.0
    assert np.all(np.abs(r["b0.velocity.x"][:2]) < 1e-9)
    v = 0.5 * 10 * (0.6**2 - breaks**2) - 0.3 * G * (0.6 - breaks)
    assert r["b0.velocity.x"][-1] == pytest.approx(v, abs=5e-4)  # it breaks loose within a step


def test_a_closed_loop_lands_on_the_floor() -> None:
    """A four-bar linkage whose coupler's end hits the floor: loops stay closed, energy is accounted for."""
    m = dt.Model("four-bar")
    a = m.add_body("a", dt.Inertia.rod(1.0, length=0.3, axis="x"), position=(0.15, 0, 0.2))
    b = m.add_body("b", dt.Inertia.rod(1.0, length=0.4, axis="x"), position=(0.5, 0, 0.2))
    c = m.add_body("c", dt.Inertia.rod(1.0, length=0.5, axis="z"), position=(0.7, 0, 0.45))
    m.add_joint("A", dt.Revolute("y"), m.ground, a, at=(0, 0, 0.2))
    m.add_joint("B", dt.Revolute("y"), a, b, at=(0.3, 0, 0.2))
    m.add_joint("C", dt.Revolute("y"), b, c, at=(0.7, 0, 0.2))
    m.add_joint("D", dt.Revolute("y"), m.ground, c, at=(0.7, 0, 0.7))
    tip = m.add_marker("tip", b, (-0.2, 0, 0))
    m.add_contact("floor", dt.RigidContact(friction=0.2), m.ground, tip, shapes=(FLOOR, dt.Shape.point()))
    r = dt.simulate(m, 1.0, outputs=0.01, solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    assert r["floor.gap"][-1] == pytest.approx(0.0, abs=1e-9)
    assert np.max(np.abs(r.v[-1])) < 1e-6
    # the pin of a pushes up with half the weights' moment: statics of the linkage in its last position
    assert r["floor.normal_force"][-1] > 0.0
    assert abs(r.energy.residual[-1]) < 0.02 * r.energy.dissipated[-1]  # of the order of the step


def test_contacts_in_files(tmp_path: Path) -> None:
    m = boxes(2)
    m.add_contact("some", dt.RigidContact(friction=0.1, restitution=0.5, impact="stronge"), [m.ground], ["b0", "b1"])
    m.ground.shapes.append(FLOOR)
    m.save(tmp_path / "m.yaml")
    again = dt.load(tmp_path / "m.yaml")
    again.save(tmp_path / "n.yaml")
    assert (tmp_path / "m.yaml").read_text() == (tmp_path / "n.yaml").read_text()
    assert repr(again.contacts["some"].law) == repr(m.contacts["some"].law)
    assert again.contacts["c1"].shapes == m.contacts["c1"].shapes
    runs = [dt.simulate(each, 0.05, outputs=[0.05], solver=dt.Moreau(step=1e-3)) for each in (m, again)]
    assert np.array_equal(runs[0].q, runs[1].q)


def test_what_is_wrong_with_contacts_is_said() -> None:
    m = boxes(1)
    m.add_contact("a", dt.RigidContact(friction=-1.0, restitution=2.0), "nobody", "b0")
    m.add_contact("b", "rubber", m.ground, "b0")  # pyright: ignore[reportArgumentType]
    m.add_contact("c", dt.RigidContact(), m.ground, "b0")
    m.add_contact("d", dt.RigidContact(), "b0", "b0", shapes=(FLOOR, FLOOR))
    m.add_contact("e", dt.RigidContact(), m.ground, "b0", shapes=(FLOOR, FLOOR))
    m.add_contact("f", dt.RigidContact, m.ground, "b0", shapes=(FLOOR, dt.Shape.sphere(0.1)))  # pyright: ignore[reportArgumentType]
    found = {(f.code, f.names[0]) for f in dt.check(m).errors}
    assert found == {
        ("bad-contact", "a"),
        ("unknown-name", "a"),
        ("bad-contact", "b"),
        ("no-shapes", "b"),
        ("no-shapes", "c"),
        ("self-contact", "d"),
        ("untreated-pair", "e"),
        ("bad-contact", "f"),
    }


def test_solvers_without_contacts_refuse_them() -> None:
    with pytest.raises(ValueError, match="rigid contacts"):
        dt.simulate(boxes(1), 0.1, solver=dt.GeneralisedAlpha(step=1e-3))
    by_default = dt.simulate(boxes(4), 0.01)
    assert "Moreau" in by_default.stats.solver
    assert "dt.Moreau(step=0.001)" in by_default.stats.notes[0]


def test_impacts_of_time_stepping() -> None:
    """A ball that bounces: each impact is listed once, with impulse (1 + e) m u and energy m u² (1 - e²) / 2."""
    h, e, mass, drop = 1e-4, 0.5, 2.0, 1.0
    m = dt.Model("ball")
    ball = m.add_body("ball", dt.Inertia.sphere(mass, radius=0.1), position=(0, 0, 0.1 + drop))
    m.add_joint("free", dt.Free(), m.ground, ball, v0=[0.3, 0, 0, 0, 0.3 / 0.1, 0])  # it rolls: no friction
    m.add_contact("floor", dt.RigidContact(friction=0.3, restitution=e), ball, m.ground,
                  shapes=(dt.Shape.sphere(0.1), FLOOR))  # fmt: skip
    r = dt.simulate(m, 1.2, outputs=0.01, solver=dt.Moreau(step=h))
    fall, speed = np.sqrt(2 * drop / G), np.sqrt(2 * drop * G)
    times = [fall, fall * (1 + 2 * e), fall * (1 + 2 * e + 2 * e**2)]
    assert len(r.impacts) == 3  # the fourth comes at 1.24 s
    for k, (impact, t) in enumerate(zip(r.impacts, times, strict=True)):
        u = speed * e**k
        near = 4 * (k + 1) * G * h  # a step late at each impact so far
        assert impact.contact == "floor"
        assert impact.time == pytest.approx(t, abs=4 * (k + 1) * h)
        assert impact.normal_speed == pytest.approx((-u, e * u), abs=near)
        assert impact.impulse == pytest.approx([0, 0, -(1 + e) * mass * u], abs=2 * mass * near)  # on b: on ground
        assert impact.point[2] == pytest.approx(0.0, abs=u * h)
        assert impact.energy_lost == pytest.approx(0.5 * mass * u**2 * (1 - e**2), abs=mass * u * near)
    assert sum(each.energy_lost for each in r.impacts) == pytest.approx(r["floor.energy_lost"][-1], abs=1e-9)


def test_rest_is_no_impact() -> None:
    r = dt.simulate(boxes(3), 0.05, outputs=[0.05], solver=dt.Moreau(step=1e-3))
    assert r.impacts == ()


@pytest.mark.parametrize("solver", [None, dt.Moreau(step=1e-3)], ids=["event-driven", "time-stepping"])
def test_impacts_in_files(tmp_path: Path, solver: dt.Moreau | None) -> None:
    """Saved, written on the way, and copied from file to file: the same impacts, number for number."""
    m = dt.Model("balls")
    for name, x in (("first", 0.0), ("second", 1.0)):
        ball = m.add_body(name, dt.Inertia.sphere(2.0, radius=0.1), position=(x, 0, 0.6 + x))
        m.add_joint(f"{name} flies", dt.Free(), m.ground, ball)
        m.add_contact(f"{name} on floor", dt.RigidContact(restitution=0.4), m.ground, ball,
                      shapes=(FLOOR, dt.Shape.sphere(0.1)))  # fmt: skip
    chosen = {} if solver is None else {"solver": solver}
    in_memory = dt.simulate(m, 1.0, outputs=0.05, **chosen)
    assert {each.contact for each in in_memory.impacts} == {"first on floor", "second on floor"}
    in_memory.save(tmp_path / "saved.h5")
    dt.simulate(m, 1.0, outputs=0.05, out=tmp_path / "streamed.h5", **chosen)
    dt.open_result(tmp_path / "saved.h5").save(tmp_path / "copied.h5")
    for name in ("saved", "streamed", "copied"):
        found = dt.open_result(tmp_path / f"{name}.h5").impacts
        assert [repr(each) for each in found] == [repr(each) for each in in_memory.impacts]


def test_impacts_before_and_after_a_resumed_run(tmp_path: Path) -> None:
    """A run that goes on has the impacts of both parts, as one run of the whole length."""
    m = dt.Model("ball")
    ball = m.add_body("ball", dt.Inertia.sphere(2.0, radius=0.1), position=(0, 0, 1.1))
    m.add_joint("flies", dt.Free(), m.ground, ball)
    m.add_contact("floor", dt.RigidContact(restitution=0.5), m.ground, ball, shapes=(FLOOR, dt.Shape.sphere(0.1)))
    whole = dt.simulate(m, 1.2, outputs=0.1, solver=dt.Moreau(step=1e-3))
    first = dt.simulate(m, 0.6, outputs=0.1, solver=dt.Moreau(step=1e-3), out=tmp_path / "run.h5")
    assert len(first.impacts) == 1
    longer = dt.resume(tmp_path / "run.h5", duration=1.2)
    assert len(whole.impacts) == 3
    assert [repr(each) for each in longer.impacts] == [repr(each) for each in whole.impacts]


def test_outputs_within_the_step_of_an_impact() -> None:
    """Rates that jump are those before the impact, not between both; energy closes to what gravity does in a step."""
    h = 1e-3
    m = dt.Model("ball")
    ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 1.1))
    m.add_joint("free", dt.Free(), m.ground, ball)
    m.add_contact("floor", dt.RigidContact(restitution=0.5), m.ground, ball, shapes=(FLOOR, dt.Shape.sphere(0.1)))
    for outputs in (h, 1.37 * h):
        r = dt.simulate(m, 1.5, outputs=outputs, solver=dt.Moreau(step=h))
        first = r.impacts[0].time
        speeds = r["ball.velocity.z"][np.abs(r.t - first) < h]
        fast = np.sqrt(2 * G * 1.0)
        # no speed between -4.43 and 2.21 m/s but for a step of gravity
        assert np.min(np.minimum(np.abs(speeds + fast), np.abs(speeds - 0.5 * fast))) < 3 * G * h
        assert np.max(np.minimum(np.abs(speeds + fast), np.abs(speeds - 0.5 * fast))) < 3 * G * h
        assert np.max(np.abs(r.energy.residual)) < G * fast * h  # the height of a step
        assert r["floor.energy_lost"] == pytest.approx(r.energy.dissipated, abs=1e-12)


def test_velocities_that_are_round_off_are_solved() -> None:
    """Seven equal balls, e = 1, no gravity: after the impact nothing but round-off is left between those that rest."""
    m = dt.Model("cradle", gravity=(0, 0, 0))
    for i in range(7):
        place = (0.2 * i - (0.05 if i == 0 else 0.0), 0, 0)
        m.add_body(f"b{i}", dt.Inertia.sphere(1.0, radius=0.1), position=place, shapes=[dt.Shape.sphere(0.1)])
        m.add_joint(f"j{i}", dt.Prismatic("x"), m.ground, f"b{i}", v0=1.0 if i == 0 else 0.0)
    for i in range(6):
        m.add_contact(f"c{i}", dt.RigidContact(restitution=1.0), f"b{i}", f"b{i + 1}")
    r = dt.simulate(m, 0.06, solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    assert not any("not solved" in note for note in r.stats.notes)


def test_what_lands_while_it_slips_has_sliding_friction() -> None:
    """A ball that falls by H with the speed v: its impact takes mu (1 + 0) sqrt(2 g H) of v, if that is not 2/7 v.

    Static friction, however great, holds what rests, and it does not. Landing is found to a step, so that v is exact.
    """
    friction, height, v = 0.08, 0.1, 1.0
    m = dt.Model("land")
    m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.1 + height))
    m.add_joint("f", dt.Free(), m.ground, "b", v0=[v, 0, 0, 0, 0, 0])
    law = dt.RigidContact(friction=friction, static_friction=1.2)
    m.add_contact("floor", law, m.ground, "b", shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    fall, step = np.sqrt(2 * height / 9.81), 1e-4
    r = dt.simulate(m, fall + 3 * step, outputs=[fall + 3 * step], solver=dt.Moreau(step))
    lost = friction * np.sqrt(2 * 9.81 * height)
    # three steps of sliding, and what the speed of the fall changes by in one
    assert r["b.velocity.x"][-1] == pytest.approx(v - lost, abs=5 * friction * 9.81 * step)


def test_resistance_of_what_cannot_turn() -> None:
    """A ball on a guide falls and lies still; nothing turns, and no moment is asked for."""
    m = dt.Model("ball in a guide")
    m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.2))
    m.add_joint("z", dt.Prismatic("z"), m.ground, "b")
    law = dt.RigidContact(rolling_friction=0.01, torsional_friction=0.01)
    m.add_contact("floor", law, m.ground, "b", shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    r = dt.simulate(m, 0.5, solver=dt.Moreau(1e-3))
    assert r.ok, r.reason
    assert r["floor.normal_force"][-1] == pytest.approx(9.81, rel=1e-9)
    assert np.all(r["floor.moment"] == 0.0)
