"""The part of the model check that looks at the limits of joints."""

from __future__ import annotations

import numpy as np

from duoti.model.checks.findings import Findings
from duoti.model.element_id import ElementId
from duoti.model.elements import JointElement, initial_values


def check_limits(element: JointElement, found: Findings) -> None:
    """Limits that are none, or outside of which the joint starts."""
    if element.limits is None:
        return
    who, n = ElementId("joint", str(element.name)), element.joint.nq
    try:
        limits = np.asarray(element.limits, dtype=float).reshape(n, 2)
    except (TypeError, ValueError, OverflowError):
        found.error(
            "limits", (who,), f"{who}: limits {element.limits!r} are not {n} pairs (lower, upper)", key="limits"
        )
        return
    if np.any(np.isnan(limits)) or np.any(limits[:, 0] > limits[:, 1]):
        found.error("limits", (who,), f"{who}: limits {limits.tolist()}: a lower bound is above its upper one",
                    key="limits")  # fmt: skip
        return
    if np.any(limits[:, 0] == limits[:, 1]):
        found.warning("limits", (who,), f"{who}: limits {limits.tolist()} leave it no range", "a stop holds one side",
                      "take dt.Fixed() for a joint that does not move", key="limits")  # fmt: skip
    q0 = element.joint.zero if element.q0 is None else None
    if element.q0 is not None:
        try:
            q0 = initial_values(element.joint, element.q0, rates=False)
        except ValueError:
            return
    if q0 is not None and np.any((q0 < limits[:, 0]) | (q0 > limits[:, 1])):
        found.warning("limits", (who,), f"{who} starts at {q0.tolist()}, outside its limits {limits.tolist()}",
                      "until it is back inside, its stop lets it move towards its limits only",
                      "give q0= inside the limits, or widen limits=",
                      key="q0" if element.q0 is not None else "limits")  # fmt: skip
