"""Event-driven runs with rigid contacts in files: written on the way, resumed bit for bit, with their reactions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.simulate.driver import Simulation
from support.long_runs import hopper
from support.same import same

# pyright: reportPrivateUsage=false

PLANE = dt.Shape.plane()


def thrown() -> dt.Model:
    """A ball that bounces, slides and rolls; another that it meets; an event of the model."""
    m = dt.Model("thrown")
    first = m.add_body("first", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.3))
    second = m.add_body("second", dt.Inertia.sphere(0.5, radius=0.1), position=(0.8, 0.02, 0.1))
    m.add_joint("f", dt.Free(), m.ground, first, v0={"velocity": (1.5, 0, 0), "angular_velocity": (0, 0, 3.0)})
    m.add_joint("s", dt.Free(), m.ground, second)
    law = dt.RigidContact(friction=0.3, restitution=0.5)
    ball = dt.Shape.sphere(0.1)
    m.add_contact("floor", law, m.ground, first, shapes=(PLANE, ball))
    m.add_contact("second on floor", law, m.ground, second, shapes=(PLANE, ball))
    m.add_contact("meet", dt.RigidContact(restitution=0.8), first, second, shapes=(ball, ball))
    m.add_event("half way", dt.Event("f.position.x - 0.4", direction="rising"))
    return m


def rocking() -> dt.Model:
    """A box that tips over an edge and slides, on a post that is welded to it: reactions of a weld."""
    m = dt.Model("rocking")
    box = m.add_body("box", dt.Inertia.box(2.0, size=(0.2, 0.2, 0.4)), position=(0, 0, 0.25))
    top = m.add_body("top", dt.Inertia.sphere(0.2, radius=0.05), position=(0, 0, 0.5))
    m.add_joint("f", dt.Free(), m.ground, box, v0={"velocity": (0.6, 0, 0), "angular_velocity": (0, 1.0, 0)})
    m.add_joint("weld", dt.Fixed(), box, top)
    m.add_contact("floor", dt.RigidContact(friction=0.4, restitution=0.2), m.ground, box,
                  shapes=(PLANE, dt.Shape.box((0.2, 0.2, 0.4))))  # fmt: skip
    return m


def rolling() -> dt.Model:
    """A ball that resists rolling and drilling, and comes to rest."""
    m = dt.Model("rolling")
    ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.1))
    m.add_joint("f", dt.Free(), m.ground, ball, v0={"velocity": (0.5, 0, 0), "angular_velocity": (0, 2.0, 3.0)})
    law = dt.RigidContact(friction=0.5, rolling_friction=0.01, torsional_friction=0.01)
    m.add_contact("floor", law, m.ground, ball, shapes=(PLANE, dt.Shape.sphere(0.1)))
    return m


def stiff_leg() -> dt.Model:
    """A wheel and a body with a hard strut between them: Auto goes over to Rodas."""
    m = dt.Model("stiff leg")
    wheel = m.add_body("wheel", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.3))
    body = m.add_body("body", dt.Inertia.box(5.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.8))
    m.add_joint("rail", dt.Prismatic("z"), m.ground, wheel)
    m.add_joint("strut", dt.Prismatic("z"), wheel, body)
    m.add_force("leg", dt.SpringDamper(wheel, body, stiffness=1e6, damping=1e6, rest_length=0.5))
    m.add_contact("floor", dt.RigidContact(restitution=0.4), m.ground, wheel, shapes=(PLANE, dt.Shape.sphere(0.1)))
    return m


RUNS: dict[str, tuple[Any, dict[str, Any], tuple[str, ...]]] = {
    "thrown": (thrown, {"duration": 1.2, "outputs": 0.01}, ("floor.force", "meet.force", "first.acceleration")),
    "at steps": (thrown, {"duration": 0.6, "outputs": "steps"}, ("floor.force",)),
    "rocking": (rocking, {"duration": 1.0, "outputs": 0.01}, ("floor.force", "weld.reaction_force")),
    "rolling": (rolling, {"duration": 0.8, "outputs": 0.01}, ("floor.force",)),
    "joint friction": (
        hopper, {"duration": 1.5, "outputs": 0.01, "solver": dt.DOPRI5()},
        ("floor.force", "mast.reaction_force", "hip_rub.torque"),
    ),
    "Auto": (stiff_leg, {"duration": 0.3, "outputs": 0.01}, ("floor.force", "rail.reaction_force")),
}  # fmt: skip


def interrupted(path: Path, make: Any, settings: dict[str, Any], after: int) -> int:
    """Run with a checkpoint at each look, and interrupt it after so many; returns how many there were."""
    original, calls = Simulation._checkpoint, [0]

    def stopping(self: Simulation) -> None:
        original(self)
        calls[0] += 1
        if calls[0] > after:
            raise KeyboardInterrupt

    Simulation._checkpoint = stopping  # pyright: ignore[reportAttributeAccessIssue]
    try:
        found = dt.simulate(make(), **settings, out=path, checkpoint=0.0, progress=False)
    finally:
        Simulation._checkpoint = original  # pyright: ignore[reportAttributeAccessIssue]
    assert found.status == ("interrupted" if calls[0] > after else "finished")
    return calls[0]


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("after", [0.2, 0.8])
def test_a_resumed_run_ends_as_if_nothing_had_happened(tmp_path: Path, name: str, after: float) -> None:
    make, settings, channels = RUNS[name]
    whole = dt.simulate(make(), **settings)
    assert whole.ok
    assert whole.contact_states is not None
    assert len(whole.contact_states) > 3  # something happens
    path = tmp_path / "run.h5"
    looks = interrupted(tmp_path / "whole.h5", make, settings, 1_000_000)
    interrupted(path, make, settings, int(after * looks))
    left = dt.open_result(path)
    assert left.status == "interrupted"
    resumed = dt.resume(path, progress=False)
    assert same(whole, resumed)
    assert [repr(each) for each in whole.impacts] == [repr(each) for each in resumed.impacts]
    assert whole.stats.chosen == resumed.stats.chosen
    for channel in channels:
        assert np.array_equal(whole[channel], resumed[channel]), channel


@pytest.mark.parametrize("name", ["rocking", "joint friction"])
def test_reactions_survive_files(tmp_path: Path, name: str) -> None:
    """Saved, copied from file to file, and written on the way: the same forces, accelerations and reactions."""
    make, settings, channels = RUNS[name]
    whole = dt.simulate(make(), **settings)
    whole.save(tmp_path / "saved.h5")
    dt.open_result(tmp_path / "saved.h5").save(tmp_path / "copied.h5")
    dt.simulate(make(), **settings, out=tmp_path / "streamed.h5", progress=False)
    for file in ("saved", "copied", "streamed"):
        found = dt.open_result(tmp_path / f"{file}.h5")
        for channel in channels:
            assert np.array_equal(whole[channel], found[channel]), (file, channel)
        assert np.array_equal(whole.energy.residual, found.energy.residual)
        assert dt.energy_flow(found).residual.shape == dt.energy_flow(whole).residual.shape


def test_a_run_is_made_longer(tmp_path: Path) -> None:
    """Up to the first end as it was; after it the contacts go on as they were."""
    path = tmp_path / "run.h5"
    dt.simulate(thrown(), 0.5, outputs=0.01, out=path, progress=False)
    longer = dt.resume(path, duration=1.0, progress=False)
    assert longer.ok
    assert longer.t[-1] == pytest.approx(1.0, abs=1e-12)
    whole = dt.simulate(thrown(), 1.0, outputs=0.01)
    assert len(longer.impacts) == len(whole.impacts)
    # the end of the first run is a step of its own: the same motion to the solver's accuracy
    np.testing.assert_allclose(longer["first.position"][-1], whole["first.position"][-1], atol=1e-6)


def test_a_file_of_another_kind_says_so(tmp_path: Path) -> None:
    """`checkpoint=` has an effect with event-driven impacts, and none without a file."""
    with pytest.raises(ValueError, match="give out="):
        dt.simulate(thrown(), 0.1, checkpoint=1.0)
    r = dt.simulate(thrown(), 0.1, checkpoint=1.0, out=tmp_path / "run.h5", progress=False)
    assert r.ok
    assert not any("cannot be resumed" in note for note in r.stats.notes)


def test_the_fallback_writes_its_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where impacts cannot be located, the file is that of time stepping; where that fails too, of the first run."""
    from duoti.contact.event_driven.engine import ContactEngine
    from duoti.contact.event_driven.records import ContactError
    from duoti.integrate.moreau.solver import MoreauLoop

    def lost(self: ContactEngine, *arguments: Any) -> None:
        raise ContactError("no impact can be solved here")

    monkeypatch.setattr(ContactEngine, "_impact", lost)
    monkeypatch.setattr("duoti.contact.event_driven.engine.ordinary", lambda engine: None)
    path = tmp_path / "run.h5"
    r = dt.simulate(thrown(), 0.5, outputs=0.01, out=path, progress=False)
    assert r.ok
    assert "Moreau" in r.stats.solver
    assert "time stepping instead" in r.stats.notes[0]
    assert dt.open_result(path).stats.solver == r.stats.solver
    assert r["floor.force"].shape == (51, 3)
    assert [each.name for each in tmp_path.iterdir() if "lock" not in each.name] == ["run.h5"]
    monkeypatch.setattr(MoreauLoop, "unsolved", "nothing is solved")
    with pytest.warns(dt.errors.SimulationWarning, match="no impact can be solved here"):
        failed = dt.simulate(thrown(), 0.5, outputs=0.01, out=path, progress=False)
    assert not failed.ok
    assert "DOPRI5" in dt.open_result(path).stats.solver
