"""Time stepping with a list of near pairs: bit for bit as with all pairs, with memory by what is near."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.contact import build


def _pile(count: int = 12, plate: bool = False) -> dt.Model:
    """Boxes, balls and rods that fall onto each other; static friction, restitution, rolling friction."""
    rng = np.random.default_rng(count)
    m = dt.Model("pile")
    m.ground.shapes += [dt.Shape.plane(), dt.Shape.box([0.02, 2.0, 2.0], position=(0.5, 0, 0))]
    made = (lambda: dt.Inertia.box(1.0, size=(0.2, 0.1, 0.15)), lambda: dt.Inertia.sphere(1.0, radius=0.08),
            lambda: dt.Inertia.cylinder(1.0, radius=0.05, length=0.2))  # fmt: skip
    for i in range(count):
        place = np.array([0.14 * (i % 3), 0.22 * (i // 3 % 2), 0.12 + 0.25 * (i // 6)]) + rng.uniform(-0.01, 0.01, 3)
        body = m.add_body(f"b{i}", made[i % 3](), position=place)
        m.add_joint(f"j{i}", dt.Free(), m.ground, body)
    if plate:
        for i in range(4):
            body = m.add_body(f"shot{i}", dt.Inertia.sphere(0.1, radius=0.01), position=(2.0 + 0.3 * i, 0.1 * i, 0.5))
            m.add_joint(f"flight{i}", dt.Free(), m.ground, body, v0={"velocity": (-60.0 - 5.0 * i, 0, 0)})
    law = dt.RigidContact(friction=0.4, static_friction=0.5, restitution=0.1, rolling_friction=1e-3)
    m.add_contact("all", law, "all", "all")
    return m


WAYS = "all pairs", "near pairs", "little room"


@pytest.fixture(params=WAYS)
def pairs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How pairs are listed."""
    _list(monkeypatch, request.param)
    return request.param


