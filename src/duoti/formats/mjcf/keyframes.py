"""Keyframes of MJCF: states in which the model may start."""

from __future__ import annotations

import numpy as np

from duoti.formats.mjcf.bodies import Builder
from duoti.formats.mjcf.joints import SIZES, JointData
from duoti.formats.xml.reading import Array
from duoti.formats.xml.xml_tree import Element
from duoti.spatial import Rotation


def apply_keyframe(builder: Builder, wanted: str | int | None) -> None:
    """Give the joints the initial values of a keyframe; the others are noted."""
    keys = [key for section in builder.document.sections["keyframe"] for key in section.all("key")]
    chosen: Element | None = None
    if wanted is not None:
        names = [key.get("name") for key in keys]
        if isinstance(wanted, str) and wanted in names:
            chosen = keys[names.index(wanted)]
        elif isinstance(wanted, int) and 0 <= wanted < len(keys):
            chosen = keys[wanted]
        else:
            known = builder.reading.near(str(wanted), [name for name in names if name])
            builder.reading.error_at(str(builder.reading.path), f"there is no keyframe {wanted!r}.{known}")
    for key in keys:
        builder.document.check(key, "key", ())
        if key is not chosen:
            builder.reading.note(key, f"not used; keyframe={key.get('name')!r} starts with it", changes_motion=False)
    if chosen is not None:
        _start(builder, chosen)


def _start(builder: Builder, key: Element) -> None:
    nq = sum(SIZES[data.kind][0] for data in builder.order)
    nv = sum(SIZES[data.kind][1] for data in builder.order)
    qpos = builder.reading.numbers(key, "qpos", nq) if key.get("qpos") else None
    qvel = builder.reading.numbers(key, "qvel", nv) if key.get("qvel") else None
    if key.get("ctrl"):
        _controls(builder, key)
    if key.get("act"):
        _activations(builder, key)
    if qpos is not None and any(data.aligned for data in builder.order):
        builder.reading.note(
            key, "a free body is aligned with its principal axes in MuJoCo, not here; it starts elsewhere"
        )
    k = j = 0
    for data in builder.order:
        n, m = SIZES[data.kind]
        joint = builder.model.joints[data.name]
        if qpos is not None:
            joint.q0 = _coordinates(data, qpos[k : k + n])
        if qvel is not None:
            joint.v0 = _rates(data, qvel[j : j + m])
        k, j = k + n, j + m


def _controls(builder: Builder, key: Element) -> None:
    names = list(builder.parameters)
    given = key.get("ctrl").split()
    if len(names) != len(given):
        builder.reading.note(key, "ctrl is left out, because some actuators are")
        return
    for name, value in zip(names, builder.reading.numbers(key, "ctrl", len(given)).tolist(), strict=True):
        builder.model.parameters[name] = value


def _activations(builder: Builder, key: Element) -> None:
    states, given = list(builder.model.states.values()), key.get("act").split()
    if len(states) != len(given):
        builder.reading.note(key, "act is left out, because some actuators are")
        return
    for state, value in zip(states, builder.reading.numbers(key, "act", len(given)).tolist(), strict=True):
        state.initial = value


def _coordinates(data: JointData, qpos: Array) -> list[float]:
    if data.kind in ("hinge", "slide"):
        return [float(qpos[0]) - data.ref]
    quaternion = qpos[-4:]
    length = float(np.linalg.norm(quaternion))
    R = Rotation(quaternion / length) if length > 1e-12 else Rotation.identity()
    if data.kind == "ball":
        return R.quaternion.tolist()
    turned = R @ data.X_WM.rotation.inverse()
    return [*(qpos[:3] - data.X_WM.position).tolist(), *turned.quaternion.tolist()]


def _rates(data: JointData, qvel: Array) -> list[float]:
    """MuJoCo has the angular velocity of a free body in its axes; here they are parallel to the world's at first."""
    if data.kind == "free":
        return [*qvel[:3].tolist(), *(data.X_WM.rotation @ qvel[3:]).tolist()]
    return qvel.tolist()
