"""Contacts of trees with the ground are solved along the paths of the tree: the same motion as by the general way."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import duoti as dt
from duoti.contact.event_driven.contact_states import STICK
from duoti.integrate.moreau.branch_problem import ENTRY
from duoti.integrate.moreau.solver import MoreauLoop
from duoti.integrate.state import CONTINUE

STEP, STEPS = 1e-3, 150


def walker(speed: float = 0.0, *, joint_friction: bool = False, static: float | None = None) -> dt.Model:
    """A trunk on three legs of two links each, one foot is a box; it lands on a slope and slides."""
    m = dt.Model("walker")
    trunk = m.add_body("trunk", dt.Inertia.box(5.0, size=(0.4, 0.3, 0.1)), position=(0, 0, 0.42))
    m.add_joint("free", dt.Free(), m.ground, trunk, v0=(speed, 0.3 * speed, 0, 0, 0, 2.0 * speed))
    floor = dt.Shape.plane(rotation=dt.Rotation.between("z", (0.05, 0.02, 1.0)))
    law = dt.RigidContact(friction=0.4, static_friction=static, restitution=0.3)
    for i, (x, y) in enumerate(((0.2, 0.1), (-0.2, 0.12), (0.0, -0.15))):
        upper = m.add_body(f"upper{i}", dt.Inertia.sphere(0.7, radius=0.05), position=(x, y, 0.35))
        lower = m.add_body(f"lower{i}", dt.Inertia.sphere(0.4, radius=0.04), position=(x, y, 0.1))
        m.add_joint(f"hip{i}", dt.Universal("x", "y"), trunk, upper, at=(x, y, 0.42))
        m.add_joint(f"knee{i}", dt.Revolute("y"), upper, lower, at=(x, y, 0.22))
        for k in range(2):
            m.add_force(f"hip{i}{k}", dt.JointSpring(f"hip{i}", 80.0, 1.0, coordinate=k))
        m.add_force(f"spring{i}", dt.JointSpring(f"knee{i}", 60.0, 0.5))
        if joint_friction:
            m.add_force(f"dry{i}", dt.JointFriction(f"knee{i}", constant=0.2))
        foot = dt.Shape.box((0.06, 0.05, 0.04), position=(0, 0, -0.06)) if i == 0 else dt.Shape.sphere(0.08)
        m.add_contact(f"foot{i}", law, m.ground, lower, shapes=(floor, foot))
    return m


@pytest.fixture
def loops(monkeypatch: pytest.MonkeyPatch) -> Callable[[dt.Model, bool], tuple[MoreauLoop, dt.Result]]:
    """Run a model along paths, or in the general way."""
    made: list[MoreauLoop] = []
    first = MoreauLoop.__init__

    def run(model: dt.Model, along: bool) -> tuple[MoreauLoop, dt.Result]:
        def init(loop: MoreauLoop, *arguments: object) -> None:
            first(loop, *arguments)  # pyright: ignore[reportArgumentType]
            assert loop.problem.paths.counts[0].possible == 1
            loop.problem.paths.counts[0].possible = int(along)
            made.append(loop)

        monkeypatch.setattr(MoreauLoop, "__init__", init)
        result = dt.simulate(model, STEP * STEPS, solver=dt.Moreau(step=STEP))
        return made[-1], result

    return run


@pytest.mark.parametrize(
    "kind", [{}, {"speed": 1.0}, {"speed": 0.3, "static": 0.6}, {"speed": 0.5, "joint_friction": True}]
)
def test_paths_and_general_way_agree(kind: dict[str, float], loops: Callable[..., tuple[MoreauLoop, dt.Result]]):
    """Each step is solved to 1e-8 of its velocities, here up to 2 m/s, and the errors of 150 steps may add up."""
    loop, r = loops(walker(**kind), True)
    general, s = loops(walker(**kind), False)
    for each in (r, s):
        assert each.ok
        assert not each.stats.notes
    assert loop.problem.counts[0].steps == general.problem.counts[0].steps > STEPS // 2  # with contacts
    bound = STEPS * 1e-8 * float(np.max(np.abs(s.v)))
    assert np.max(np.abs(r.v - s.v)) < bound
    assert np.max(np.abs(r.q - s.q)) < STEP * STEPS * bound
    assert not np.any(loop.matrix.mass)  # nothing was made of the whole tree
    assert np.any(general.matrix.mass)
    assert loop.memory.general[ENTRY] == 0  # the kernel of the general way was not even there
    assert general.memory.general[ENTRY] != 0  # it came in the step that first needed it, which was taken again
    assert r.stats.steps == s.stats.steps == STEPS


def test_one_factorisation_while_nothing_changes(monkeypatch: pytest.MonkeyPatch):
    """Feet that stick go on to do so: the impulses of a step are one linear problem, solved to round-off."""
    seen: list[tuple[list[int], int, float]] = []
    advance = MoreauLoop._advance

    def one_by_one(loop: MoreauLoop, most_steps: int) -> int:
        status = CONTINUE
        for _ in range(most_steps):
            counts = loop.problem.counts[0]
            before = int(counts.factors)
            status = advance(loop, 1)
            near = loop.problem.slot[: int(counts.points)]
            residual = float(counts.residual) / max(float(loop.memory.method[0].measure), 1e-300)
            seen.append((loop.memory.state[near].tolist(), int(counts.factors) - before, residual))
            if status != CONTINUE:
                break
        return status

    monkeypatch.setattr(MoreauLoop, "_advance", one_by_one)
    assert dt.simulate(walker(), STEP * STEPS, solver=dt.Moreau(step=STEP)).ok
    same = [here for first, second, here in zip(seen, seen[1:], seen[2:], strict=False)
            if first[0] == second[0] == here[0] and here[0] and set(here[0]) == {STICK}]  # fmt: skip
    assert len(same) > STEPS // 4
    assert all(factors <= 1 and residual < 1e-12 for _, factors, residual in same)


def test_bodies_that_touch_each_other_leave_the_paths(loops: Callable[..., tuple[MoreauLoop, dt.Result]]):
    """A ball on the trunk: while it lies there the general way is taken, with the same forces."""
    model = walker()
    ball = model.add_body("ball", dt.Inertia.sphere(0.5, radius=0.05), position=(0, 0, 0.53))
    model.add_joint("ball", dt.Free(), model.ground, ball)
    shapes = (dt.Shape.box((0.4, 0.3, 0.1)), dt.Shape.sphere(0.05))
    model.add_contact("lies", dt.RigidContact(friction=0.5), "trunk", ball, shapes=shapes)
    loop, r = loops(model, True)
    assert r.ok
    assert loop.problem.paths.counts[0].active == 0
    assert loop.memory.general[ENTRY] != 0
    _, s = loops(model, False)
    assert np.max(np.abs(r.v - s.v)) < STEPS * 1e-8 * float(np.max(np.abs(s.v)))
