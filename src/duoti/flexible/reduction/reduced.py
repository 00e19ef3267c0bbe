"""What is left of a flexible body after reduction to modes: all that its motion in the tree needs.

The body's frame is that of the user (`position`, `rotation` of the body). In it, a point of the body is at
s = r + phi_j(r) eta_j, an interface at p + Phi eta, turned by exp(Psi eta). All vectors, those of interfaces too, are
in the axes of the body's frame.

**Geometric stiffness.** Matrix l is Phi^T K_g(sigma_l) Phi, with the stresses sigma_l of the static load l of unit size
and of the reactions that hold it at one interface (or anywhere that holds the body: the stresses of loads that are in
equilibrium do not depend on it). Loads, by their labels:

    a.x, a.y, a.z                  body force -rho e_i: the frame's origin accelerates (less gravity) by 1 along i
    alpha.x, alpha.y, alpha.z      body force -rho e_i x r: the frame has the angular acceleration 1 about i
    w.xx, w.yy, w.zz               body force -rho e_i x (e_i x r): the square of the angular velocity about i is 1
    w.xy, w.xz, w.yz               body force -rho (e_i x (e_j x r) + e_j x (e_i x r)): the product w_i w_j is 1
    NAME.fx, .fy, .fz              unit force on the body at the interface NAME, along i
    NAME.mx, .my, .mz              unit moment there

so that a tension makes a positive matrix. Labels that are left out count as zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from duoti.flexible.structure.moments import Moments, cross_matrices
from duoti.spatial.axes import Array, frozen
from duoti.spatial.inertia import Inertia

SYMMETRY = 1e-8
"""Matrices may be unsymmetric by this part of their largest entry: eight-digit data."""

INERTIAL_LOADS = tuple(f"{kind}.{i}" for kind in ("a", "alpha") for i in "xyz") + tuple(
    f"w.{i}" for i in ("xx", "yy", "zz", "xy", "xz", "yz")
)
WRENCH_LOADS = ("fx", "fy", "fz", "mx", "my", "mz")


@dataclass(frozen=True, eq=False)
class Interface:
    """A place where joints, forces and markers act: undeformed pose in the body's frame, and how the modes move it."""

    position: Array  # [3] m
    rotation: Array  # [3, 3] axes of the interface in those of the body
    displacement: Array  # [3, n] Phi: displacement of unit modal coordinates
    turn: Array  # [3, n] Psi: rotation vector of unit modal coordinates [rad]

    def __post_init__(self) -> None:
        for name in ("position", "rotation", "displacement", "turn"):
            object.__setattr__(self, name, frozen(getattr(self, name)))


@dataclass(frozen=True, eq=False)
class Display:
    """What can be drawn, and asked for, of a flexible body; in its frame."""

    nodes: Array  # [N, 3] positions [m]
    faces: NDArray[np.int64]  # [F, 3] triangles of the surface, or [F, 2] lines: places in `nodes`
    modes: Array  # [N, 3, n] displacements of unit modal coordinates [m]
    stresses: Array | None = None  # [N, 6, n] xx, yy, zz, xy, yz, xz at the nodes [Pa], of unit modal coordinates
    names: tuple[str, ...] | None = None  # names or numbers of the nodes, if these are not their places


