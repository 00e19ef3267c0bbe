"""Which entries evaluate a system: the stages of an evaluation, innermost first.

    bare system          bodies, joints, forces: a tree, closed loops (by the constraint method), flexible bodies
    contacts             rigid contacts in their states, in an event-driven run; from `duoti.contact`
    joint friction       friction and rigid stops in joints; calls the stages inside it (`jf.calls`)
    reaction feedback    laws that read reactions; calls the stages inside it (`FeedbackData.calls`)

`stages_of` chooses them for a system, `link` says who calls whom, `install` puts the addresses into a workspace.
Modules with entries are imported when a system needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from duoti.dynamics.joint_friction.installation import has_joint_friction, joint_friction_of
from duoti.dynamics.loops.constraint_methods import ConstraintMethod
from duoti.dynamics.reaction_feedback.installation import FEEDBACK_CALLS, feedback_of, has_reaction_feedback
from duoti.dynamics.tree.short_cuts import is_static, only_graph_states, only_in_planes, only_points
from duoti.elements.joint_friction_memory import JOINT_FRICTION_CALLS
from duoti.kernel import entry_address
from duoti.system.arrays import Work, by_mass_matrix
from duoti.system.flexible_arrays import elimination_pays
from duoti.system.system import System

address: Callable[[Any], int] = cache(entry_address)
"""Address of an entry, compiled or loaded the first time it is needed."""


class Stage(NamedTuple):
    """Entries that evaluate a system, or that add something to the stages inside them."""

    name: str
    entries: Mapping[str, Any]  # by the fields of `system.arrays.CALLS`
    calls: Any = None  # type of the record with the addresses of what these entries call, if they call others ...
    memory: Callable[[Work], Any] | None = None  # ... and that record in a workspace
    needs: Mapping[str, Any] = {}  # entries in that record that do not follow from the stages inside


class Links(NamedTuple):
    """Who calls whom: entries by the fields of `CALLS`, and those that stages call."""

    outermost: dict[str, Any]
    inner: list[tuple[Stage, str, Any]]

    def entries(self) -> list[Any]:
        """All of them."""
        return [*self.outermost.values(), *(entry for _, _, entry in self.inner)]

    def addresses(self) -> Addresses:
        """The same by address."""
        inner = [(stage.memory, name, address(entry)) for stage, name, entry in self.inner]
        return Addresses([(name, address(entry)) for name, entry in self.outermost.items()], inner)


class Addresses(NamedTuple):
    """What is written into a workspace, and into the memory of the stages that call others."""

    outermost: list[tuple[str, int]]
    inner: list[tuple[Any, str, int]]

    def install(self, work: Work) -> None:
        """Write them."""
        for name, at in self.outermost:
            work.calls[name] = at
        for memory, name, at in self.inner:
            memory(work)[name] = at


def stages_of(
    system: System,
    constraints: ConstraintMethod,
    ydot: bool = True,
    derivatives: bool = False,
    contacts: Sequence[Stage] = (),
) -> list[Stage]:
    """How a system is evaluated.

    rates: also dy/dt, for solvers; derivatives: also those of the equations of motion; contacts: the stages of an
    event-driven engine, in place of joint friction and reaction feedback.
    """
    bare = {**_prescribed(system), **(_algebraic(system) if ydot else {})}
    bare |= derivative_entries(system) if derivatives else {}
    if contacts:  # they have the motion
        return [Stage("bare system", bare), *contacts]
    bare |= _motion(system, constraints) if ydot else {}
    return [Stage("bare system", bare), *_around(has_joint_friction(system), ydot and has_reaction_feedback(system))]


def link(stages: Iterable[Stage]) -> Links:
    """A stage with a record for what it calls is around those before it; another one takes their place."""
    links = Links({}, [])
    for stage in stages:
        links.inner.extend((stage, name, entry) for name, entry in stage.needs.items())
        for name, entry in stage.entries.items():
            if stage.calls is not None:
                if name not in links.outermost:
                    continue
                if name in stage.calls.names:
                    links.inner.append((stage, name, links.outermost[name]))
            links.outermost[name] = entry
    return links


_KNOWN: WeakKeyDictionary[System, dict[Any, Addresses]] = WeakKeyDictionary()


def install(system: System, work: Work, constraints: ConstraintMethod, ydot: bool, contacts: Sequence[Stage]) -> None:
    """The stages of a system into a workspace; what was found for the last one of the same kind is used again."""
    known, kind = _KNOWN.setdefault(system, {}), (type(constraints), ydot, *(stage.name for stage in contacts))
    if kind not in known:
        known[kind] = link(stages_of(system, constraints, ydot, contacts=contacts)).addresses()
    known[kind].install(work)


def install_more(work: Work, **entries: Any) -> None:
    """Further entries of the bare system by the fields of `CALLS`, within the other stages of a workspace."""
    at = work.at[0]
    _more(tuple(entries.items()), bool(at.joint_friction), bool(at.reaction_feedback)).install(work)


@cache
def _more(entries: tuple[tuple[str, Any], ...], friction: bool, feedback: bool) -> Addresses:
    return link([Stage("bare system", dict(entries)), *_around(friction, feedback)]).addresses()


def _around(friction: bool, feedback: bool) -> list[Stage]:
    return [*([joint_friction()] if friction else []), *([reaction_feedback()] if feedback else [])]


# ------------------------------------------------------------------------------------------------ the bare system


def _rates(system: System, constraints: ConstraintMethod) -> Any:
    """The entry for dy/dt of the bare system."""
    tree = system.tree
    if system.closures.rows:
        return constraints.ydot_entry()
    if by_mass_matrix(tree):
        if elimination_pays(tree, system.flex):
            from duoti.dynamics.flexible.aba import flexible_ydot_entry

            return flexible_ydot_entry
        from duoti.dynamics.loops.projection import constrained_ydot_entry

        return constrained_ydot_entry
    if only_in_planes(tree):
        from duoti.dynamics.tree.short_cuts import planar_ydot_entry

        return planar_ydot_entry
    if is_static(tree):
        from duoti.dynamics.tree.short_cuts import static_ydot_entry

        return static_ydot_entry
    if only_points(tree):
        from duoti.dynamics.tree.short_cuts import point_mass_ydot_entry

        return point_mass_ydot_entry
    from duoti.dynamics.tree.forward import ydot_entry

    return ydot_entry


def _motion(system: System, constraints: ConstraintMethod) -> dict[str, Any]:
    """What solvers call."""
    found = {"ydot": _rates(system, constraints)}
    if system.closures.rows or by_mass_matrix(system.tree):
        from duoti.dynamics.loops.equations import equations_entry

        found["equations"] = equations_entry
    if system.closures.rows:
        from duoti.dynamics.loops.equations import constraints_entry
        from duoti.dynamics.loops.projection import pass_singular_entry

        found |= {"constraints": constraints_entry, "pass_singular": pass_singular_entry}
        if (project := constraints.project_entry()) is not None:
            found["project"] = project
    if len(system.loads.laws.event_law):
        from duoti.dynamics.events import events_entry

        found["events"] = events_entry
    return found


def _algebraic(system: System) -> dict[str, Any]:
    """What makes algebraic states consistent, if there are any."""
    if not system.tree.nz or system.loads.laws.state_mass.all():
        return {}
    from duoti.dynamics.tree.states import algebraic_entry

    return {"algebraic": algebraic_entry}


def _prescribed(system: System) -> dict[str, Any]:
    """What other kernels call: prescribed values of constraints, rates of first-order states."""
    found: dict[str, Any] = {}
    if system.closures.timed:
        from duoti.dynamics.loops.constraints import values_entry

        found["values"] = values_entry
    if system.tree.nz:
        if only_graph_states(system.loads):
            from duoti.dynamics.tree.short_cuts import no_states_entry

            found["states"] = no_states_entry
        else:
            from duoti.dynamics.tree.states import states_entry

            found["states"] = states_entry
    return found


def derivative_entries(system: System, acceleration_rows: bool = False) -> dict[str, Any]:
    """Equations of motion with given accelerations, and their derivatives."""
    from duoti.dynamics.derivatives.linearise import linearise_entry
    from duoti.dynamics.loops.residual import residual_entry

    found = {"linearise": linearise_entry, "residual": residual_entry}
    if system.tree.nz:
        from duoti.dynamics.derivatives.forces import state_tangents_entry

        found["state_tangents"] = state_tangents_entry
    if acceleration_rows and system.closures.rows:
        from duoti.dynamics.derivatives.constraints import acceleration_rows_entry

        found["acceleration_rows"] = acceleration_rows_entry
    return found


def install_complex(system: System, work: Work) -> None:
    """What a workspace for complex steps needs: it has no rates of a whole state."""
    if system.closures.timed:
        raise NotImplementedError(
            "prescribed motions have no complex values; `dynamics.derivatives.by_parameters` has them"
        )
    if not system.tree.nz:
        return
    if only_graph_states(system.loads):
        from duoti.dynamics.tree.short_cuts import complex_no_states_entry

        work.calls[0].states = address(complex_no_states_entry)
    else:
        from duoti.dynamics.tree.states import complex_states_entry

        work.calls[0].states = address(complex_states_entry)


# ---------------------------------------------------------------------------------------------- what is around it


@cache
def joint_friction() -> Stage:
    """Friction and rigid stops in joints, by their states."""
    from duoti.dynamics.joint_friction.events import joint_friction_events_entry
    from duoti.dynamics.joint_friction.held_projection import joint_friction_project_entry
    from duoti.dynamics.joint_friction.rates import joint_friction_ydot_entry
    from duoti.dynamics.joint_friction.residual import (
        joint_friction_given_multipliers_entry,
        joint_friction_linearise_entry,
        joint_friction_residual_entry,
    )
    from duoti.dynamics.loops.residual import residual_entry

    entries = {
        "ydot": joint_friction_ydot_entry,
        "residual": joint_friction_residual_entry,
        "events": joint_friction_events_entry,
        "linearise": joint_friction_linearise_entry,
        "given_multipliers": joint_friction_given_multipliers_entry,
        "project": joint_friction_project_entry,
    }
    return Stage("joint friction", entries, JOINT_FRICTION_CALLS, friction_calls, {"residual": residual_entry})


def friction_calls(work: Work) -> Any:
    """What entries of joint friction call."""
    return joint_friction_of(work).calls


@cache
def reaction_feedback() -> Stage:
    """Reactions and multipliers that laws read."""
    from duoti.dynamics.loops.residual import residual_entry
    from duoti.dynamics.reaction_feedback import rates as feedback

    entries = {
        "ydot": feedback.feedback_ydot_entry,
        "residual": feedback.feedback_residual_entry,
        "events": feedback.feedback_events_entry,
        "algebraic": feedback.feedback_algebraic_entry,
    }
    return Stage("reaction feedback", entries, FEEDBACK_CALLS, _feedback_calls, {"plain_residual": residual_entry})


def _feedback_calls(work: Work) -> Any:
    me = feedback_of(work)
    assert me is not None
    return me.calls
