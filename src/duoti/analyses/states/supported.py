"""What an analysis can treat: bond graphs by themselves, but no rigid contacts where only smooth forces count."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from duoti.analyses.states.warnings import SimulationWarning
from duoti.dynamics.reaction_feedback.installation import feedback_of, force_readers, has_reaction_feedback
from duoti.dynamics.reaction_feedback.rates import feedback_values_entry
from duoti.dynamics.workspace import new_workspace
from duoti.integrate import Solver
from duoti.integrate.base import algebraic_states
from duoti.kernel import entry_address, run_entry
from duoti.model.checks.findings import Findings
from duoti.model.contacts.base import ContactLaw
from duoti.model.contacts.rolling_contact import RollingContact
from duoti.model.element_id import ElementId
from duoti.model.errors import ModelError
from duoti.model.event import SampleEvent
from duoti.model.expand_bond_graphs import described
from duoti.model.forces.one_way_clutch import OneWayClutch
from duoti.model.joint_friction import Slot, follows_load, slots_of
from duoti.model.laws.reaction_feedback import feedback_names, feedback_quantities
from duoti.model.mechanism.choose_tree import relative_tree
from duoti.model.mechanism.mobility import LoopGroup, lasting, mobility
from duoti.model.mechanism.placement import place_bodies
from duoti.model.model import Model, require_model
from duoti.strict import user_level
from duoti.system.arrays import Reals, Work
from duoti.system.compile.compiler import compile_model
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.system import System, require_system


def of_graph(model: Any) -> Any:
    """The model of a bond graph by itself; anything else as it is."""
    if isinstance(model, Model | System) or type(model).__module__ != "duoti.bond.graph":
        return model
    from duoti.bond.compiled.coupled import model_of

    return model_of(model)


def as_system(thing: Model | System) -> System:
    """A system as it is, a model compiled."""
    if isinstance(thing, System):
        return thing
    thing = of_graph(thing)
    if isinstance(thing, Model):
        return compile_model(thing)
    require_system(thing)
    raise AssertionError("unreachable")


def as_model(thing: Model | System) -> Model:
    """The model of a system, as its user described it; a model as it is."""
    thing = of_graph(thing)
    model = thing.model if isinstance(thing, System) else thing
    require_model(model)
    return described(model)


def rigid_elements(model: Any) -> list[str]:
    """Names of the rigid contacts of a model or system."""
    described = model.model if isinstance(model, System) else model
    if not isinstance(described, Model):
        return []
    laws: dict[str, Any] = {name: element.law for name, element in described.contacts.items()}
    return [name for name, law in laws.items() if isinstance(law, ContactLaw) and law.rigid]  # a check tells others


def rolling_elements(system: System) -> list[str]:
    """Names of the rolling contacts of a system, with creep forces."""
    return [name for name, element in system.model.contacts.items() if isinstance(element.law, RollingContact)]


def refuse_rigid_contacts(model: Any, what: str) -> None:
    """Rigid contacts bear any force and give no stiffness: without them, the answer would be that of another model.

    One-way clutches that are locked are of the same kind.
    """
    described: Any = model.model if isinstance(model, System) else model
    if clutches := [f'"{name}"' for name, force in getattr(described, "forces", {}).items()
                    if isinstance(force, OneWayClutch)]:  # fmt: skip
        raise NotImplementedError(
            f"{what} does not know whether one-way clutches are locked ({', '.join(clutches)}): leave them out where "
            "they run free, or lock their joints by a dt.JointMotion of velocity 0"
        )
    if rigid := rigid_elements(model):
        names = ", ".join(f'"{name}"' for name in rigid)
        raise NotImplementedError(
            f"{what} knows no rigid contacts ({names}): what they bear is no function of the position. Give them a "
            "dt.CompliantContact law, or simulate until all is at rest"
        )


def warn_of_controllers(model: Model | System, what: str) -> None:
    """Sampled controllers act at instants only: an analysis of a state has their outputs as they are at the start."""
    described: Any = model.model if isinstance(model, System) else model
    if not isinstance(described, Model):  # the analysis says what it is
        return
    names = [name for name, event in described.events.items() if isinstance(event, SampleEvent)]
    if names:
        quoted = ", ".join(f'"{name}"' for name in names)
        warnings.warn(
            f"{what} holds the outputs of sampled controllers ({quoted}) at the values of its start; simulate until "
            "all is at rest, or give the law as a force or as the rate of a state",
            SimulationWarning, stacklevel=user_level(),
        )  # fmt: skip


# Laws that read reactions and multipliers: which analyses and runs can treat them, and which reactions are unique.


DEPENDENT = 1e-9  # singular value, relative to the largest, of equations that say nothing new
NONE = 1e-7  # part of a self-stress that is round-off in a reaction


def refuse_reaction_feedback(system: System, what: str, forces_only: bool = False) -> None:
    """Raise if laws read reactions, which `what` does not solve for; forces_only: only if laws of forces do."""
    if not has_reaction_feedback(system) or (forces_only and not force_readers(system)):
        return
    names = ", ".join(feedback_names(system.model))
    raise NotImplementedError(
        f'laws of model "{system.model.name}" read {names}: {what} does not know how reactions depend on the state. '
        "dt.simulate and dt.accelerations do; or let these laws read positions, rates or states instead"
    )


def refuse_reaction_feedback_run(system: System, solver: Solver, t: float, y: Reals) -> None:
    """Raise ModelError or ValueError if a run from the state y cannot have the reactions that its laws read."""
    names = ", ".join(feedback_names(system.model))
    if contacts := rigid_elements(system):
        raise ValueError(
            f"laws read {names}, and rigid contacts ({', '.join(contacts)}) bear impulses of any size: reactions are "
            "known with dt.CompliantContact only"
        )
    if solver.treats_contacts:
        raise ValueError(
            f"laws read {names}, and {type(solver).__name__} knows impulses over a step, no reactions at an instant: "
            "choose another solver such as dt.DOPRI5() or dt.Radau()"
        )
    if states := algebraic_states(system):
        raise ValueError(
            f"laws read {names}, and state {states[0]!r} is algebraic: their equations are not solved together. Write "
            "the equation with a rate (a fast one), or let laws read something else"
        )
    if system.closures.rows:
        _refuse_not_unique(system, t, y)


def solve_feedback(work: Work, t: float, y: Reals) -> None:
    """Put the reactions that laws read into a state, before Python evaluates a law there."""
    work.clock[0], work.y[:] = t, y
    run_entry(int(work.calls[0].algebraic), int(work.at[0].system))
    y[:] = work.y


def _refuse_not_unique(system: System, t: float, y: Reals) -> None:
    """Self-stress (multipliers that do nothing to the motion, G^T n = 0) must not change what laws read."""
    work = new_workspace(system, ydot=True)
    me = feedback_of(work)
    assert me is not None
    context = int(work.at[0].system)
    work.clock[0], work.y[:] = t, y
    run_entry(int(work.calls[0].ydot), context)
    values = entry_address(feedback_values_entry)
    run_entry(values, context)
    G = dense_jacobian(system.closures, system.nv, work.G)
    U, sizes, _ = np.linalg.svd(G)
    rank = int(np.sum(sizes > DEPENDENT * max(float(sizes[0]), 1e-300))) if len(sizes) else 0
    multipliers, before = work.multipliers.copy(), me.value.copy()
    changed = np.zeros(me.count, bool)
    size = 1.0 + float(np.max(np.abs(multipliers), initial=0.0))
    for stress in U[:, rank:].T:
        work.multipliers[:] = multipliers + size * stress
        run_entry(values, context)
        changed |= np.abs(me.value - before) > NONE * size * (1.0 + np.max(np.abs(before), initial=0.0) / size)
    found, quantities = Findings(), feedback_quantities(system.model)
    for name, lost in zip(feedback_names(system.model), changed, strict=True):
        if lost:
            item = quantities[name]
            found.error(
                "not-unique", (),
                f"laws read {name}, which is not unique",
                f"{G.shape[0] - rank} equations of loops and constraints say nothing new: rigid bodies do not tell how "
                f"the load of {item.kind} \"{item.item}\" is shared",
                "let the joints of the loop move more freely (dt.check says which), or read a component that is unique "
                "(result.not_unique lists the others)",
            )  # fmt: skip
    if found.found:
        raise ModelError(found.report(system.model.name, system.model.source_locations))


# Friction from loads that redundant equations leave undetermined is refused: it would be any number.


NO_LOAD = 1e-6  # part of a unit wrench that is round-off


def refuse_undetermined_loads(system: System) -> None:
    """Raise ModelError if friction of a joint depends on components of its reaction that are not unique."""
    model = system.model
    slots = [slot for slot in slots_of(model) if follows_load(model, slot)]
    if not slots or len(model.joints) <= len(model.bodies):  # a tree
        return
    topo = relative_tree(model)
    groups = [lasting(model, topo, group) for group in mobility(model, topo)]
    found, placement = Findings(), place_bodies(model)
    for slot in slots:
        for group in groups:
            if slot.joint not in group.stresses:
                continue
            element = model.joints[slot.joint]
            X_WU = placement.bodies[element.child] @ placement.on_child[slot.joint]
            frame = X_WU.rotation.matrix @ element.joint.frame().matrix
            lost = _undetermined(slot, group.stresses[slot.joint], frame)
            if lost:
                found.error(
                    "friction", (ElementId("force", slot.friction), ElementId("joint", slot.joint)),
                    f'force "{slot.friction}": {lost} in joint "{slot.joint}" is not unique, nor is its friction then',
                    f"the loop closed by {', '.join(group.loops)} has {group.redundancy} redundant equations: rigid "
                    "bodies do not tell how the load is shared",
                    _remedy(group) + "leave out the arms of these loads, or give friction that no load changes "
                    "(constant=)", "friction",
                )  # fmt: skip
    if found.found:
        raise ModelError(found.report(model.name, model.source_locations))


def _undetermined(slot: Slot, stresses: Reals, R_WM: Reals) -> str:
    """The loads in words that a slot counts and that self-stress (rows: torque, force, in world axes) may change."""
    axis = R_WM[:, 2] if slot.axis != 1 else R_WM[:, 0]  # the second axis of a universal joint is x
    torque, force = stresses[:, :3], stresses[:, 3:]
    axial, twist = np.abs(force @ axis).max(), np.abs(torque @ axis).max()
    radial = np.abs(force - np.outer(force @ axis, axis)).max()
    bending = np.abs(torque - np.outer(torque @ axis, axis)).max()
    arms = slot.arms
    parts = {
        "axial force": axial * (arms.axial + arms.whole + abs(arms.thread_axial)),
        "force across the axis": radial * (arms.radial + arms.whole),
        "bending moment": bending * arms.bending,
        "moment about the axis": twist * (arms.twisting + abs(arms.thread_twisting)),
    }
    return " and ".join(name for name, part in parts.items() if part > NO_LOAD * max(arms))


def _remedy(group: LoopGroup) -> str:
    changes = [f'make "{name}" {kind}' for name, kind in group.remedy.items()]
    return f"{' and '.join(changes)}; or " if changes else ""
