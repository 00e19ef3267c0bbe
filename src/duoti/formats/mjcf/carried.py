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
    inward = {element.child: element for element in model.joints.values()}
    beyond: list[tuple[str, tuple[float, float, float]]] = []
    for weight in builder.weights:
        name = weight.body_frame.body.name
        while name != GROUND and inward[name].name != data.name:
            name = inward[name].parent
        if name != GROUND:
            beyond.append((weight.marker, triple(weight.force)))
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
