"""Which entries evaluate a system, and who calls whom."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import duoti as dt
from duoti.contact.event_driven.engine import contact_stage, friction_beside_contacts
from duoti.dynamics.evaluation import Stage, address, link, stages_of
from duoti.dynamics.joint_friction.installation import joint_friction_of
from duoti.dynamics.loops.constraint_methods import NullSpace, Projection
from duoti.dynamics.reaction_feedback.installation import FEEDBACK_CALLS
from duoti.dynamics.workspace import add_residual, new_workspace
from duoti.elements.joint_friction_memory import JOINT_FRICTION_CALLS
from duoti.kernel import record_dtype


def pendulum(friction: bool = False) -> dt.Model:
    m = dt.Model("pendulum")
    m.add_body("b", dt.Inertia(1.0, matrix=0.1 * np.eye(3)), position=(0.5, 0, 0))
    m.add_joint("j", dt.Revolute("y"), m.ground, "b", at=(0, 0, 0))
    if friction:
        m.add_force("f", dt.JointFriction("j", constant=0.1))
    return m


def test_a_stage_with_a_record_is_around_those_before_it():
    inner = Stage("inner", {"ydot": "r0", "algebraic": "a0"})
    friction = Stage("friction", {"ydot": "r1", "project": "p1"}, JOINT_FRICTION_CALLS, None, {"residual": "plain"})
    feedback = Stage("feedback", {"ydot": "r2", "algebraic": "a2"}, FEEDBACK_CALLS)
    found = link([inner, friction, feedback])
    assert found.outermost == {"ydot": "r2", "algebraic": "a2"}  # nothing inside has `project`
    calls = {(stage.name, name): entry for stage, name, entry in found.inner}
    assert calls == {
        ("friction", "residual"): "plain", ("friction", "ydot"): "r0", ("feedback", "ydot"): "r1",
    }  # fmt: skip


def test_a_stage_without_a_record_takes_the_place_of_others():
    found = link([Stage("tree", {"ydot": "r0", "states": "s0"}), Stage("contacts", {"ydot": "r1", "events": "e1"})])
    assert found.outermost == {"ydot": "r1", "states": "s0", "events": "e1"}
    assert not found.inner


@pytest.mark.parametrize("friction", [False, True])
def test_stages_are_chosen_in_order(friction: bool):
    system = dt.compile(pendulum(friction))
    names = [stage.name for stage in stages_of(system, Projection())]
    assert names == ["bare system", "joint friction"][: 1 + friction]
    contacts = [contact_stage(), friction_beside_contacts()][: 1 + friction]
    names = [stage.name for stage in stages_of(system, Projection(), contacts=contacts)]
    assert names == ["bare system", "contacts", "joint friction beside contacts"][: 2 + friction]


def test_addresses_of_a_workspace_are_those_of_the_stages():
    from duoti.dynamics.joint_friction.rates import joint_friction_ydot_entry
    from duoti.dynamics.joint_friction.residual import joint_friction_residual_entry
    from duoti.dynamics.loops.residual import residual_entry

    system = dt.compile(pendulum(friction=True))
    work: Any = new_workspace(system, ydot=True)
    bare = stages_of(system, Projection())[0].entries
    assert work.calls[0].ydot == address(joint_friction_ydot_entry)
    assert joint_friction_of(work).calls[0].ydot == address(bare["ydot"])
    assert work.calls[0].residual == 0
    for _ in range(2):  # as often as one likes: no stage is put around itself
        add_residual(work)
        assert work.calls[0].residual == address(joint_friction_residual_entry)
        assert joint_friction_of(work).calls[0].residual == address(residual_entry)
        assert work.calls[0].ydot == address(joint_friction_ydot_entry)


def test_constraint_methods_name_their_entries():
    from duoti.dynamics.loops.constraint_methods.reduced import reduced_project_entry, reduced_ydot_entry
    from duoti.dynamics.loops.projection import constrained_ydot_entry, project_entry

    assert (Projection().ydot_entry(), Projection().project_entry()) == (constrained_ydot_entry, project_entry)
    assert (NullSpace().ydot_entry(), NullSpace().project_entry()) == (reduced_ydot_entry, reduced_project_entry)
    assert dt.Baumgarte().project_entry() is None


def test_entries_of_arrays_of_records_are_views():
    kind = record_dtype("OfThisTest", count=int, share=float, size=float)
    assert record_dtype("OfThisTest", count=int, share=float, size=float) is kind
    array: Any = np.zeros(2, kind)
    array[1].count, array[1].share, array[1].size = 3, 0.5, 7.0
    assert (array[1].count, array[1].share, array["size"].tolist()) == (3, 0.5, [0.0, 7.0])
    assert array[1].size == 1  # NumPy's own, as for `np.record`
    with pytest.raises(AttributeError):
        array[0].cuont = 1
    with pytest.raises(TypeError, match="other fields"):
        record_dtype("OfThisTest", count=int)


def four_bar() -> dt.Model:
    m = dt.Model("four-bar")
    points = {"a": ((0, 0, 0), (0, 0, 1)), "b": ((0, 0, 1), (2, 0, 1)), "c": ((2, 0, 1), (2, 0, 0))}
    for name, (start, end) in points.items():
        middle = 0.5 * (np.array(start) + np.array(end))
        m.add_body(name, dt.Inertia(1.0, matrix=0.1 * np.eye(3)), position=middle)
    chain = [m.ground, "a", "b", "c", m.ground]
    for k, at in enumerate([(0, 0, 0), (0, 0, 1), (2, 0, 1), (2, 0, 0)]):
        m.add_joint(f"j{k}", dt.Revolute("y"), chain[k], chain[k + 1], at=at)
    return m


def test_only_entries_that_are_called_are_built():
    """The motion with contacts has its own rates; passages of singular positions are for loops without contacts."""
    from duoti.dynamics.loops.equations import constraints_entry, equations_entry
    from duoti.dynamics.loops.projection import constrained_ydot_entry, pass_singular_entry, project_entry
    from duoti.dynamics.tree.forward import ydot_entry

    def entries(model, **more):
        return link(stages_of(dt.compile(model), Projection(), **more)).entries()

    assert entries(pendulum()) == [ydot_entry]
    loops = {constrained_ydot_entry, project_entry, equations_entry, constraints_entry, pass_singular_entry}
    assert set(entries(four_bar())) == loops
    for model in (pendulum(), four_bar()):
        assert set(entries(model, contacts=[contact_stage()])) == set(contact_stage().entries.values())


def test_one_kernel_contains_the_equations_of_motion_with_constraints():
    """Constraint methods, contacts, joint friction and projections call them by address."""
    from duoti.contact.event_driven import smooth_motion as flow
    from duoti.contact.joint_friction import smooth_motion as with_friction
    from duoti.dynamics.joint_friction import held_projection as holding
    from duoti.dynamics.loops import equations
    from duoti.dynamics.loops import projection as closing
    from duoti.dynamics.loops.constraints import closure_jacobian
    from duoti.dynamics.tree.rnea import rnea_inward
    from duoti.kernel import JIT
    from duoti.kernel.store.cache_keys import parts_of

    if not JIT:
        pytest.skip("about compiled kernels")
    assert {rnea_inward, closure_jacobian} <= set(parts_of(equations.equations_entry))
    callers = [
        closing.constrained_ydot_entry, closing.project_entry, closing.pass_singular_entry,
        flow.contact_ydot_entry, flow.contact_project_entry, with_friction.joint_friction_contact_project_entry,
        holding.joint_friction_project_entry, NullSpace().ydot_entry(),
    ]  # fmt: skip
    for each in callers:
        assert rnea_inward not in parts_of(each), each
