"""Forces and constraints as attributes of joints, tendons, actuators, equalities and sensors of MJCF.

A law that is a sum of numbers times the length, its rate and one control is an actuator:

    force = gain * control + b0 + b1 * length + b2 * rate,   clipped to a range

Torques that several joints get from one tendon are recognised by their names, NAME_JOINT, and by their coefficients,
which are those of a symmetric matrix of rank one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import NDArray

from duoti.formats.mjcf.affine import Affine, affine
from duoti.formats.mjcf.save_geoms import q
from duoti.formats.mjcf.saved import Saved
from duoti.formats.urdf.save import constant_friction
from duoti.formats.xml.names import free_name
from duoti.model.constraints.base import Constraint
from duoti.model.constraints.distance import Distance
from duoti.model.constraints.marker_motion import MarkerMotion
from duoti.model.constraints.weld import Weld
from duoti.model.elements import GROUND, name_of
from duoti.model.forces.applied import AppliedForce, AppliedTorque
from duoti.model.forces.base import Force
from duoti.model.forces.bushing import Bushing
from duoti.model.forces.joint_damping import JointDamping
from duoti.model.forces.joint_spring import JointSpring
from duoti.model.forces.joint_torque import JointTorque
from duoti.model.forces.line_force import LineForce
from duoti.model.forces.spring_damper import SpringDamper
from duoti.spatial import Pose

CONTROL = "_control"
SAME = 1e-9  # of coefficients of one tendon, relative
COORDINATE = re.compile(r"(?P<joint>.+)\.(?P<what>q|v|angle|rate|position|velocity)(\[(?P<at>\d+)\])?")
RATES = ("v", "rate", "velocity")
OWN_Q, OWN_V, LENGTH, SPEED = "q", "v", "length", "speed"
OF_SENSORS = {"accelerometer": "accelerometer", "gyroscope": "gyro", "encoder": "jointpos", "tachometer": "jointvel"}


@dataclass
class Push:
    """A force and a torque at a site, by one control."""

    name: str
    marker: Any
    gear: NDArray[np.float64]
    law: Affine


class Laws:
    """All of them, in lines of the sections of the file."""

    def __init__(self, saved: Saved):
        self.saved, self.model = saved, saved.model
        self.tendons: list[str] = []
        self.actuators: list[str] = []
        self.equalities: list[str] = []
        self.sensors: list[str] = []
        self.controls: dict[str, float] = {}
        """Initial value of the control of each actuator."""
        self.activations: list[float] = []
        self._pushes: dict[tuple[str, ...], Push] = {}
        self._tendon_names: set[str] = set()
        self._states: set[str] = set()
        """Those that are activations of actuators."""

    def read(self) -> None:
        """All forces, constraints, states and sensors."""
        model, saved = self.model, self.saved
        torques: dict[str, tuple[JointTorque, Affine]] = {}
        for name, force in model.forces.items():
            if isinstance(force, JointTorque):
                law = affine(force.value, lambda word, force=force: self._meaning(word, force))
                if law is None:
                    saved.lost.append(f'force "{name}" ({force.kind}), which is no law of an actuator')
                else:
                    torques[name] = (force, law)
            elif not self._force(name, force):
                saved.lost.append(f'force "{name}" ({force.kind})')
        for push in self._pushes.values():
            site = self.saved.site_of(push.marker, f"{push.name}_site")
            self._actuator(push.name, f"site={quoteattr(site)} gear={q(push.gear)}", push.law, ("", ""))
        self._torques(torques)
        for name, constraint in model.constraints.items():
            if not self._constraint(name, constraint):
                saved.lost.append(f'constraint "{name}" ({constraint.kind})')
        saved.lost += [f'bond graph "{name}"' for name in model.bond_graphs]
        saved.lost += [f'state "{name}"' for name in model.states if name not in self._states]
        saved.lost += [f'event "{name}"' for name in model.events]
        for name, sensor in model.sensors.items():
            self._sensor(name, sensor)

    # ------------------------------------------------------------------------------------------------------- forces

    def _force(self, name: str, force: Force) -> bool:
        """Write a force that is no torque in a joint; False if MJCF has none like it."""
        if isinstance(force, JointDamping):
            joint = name_of(force.joint)  # pyright: ignore[reportArgumentType]
            return self._add(joint, None, "damping", force.damping)
        if isinstance(force, JointSpring):
            return self._spring(force)
        if (friction := constant_friction(self.model, force)) is not None:
            return self._add(friction[0], 0, "frictionloss", friction[1])
        if isinstance(force, SpringDamper):
            sites = [
                self.saved.site_of(m, f"{name}_{side}") for m, side in ((force.marker_a, "a"), (force.marker_b, "b"))
            ]
            numbers = (
                f"stiffness={q([force.stiffness])} damping={q([force.damping])} springlength={q([force.rest_length])}"
            )
            self._spatial(name, sites, numbers)
            return True
        if isinstance(force, LineForce):
            return self._line(name, force)
        if isinstance(force, AppliedForce | AppliedTorque):
            return self._carried(force) or self._at_site(name, force)
        return self._ball_spring(force) if isinstance(force, Bushing) else False

    def _add(self, joint: str, coordinate: int | None, key: str, value: float) -> bool:
        """Add to an attribute of the joints of MuJoCo that a joint has become; False if it has become none."""
        parts = [part for part in self.saved.parts_of(joint) if coordinate in (None, part.coordinate)]
        if not parts or (key == "frictionloss" and parts[0].kind not in ("hinge", "slide")):
            return False
        for part in parts:
            before = float(part.attributes.get(key, '"0"').strip('"'))
            part.attributes[key] = q([before + value])
        return True

    def _spring(self, force: JointSpring) -> bool:
        joint, at = name_of(force.joint), force.coordinate or 0  # pyright: ignore[reportArgumentType]
        part = self.saved.part_of.get((joint, at))
        if part is None or ("stiffness" in part.attributes and force.stiffness):
            return False
        if force.stiffness:
            part.attributes["stiffness"] = q([force.stiffness])
            part.attributes["springref"] = q([force.rest])
        return not force.damping or self._add(joint, at, "damping", force.damping)

    def _ball_spring(self, force: Bushing) -> bool:
        """A spring that turns a ball joint back to its reference."""
        numbers = np.asarray(force.stiffness, dtype=float).ravel() if np.size(force.stiffness) == 6 else np.zeros(0)
        turned = [force.marker_a, force.marker_b]
        plain = vars(Bushing(force.marker_a, force.marker_b, force.stiffness))
        if not numbers.size or vars(force) != plain or np.any(numbers[:3]) or len({*numbers[3:].tolist()}) > 1:
            return False
        ends = [{self.model.body_name(m)} for m in turned]
        for element in self.model.joints.values():
            parts = self.saved.parts_of(element.name)
            if parts and parts[0].kind == "ball" and [{element.parent}, {element.child}] == ends:
                parts[0].attributes["stiffness"] = q([float(numbers[3])])
                return True
        return False

    def _carried(self, force: Any) -> bool:
        """A constant force against gravity in the mass centre."""
        values, gravity = force.value, np.asarray(self.model.gravity, dtype=float)
        if not isinstance(force, AppliedForce) or force.frame != "world" or not isinstance(values, Sequence):
            return False
        if not all(isinstance(each, int | float) for each in values):
            return False
        marker = self.model.marker(force.marker)
        body = self.model.body_name(force.marker)
        inertia = None if body == GROUND else self.model.bodies[body].inertia
        if marker is None or inertia is None or not inertia.mass or not np.any(gravity):
            return False
        weight = inertia.mass * gravity
        part = -float(np.dot(np.asarray(values, dtype=float), weight) / np.dot(weight, weight))
        near = np.allclose(np.asarray(values, dtype=float), -part * weight, rtol=1e-12, atol=0.0)
        if not near or not np.allclose(marker.pose.position, inertia.com, rtol=0.0, atol=1e-12):
            return False
        self.saved.gravcomp[body] = self.saved.gravcomp.get(body, 0.0) + part
        return True

    def _at_site(self, name: str, force: Any) -> bool:
        """A force or torque in the axes of a marker, whose components are multiples of one control, or numbers."""
        if force.frame != "marker" or not isinstance(force.value, Sequence) or len(force.value) != 3:
            return False
        laws = [affine(each, self._control_of) for each in force.value]
        found = [law for law in laws if law is not None]
        names = {key for law in found for key in law.terms}
        if len(found) < 3 or len(names) > 1:
            return False
        gains = np.array([next(iter(law.terms.values()), 0.0) for law in found])
        if np.any([law.constant for law in found]) and names:
            return False
        limits = {law.limits for law in found if law.terms} - {None}
        if limits and (len(limits) > 1 or np.count_nonzero(gains) > 1):
            return False
        gear = gains if names else np.array([law.constant for law in found])
        whole = np.concatenate([gear, np.zeros(3)] if isinstance(force, AppliedForce) else [np.zeros(3), gear])
        law = Affine(1.0)
        if names:
            law = Affine(0.0, {next(iter(names)): 1.0}, next((x.clipped for x in found if x.clipped), {}))
        if limits:
            low, high = next(limit for limit in limits if limit is not None)
            scale = float(gains[np.flatnonzero(gains)[0]])
            law.limits = (low / scale, high / scale) if scale > 0.0 else (high / scale, low / scale)
        key = (name_of(force.marker), *sorted(names), repr(law))
        if key in self._pushes and not np.any(self._pushes[key].gear * whole):  # force and torque of one actuator
            self._pushes[key].gear += whole
        elif key not in self._pushes:
            self._pushes[key] = Push(name, force.marker, whole, law)
        else:
            return False
        return True

    def _line(self, name: str, force: LineForce) -> bool:
        """A tension between two points: a tendon with an actuator that pulls."""
        law = affine(force.tension, self._meaning_on_a_line)
        if law is None:
            return False
        sites = [self.saved.site_of(m, f"{name}_{side}") for m, side in ((force.marker_a, "a"), (force.marker_b, "b"))]
        tendon = self._spatial(f"{name}_line", sites, "")
        self._actuator(name, f"tendon={quoteattr(tendon)}", law.scaled(-1.0), (LENGTH, SPEED))
        return True

    def _spatial(self, wanted: str, sites: Sequence[str], attributes: str) -> str:
        name = self._tendon_name(wanted)
        ends = "".join(f"<site site={quoteattr(site)}/>" for site in sites)
        self.tendons.append(f"<spatial name={quoteattr(name)} {attributes}>{ends}</spatial>".replace(" >", ">"))
        return name

    def _fixed(self, wanted: str, terms: Sequence[tuple[str, float]], attributes: str) -> str:
        name = self._tendon_name(wanted)
        inner = "".join(f"<joint joint={quoteattr(joint)} coef={q([factor])}/>" for joint, factor in terms)
        self.tendons.append(f"<fixed name={quoteattr(name)} {attributes}>{inner}</fixed>".replace(" >", ">"))
        return name

    def _tendon_name(self, wanted: str) -> str:
        name = free_name(wanted, self._tendon_names)
        self._tendon_names.add(name)
        return name

    # -------------------------------------------------------------------------------------------- torques in joints

    def _meaning(self, word: str, force: JointTorque) -> Affine | None:
        """Names in the law of a joint torque: coordinates as "JOINT q" and "JOINT v", controls, numbers."""
        own, at = name_of(force.joint), force.coordinate or 0  # pyright: ignore[reportArgumentType]
        several = self.model.joints[own].nv > 1
        if word in (OWN_Q, OWN_V) and not several:
            return self._coordinate(own, at, word == OWN_V)
        match = COORDINATE.fullmatch(word)
        if match and match["joint"] in self.model.joints:
            index = int(match["at"] or 0)
            if self.model.joints[match["joint"]].nv > 1 and match["at"] is None:
                return None
            return self._coordinate(match["joint"], index, match["what"] in RATES)
        return self._control_of(word)

    def _coordinate(self, joint: str, at: int, rate: bool) -> Affine | None:
        part = self.saved.part_of.get((joint, at))
        return None if part is None else Affine(0.0, {f"{part.name} {OWN_V if rate else OWN_Q}": 1.0})

    @staticmethod
    def _meaning_of_own(word: str) -> Affine | None:
        return Affine(0.0, {word: 1.0}) if word in (LENGTH, SPEED) else None

    def _meaning_on_a_line(self, word: str) -> Affine | None:
        return self._meaning_of_own(word) or self._control_of(word)

    def _control_of(self, word: str) -> Affine | None:
        """A parameter that is a control, or the state behind one; other parameters are numbers."""
        if word in self.model.states:
            return Affine(0.0, {word: 1.0}) if self._filter(word) is not None else None
        if word not in self.model.parameters:
            return None
        if word.endswith(CONTROL):
            return Affine(0.0, {word: 1.0})
        return Affine(float(self.model.parameters[word]))

    def _filter(self, state: str) -> tuple[str, str, Affine] | None:
        """(dyntype, dynprm, control) of a state that follows a control; None of any other."""
        rate = self.model.states[state].rate
        law = affine(rate, self._plain_control(state))
        controls = [] if law is None else [key for key in law.terms if key != state]
        if law is None or law.constant or law.limits or len(controls) != 1:
            return None
        gain, own = law.terms[controls[0]], law.terms.get(state, 0.0)
        control = Affine(0.0, {controls[0]: 1.0}, law.clipped)
        if own == 0.0 and gain == 1.0:
            return "integrator", "", control
        return ("filter", f" dynprm={q([1.0 / gain])}", control) if own == -gain and gain > 0.0 else None

    def _plain_control(self, state: str) -> Any:
        def look(word: str) -> Affine | None:
            if word == state or (word in self.model.parameters and word.endswith(CONTROL)):
                return Affine(0.0, {word: 1.0})
            return Affine(float(self.model.parameters[word])) if word in self.model.parameters else None

        return look

    def _torques(self, torques: dict[str, tuple[JointTorque, Affine]]) -> None:
        alone: dict[str, tuple[JointTorque, Affine]] = {}
        groups: dict[tuple[str, ...], dict[str, tuple[JointTorque, Affine]]] = {}
        for name, (force, law) in torques.items():
            joints = tuple(sorted({key.rpartition(" ")[0] for key in law.terms if " " in key}))
            control = tuple(key for key in law.terms if " " not in key)
            part = self._part(force)
            if part is None:
                self.saved.lost.append(f'force "{name}" ({force.kind})')
            elif len(joints) > 1 or (joints and joints != (part.name,)) or self._shared(control, torques):
                ending = f"_{part.joint}"
                prefix = name.removesuffix(ending) if name.endswith(ending) else name
                groups.setdefault((prefix, *control), {})[name] = (force, law)
            else:
                alone[name] = (force, law)
        for name, (force, law) in alone.items():
            part = self._part(force)
            assert part is not None
            where = f"joint={quoteattr(part.name)}"
            self._actuator(name, where, law, (f"{part.name} {OWN_Q}", f"{part.name} {OWN_V}"))
        for (prefix, *_), members in groups.items():
            if not self._tendon(prefix, members):
                self.saved.lost += [
                    f'force "{name}" ({force.kind}), which couples joints' for name, (force, _) in members.items()
                ]

    def _part(self, force: JointTorque) -> Any:
        return self.saved.part_of.get((name_of(force.joint), force.coordinate or 0))  # pyright: ignore[reportArgumentType]

    @staticmethod
    def _shared(control: tuple[str, ...], torques: dict[str, tuple[JointTorque, Affine]]) -> bool:
        return bool(control) and sum(bool({*control} & law.terms.keys()) for _, law in torques.values()) > 1

    def _tendon(self, name: str, members: dict[str, tuple[JointTorque, Affine]]) -> bool:
        """Torques c_i * F of one tendon, F = -k (L - rest) - d dL/dt + gain * control with L = sum of c_i q_i."""
        joints = [self._part(force).name for force, _ in members.values()]
        laws = [law for _, law in members.values()]
        if len({*joints}) < len(joints):
            return False
        known = {f"{joint} {what}" for joint in joints for what in (OWN_Q, OWN_V)}
        controls = {key for law in laws for key in law.terms if " " not in key}
        if len(controls) > 1 or any(" " in key and key not in known for law in laws for key in law.terms):
            return False
        K, D = (
            np.array([[law.terms.get(f"{joint} {what}", 0.0) for joint in joints] for law in laws])
            for what in (OWN_Q, OWN_V)
        )
        u = np.array([next((law.terms[c] for c in controls if c in law.terms), 0.0) for law in laws])
        b = np.array([law.constant for law in laws])
        source = K if np.any(K) else D if np.any(D) else u[:, None]
        column = source[:, int(np.argmax(np.abs(source).sum(axis=0)))]
        c = column / column[int(np.argmax(np.abs(column)))]
        norm = float(c @ c)
        k, d = -float(c @ K @ c) / norm**2, -float(c @ D @ c) / norm**2
        gain, rest = float(c @ u) / norm, float(c @ b) / norm
        for given, made in ((K, -k * np.outer(c, c)), (D, -d * np.outer(c, c)), (u, gain * c), (b, rest * c)):
            if np.max(np.abs(given - made), initial=0.0) > SAME * max(
                float(np.max(np.abs(given), initial=0.0)), 1e-300
            ):
                return False
        terms = list(zip(joints, c.tolist(), strict=True))
        limits = _common_limits(laws, c)
        if limits is None and any(law.limits is not None for law in laws):
            return False
        if controls or limits or k < 0.0 or d < 0.0 or (rest and not k):
            law = Affine(rest, {LENGTH: -k, SPEED: -d, **({next(iter(controls)): gain} if controls else {})})
            law.clipped, law.limits = next((each.clipped for each in laws if each.clipped), {}), limits
            tendon = self._fixed(name, terms, "")
            self._actuator(name, f"tendon={quoteattr(tendon)}", law, (LENGTH, SPEED))
        else:
            numbers = f"stiffness={q([k])} damping={q([d])} springlength={q([rest / k if k else 0.0])}"
            if k and rest < 0.0:  # a spring length is not negative: the same by an actuator without control
                tendon = self._fixed(name, terms, "")
                self._actuator(
                    name, f"tendon={quoteattr(tendon)}", Affine(rest, {LENGTH: -k, SPEED: -d}), (LENGTH, SPEED)
                )
            else:
                self._fixed(name, terms, numbers)
        return True

    def _actuator(self, name: str, where: str, law: Affine, own: tuple[str, str]) -> None:
        """A general actuator; own: names of the length and of its rate in the law."""
        names = [key for key in law.terms if key not in own]
        gain = law.terms[names[0]] if names else 0.0
        bias = [law.constant, law.terms.get(own[0], 0.0), law.terms.get(own[1], 0.0)]
        control, extra, clipped = (names[0] if names else ""), "", law.clipped
        if control in self.model.states:
            found = self._filter(control)
            assert found is not None
            kind, numbers, behind = found
            self.activations.append(float(self.model.states[control].initial))
            self._states.add(control)
            extra, clipped = f' dyntype="{kind}"{numbers}', behind.clipped
            control = next(iter(behind.terms))
        wanted = control.removesuffix(CONTROL) if control else name
        label = free_name(wanted, self.controls)
        if control in clipped:
            extra += f" ctrlrange={q(clipped[control])}"
        if law.limits is not None:
            extra += f" forcerange={q(law.limits)}"
        self.controls[label] = float(self.model.parameters[control]) if control else 0.0
        shown = f' biastype="affine" biasprm={q(bias)}' if any(bias) else ""
        self.actuators.append(f"<general name={quoteattr(label)} {where} gainprm={q([gain])}{shown}{extra}/>")

    # -------------------------------------------------------------------------------------------------- constraints

    def _constraint(self, name: str, constraint: Constraint) -> bool:
        """Write a constraint; False if MJCF has none like it."""
        if isinstance(constraint, Weld):
            self.weld(name, self._ends(constraint.marker_a, constraint.marker_b))
            return True
        if isinstance(constraint, MarkerMotion):
            zero = constraint.velocity is None and constraint.position is not None
            if not zero or [each for each in constraint.position or () if each != 0.0]:
                return False
            self.connect(name, self._ends(constraint.reference, constraint.marker))
            return True
        if isinstance(constraint, Distance):
            if not isinstance(constraint.length, int | float):
                return False
            ends = (constraint.marker_a, "a"), (constraint.marker_b, "b")
            tendon = self._spatial(name, [self.saved.site_of(m, f"{name}_{side}") for m, side in ends], "")
            self.equalities.append(
                f"<tendon name={quoteattr(name)} tendon1={quoteattr(tendon)} polycoef={q([0.0, 0.0, 0.0, 0.0, 0.0])}/>"
            )
            return self._is_the_length(constraint)
        return self._coupler(name, constraint)

    def _is_the_length(self, constraint: Distance) -> bool:
        """Whether the length is that of the reference configuration, from which MuJoCo counts."""
        points = []
        for reference in (constraint.marker_a, constraint.marker_b):
            marker, body = self.model.marker(reference), self.model.body_name(reference)
            if marker is None:
                return False
            points.append((self.saved.placement.bodies[body] @ marker.pose).position)
        here = float(np.linalg.norm(np.subtract(*points)))
        return abs(here - float(constraint.length)) < 1e-9 * max(here, 1.0)  # pyright: ignore[reportArgumentType]

    def _coupler(self, name: str, constraint: Constraint) -> bool:
        """A linear equation of one, two or more coordinates."""
        rows = constraint.rows()
        if len(rows) != 1 or rows[0].kind != "coupler" or not isinstance(rows[0].value, int | float):
            return False
        terms: list[tuple[str, float]] = []
        for joint, at, factor in rows[0].terms:
            part = self.saved.part_of.get((name_of(joint), at))  # pyright: ignore[reportArgumentType]
            if part is None:
                return False
            terms.append((part.name, factor))
        value, (first, c) = float(rows[0].value), terms[0]
        if not c:
            return False
        head = f"name={quoteattr(name)}"
        if len(terms) == 1:
            self.equalities.append(f"<joint {head} joint1={quoteattr(first)} polycoef={q([value / c, 0, 0, 0, 0])}/>")
        elif len(terms) == 2:
            second, d = terms[1]
            numbers = q([value / c, -d / c, 0, 0, 0])
            self.equalities.append(
                f"<joint {head} joint1={quoteattr(first)} joint2={quoteattr(second)} polycoef={numbers}/>"
            )
        else:
            tendon = self._fixed(name, terms, "")
            self.equalities.append(f"<tendon {head} tendon1={quoteattr(tendon)} polycoef={q([value, 0, 0, 0, 0])}/>")
        return True

    def _ends(self, a: Any, b: Any) -> tuple[tuple[str, Pose], ...]:
        found: list[tuple[str, Pose]] = []
        for each in (a, b):
            marker = self.model.marker(each)
            assert marker is not None
            found.append((self.model.body_name(each), marker.pose))
        return tuple(found)

    def weld(self, name: str, ends: Sequence[tuple[str, Pose]]) -> None:
        """Two frames coincide."""
        self._equality("weld", name, ends)

    def connect(self, name: str, ends: Sequence[tuple[str, Pose]]) -> None:
        """Two points coincide."""
        self._equality("connect", name, ends)

    def _equality(self, tag: str, name: str, ends: Sequence[tuple[str, Pose]]) -> None:
        first, second = (self.saved.site(f"{name}_{side}", body, X) for (body, X), side in zip(ends, "ab", strict=True))
        sites = f"site1={quoteattr(first)} site2={quoteattr(second)}"
        self.equalities.append(f"<{tag} name={quoteattr(name)} {sites}/>")

    # ------------------------------------------------------------------------------------------------------ sensors

    def _sensor(self, name: str, sensor: Any) -> None:
        tag = OF_SENSORS.get(sensor.type)
        of_joint = tag in ("jointpos", "jointvel")
        part = self.saved.part_of.get((name_of(sensor.joint), 0)) if of_joint else None
        if tag is None or (of_joint and part is None):
            self.saved.undrawn.append(f'sensor "{name}" ({sensor.type}), which moves nothing')
            return
        at = (
            f"joint={quoteattr(part.name)}"
            if part
            else f"site={quoteattr(self.saved.site_of(sensor.marker, f'{name}_site'))}"
        )
        self.sensors.append(f"<{tag} name={quoteattr(name)} {at}/>")


def _common_limits(laws: Sequence[Affine], c: NDArray[np.float64]) -> tuple[float, float] | None:
    """The range of the force of which these laws are c_i times; None if there is no such range."""
    found: list[tuple[float, float]] = []
    for law, factor in zip(laws, c.tolist(), strict=True):
        if law.limits is None or not factor:
            return None
        low, high = sorted((law.limits[0] / factor, law.limits[1] / factor))
        found.append((low, high))
    return found[0] if np.allclose(found, found[0], rtol=SAME, atol=0.0) else None
