"""Which solver `simulate` takes by default, and what says so: the choice, check, the summary, the documentation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.simulate.choose_solver import RULES, solver_table
from support.long_runs import hopper, pendulum

DOCS = Path(__file__).parents[2] / "docs"


def stones(count: int = 1, shape: Any = None, floor: Any = None, **law: Any) -> dt.Model:
    m = dt.Model("stones")
    for k in range(count):
        b = m.add_body(f"b{k}", dt.Inertia.sphere(1.0, radius=0.1), position=(k, 0, 0.5))
        m.add_joint(f"f{k}", dt.Free(), m.ground, b)
        m.add_contact(f"c{k}", dt.RigidContact(**law), m.ground, b,
                      shapes=(floor or dt.Shape.plane(), shape or dt.Shape.sphere(0.1)))  # fmt: skip
    return m


def beam_on_floor(touching: bool) -> dt.Model:
    m = dt.Model("beam")
    steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
    beam = m.add_beam(
        "beam", dt.Beam(dt.Section.circle(radius=0.01), steel), start=(0, 0, 0.2), end=(1, 0, 0.2), elements=2
    )
    m.add_joint("hold", dt.Fixed(), m.ground, beam.start, at=(0, 0, 0.2))
    if touching:
        m.add_contact("floor", dt.RigidContact(), m.ground, beam.end, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.01)))
    return m


def flexible() -> dt.Model:
    m = dt.Model("flexible")
    steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
    b = m.add_body("rod", dt.Flexible.from_beam(dt.Beam(dt.Section.circle(radius=0.01), steel), 1.0, 4, 2))
    m.add_joint("A", dt.Revolute("y"), m.ground, b, at=(0, 0, 0))
    return m


def compliant() -> dt.Model:
    m = stones()
    m.contacts["c0"].law = dt.CompliantContact(stiffness=1e5)
    return m


BOX = dt.Shape.box((0.1, 0.1, 0.1))
TERRAIN = dt.Shape.heightfield([[0.0, 0.0, 0.0], [0.0, 0.05, 0.0], [0.0, 0.0, 0.0]], (2.0, 2.0))
CASES: dict[str, tuple[Any, dict[str, Any], Any]] = {
    "smooth": (pendulum, {}, dt.DOPRI5()),
    "smooth, auto": (pendulum, {"solver": "auto"}, dt.Auto()),
    "tolerances": (pendulum, {"rtol": 1e-6}, dt.DOPRI5(rtol=1e-6)),
    "constraint method": (flexible, {"constraints": dt.Baumgarte()}, dt.DOPRI5()),
    "few contacts": (stones, {}, dt.DOPRI5()),
    "few contacts, tolerances": (stones, {"atol": 1e-7}, dt.DOPRI5(atol=1e-7)),
    "many contacts": (lambda: stones(17), {}, dt.Moreau(1e-3)),
    "many contacts, tolerances": (lambda: stones(17), {"rtol": 1e-6}, dt.DOPRI5(rtol=1e-6)),
    "faces": (lambda: stones(1, BOX, dt.Shape.box((1, 1, 0.1))), {}, dt.Moreau(1e-3)),
    "points that jump": (lambda: stones(1, None, TERRAIN), {}, dt.Moreau(1e-3)),
    "few contacts, stiff at the start": (hopper, {}, dt.Auto()),
    "beams": (lambda: beam_on_floor(False), {}, dt.Auto(rtol=1e-4, atol=1e-6)),
    "beams, tolerances": (lambda: beam_on_floor(False), {"rtol": 1e-7}, dt.Auto(rtol=1e-7, atol=1e-6)),
    "beams that touch": (lambda: beam_on_floor(True), {}, dt.Auto(rtol=1e-3, atol=1e-6)),
    "flexible": (flexible, {}, dt.Auto()),
    "named": (stones, {"solver": "rodas"}, dt.Rodas()),
}


@pytest.mark.parametrize("name", CASES)
def test_the_choice(name: str) -> None:
    make, given, solver = CASES[name]
    choice = dt.choose_solver(make(), 1.0, **given)
    assert choice.solver == solver
    assert choice.reasons
    assert choice.given == (name == "named")


def test_compliant_contacts_bound_the_step() -> None:
    choice = dt.choose_solver(compliant(), 1.0)
    assert isinstance(choice.solver, dt.Auto)
    assert 0.0 < choice.solver.max_step < 0.1
    assert "no shape passes another" in choice.reasons[-1]
    assert dt.choose_solver(compliant(), 1.0, dt.Radau()).solver == dt.Radau()


@pytest.mark.parametrize("make", [pendulum, stones, lambda: stones(17), flexible, compliant])
def test_a_run_takes_what_is_chosen_and_says_why(make: Any, tmp_path: Path) -> None:
    choice = dt.choose_solver(make(), 0.02)
    path = tmp_path / "run.h5"
    for r in (dt.simulate(make(), 0.02), dt.simulate(make(), 0.02, out=path, progress=False), dt.open_result(path)):
        assert r.stats.solver == repr(choice.solver)
        assert r.stats.chosen == choice.reasons
        assert choice.reasons[0] in r.summary()
    assert choice.reasons[0] in str(dt.check(make()))
    assert dt.simulate(make(), 0.02, solver=choice.solver).stats.chosen == ()


def test_the_documentation_has_the_table() -> None:
    """docs/guide/simulate/solvers.md shows the rules as they are; the rules cover every model."""
    assert solver_table() in (DOCS / "guide/simulate/solvers.md").read_text()
    assert RULES[-1].applies(None)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("impact", ["stronge", "poisson"])
def test_laws_of_impact_that_time_stepping_has_not(impact: str) -> None:
    """Newton's law in their place is noted and warned of; nothing is said where the law is kept or has no effect."""
    faces = stones(1, BOX, dt.Shape.box((1, 1, 0.1)), restitution=0.5, impact=impact)
    said = f'impact="{impact}" of contact "c0" becomes Newton\'s law of impact'
    for solver in (None, dt.Moreau(1e-3)):
        assert any(said in note for note in dt.simulate(faces, 0.01, solver=solver).stats.notes)
    warned = [f for f in dt.check(faces).warnings if f.code == "impact-law"]
    assert len(warned) == 1
    assert said in warned[0].what
    for quiet in (
        stones(1, restitution=0.5, impact=impact),  # event-driven
        stones(1, BOX, dt.Shape.box((1, 1, 0.1)), restitution=0.0, impact=impact),
        stones(1, BOX, dt.Shape.box((1, 1, 0.1)), restitution=0.5),
    ):
        assert not any("Newton's law" in note for note in dt.simulate(quiet, 0.01).stats.notes)
        assert not [f for f in dt.check(quiet).warnings if f.code == "impact-law"]


