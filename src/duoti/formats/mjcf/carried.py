"""The force in a joint that carried weights (gravcomp) make, as an expression."""

from __future__ import annotations

from duoti.formats.mjcf.bodies import Builder
from duoti.formats.mjcf.document import triple
from duoti.formats.mjcf.joints import JointData
from duoti.formats.names import parameter_name
from duoti.model.elements import GROUND


def carried_weight(builder: Builder, data: JointData) -> str:
    """Sum over the bodies beyond the joint of a . F (a slide along a), or a . (c - p) x F (a hinge about a through p).

    F is the force against gravity in the mass centre c. Empty if there is none.
    """
    model = builder.model
    if builder.carried is None:
        builder.carried = _beyond(builder)
    beyond = builder.carried.get(data.name, [])
    if not beyond:
        return ""
    body = model.joints[data.name].child
    foot, tip = parameter_name(model, f"{data.name}_axis_foot"), parameter_name(model, f"{data.name}_axis_tip")
    model.add_marker(foot, body, triple(data.anchor))
    model.add_marker(tip, body, triple(data.anchor + data.axis))
    a = {c: f"({tip}.position.{c} - {foot}.position.{c})" for c in "xyz"}
    if data.kind == "slide":
        total = {c: sum(F[i] for _, F in beyond) for i, c in enumerate("xyz")}
        return f"({' + '.join(f'{total[c]!r}*{a[c]}' for c in 'xyz' if total[c])})"
    terms: list[str] = []
    for marker, F in beyond:
        r = {c: f"({marker}.position.{c} - {foot}.position.{c})" for c in "xyz"}
        for i, (y, z) in enumerate(("yz", "zx", "xy")):  # F . (a x r) = a . (r x F)
            if F[i]:
                terms.append(f"{F[i]!r}*({a[y]}*{r[z]} - {a[z]}*{r[y]})")
    return f"({' + '.join(terms)})"


def _beyond(builder: Builder) -> dict[str, list[tuple[str, tuple[float, float, float]]]]:
    """Marker and force of the carried weights beyond each joint."""
    inward = {element.child: element for element in builder.model.joints.values()}
    found: dict[str, list[tuple[str, tuple[float, float, float]]]] = {}
    for weight in builder.weights:
        name = weight.body_frame.body.name
        while name != GROUND:
            found.setdefault(inward[name].name, []).append((weight.marker, triple(weight.force)))
            name = inward[name].parent
    return found
