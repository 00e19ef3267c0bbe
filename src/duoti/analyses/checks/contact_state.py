"""Check of rigid contacts in the initial position: overlaps, paradoxes, forces not unique."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from duoti.analyses.checks.context import CheckContext
from duoti.model.checks.findings import Findings
from duoti.model.checks.registry import register_check
from duoti.model.contacts.element import LEAVE_OUT, joint_holding
from duoti.model.element_id import ElementId
from duoti.model.errors import ModelError
from duoti.model.model import Model

if TYPE_CHECKING:  # imported when there are contacts
    from duoti.contact.build import ContactSet
    from duoti.contact.workspace import ContactPoint
    from duoti.system.arrays import Reals
    from duoti.system.system import System

OVERLAP = 1e-6  # m
TOUCHING = 1e-7  # m
MOST_POINTS = 2000  # that are looked at
MOST_DOFS = 600
MOST_SHARED = 300  # of which it is looked how they share their forces
UNEVEN = 1e-6  # part of a unit force that is round-off
DEPENDENT = 1e-9  # part of the largest entry: rows that depend on others


@register_check("forces", order=590, cost="solves")
def check_hulls(context: CheckContext, found: Findings) -> None:
    """Say how far simplified shapes are from the exact ones."""
    if not context.model.contacts:
        return
    from duoti.contact.build import simplified_hulls

    try:
        simplified = simplified_hulls(context.system)
    except (ModelError, ValueError):
        return  # said elsewhere
    if not simplified:
        return
    from duoti.analyses.simulate.choose_solver import shapes_in_words

    hulls = shapes_in_words(len(simplified))
    far = max(each.deviation for each in simplified)
    contacts = tuple(ElementId("contact", name) for name in dict.fromkeys(each.contact for each in simplified))
    found.info("simplified-hull", contacts, f"{hulls} simplified for contact, by at most {far:.2g} m",
               "the time of contact grows with the corners: " + "; ".join(map(str, simplified)),
               "give coarser meshes, or simple shapes, if this is too far off")  # fmt: skip


@register_check("forces", order=600, cost="solves")
def check_contact_state(context: CheckContext, found: Findings) -> None:
    """Add what is worth knowing about the rigid contacts of a model that is otherwise sound."""
    model = context.model
    if not any(element.law.rigid for element in model.contacts.values()):
        return
    from duoti.contact.build import rigid_contacts
    from duoti.contact.workspace import ContactGeometry

    try:
        with np.errstate(all="ignore"):
            system, (q, v) = context.system, context.initial
            of = rigid_contacts(system)
    except ModelError:
        return  # reported elsewhere
    except ValueError as error:  # a mesh that cannot be used, which names its contact
        found.error("bad-contact", (), str(error), remedy="give another file, or a simple shape")
        return
    if of is None or not of.contacts.slots or (of.near is None and of.contacts.slots > MOST_POINTS):
        return
    geometry = ContactGeometry(system, of, biases=False)
    gaps = geometry.gaps(q)
    _overlaps(model, geometry.of, gaps, found)
    if of.near is not None:  # many
        return
    points = [point for point in geometry.points(q, v, TOUCHING) if point.gap > -OVERLAP]
    if points and system.nv <= MOST_DOFS and model.mass:
        with suppress(np.linalg.LinAlgError):  # nothing resists some motion, which is reported elsewhere
            _forces(points, of, _inverse(system, q, v), v, found)


def _overlaps(model: Model, of: ContactSet, gaps: Reals, found: Findings) -> None:
    deepest: dict[int, int] = {}
    for slot in np.flatnonzero(gaps < -OVERLAP):
        element = int(of.contacts.element[of.contacts.slot_pair[slot]])
        if element not in deepest or gaps[slot] < gaps[deepest[element]]:
            deepest[element] = int(slot)
    for element, slot in deepest.items():
        who = ElementId("contact", of.names[element])
        a, b = of.bodies[of.contacts.slot_pair[slot]]
        why = "bodies that press on each other are moved apart at the start, others overlap until they part or press"
        remedy = "move one of them, or its shape"
        if joint := joint_holding(model, a, b):
            why, remedy = f'joint "{joint}" holds them together, so that they may never part', LEAVE_OUT
        found.warning(
            "penetration", (who,), f'{who}: "{a}" and "{b}" overlap by {-gaps[slot]:.3g} m in the initial position',
            why, remedy,
        )  # fmt: skip


def _inverse(system: System, q: Reals, v: Reals) -> Reals:
    """The inverse of the mass matrix on what loops and constraints allow."""
    from duoti.analyses.instant.dynamics import mass_matrix
    from duoti.contact.joint_friction.impulses import inverse_on_loops
    from duoti.dynamics.loops.constraints import closure_state
    from duoti.dynamics.workspace import new_workspace
    from duoti.system.constraint_arrays import dense_jacobian

    G = np.zeros((0, system.nv))
    if system.closures.rows:
        work = new_workspace(system)
        closure_state(work, 0.0, q, v)
        G = dense_jacobian(system.closures, system.nv, work.G)
    return inverse_on_loops(mass_matrix(system, q), G)


def _forces(points: list[ContactPoint], of: ContactSet, inverse: Reals, v: Reals, found: Findings) -> None:
    """Of points that touch: friction above the critical coefficient, and normal forces that are not unique."""
    from duoti.contact.event_driven.accelerations import Touching, critical_friction

    J = np.concatenate([point.G for point in points])
    W = J @ inverse @ J.T
    pairs = [point.pair for point in points]
    slip = np.array([(point.G @ v)[1:] for point in points])
    slip[np.linalg.norm(slip, axis=1) < 1e-9] = 0.0
    friction = of.contacts.friction[pairs]
    problem = Touching(W, np.zeros(len(J)), slip, friction, of.contacts.static_friction[pairs])
    bodies = [point.bodies for point in points]
    for point, mu, critical in zip(points, friction, critical_friction(problem), strict=True):
        # a body that stands on several points is held by all of them
        if mu > critical and sum(bool(set(point.bodies) & set(other) - {"ground"}) for other in bodies) == 1:
            who = ElementId("contact", point.name)
            found.warning(
                "critical-friction", (who,), f"{who}: its coefficient of friction, {mu:g}, is above the critical one, "
                f'{critical:.3g}, in the initial position of "{point.bodies[0]}" and "{point.bodies[1]}"',
                "sliding there may leave no motion of rigid bodies, or several (Painlevé's paradoxes)",
                "ask dt.contact_problem; a compliant contact, or less friction, has one motion",
            )  # fmt: skip
    normal = W[::3, ::3]
    rank = int(np.linalg.matrix_rank(normal, tol=DEPENDENT * float(np.max(W))))
    if rank < len(points):
        names = tuple(ElementId("contact", name) for name in dict.fromkeys(point.name for point in points))
        listed = ", ".join(f'"{who.name}"' for who in names[:4]) + (", ..." if len(names) > 4 else "")
        what = f"forces of contact ({listed}) are not unique in the initial position: {len(points)} points touch where "
        what += f"{rank} would do"
        if not len(open_pairs := _open_sums(points, normal)) or not np.any(friction[open_pairs]):
            why = "rigid bodies on more points than they need; the motion and the sums of the forces are unique"
            found.info("contact-forces", names, what, why)
            return
        a, b = points[open_pairs[0]].bodies
        found.warning(
            "contact-forces", names, what,
            f'not even where the pressure between "{a}" and "{b}" acts: how friction turns what slides there is one of '
            "many solutions",
            "let one side give way: a dt.CompliantContact, a joint that turns, or fewer points (spheres for boxes)",
        )  # fmt: skip


def _open_sums(points: list[ContactPoint], normal: Reals) -> list[int]:
    """Points between bodies whose force and moment on each other are not unique: normal forces that move nothing."""
    if len(points) > MOST_SHARED:
        return []
    values, vectors = np.linalg.eigh(0.5 * (normal + normal.T))
    still = vectors[:, values <= DEPENDENT * float(values[-1])]
    middle = np.mean([point.point for point in points], axis=0)
    size = float(np.max([np.linalg.norm(point.point - middle) for point in points])) or 1.0
    pushes = np.array([[*p.frame[0], *(np.cross(p.point - middle, p.frame[0]) / size)] for p in points])
    pairs: dict[tuple[str, ...], list[int]] = {}
    for i, point in enumerate(points):
        pairs.setdefault(tuple(sorted(point.bodies)), []).append(i)
    # normals of a pair may point either way: all of one side
    signs = np.array([1.0 if point.bodies[0] <= point.bodies[1] else -1.0 for point in points])
    return [
        i for members in pairs.values() for i in members
        if np.max(np.abs((signs[members, None] * pushes[members]).T @ still[members])) > UNEVEN
    ]  # fmt: skip