@pytest.mark.parametrize("impact", ["stronge", "poisson"])
def test_laws_of_impact_without_rebound(impact: str) -> None:
    """With friction they differ from Newton's law where sliding reverses; `solve_impact` shows one such impact."""
    W, u = np.array([[1.0, 0.8], [0.8, 0.9]]), np.array([-1.0, -0.3])
    after = [dt.contact.solve_impact(W, u, 0.3, 0.0, law=law, dimension=2).u for law in ("newton", impact)]
    assert abs(after[0] - after[1]).max() > 0.01
    faces = stones(1, BOX, dt.Shape.box((1, 1, 0.1)), friction=0.3, impact=impact)
    assert any("becomes Newton's law of impact" in note for note in dt.simulate(faces, 0.01).stats.notes)
    assert [f.code for f in dt.check(faces).warnings] == ["impact-law"]


@pytest.mark.parametrize("impact", ["stronge", "poisson"])
def test_laws_of_impact_in_the_fallback(impact: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event-driven run that cannot go on is followed by time stepping, which has Newton's law: notes, summary."""
    from duoti.contact.event_driven.engine import ContactEngine
    from duoti.contact.event_driven.records import ContactError

    def lost(*_: Any) -> None:
        raise ContactError("no motion was found")

    monkeypatch.setattr(ContactEngine, "fired", lost)
    r = dt.simulate(stones(1, restitution=0.5, impact=impact), 0.4)
    assert r.ok
    assert "time stepping instead" in r.stats.notes[0]
    said = f'impact="{impact}" of contact "c0" becomes Newton\'s law of impact'
    assert any(said in note for note in r.stats.notes)
    assert said in r.summary()


def boom() -> dt.Model:
    """A flexible boom that swings a load on a rope, which goes slack and taut some times a second."""
    steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
    beam = dt.Beam(dt.Section.tube(outer_radius=0.15, inner_radius=0.14), steel)
    m = dt.Model("boom with rope")
    b = m.add_body("boom", dt.Flexible.from_beam(beam, length=6.0, elements=12, modes=6, damping_ratio=0.3))
    m.add_joint("foot", dt.Revolute("y"), m.ground, b, at=(0, 0, 0))
    m.add_force("luff", dt.JointSpring("foot", 2e5, damping=2e3))
    tip = m.add_marker("tip", b, interface="end")
    load = m.add_body("load", dt.Inertia.sphere(30.0, radius=0.2), position=(6.0, 0, -2.0))
    m.add_joint("lift", dt.Free(), m.ground, load)
    m.add_force("rope", dt.Rope([tip, load], stiffness=3e5, damping=5e3, rest_length=2.0))
    m.add_force("bounce", dt.AppliedForce(load, (0, 0, "360*sin(6*t)")))
    return m


def test_auto_does_not_change_at_every_kink() -> None:
    """39 changes before there was hysteresis; a rope that comes taut makes steps short for a moment only."""
    auto, radau = dt.simulate(boom(), 6.0, outputs=0.1), dt.simulate(boom(), 6.0, outputs=0.1, solver=dt.Radau())
    assert auto.ok
    changes = [note for note in auto.stats.notes if note.startswith("t = ")][1:]
    assert 1 <= len(changes) <= 10
    assert auto.stats.steps < 1.1 * radau.stats.steps  # as many, but for looks in between
    assert abs(auto["tip.position"] - radau["tip.position"]).max() < 1e-6
    about = [line for line in auto.summary().splitlines() if "Radau (" in line or ": DOPRI5" in line]
    assert len(about) <= 3  # the first and the last of each kind, with their number
    assert any(" times, the last: t = " in line for line in about)


def test_algebraic_states_run_by_default() -> None:
    """An explicit solver would be refused."""
    m = pendulum()
    m.add_state("u", "1 - u", algebraic=True)
    r = dt.simulate(m, 0.02)
    assert r.ok
    assert r["u"][-1] == pytest.approx(1.0)
