"""Models as MJCF files.

Every body of the model is a body of MuJoCo, in the same frame, with the same mass; a joint of several axes becomes
several joints in one body, and what closes a loop an equality. Coordinates count from the reference configuration in
both: q = qpos, but for free bodies, whose qpos is their place in the world.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from duoti.formats.mjcf.save_contacts import Contacts
from duoti.formats.mjcf.save_geoms import Geoms, placed, q
from duoti.formats.mjcf.save_laws import Laws
from duoti.formats.mjcf.saved import Part, Saved
from duoti.formats.xml.names import free_name
from duoti.model.checks.structure import check_structure
from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND, JointElement, initial_values, name_of
from duoti.model.errors import ModelError
from duoti.model.import_note import LeftOutWarning
from duoti.model.mechanism.choose_tree import relative_tree
from duoti.model.mechanism.joint_motions import motions_of
from duoti.model.model import Model, require_model
from duoti.spatial import Inertia, Pose, Rotation
from duoti.strict import explained, user_level

LEAST = 1e-14
"""Moments of inertia [kg m^2] that MuJoCo lets a moving body have, and part of the largest one."""
RESERVED = ("world",)


@explained
def save_mjcf(model: Model, path: str | Path, *, strict: bool = True) -> list[str]:
    """Write a model as an MJCF file for MuJoCo.

    Closed loops become equalities, which are soft in MuJoCo, as its limits, contacts and dry friction are. Screw joints
    and bodies without mass that move always raise `ModelError`.

    Parameters
    ----------
    model:
        The model.
    path:
        The file.
    strict:
        Whether what MJCF cannot express (laws that are no actuators, flexible bodies, bond graphs, restitution, ...)
        raises `ModelError`. Otherwise it is left out with a warning.

    Returns
    -------
    A list of what was left out.
    """
    require_model(model)
    saved, text = _written(model, Path(path).resolve().parent, strict)
    Path(path).write_text(text, encoding="utf-8", newline="\n")
    if saved.lost:
        listed = "\n".join(f"  {sentence}" for sentence in saved.lost)
        warnings.warn(
            f"{Path(path).name}: left out, because MJCF has no words for it\n{listed}", LeftOutWarning, user_level()
        )
    return saved.lost + saved.undrawn


def to_mjcf(model: Model, folder: Path) -> str:
    """Text of an MJCF file in a folder; raises `ModelError` with all that MJCF cannot express."""
    return _written(model, folder, strict=True)[1]


def _written(model: Model, folder: Path, strict: bool) -> tuple[Saved, str]:
    report = check_structure(model)
    if not report.ok:
        raise ModelError(report)
    writer = _Writer(model, folder)
    text = writer.text()
    saved = writer.saved
    for sentence in saved.lost if strict else ():
        saved.found.error("mjcf", (), sentence, remedy="take it out, or use dt.formats.save_mjcf(..., strict=False)")
    if saved.found.found:
        raise ModelError(saved.found.report(model.name))
    return saved, text


class _Writer:
    """Bodies, joints and sites; forces, constraints and contacts by those who know them."""

    def __init__(self, model: Model, folder: Path):
        self.model = model
        self.saved = Saved(model)
        self.geoms = Geoms(folder)
        self.topology = relative_tree(model)
        self.joints: dict[str, list[str]] = {}
        """Lines of the joints in a body."""

    def text(self) -> str:
        """The whole file."""
        model, saved = self.model, self.saved
        rows = list(self.topology.tree)
        for row in rows:
            self._joint(row)
        rows = self._without_massless(rows)
        laws = Laws(saved)
        laws.read()
        self._cut_joints(laws)
        contacts = Contacts(saved, self.geoms)
        for name, body in [(GROUND, model.ground), *model.bodies.items()]:
            for shape in body.shapes or getattr(body.inertia, "shapes", ()):
                if self.geoms.name_of(name, shape, name == GROUND, drawn=True) is None:
                    what = "cavity" if shape.cavity else shape.kind
                    saved.undrawn.append(f'a shape of body "{name}" ({what}), only drawn')
        contacts.read()
        children: dict[str, list[Any]] = {}
        for row in rows:
            children.setdefault(row.inboard, []).append(row)
        lines = [
            '<?xml version="1.0" encoding="utf-8"?>', f"<mujoco model={quoteattr(model.name)}>",
            '  <compiler angle="radian" autolimits="true" inertiafromgeom="false" alignfree="false"/>',
            f"  <option gravity={q(model.gravity)}/>", '  <default><geom contype="0" conaffinity="0"/></default>',
        ]  # fmt: skip
        lines += self._section("asset", self.geoms.assets)
        lines += ["  <worldbody>", *self._content(GROUND, 2)]
        stack = [(row, 2) for row in reversed(children.get(GROUND, []))]
        open_: list[int] = []
        while stack:
            row, depth = stack.pop()
            while open_ and open_[-1] >= depth:
                lines.append("  " * open_.pop() + "</body>")
            lines += self._body(row, depth)
            open_.append(depth)
            stack += [(each, depth + 1) for each in reversed(children.get(row.outboard, []))]
        lines += ["  " * depth + "</body>" for depth in reversed(open_)]
        lines.append("  </worldbody>")
        for tag, content in (
            ("contact", contacts.lines), ("tendon", laws.tendons), ("equality", laws.equalities),
            ("actuator", laws.actuators), ("sensor", laws.sensors), ("keyframe", self._keyframe(rows, laws)),
        ):  # fmt: skip
            lines += self._section(tag, content)
        for name in {*model.bodies, *model.joints, *model.markers, model.name}:
            if not name.isprintable():
                saved.found.error("mjcf", (), f"the name {name!r} has characters that XML cannot hold")
        return "\n".join([*lines, "</mujoco>", ""])

    @staticmethod
    def _section(tag: str, content: list[str]) -> list[str]:
        return [f"  <{tag}>", *(f"    {line}" for line in content), f"  </{tag}>"] if content else []

    # ------------------------------------------------------------------------------------------------------- bodies

    def _body(self, row: Any, depth: int) -> list[str]:
        placement, name = self.saved.placement, row.outboard
        if name in RESERVED:
            self.saved.found.error("mjcf", (), f'"{name}" is the name of the world in MJCF', remedy="rename the body")
        X = self._tidy(placement.bodies[row.inboard].inverse() @ placement.bodies[name])
        margin = "  " * (depth + 1)
        gravcomp = self.saved.gravcomp.get(name)
        more = f" gravcomp={q([gravcomp])}" if gravcomp else ""
        lines = [f"{'  ' * depth}<body name={quoteattr(name)}{placed(X)}{more}>"]
        lines += [f"{margin}{line}" for line in self._inertial(name)]
        lines += [f"{margin}{part.line}" for part in self.saved.parts.get(row.name, [])]
        return lines + self._content(name, depth + 1)

    def _content(self, body: str, depth: int) -> list[str]:
        """Geoms and sites on a body."""
        found = list(self.geoms.lines.get(body, []))
        for name, marker in self.model.markers.items():
            if name_of(marker.body) == body and name not in self.saved.hidden:
                found.append(f"<site name={quoteattr(name)}{placed(marker.pose)}/>")
        found += self.saved.sites.get(body, [])
        return [f"{'  ' * depth}{line}" for line in found]

    @staticmethod
    def _tidy(X: Pose) -> Pose:
        p = np.asarray(X.position, dtype=float)
        return Pose(X.rotation, np.where(np.abs(p) < 1e-15 * max(1.0, float(np.abs(p).max())), 0.0, p))

    def _inertial(self, name: str) -> list[str]:
        inertia = self.model.bodies[name].inertia
        if not isinstance(inertia, Inertia):
            self.saved.lost.append(f'the flexibility of body "{name}"')
            inertia = None if inertia is None else inertia.rigid
        if inertia is None or inertia.mass <= 0.0:
            if name in self.saved.moving:
                who = ElementId("body", name)
                self.saved.found.error("mjcf", (who,), f"{who} moves and has no mass; MuJoCo needs one",
                                       remedy="give it a small mass and inertia, or weld it")  # fmt: skip
            return []
        moments, axes = np.linalg.eigh(np.asarray(inertia.matrix, dtype=float))
        if np.array_equal(inertia.matrix, np.diag(np.diag(inertia.matrix))):
            moments, axes = np.diag(inertia.matrix).copy(), np.eye(3)
        if np.linalg.det(axes) < 0.0:
            axes[:, 0] *= -1.0
        least = max(LEAST, LEAST * float(moments.max()))
        order = np.argsort(moments)
        if moments[order[2]] > (moments[order[0]] + moments[order[1]]) * (1.0 + 1e-9) + LEAST:
            who = ElementId("body", name)
            self.saved.found.error("mjcf", (who,), f"{who}: one principal moment is above the sum of the others, "
                                   "which no body has; MuJoCo refuses it", remedy="correct its inertia")  # fmt: skip
        moments = np.maximum(moments, least)
        moments[order[2]] = min(moments[order[2]], moments[order[0]] + moments[order[1]])
        X = Pose(Rotation.from_matrix(axes), inertia.com)
        at = f"pos={q(inertia.com)}" + (f" quat={q(X.rotation.quaternion)}" if X.rotation.angle else "")
        return [f"<inertial {at} mass={q([inertia.mass])} diaginertia={q(moments)}/>"]

    # ------------------------------------------------------------------------------------------------------- joints

    def _joint(self, row: Any) -> None:
        """The joints of MuJoCo that a joint of the tree becomes."""
        saved, model = self.saved, self.model
        saved.moving.add(row.outboard)
        if row.virtual or row.name not in model.joints:
            name = free_name(f"{row.outboard}_free", model.joints)
            saved.parts[row.name] = [Part(name, row.name, 0, "free", np.zeros(3))]
            return
        element = model.joints[row.name]
        far = saved.placement.on_parent[row.name] if row.reversed else saved.placement.on_child[row.name]
        who = ElementId("joint", row.name)
        if element.kind == "fixed":
            saved.moving.discard(row.outboard)
            saved.parts[row.name] = []
            return
        if element.kind == "free":
            if row.inboard != GROUND or row.reversed:
                saved.found.error("mjcf", (who,), f"{who}: MuJoCo's free joints are between the world and a body",
                                  remedy="use slides and a ball (dt.Composite), or join it to ground")  # fmt: skip
            saved.parts[row.name] = [Part(row.name, row.name, 0, "free", np.zeros(3))]
            return
        if element.kind == "spherical" and not row.reversed:
            saved.parts[row.name] = [Part(row.name, row.name, 0, "ball", np.asarray(far.position))]
            self._drive(element, saved.parts[row.name])
            return
        motions = motions_of(element.joint)
        at_end = motions[-1:] if motions and not row.reversed and motions[-1].twist is None else ()
        if motions is None or not all(m.turns or m.slides for m in motions[: len(motions) - len(at_end)]):
            way = " joined from its child to its parent" if row.reversed else ""
            saved.found.error("mjcf", (who,), f"{who}: MuJoCo has no {element.kind} joint{way}",
                              remedy="use a chain of revolute or prismatic joints (dt.Composite)")  # fmt: skip
            saved.parts[row.name] = []
            return
        parts: list[Part] = []
        sign, R = (-1.0 if row.reversed else 1.0), far.rotation.matrix
        for k, motion in enumerate(motions):
            name = row.name if len(motions) == 1 else free_name(f"{row.name}_part_{k + 1}", model.joints)
            if motion.twist is None:
                parts.append(Part(name, row.name, k, "ball", np.asarray(far.position)))
                continue
            kind = "hinge" if motion.turns else "slide"
            axis = sign * (R @ np.array(motion.axis))
            parts.append(Part(name, row.name, k, kind, np.asarray(far.position), axis))
        self._drive(element, parts)
        saved.parts[row.name] = parts[::-1] if row.reversed else parts
        saved.part_of.update({(row.name, p.coordinate): p for p in parts if p.kind != "ball"})

    def _without_massless(self, rows: list[Any]) -> list[Any]:
        """Bodies without mass between two joints vanish: their joints stand in the body beyond them."""
        saved, model = self.saved, self.model
        kept = list(rows)
        for row in rows:
            name, inertia = row.outboard, model.bodies[row.outboard].inertia
            empty = isinstance(inertia, Inertia) and inertia.mass == 0.0 and not np.any(inertia.matrix)
            beyond = [each for each in kept if each.inboard == name]
            marked = any(name_of(m.body) == name for n, m in model.markers.items() if n not in saved.hidden)
            parts = saved.parts[row.name]
            if not empty or not parts or len(beyond) != 1 or marked or model.bodies[name].shapes or name in saved.sites:
                continue
            (after,) = beyond
            X = saved.placement.bodies[after.outboard].inverse() @ saved.placement.bodies[name]
            moved = [part.moved(X) for part in parts]
            saved.part_of.update({(p.joint, p.coordinate): p for p in moved if p.kind in ("hinge", "slide")})
            saved.parts[row.name] = []
            saved.parts[after.name] = [*moved, *saved.parts[after.name]]
            saved.moving.discard(name)
            saved.moving.add(after.outboard)
            inner = next(row_now for row_now in kept if row_now.name == row.name)
            kept = [each for each in kept if each.name != row.name]
            kept[[each.name for each in kept].index(after.name)] = after._replace(inboard=inner.inboard)
        return kept

    def _drive(self, element: JointElement, parts: list[Part]) -> None:
        """Limits, and the inertia of rotors."""
        limits = None if element.limits is None else np.reshape(np.asarray(element.limits, dtype=float), (-1, 2))
        armature = element.rotor_inertias
        for part in parts:
            if limits is not None and part.kind != "ball" and np.all(np.abs(limits[part.coordinate]) < 1e9):
                part.attributes["range"] = q(limits[part.coordinate])
            elif limits is not None and np.any(np.isfinite(limits)) and part.kind != "ball":
                low, high = limits[part.coordinate].clip(-1e9, 1e9)
                if low > -1e9 or high < 1e9:
                    part.attributes["range"] = q([low, high])
            if armature[part.coordinate]:
                part.attributes["armature"] = q([armature[part.coordinate]])
        if len({*armature}) > 1 and parts and parts[0].kind == "ball":
            self.saved.lost.append(f'rotor inertias of joint "{element.name}" that differ')

    def _cut_joints(self, laws: Laws) -> None:
        """What closes loops."""
        for name in self.topology.cut_joints:
            element = self.model.joints[name]
            on_parent, on_child = self.saved.placement.on_parent[name], self.saved.placement.on_child[name]
            ends = (element.parent, on_parent), (element.child, on_child)
            if element.kind == "fixed":
                laws.weld(name, ends)
            elif element.kind == "spherical":
                laws.connect(name, ends)
            elif element.kind == "revolute":
                axis = np.asarray(element.joint.frame().matrix)[:, 2]
                for k, side in enumerate((-0.5, 0.5)):
                    shift = Pose(position=side * self._width() * axis)
                    laws.connect(f"{name}_{k + 1}", tuple((body, X @ shift) for body, X in ends))
            else:
                who = ElementId("joint", name)
                self.saved.found.error("mjcf", (who,), f"{who} closes a loop; of such joints, MuJoCo has fixed, "
                                       "spherical and revolute ones", remedy="let another close the loop")  # fmt: skip

    def _width(self) -> float:
        """Distance of the two points that stand for a hinge which closes a loop."""
        points = np.array([X.position for X in self.saved.placement.bodies.values()])
        return 0.1 * (float(np.max(np.ptp(points, axis=0))) or 1.0)

    # ---------------------------------------------------------------------------------------------------- keyframe

    def _keyframe(self, rows: list[Any], laws: Laws) -> list[str]:
        """The initial state, if the model has one."""
        model = self.model
        given = [e for e in model.joints.values() if e.q0 is not None or e.v0 is not None]
        if not given and not any(laws.controls.values()):
            return []
        qpos: list[float] = []
        qvel: list[float] = []
        for part in [part for row in self._in_order(rows) for part in self.saved.parts[row.name]]:
            x, v = self._initial(part, rows)
            qpos += x
            qvel += v
        numbers = f"qpos={q(qpos)} qvel={q(qvel)}" if qpos else ""
        if laws.controls:
            numbers += f" ctrl={q(list(laws.controls.values()))}"
        if laws.activations:
            numbers += f" act={q(laws.activations)}"
        return [f'<key name="initial" {numbers}/>']

    def _initial(self, part: Part, rows: list[Any]) -> tuple[list[float], list[float]]:
        """qpos and qvel of a joint of MuJoCo."""
        placement, element = self.saved.placement, self.model.joints.get(part.joint)
        if element is None:  # a body that nothing holds
            X = placement.bodies[next(row.outboard for row in rows if row.name == part.joint)]
            return [*np.asarray(X.position).tolist(), *X.rotation.quaternion.tolist()], [0.0] * 6
        x = initial_values(element.joint, {} if element.q0 is None else element.q0, rates=False)
        v = initial_values(element.joint, {} if element.v0 is None else element.v0, rates=True)
        if part.kind in ("hinge", "slide"):
            return [float(x[part.coordinate])], [float(v[part.coordinate])]
        near, far = placement.on_parent[part.joint], placement.on_child[part.joint]
        R_FM, omega = Rotation(x[-4:]), far.rotation.matrix @ v[-3:]
        if part.kind == "ball":  # counted from the reference configuration, in the axes of the body
            R = far.rotation @ R_FM @ far.rotation.inverse()
            return R.quaternion.tolist(), omega.tolist()
        X_WF = placement.bodies[element.parent] @ near
        X_WB = X_WF @ Pose(R_FM, x[:3]) @ far.inverse()
        # the velocity of the body's origin, which is not that of the joint frame
        velocity = X_WF.rotation.matrix @ v[:3] - X_WB.rotation.matrix @ np.cross(omega, far.position)
        turned = X_WB.rotation.quaternion.tolist()
        return [*np.asarray(X_WB.position).tolist(), *turned], [*velocity.tolist(), *omega.tolist()]

    def _in_order(self, rows: list[Any]) -> list[Any]:
        """Rows of joints in the order of MuJoCo: each body before its children, as in the file."""
        children: dict[str, list[Any]] = {}
        for row in rows:
            children.setdefault(row.inboard, []).append(row)
        found: list[Any] = []
        stack = list(reversed(children.get(GROUND, [])))
        while stack:
            row = stack.pop()
            found.append(row)
            stack += reversed(children.get(row.outboard, []))
        return found
