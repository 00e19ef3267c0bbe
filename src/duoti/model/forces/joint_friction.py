"""Dry friction in a joint, from the load that the joint carries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from duoti.elements.joint_friction import (
    BRISTLE_DAMPING,
    BRISTLE_STIFFNESS,
    CONSTANT,
    FRICTION,
    FRICTION_NUMBERS,
    REGULARISATION,
    STATIC_CONSTANT,
    STATIC_FRICTION,
    STATIC_RATIO,
    STRIBECK_VELOCITY,
    add_friction,
    add_friction_tangent,
)
from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement, name_of
from duoti.model.forces.base import Compiler, Force, number_faults
from duoti.model.forces.channels import ForceChannel, in_joint

INTEGERS = ("slot", "slots")
SLOT, SLOTS = range(len(INTEGERS))
ARMS = ("radius", "axial_radius", "bending_arm", "overlap", "torsion_arm", "preload")
REALS = (*FRICTION_NUMBERS, *ARMS, "steady")
RADIUS, AXIAL_RADIUS, BENDING_ARM, OVERLAP, TORSION_ARM, PRELOAD, STEADY = range(len(FRICTION_NUMBERS), len(REALS))
PLACES = (  # of the numbers that laws read; those of arms are for the digest of a system only
    FRICTION, STATIC_FRICTION, CONSTANT, STATIC_CONSTANT, STATIC_RATIO, STRIBECK_VELOCITY, REGULARISATION,
    BRISTLE_STIFFNESS, BRISTLE_DAMPING,
)  # fmt: skip
FRICTION_LAWS = ("coulomb", "regularised", "lugre")


@helper
def _joint_friction(f, t, q, v, loads, w):
    lost = add_friction(loads, w, v, f, loads.forces.integers[f, SLOT], loads.forces.integers[f, SLOTS])
    return 0.0 * lost, 0.0 * lost, lost


@helper
def joint_friction_tangent(f, t, q, v, tree, loads, w, tan, path):
    """Slopes of friction."""
    integers = loads.forces.integers
    add_friction_tangent(tree, loads, w, tan, v, f, integers[f, SLOT], integers[f, SLOTS])


class JointFriction(Force):
    r"""Dry friction in a joint, by the load that the joint carries.

    $$|\tau| \le \mu \sum_i r_i N_i + \tau_0$$

    $N_i$ are the loads of the joint, its own reactions at the same instant, and $r_i$ their arms:

    * revolute: `radius` for the radial force, `axial_radius` for the axial force, `radius` / `bending_arm` for the
      bending moment;
    * universal: the same for each of its two pins;
    * spherical: `radius` of the ball for the whole force;
    * prismatic: 1 for the force across the axis, 2 / `overlap` for the bending moment, 1 / `torsion_arm` for the moment
      about the axis;
    * cylindrical: 1 for the radial force, 2 / `overlap` for the bending moment, at the surface of `radius`;
    * screw: the normal force of the thread at its mean `radius`;
    * planar: 1 for the force across the plane, at the mean `radius` for turning.

    A load without an arm does not count. Between rest and sliding the friction falls by Stribeck's curve:

    $$\mu(v) = \mu_d + (\mu_s - \mu_d)\, e^{-(v / v_s)^2}$$

    Laws of friction: "coulomb" is set-valued with true stick; transitions between stick and slip are events.
    "regularised" is proportional to $\tanh(v / v_r)$ and creeps at rest. "lugre" is the LuGre model, scaled by the
    load: it sticks apart from its elastic presliding.

    Parameters
    ----------
    joint:
        The joint.
    friction:
        Coefficient of sliding friction $\mu_d$.
    static_friction:
        Coefficient of static friction $\mu_s$; by default the same.
    radius:
        Radius of the pin, ball or thread.
    axial_radius:
        Mean radius of the collar that takes the axial force.
    bending_arm:
        Distance of the bearings that take the bending moment.
    overlap:
        Length of the guide between its two pads.
    torsion_arm:
        Arm of the pads that take the moment about the axis.
    preload:
        Normal force that acts in addition to the load.
    constant:
        Friction $\tau_0$ that does not depend on the load.
    static_constant:
        The same at rest; by default `constant`.
    stribeck_velocity:
        Velocity $v_s$ of Stribeck's curve.
    friction_law:
        "coulomb", "regularised" or "lugre".
    regularisation:
        Velocity $v_r$ of the regularised law.
    bristle_stiffness:
        Stiffness of the LuGre bristles, relative to the load.
    bristle_damping:
        Damping of the LuGre bristles, relative to the load.

    References
    ----------
    C. Canudas de Wit, H. Olsson, K. J. Åström, P. Lischinsky, A new model for control of systems with friction, IEEE
    Transactions on Automatic Control 40 (1995) 419-425.
    """

    kind = "joint_friction"
    mirrored: ClassVar[Mapping[str, str]] = {"joint": "symmetric"}
    complex_numbers = False
    units: ClassVar = {
        "friction": "1", "static_friction": "1", "radius": "m", "axial_radius": "m", "bending_arm": "m", "overlap": "m",
        "torsion_arm": "m", "preload": "N", "constant": "N m or N", "static_constant": "N m or N",
        "stribeck_velocity": "rad/s or m/s", "regularisation": "rad/s or m/s", "bristle_stiffness": "1/rad or 1/m",
        "bristle_damping": "s/rad or s/m",
    }  # fmt: skip
    INTEGERS, REALS = INTEGERS, REALS
    law = staticmethod(_joint_friction)
    tangent = staticmethod(joint_friction_tangent)

    def __init__(
        self,
        joint: JointElement | str,
        friction: float = 0.0,
        static_friction: float | None = None,
        radius: float | None = None,
        axial_radius: float | None = None,
        bending_arm: float | None = None,
        overlap: float | None = None,
        torsion_arm: float | None = None,
        preload: float = 0.0,
        constant: float = 0.0,
        static_constant: float | None = None,
        stribeck_velocity: float | None = None,
        friction_law: str = "coulomb",
        regularisation: float = 1e-3,
        bristle_stiffness: float = 1e4,
        bristle_damping: float = 0.0,
    ):
        self.joint, self.friction, self.static_friction = joint, friction, static_friction
        self.radius, self.axial_radius, self.bending_arm = radius, axial_radius, bending_arm
        self.overlap, self.torsion_arm, self.preload = overlap, torsion_arm, preload
        self.constant, self.static_constant, self.stribeck_velocity = constant, static_constant, stribeck_velocity
        self.friction_law, self.regularisation = friction_law, regularisation
        self.bristle_stiffness, self.bristle_damping = bristle_stiffness, bristle_damping

    def joints(self) -> Iterable[tuple[str, JointElement | str]]:
        """The joint."""
        return (("joint", self.joint),)

    @property
    def steady(self) -> float:
        """Torque or force in the joint beside that of friction (`OneWayClutch`)."""
        return 0.0

    @property
    def static_ratio(self) -> float:
        """Static over sliding friction."""
        if self.friction > 0.0:
            return (self.friction if self.static_friction is None else self.static_friction) / self.friction
        if self.constant > 0.0 and self.static_constant is not None:
            return self.static_constant / self.constant
        return 1.0

    def faults(self) -> list[Fault]:
        given = {
            "friction": self.friction, "static_friction": self.static_friction, "radius": self.radius,
            "axial_radius": self.axial_radius, "bending_arm": self.bending_arm, "overlap": self.overlap,
            "torsion_arm": self.torsion_arm, "preload": self.preload, "constant": self.constant,
            "static_constant": self.static_constant, "stribeck_velocity": self.stribeck_velocity,
            "regularisation": self.regularisation, "bristle_stiffness": self.bristle_stiffness,
            "bristle_damping": self.bristle_damping,
        }  # fmt: skip
        optional = {"static_friction", "radius", "axial_radius", "bending_arm", "overlap", "torsion_arm",
                    "static_constant", "stribeck_velocity"}  # fmt: skip
        checked = {name: x for name, x in given.items() if x is not None or name not in optional}
        found = number_faults(**{f"positive_{name}": x for name, x in checked.items()})
        if self.friction_law not in FRICTION_LAWS:
            text = f"friction_law is {self.friction_law!r}; it is one of {', '.join(FRICTION_LAWS)}"
            found.append(Fault(text, "friction_law"))
        if found:
            return found
        for name in ("bending_arm", "overlap", "torsion_arm", "stribeck_velocity"):
            if getattr(self, name) == 0.0:
                found.append(Fault(f"{name} is 0; leave it out if it does not count", name))
        for name in ("regularisation", "bristle_stiffness"):
            if getattr(self, name) == 0.0:
                found.append(Fault(f"{name} is 0; give a positive number", name))
        for low, high in (("friction", "static_friction"), ("constant", "static_constant")):
            if getattr(self, high) is not None and getattr(self, high) < getattr(self, low):
                text = (
                    f"{high} {getattr(self, high)} is below {low} {getattr(self, low)}: at rest, friction is not less"
                )
                found.append(Fault(text, high))
        if self.friction == 0.0 and self.constant == 0.0 and not self.static_friction and not self.static_constant:
            text = (
                "neither friction nor constant is given: it does nothing; give friction= (times the load) or constant="
            )
            found.append(Fault(text, "friction"))
        if self.friction_law == "lugre" and self.friction == 0.0 and self.constant == 0.0:
            text = "a bristle needs sliding friction: friction and constant are 0; use the law coulomb"
            found.append(Fault(text, "friction_law"))
        return found

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        first, count = compiler.friction_slots(self)
        return {"slot": first, "slots": count}

    def reals(self) -> Mapping[str, float]:
        rest = self.friction if self.static_friction is None else self.static_friction
        rest_constant = self.constant if self.static_constant is None else self.static_constant
        own = {"static_friction": rest, "static_constant": rest_constant, "static_ratio": self.static_ratio}
        return {name: own[name] if name in own else getattr(self, name) or 0.0 for name in self.REALS}

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """Torques or forces; the load times its arms; the bounds of sliding and of static friction."""
        found = dict(in_joint(model.joints.get(name_of(self.joint))))  # pyright: ignore[reportArgumentType]
        if not found:
            return {}
        unit = next(iter(found.values())).unit
        slots = 2 if model.joints[name_of(self.joint)].kind == "universal" else 1  # pyright: ignore[reportArgumentType]
        for n, name in enumerate(("load", "bound", "static_bound")):
            found[name] = ForceChannel("N" if unit == "mixed" else unit, slots, lambda seen, n=n: seen.bounds[:, :, n])  # pyright: ignore[reportOptionalSubscript]
        return found
