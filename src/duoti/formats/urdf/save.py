"""Trees as URDF files.

The frame of a link in a URDF is that of the joint that carries it; a body whose frame lies elsewhere gets its mass and
its shapes moved accordingly. Joints of several axes become chains with massless links in between; markers become
massless links on fixed joints.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import ArrayLike

from duoti.formats.urdf.load import BOUNDLESS
from duoti.formats.xml.names import free_name
from duoti.model.checks.findings import Findings
from duoti.model.checks.structure import check_structure
from duoti.model.constraints.coupler import Coupler
from duoti.model.constraints.gear import Gear
from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND, JointElement, name_of
from duoti.model.errors import ModelError
from duoti.model.forces.base import Force
from duoti.model.forces.joint_damping import JointDamping
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.import_note import LeftOutWarning
from duoti.model.joints import Joint
from duoti.model.mechanism.joint_motions import motions_of
from duoti.model.mechanism.placement import place_bodies
from duoti.model.model import Model, require_model
from duoti.spatial import Inertia, Pose, Shape
from duoti.strict import explained, user_level

HEX = re.compile(r"#[0-9a-fA-F]{6}")


def shape_lines(shape: Shape, folder: Path, origin: Callable[[Pose], str]) -> list[str] | None:
    """Lines of one or more visuals; None if URDF has no such shape. Meshes below `folder` are named relative to it."""
    size = dict(shape.dimensions)
    if shape.cavity:
        return None
    if shape.kind == "capsule":  # not part of URDF: a cylinder and two balls
        half = 0.5 * size["length"]
        ends = [Shape.sphere(size["radius"], position=(0.0, 0.0, s * half), colour=shape.colour) for s in (1.0, -1.0)]
        parts = [Shape.cylinder(size["radius"], size["length"], colour=shape.colour), *ends]
        return [line for part in parts for line in shape_lines(part.moved(shape.pose), folder, origin) or ()]
    match shape.kind:
        case "box":
            geometry = f'<box size="{size["size_x"]!r} {size["size_y"]!r} {size["size_z"]!r}"/>'
        case "sphere" | "shell":
            geometry = f'<sphere radius="{size["radius"]!r}"/>'
        case "cylinder" | "rod" | "hollow_cylinder":
            radius = size.get("radius", size.get("outer_radius", 0.02 * size["length"]))  # a rod is drawn thin
            geometry = f'<cylinder radius="{radius!r}" length="{size["length"]!r}"/>'
        case "mesh":
            scale = " ".join(repr(size[f"scale_{a}"]) for a in "xyz")
            geometry = f'<mesh filename={quoteattr(_uri(shape.file, folder))} scale="{scale}"/>'
        case _:
            return None
    lines = ["    <visual>", f"      {origin(shape.pose)}", f"      <geometry>{geometry}</geometry>"]
    if HEX.fullmatch(shape.colour):
        rgb = " ".join(f"{int(shape.colour[i : i + 2], 16) / 255:.6g}" for i in (1, 3, 5))
        lines.append(f'      <material name="{shape.colour}"><color rgba="{rgb} 1"/></material>')
    return [*lines, "    </visual>"]


def _uri(file: str, folder: Path) -> str:
    path = Path(file)
    if not path.is_absolute():
        return file
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.as_uri()


STANDARD_GRAVITY = (0.0, 0.0, -9.81)


@explained
def save_urdf(model: Model, path: str | Path, *, strict: bool = True) -> list[str]:
    """Write a model without closed loops as a URDF file.

    Closed loops, spherical and screw joints always raise `ModelError`. Shapes that URDF does not have are left out.

    Parameters
    ----------
    model:
        The model.
    path:
        The file.
    strict:
        Whether what URDF cannot express (most forces and constraints, rotor inertia) raises `ModelError`. Otherwise it
        is left out with a warning.

    Returns
    -------
    A list of what was left out.
    """
    require_model(model)
    writer, text = _written(model, Path(path).resolve().parent, strict)
    Path(path).write_text(text, encoding="utf-8")
    if writer.lost:
        listed = "\n".join(f"  {sentence}" for sentence in writer.lost)
        warnings.warn(
            f"{Path(path).name}: left out, because URDF has no words for it\n{listed}", LeftOutWarning, user_level()
        )
    return writer.lost + writer.undrawn


def to_urdf(model: Model, folder: Path) -> str:
    """Text of a URDF file in a folder; raises `ModelError` with all that URDF cannot express."""
    return _written(model, folder, strict=True)[1]


def _written(model: Model, folder: Path, strict: bool) -> tuple[_Writer, str]:
    report = check_structure(model)
    if not report.ok:
        raise ModelError(report)
    writer = _Writer(model, folder)
    text = writer.text()
    for sentence in writer.lost if strict else ():
        writer.found.error("urdf", (), sentence, remedy="take it out, or use dt.formats.save_urdf(..., strict=False)")
    if writer.found.found:
        raise ModelError(writer.found.report(model.name))
    return writer, text


class _Writer:
    """Collects the lines of the file and what does not fit into it."""

    def __init__(self, model: Model, folder: Path):
        self.model, self.folder = model, folder
        self.placement = place_bodies(model)
        self.found = Findings()
        self.lost: list[str] = []
        self.undrawn: list[str] = []
        self.lines: list[str] = []
        self.X_BL: dict[str, Pose] = {GROUND: Pose()}  # frame of the link in the frame of the body
        self.mimics: dict[str, str] = {}
        self.dampings: dict[str, float] = {}
        self.frictions: dict[str, float] = {}
        self.chained: dict[str, str] = {}
        """Part of a joint with several axes -> the joint, for messages."""
        self.root = self._root_name()
        self.names = {*model.bodies, *model.markers, self.root}

    def _root_name(self) -> str:
        """The name of a marker at the world's origin, or "world"."""
        for name, marker in self.model.markers.items():
            if name_of(marker.body) == GROUND and marker.pose == Pose() and name not in self._joint_markers():
                return name
        return free_name("world", self.model.bodies, self.model.markers)

    def _joint_markers(self) -> set[str]:
        """Markers that only say where joints are."""
        ends = {name_of(r) for j in self.model.joints.values() for r in (j.parent_reference, j.child_reference)}
        used = {name_of(r) for f in self.model.forces.values() for _, r in f.markers()}
        used |= {name_of(r) for c in self.model.constraints.values() for r in c.markers()}
        return ends - used

    # ------------------------------------------------------------------------------------------------------- content

    def text(self) -> str:
        """The whole file."""
        self._laws()
        self._link(self.root, GROUND, None)
        order, seen = [GROUND], {GROUND}
        used: set[str] = set()
        for body in order:  # grows while it is walked
            for name, element in self.model.joints.items():
                if name in used or body not in (element.parent, element.child):
                    continue
                used.add(name)
                outboard = element.child if body == element.parent else element.parent
                if outboard in seen:
                    who = ElementId("joint", name)
                    self.found.error("urdf", (who,), f"{who} closes a loop; a URDF is a tree",
                                     remedy="take the joint out; YAML files keep loops")  # fmt: skip
                    continue
                seen.add(outboard)
                order.append(outboard)
                self._joint(element, reversed_=body != element.parent)
        self._markers()
        head = f'<?xml version="1.0" encoding="utf-8"?>\n<robot name={quoteattr(self.model.name)}>'
        for name in {*self.names, *self.model.joints, self.model.name}:
            if not name.isprintable():
                self.found.error("urdf", (), f"the name {name!r} has characters that XML cannot hold")
        return "\n".join([head, *self.lines, "</robot>"]) + "\n"

    def _laws(self) -> None:
        """Forces and constraints as far as URDF has them."""
        model = self.model
        for name, force in model.forces.items():
            joint = model.joints.get(name_of(force.joint)) if isinstance(force, JointDamping) else None  # pyright: ignore[reportArgumentType]
            if isinstance(force, JointDamping) and joint is not None and joint.nv == 1:
                self.dampings[joint.name] = self.dampings.get(joint.name, 0.0) + force.damping
            elif (friction := constant_friction(model, force)) is not None:
                self.frictions[friction[0]] = self.frictions.get(friction[0], 0.0) + friction[1]
            else:
                self.lost.append(f'force "{name}" ({force.kind})')
        for name, constraint in model.constraints.items():
            mimic = _mimic(constraint) if isinstance(constraint, Coupler | Gear) else None
            if mimic is None or mimic[0] in self.mimics or any(model.joints[j].nv != 1 for j in mimic[:2]):
                self.lost.append(f'constraint "{name}" ({constraint.kind})')
            else:
                follower, leader, factor, offset = mimic
                self.mimics[follower] = (
                    f"    <mimic joint={quoteattr(leader)} multiplier={_q([factor])} offset={_q([offset])}/>"
                )
        self.lost += [f'bond graph "{name}"' for name in model.bond_graphs]
        self.lost += [f'state "{name}"' for name in model.states] + [f'event "{name}"' for name in model.events]
        if not np.array_equal(np.asarray(model.gravity, dtype=float), STANDARD_GRAVITY):
            self.lost.append(f"gravity {np.asarray(model.gravity).tolist()}: readers of URDF assume theirs")
        for name, joint in model.joints.items():
            if any(joint.rotor_inertias):
                self.lost.append(f'rotor inertia of joint "{name}"')
            if joint.q0 is not None or joint.v0 is not None:
                self.lost.append(f'initial values of joint "{name}"')

    def _link(self, name: str, body: str, inertia: Inertia | None) -> None:
        """A link with the mass and the shapes of a body."""
        X_LB = self.X_BL[body].inverse()
        lines: list[str] = []
        if inertia is not None and (inertia.mass > 0.0 or np.any(inertia.matrix)):
            I = inertia.moved(X_LB)
            (xx, xy, xz), (_, yy, yz), (_, _, zz) = I.matrix.tolist()
            moments = {"ixx": xx, "ixy": xy, "ixz": xz, "iyy": yy, "iyz": yz, "izz": zz}
            lines += [
                "    <inertial>", f"      <origin xyz={_q(I.com)}/>", f"      <mass value={_q([I.mass])}/>",
                "      <inertia " + " ".join(f"{k}={_q([v])}" for k, v in moments.items()) + "/>", "    </inertial>",
            ]  # fmt: skip
        owner = self.model.ground if body == GROUND else self.model.bodies[body]
        for shape in owner.shapes or (() if inertia is None else inertia.shapes):
            drawn = shape_lines(shape.moved(X_LB), self.folder, _origin)
            if drawn is None:
                self.undrawn.append(
                    f'a shape of body "{body}" ({"cavity" if shape.cavity else shape.kind}), only drawn'
                )
            else:
                lines += drawn
        head = f"  <link name={quoteattr(name)}"
        self.lines += [f"{head}>", *lines, "  </link>"] if lines else [f"{head}/>"]

    def _massless(self, name: str) -> None:
        self.lines.append(f"  <link name={quoteattr(name)}/>")

    def _markers(self) -> None:
        hidden = self._joint_markers()
        for name, marker in self.model.markers.items():
            if name in hidden or name == self.root:
                continue
            body = name_of(marker.body)
            if body not in self.X_BL:
                continue
            self._massless(name)
            X = self.X_BL[body].inverse() @ marker.pose
            joint = free_name(f"{name}_mount", self.model.joints)
            self._joint_lines(joint, "fixed", self.root if body == GROUND else body, name, X)

    # -------------------------------------------------------------------------------------------------------- joints

    def _joint(self, element: JointElement, reversed_: bool) -> None:
        """The joint, in a chain of simple ones, and the link that it carries."""
        inboard, outboard = (element.child, element.parent) if reversed_ else (element.parent, element.child)
        near, far = self.placement.on_parent[element.name], self.placement.on_child[element.name]
        if reversed_:
            near, far = far, near
        steps = self._steps(element.joint, reversed_)
        if steps is None:
            way = " joined from its child to its parent" if reversed_ else ""
            who = ElementId("joint", element.name)
            self.found.error(
                "urdf", (who,), f"{who}: URDF has no {element.kind} joint{way}",
                remedy="use a chain of revolute or prismatic joints (dt.Composite), or save as YAML")  # fmt: skip
            steps = [("fixed", None)]
        self.X_BL[outboard] = far
        X = self.X_BL[inboard].inverse() @ near
        parent = self.root if inboard == GROUND else inboard
        for i, (kind, axis) in enumerate(steps):
            last = i == len(steps) - 1
            name = element.name if last else free_name(f"{element.name}_part_{i + 1}", self.model.joints)
            child = outboard if last else free_name(f"{outboard}_part_{i + 1}", self.names)
            if last:
                self._link(outboard, outboard, self.model.bodies[outboard].inertia)  # pyright: ignore[reportArgumentType]
            else:
                self.names.add(child)
                self._massless(child)
            self._joint_lines(
                name,
                kind,
                parent,
                child,
                X,
                axis,
                self._extras(element, kind, len(steps) - 1 - i if reversed_ else i, len(steps)),
            )
            parent, X = child, Pose()
        if len(steps) > 1 and element.name in self.dampings:
            self.lost.append(f'damping of joint "{element.name}"')
        if len(steps) > 1 and element.name in self.frictions:
            self.lost.append(f'friction of joint "{element.name}"')

    def _steps(self, joint: Joint, reversed_: bool) -> list[tuple[str, ArrayLike | None]] | None:
        """Types and axes of the URDF joints that make a joint; None if there are none."""
        R, sign = joint.frame().matrix, -1.0 if reversed_ else 1.0
        steps: list[tuple[str, ArrayLike | None]]
        match joint.kind:
            case "free" | "planar":  # types of URDF's own
                plane = R[:, 2] if joint.kind == "planar" else None
                fits = joint.kind == "free" or np.allclose(R, np.roll(np.eye(3), int(np.argmax(R[:, 2])) - 2, axis=0))
                return [("floating" if joint.kind == "free" else "planar", plane)] if fits and not reversed_ else None
            case "composite":
                steps = []
                for part in joint.parts:
                    inner = self._steps(part, reversed_)
                    if inner is None:
                        return None
                    steps += inner[::-1] if reversed_ else inner
            case _:  # a chain of turns and shifts, whatever the kind
                motions = motions_of(joint)
                if motions is None or not all(m.turns or m.slides for m in motions):
                    return None
                steps = [("revolute" if m.turns else "prismatic", sign * np.array(m.axis)) for m in motions]
                steps = steps or [("fixed", None)]
        return steps[::-1] if reversed_ else steps

    def _extras(self, element: JointElement, kind: str, i: int, count: int) -> list[str]:
        """Limits, damping and mimic of one joint of the chain, which moves coordinate i of `count`."""
        lines: list[str] = []
        if kind in ("revolute", "prismatic"):
            limits = None if element.limits is None else np.reshape(np.asarray(element.limits, dtype=float), (-1, 2))
            bounds = None if limits is None or i >= len(limits) else limits[i].clip(-BOUNDLESS, BOUNDLESS)
            if bounds is None and kind == "prismatic":
                bounds = (-BOUNDLESS, BOUNDLESS)
            drive = [self._of_drive(given, i, count) for given in (element.effort_limit, element.velocity_limit)]
            if bounds is not None or any(drive):
                place = "" if bounds is None else f"lower={_q([bounds[0]])} upper={_q([bounds[1]])} "
                effort, velocity = (_q([each or BOUNDLESS]) for each in drive)
                lines.append(f"    <limit {place}effort={effort} velocity={velocity}/>")
        damping, constant = self.dampings.get(element.name, 0.0), self.frictions.get(element.name)
        friction = f" friction={_q([constant])}" if constant else ""
        if count == 1 and (damping or friction):
            lines.append(f"    <dynamics damping={_q([damping])}{friction}/>")
        if count == 1 and element.name in self.mimics:
            lines.append(self.mimics[element.name])
        return lines

    @staticmethod
    def _of_drive(given: Any, i: int, count: int) -> float | None:
        """A limit of the drive of joint i of the chain."""
        if given is None:
            return None
        numbers = np.broadcast_to(np.asarray(given, dtype=float), (count,))
        return float(numbers[i]) or None

    def _joint_lines(
        self,
        name: str,
        kind: str,
        parent: str,
        child: str,
        X: Pose,
        axis: ArrayLike | None = None,
        extras: Sequence[str] = (),
    ) -> None:
        if kind == "revolute" and not any(" lower=" in line for line in extras):
            kind = "continuous"
        self.lines += [
            f'  <joint name={quoteattr(name)} type="{kind}">',
            f"    <parent link={quoteattr(parent)}/>",
            f"    <child link={quoteattr(child)}/>",
            f"    {_origin(X)}",
            *([] if axis is None else [f"    <axis xyz={_q(axis)}/>"]),
            *extras,
            "  </joint>",
        ]


