"""Flexible bodies made by hand, of point masses: nothing of the finite elements is needed for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import duoti as dt
from duoti.flexible.reduction.quadratic_modes import SecondOrder, to_loads
from duoti.flexible.reduction.reduced import Interface, Reduced
from duoti.flexible.structure.moments import Moments
from support.random_models import random_inertia, random_rotation


@dataclass
class Lumps:
    """Point masses with linear and quadratic displacements, and interfaces with turns of both orders."""

    mass: np.ndarray  # [N]
    r: np.ndarray  # [N, 3]
    phi: np.ndarray  # [N, 3, n]
    u: np.ndarray  # [N, 3, n, n]
    interfaces: dict[str, Interface]
    second: dict[str, tuple[np.ndarray, np.ndarray]]  # displacement and turn of each, [3, n, n]
    stiffness: np.ndarray
    damping: np.ndarray

    def reduced(self, stiffening: bool = True) -> Reduced:
        """As a flexible body of the tree has it."""
        u = np.einsum("a,axjk->xjk", self.mass, self.u)
        r_u = np.einsum("a,ax,ayjk->xyjk", self.mass, self.r, self.u)
        second = SecondOrder(
            u, r_u, {k: d for k, (d, _) in self.second.items()}, {k: t for k, (_, t) in self.second.items()}
        )
        return Reduced(
            Moments.of(self.mass, self.r, self.phi),
            self.stiffness,
            self.damping,
            self.interfaces,
            to_loads(second) if stiffening else {},
        )


def random_lumps(
    rng: np.random.Generator, n: int = 3, count: int = 9, interfaces: tuple[str, ...] = ("a", "b")
) -> Lumps:
    """Masses, modes and interfaces at random; deflections of one modal unit are a tenth of the size."""

    def symmetric(*shape: int) -> np.ndarray:
        x = rng.normal(size=(*shape, n, n))
        return 0.02 * (x + np.swapaxes(x, -1, -2))

    def definite() -> np.ndarray:
        x = rng.normal(size=(n, n))
        return x @ x.T + 0.1 * np.eye(n)

    return Lumps(
        mass=rng.uniform(0.1, 0.5, size=count),
        r=rng.normal(size=(count, 3)),
        phi=0.3 * rng.normal(size=(count, 3, n)),
        u=symmetric(count, 3),
        interfaces={
            name: Interface(
                rng.normal(size=3), random_rotation(rng).matrix,
                0.3 * rng.normal(size=(3, n)), 0.2 * rng.normal(size=(3, n)),
            )
            for name in interfaces
        },
        second={name: (symmetric(3), symmetric(3)) for name in interfaces},
        stiffness=20.0 * definite(),
        damping=definite(),
    )  # fmt: skip


def random_flexible_tree(rng: np.random.Generator, bodies: int = 3, **options) -> dt.Model:
    """Rigid and flexible bodies, at least one of these, on random joints at random interfaces."""
    m = dt.Model("random", gravity=5 * rng.normal(size=3))
    seats, joints = (
        ["ground"],
        (dt.Revolute, dt.Prismatic, dt.Cylindrical, dt.Spherical, dt.Free, dt.Universal, dt.Fixed),
    )
    flexible = rng.integers(bodies)
    for k in range(bodies):
        kind = joints[rng.integers(len(joints))]
        joint = kind() if kind in (dt.Spherical, dt.Free, dt.Fixed) else dt.Revolute(rng.normal(size=3))
        joint = dt.Universal("x", "y") if kind is dt.Universal else joint
        inboard, name = seats[rng.integers(len(seats))], f"b{k}"
        place = {"position": rng.normal(size=3), "rotation": random_rotation(rng)}
        if k != flexible and rng.random() < 0.5:
            m.add_body(name, random_inertia(rng), **place)
            m.add_joint(f"j{k}", joint, inboard, name, at=None if inboard in m.markers else place["position"])
            seats.append(name)
            continue
        body = dt.Flexible(random_lumps(rng, n=int(rng.integers(1, 5))).reduced(), **options)
        m.add_body(name, body, **({} if inboard in m.markers else place))
        for interface in "ab":
            m.add_marker(f"{name}.{interface}", name, interface=interface)
        ends = rng.permutation(["a", "b"])
        m.add_joint(f"j{k}", joint, inboard, f"{name}.{ends[0]}")
        seats.append(f"{name}.{ends[1]}")
    return m


def random_state(rng: np.random.Generator, system: dt.System) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q (with unit quaternions), v and a, of size 0.4."""
    q, (v, a) = 0.4 * rng.normal(size=system.nq), 0.4 * rng.normal(size=(2, system.nv))
    for k in system.tree.quat_q:
        q[k : k + 4] = rng.normal(size=4)
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    for layout in system.flexible.values():  # second order is for small deformations: far beyond, mass may be negative
        q[layout.q] *= 0.1
    return q, v, a
