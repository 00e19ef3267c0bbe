"""Contacts for the page: forces, states, points that touch, and the planes on which bodies lie."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.errors import ChannelError
from duoti.model.model import Model
from duoti.results.result import Result
from duoti.view.channel import FRAME_LETTERS, Channel
from duoti.view.contact_shapes import ContactShapes
from duoti.view.pack import pack
from duoti.view.parts import numbers_of

Array = NDArray[np.float64]
SHOWN = ("force", "normal_force", "point", "gap", "slip_speed", "state")
UNITS = {"force": "N", "normal_force": "N", "point": "m", "gap": "m", "slip_speed": "m/s", "state": "1"}
MOST_POINTS = 256  # that may touch, of one contact; of larger ones only the force is drawn
TOUCHING = 2e-4  # gap, as part of the size of the scene, of points that are drawn as touching
FINE = 2.0**-17  # of the size of the scene


def contact_document(model: Model, touching: ContactShapes, index: dict[str, int]) -> list[dict[str, Any]]:
    """What the page knows of the contacts of a model; index: numbers of the bodies. Planes stand with the first one."""
    planes = [{"body": index[body], "pose": numbers_of(pose)} for body, pose in touching.planes]
    return [
        {"name": name, "kind": each.law.kind, "text": repr(each.law).partition("(")[2].rstrip(")"),
         "planes": [] if k else planes}
        for k, (name, each) in enumerate(model.contacts.items())
    ]  # fmt: skip


def contact_columns(model: Model) -> int:
    """How many columns `contact_channels` will have."""
    return 10 * len(model.contacts)


def contact_channels(result: Result) -> list[Channel]:
    """Channels of all contacts; forces of rigid ones only where the solver has recorded them."""
    found: list[Channel] = []
    for name in result.model.contacts:
        for what in SHOWN:
            try:
                values = np.asarray(result[f"contact:{name}.{what}"], dtype=float).reshape(len(result.t), -1)
            except ChannelError:
                continue
            known = np.isfinite(values)
            other = np.max(values, where=known, initial=0.0) if what == "gap" else 0.0  # inf: nothing is near
            values = np.where(known, values, other)
            letters = FRAME_LETTERS.get(values.shape[1], ())
            found.append(Channel(f"{name}.{what}", UNITS[what], "contact", name, what, values, letters))
    return found


def touching_points(result: Result, size: float) -> dict[str, Any] | None:
    """Places of all points of the contacts, and whether they touch, over time; None of a model without contacts."""
    if not result.model.contacts:
        return None
    from duoti.results.contact_motion import points_over_time

    heads: list[dict[str, Any]] = []
    columns: list[Array] = []
    for name in result.model.contacts:
        points = points_over_time(result, name)
        count = points.gap.shape[1]
        if not count or count > MOST_POINTS:
            continue
        touch = points.gap <= TOUCHING * size
        place = np.where(touch[..., None], points.place, 0.0)
        heads.append({"name": name, "count": count})
        columns.append(np.concatenate([place, touch[..., None].astype(float)], axis=2).reshape(len(touch), -1))
    if not heads:
        return None
    values = np.concatenate(columns, axis=1)
    return {"heads": heads, "block": pack(values, np.tile([size * FINE] * 3 + [1.0], values.shape[1] // 4))}