def constant_friction(model: Model, force: Force) -> tuple[str, float] | None:
    """(joint, friction) of plain Coulomb friction of one coordinate that does not depend on the load."""
    if not isinstance(force, JointFriction):
        return None
    name = name_of(force.joint)  # pyright: ignore[reportArgumentType]
    if name not in model.joints or model.joints[name].nv != 1:
        return None
    plain = vars(JointFriction(force.joint, constant=force.constant))
    return (name, force.constant) if vars(force) == plain else None


def _mimic(constraint: Coupler | Gear) -> tuple[str, str, float, float] | None:
    """(follower, leader, factor, offset) of a coupling of two joints; None if it is another."""
    if isinstance(constraint, Gear):
        return name_of(constraint.joint_b), name_of(constraint.joint_a), constraint.ratio, 0.0  # pyright: ignore[reportArgumentType]
    (row,) = constraint.rows()
    if len(row.terms) != 2 or not isinstance(row.value, float | int):
        return None
    (a, i, c), (b, j, d) = row.terms
    if i or j or not c:
        return None
    return name_of(a), name_of(b), -d / c, row.value / c  # pyright: ignore[reportArgumentType]


def _q(numbers: ArrayLike) -> str:
    """Numbers in quotes, with all their digits; a minus before zero is dropped."""
    return '"' + " ".join(repr(float(x) + 0.0) for x in np.ravel(np.asarray(numbers, dtype=float))) + '"'


def _origin(X: Pose) -> str:
    """Element `origin` of a pose."""
    turned = f" rpy={_q(X.rotation.euler('xyz'))}" if X.rotation.angle else ""
    return f"<origin xyz={_q(X.position)}{turned}/>"
