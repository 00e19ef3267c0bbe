"""The part of `check` that looks at rigid contacts in the initial position: overlaps, paradoxes, forces not unique."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duoti.model.element_id import ElementId
from duoti.model.errors import ModelError
from duoti.model.findings import Finding, Findings
from duoti.model.model import Model

if TYPE_CHECKING:  # imported when there are contacts
    from duoti.contact.build import ContactSet
    from duoti.contact.workspace import ContactPoint
    from duoti.system.arrays import Reals

OVERLAP = 1e-6  # m
TOUCHING = 1e-7  # m
MOST_POINTS = 2000  # that are looked at
MOST_RATES = 600
DEPENDENT = 1e-9  # part of the largest entry: rows that depend on others


def contact_findings(model: Model) -> tuple[Finding, ...]:
    """What is worth knowing about the rigid contacts of a model that is otherwise sound."""
    if not any(element.law.rigid for element in model.contacts.values()):
        return ()
    from duoti.analyses.initial import closed_state
    from duoti.contact.build import rigid_contacts
    from duoti.contact.workspace import ContactGeometry
    from duoti.system.compiler import compile_model

    found = Findings()
    try:
        with np.errstate(all="ignore"):
            system = compile_model(model)
            q, v = closed_state(system) if system.closures.rows else system.initial_state()
            of = rigid_contacts(system)
    except ModelError:
        return ()  # said elsewhere
    except ValueError as error:  # a mesh that cannot be used, which names its contact
        found.error("bad-contact", (), str(error), remedy="give another file, or a simple shape")
        return tuple(found.report(model.name, model.source_locations).findings)
    if of is None or not of.contacts.slots or of.contacts.slots > MOST_POINTS:
        return ()
    geometry = ContactGeometry(system, of, biases=False)
    _overlaps(of, geometry.gaps(q), found)
    points = [point for point in geometry.points(q, v, TOUCHING) if point.gap > -OVERLAP]
    if points and system.nv <= MOST_RATES and not system.closures.rows and model.mass:
        from duoti.analyses.dynamics import mass_matrix

        _forces(points, of, mass_matrix(system, q), v, found)
    return tuple(found.report(model.name, model.source_locations).findings)


def _overlaps(of: ContactSet, gaps: Reals, found: Findings) -> None:
    deepest: dict[int, int] = {}
    for slot in np.flatnonzero(gaps < -OVERLAP):
        element = int(of.contacts.element[of.contacts.slot_pair[slot]])
        if element not in deepest or gaps[slot] < gaps[deepest[element]]:
            deepest[element] = int(slot)
    for element, slot in deepest.items():
        who = ElementId("contact", of.names[element])
        a, b = of.bodies[of.contacts.slot_pair[slot]]
        found.warning(
            "penetration", (who,), f'{who}: "{a}" and "{b}" overlap by {-gaps[slot]:.3g} m in the initial position',
            "bodies that press on each other are moved apart at the start, others overlap until they part or press",
            "move one of them, or its shape",
        )  # fmt: skip


def _forces(points: list[ContactPoint], of: ContactSet, M: Reals, v: Reals, found: Findings) -> None:
    """Of points that touch: friction above the critical coefficient, and normal forces that are not unique."""
    from duoti.contact.accelerations import Touching, critical_friction

    J = np.concatenate([point.G for point in points])
    W = J @ np.linalg.solve(M, J.T)
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
        found.info(
            "contact-forces", names,
            f"forces of contact ({listed}) are not unique in the initial position: {len(points)} points touch where "
            f"{rank} would do",
            "rigid bodies on more points than they need; the motion and the sums of the forces are unique",
        )  # fmt: skip
