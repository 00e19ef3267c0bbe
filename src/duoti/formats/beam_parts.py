"""Beams of a model as plain data, and what a file need not hold because it follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from duoti.formats.encode import CannotSaveError, element_data
from duoti.model.beam_part import BeamPart
from duoti.model.fields import Field
from duoti.model.model import Model
from duoti.spatial import Inertia


def beam_part_data(model: Model, part: BeamPart, fields: Mapping[str, Field]) -> dict[str, Any]:
    """What `add_beam` was called with; refuses a beam whose nodes were changed afterwards."""
    if not hasattr(part.beam, "matrix"):
        raise CannotSaveError("what it is made of is a Python function; give a Beam and `taper`")
    values = {name: getattr(part, {"start": "start_point", "end": "end_point"}.get(name, name)) for name in fields}
    values["places"] = part.places or None
    if part.centreline is not None and not callable(part.centreline):
        line = part.centreline
        values["centreline"] = line if any(isinstance(x, str) for x in line) else np.asarray(line, float).tolist()
    if callable(part.centreline):
        raise CannotSaveError("its centreline is a Python function; give points, or three expressions of s")
    if changed := _changed(model, part):
        raise CannotSaveError(f"{changed} was changed after the beam was added, which no file can hold")
    return element_data(values, fields)


def _changed(model: Model, part: BeamPart) -> str:
    """The first node or joint that is not as `add_beam` made it."""
    for node, inertia, shapes in zip(part.nodes, part.node_inertias(), part.node_shapes(), strict=True):
        given = node.inertia
        same = isinstance(given, Inertia) and np.array_equal(given.spatial(), inertia.spatial())
        if not same or node.shapes != shapes or model.bodies.get(node.name) is not node:
            return f'node "{node.name}"'
    for k, (name, element) in enumerate((name, model.joints.get(name)) for name in part.joint_names):
        if element is not None and (element.q0 is not None or not _same(element.v0, part.rates(k))):
            return f'joint "{name}"'
    return ""


def _same(a: Any, b: Any) -> bool:
    return (a is None and b is None) or (a is not None and b is not None and np.array_equal(a, b))