def _list(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    monkeypatch.setattr(build, "MOST_PAIRS", 10**9 if how == "all pairs" else 0)
    if how == "little room":
        monkeypatch.setattr(build.ContactSet.with_room, "__defaults__", (1, 1))
        monkeypatch.setattr(build, "GROWTH", 1.0)


def _compare(
    monkeypatch: pytest.MonkeyPatch, run: Callable[[], dt.Result], ways: tuple[str, ...] = WAYS
) -> list[dt.Result]:
    found: list[dt.Result] = []
    for how in ways:
        _list(monkeypatch, how)
        found.append(run())
        assert found[-1].ok, found[-1].reason
        np.testing.assert_array_equal(found[-1].states, found[0].states)
        for channel in ("all.force", "all.normal_force", "all.gap", "all.state", "all.energy_lost"):
            np.testing.assert_array_equal(found[-1][channel], found[0][channel])
        np.testing.assert_allclose(found[-1]["all.slip_speed"], found[0]["all.slip_speed"], rtol=1e-14)  # sums differ
        assert [each.time for each in found[-1].impacts] == [each.time for each in found[0].impacts]
    return found


def test_a_pile_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """States, channels and impacts of a pile, whether pairs are all listed or those that are near."""
    results = _compare(monkeypatch, lambda: dt.simulate(_pile(), 0.6, solver=dt.Moreau(1e-3), outputs=0.02))
    assert len(results[0].impacts) > 10


def test_fast_bodies_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shots by three times their size in a step at a thin plate: steps are cut, and none comes through."""
    results = _compare(
        monkeypatch,
        lambda: dt.simulate(_pile(6, plate=True), 0.1, solver=dt.Moreau(1e-3), outputs=0.005),
        WAYS[:2],  # a step that is cut, and lacks room on its way, forgets the impulses of the step before
    )
    assert "cut" in " ".join(results[0].stats.notes)
    for i in range(4):
        assert np.all(results[0][f"shot{i}.position"][:, 0] > 0.5)


def test_it_goes_on_bit_for_bit(tmp_path: Path, pairs: str) -> None:
    """A run that is resumed from its file is the run in one go, with a list of any room."""
    h = 2.0**-10  # so that no step is shortened by round-off
    once = dt.simulate(_pile(), 512 * h, solver=dt.Moreau(h), outputs=64 * h)
    half = dt.simulate(_pile(), 256 * h, solver=dt.Moreau(h), outputs=64 * h, out=tmp_path / "run.h5")
    assert half.ok
    whole = dt.resume(tmp_path / "run.h5", duration=512 * h)
    np.testing.assert_array_equal(whole.states[-1], once.states[-1])
    np.testing.assert_array_equal(whole["all.force"][-1], once["all.force"][-1])


def test_a_stepper_goes_back(pairs: str) -> None:
    """A stepper that is restored, to where its list had less room, goes the same way again."""
    stepper = dt.Stepper(_pile(), solver=dt.Moreau(1e-3))
    stepper.reset()
    for _ in range(100):
        stepper.step(1e-3)
    state = stepper.state
    ends: list[np.ndarray] = []
    for _ in range(2):
        stepper.restore(state)
        for _ in range(200):
            stepper.step(1e-3)
        ends.append(np.array(stepper.q))
    assert stepper.ok
    np.testing.assert_array_equal(ends[1], ends[0])


def test_events_restart_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events are located within steps with a list as without."""
    m = _pile(6)
    m.add_event("low", dt.Event("b5.position.z - 0.11", direction="falling"))
    results = _compare(monkeypatch, lambda: dt.simulate(m, 0.3, solver=dt.Moreau(1e-3), outputs=0.05))
    times = [[each.t for each in r.events] for r in results]
    assert len(times[0]) >= 1
    assert times[1] == times[0]
    assert times[2] == times[0]


def test_bodies_far_away_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stack that slides, and a ball that rolls, move beside a heap that falls 100 m away as they do alone."""
    _list(monkeypatch, "near pairs")

    def run(beside: bool) -> dt.Result:
        m = dt.Model("stack")
        m.ground.shapes.append(dt.Shape.plane())
        for i in range(3):
            body = m.add_body(f"b{i}", dt.Inertia.box(1.0, size=(0.3, 0.3, 0.1)), position=(0, 0, 0.05 + 0.1 * i))
            m.add_joint(f"j{i}", dt.Free(), m.ground, body, v0={"velocity": (1.0, 0.2, 0)})
        body = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 1, 0.15))
        m.add_joint("flies", dt.Free(), m.ground, body, v0={"velocity": (1.0, 0, 0)})
        for i in range(40 if beside else 0):
            body = m.add_body(f"far{i}", dt.Inertia.sphere(1.0, radius=0.1), position=(100.0, 0.01 * i, 0.3 + 0.25 * i))
            m.add_joint(f"far j{i}", dt.Free(), m.ground, body)
        m.add_contact("all", dt.RigidContact(friction=0.3), "all", "all")
        return dt.simulate(m, 0.6, solver=dt.Moreau(1e-3), outputs=0.05)

    alone, beside = run(False), run(True)
    assert alone.ok
    assert beside.ok
    assert len(beside.impacts) > 20
    for name in ("b0", "b1", "b2", "ball"):
        # iterations end for all islands at once, with errors of 1e-8 of 1 m/s in each of 600 steps
        np.testing.assert_allclose(beside[f"{name}.position"], alone[f"{name}.position"], rtol=0.0, atol=1e-8)


SCRIPT = """
import sys
import duoti as dt
kind, count = sys.argv[1], int(sys.argv[2])
m = dt.Model("many")
m.ground.shapes.append(dt.Shape.plane())
side = round((count / 10) ** 0.5)
for i in range(count):
    x, y, z = i % side, i // side % side, i // side // side
    inertia = dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)) if kind == "box" else dt.Inertia.sphere(1.0, radius=0.05)
    b = m.add_body(f"b{i}", inertia, position=(0.11 * x, 0.11 * y, 0.0499 + 0.11 * z))
    m.add_joint(f"j{i}", dt.Free(), m.ground, b)
m.add_contact("all", dt.RigidContact(friction=0.3), "all", "all")
r = dt.simulate(m, 0.002, solver=dt.Moreau(1e-3), outputs=1e-3)
assert r.ok, r.reason
assert r["all.gap"].shape == (3, 1) or r["all.gap"].shape == (3,)
lines = open("/proc/self/status").read().splitlines()  # of this program alone; ru_maxrss is that of the parent, too
print(int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024)
"""


@pytest.mark.parametrize(("kind", "count"), [("box", 1000), ("sphere", 5000)])
def test_memory_of_many_bodies(kind: str, count: int) -> None:
    """1 000 boxes and 5 000 spheres that may all touch each other take less than 1 GB; all pairs take 3 GB and more."""
    command = [sys.executable, "-c", SCRIPT, kind, str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.split()[-1]) < 1024.0