@dataclass(frozen=True, eq=False)
class Reduced:
    """A flexible body in n modal coordinates; the file's docstring tells the conventions."""

    moments: Moments
    stiffness: Array  # [n, n]
    damping: Array  # [n, n]
    interfaces: Mapping[str, Interface] = field(default_factory=dict)
    geometric: Mapping[str, Array] = field(default_factory=dict)
    """Geometric stiffness [n, n] of each load, by its label."""
    display: Display | None = None
    length: float = 0.0
    """A typical length [m] that deflections are compared with; 0: from the display or the inertia."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "stiffness", frozen(self.stiffness))
        object.__setattr__(self, "damping", frozen(self.damping))
        object.__setattr__(self, "interfaces", dict(self.interfaces))
        object.__setattr__(self, "geometric", {name: frozen(K) for name, K in self.geometric.items()})
        faults = self.faults()
        if faults:
            raise ValueError("flexible body: " + "; ".join(faults))
        if self.length <= 0.0:
            object.__setattr__(self, "length", self._length())

    # ------------------------------------------------------------------------------------------------------- sizes

    @property
    def n(self) -> int:
        """Number of modal coordinates."""
        return self.moments.n

    @property
    def mass(self) -> float:
        """[kg]."""
        return self.moments.I1

    def _length(self) -> float:
        if self.display is not None and len(self.display.nodes):
            return float(np.linalg.norm(np.ptp(self.display.nodes, axis=0)))
        places = [each.position for each in self.interfaces.values()]
        spread = float(np.linalg.norm(np.ptp(places, axis=0))) if len(places) > 1 else 0.0
        return max(spread, 2.0 * float(np.sqrt(max(np.trace(self.rigid().matrix), 0.0) / max(self.mass, 1e-300))))

    def rigid(self) -> Inertia:
        """The body in its shape of reference as a rigid one."""
        m = self.moments
        com = m.I2 / m.I1
        return Inertia.as_given(m.I1, com, m.I7 + m.I1 * cross_matrices(com) @ cross_matrices(com))

    def frequencies(self) -> Array:
        """Natural frequencies [Hz] with the body's frame held, ascending."""
        L = np.linalg.cholesky(self.moments.I6)
        scaled = np.linalg.solve(L, np.linalg.solve(L, self.stiffness).T)
        return np.sqrt(np.maximum(np.linalg.eigvalsh(0.5 * (scaled + scaled.T)), 0.0)) / (2.0 * np.pi)

    # --------------------------------------------------------------------------------------------------- the frame

    def clamped_at(self, name: str | None) -> Reduced:
        """With modes counted from the interface `name`, which then stands still in the body's frame.

        phi_j' = phi_j - t_j - theta_j x (r - p), with t, theta displacement and turn of the interface: the span is the
        same, relative to a frame that is bound to the interface. Geometric stiffness follows in the second order, see
        `quadratic_modes`. None leaves the body as it is: its frame then floats as the modes say.
        """
        if name is None:
            return self
        if name not in self.interfaces:
            raise KeyError(f"no interface {name!r}; there are {', '.join(self.interfaces) or 'none'}")
        at = self.interfaces[name]
        p, t, theta = at.position, at.displacement, at.turn
        if not (t.any() or theta.any()):
            return self

        def less(r: Array, phi: Array) -> Array:
            return phi - t - np.cross(theta.T, r - p).T

        interfaces = {
            key: replace(
                each, displacement=less(each.position, each.displacement), turn=each.turn - theta
            ) for key, each in self.interfaces.items()
        }  # fmt: skip
        display = self.display
        if display is not None:
            arm = display.nodes - p
            rigid = t + np.einsum("nxy,ay->axn", cross_matrices(theta.T), arm)
            display = replace(display, modes=display.modes - rigid)
        from duoti.flexible.reduction.quadratic_modes import of_loads, to_loads  # those read this file

        second = of_loads(self)
        geometric = {} if second is None else to_loads(second.counted_from(self, at))
        return replace(
            self,
            moments=self.moments.counted_from(p, t, theta),
            interfaces=interfaces,
            geometric=geometric,
            display=display,
        )

    # -------------------------------------------------------------------------------------------------- consistency

    def faults(self) -> list[str]:
        """What is wrong with the numbers, in words."""
        n, found = self.n, list[str]()
        for name in ("stiffness", "damping"):
            found += _matrix_faults(name, getattr(self, name), n)
        labels = {*INERTIAL_LOADS, *(f"{k}.{w}" for k in self.interfaces for w in WRENCH_LOADS)}
        for label, K in self.geometric.items():
            found += _matrix_faults(f"geometric stiffness of {label}", K, n)
            if label not in labels:
                found.append(f"geometric stiffness of {label!r}: there is no such load")
        for name, each in self.interfaces.items():
            for part, shape in (("position", (3,)), ("rotation", (3, 3)), ("displacement", (3, n)), ("turn", (3, n))):
                value = getattr(each, part)
                if value.shape != shape:
                    found.append(f"interface {name!r}: {part} has shape {value.shape}, {shape} is needed")
                elif not np.isfinite(value).all():
                    found.append(f"interface {name!r}: {part} holds NaN or infinity")
            if each.rotation.shape == (3, 3) and not np.allclose(each.rotation.T @ each.rotation, np.eye(3), atol=1e-9):
                found.append(f"interface {name!r}: its rotation is not orthonormal")
        if self.display is not None and self.display.modes.shape != (len(self.display.nodes), 3, n):
            found.append(f"the display has modes of shape {self.display.modes.shape}")
        if not found:
            found += self._energy_faults()
        return found

    def _energy_faults(self) -> list[str]:
        found: list[str] = []
        if self.mass <= 0.0:
            found.append(f"mass is {self.mass:g} kg, but must be positive")
        if self.n:
            mass = np.linalg.eigvalsh(self.moments.I6)
            if mass[0] <= 1e-13 * mass[-1]:
                found.append("modes depend on each other: the modal mass I6 is singular; leave some modes out")
            for name in ("stiffness", "damping"):
                values = np.linalg.eigvalsh(getattr(self, name))
                if values[0] < -SYMMETRY * max(abs(values[-1]), abs(values[0])):
                    found.append(f"{name} has the negative eigenvalue {values[0]:.3g}")
        return found


def _matrix_faults(name: str, matrix: Array, n: int) -> list[str]:
    if matrix.shape != (n, n):
        return [f"{name} has shape {matrix.shape}, but there are {n} modes"]
    if not np.isfinite(matrix).all():
        return [f"{name} holds NaN or infinity"]
    if n and np.abs(matrix - matrix.T).max() > SYMMETRY * np.abs(matrix).max():
        return [f"{name} is not symmetric"]
    return []
