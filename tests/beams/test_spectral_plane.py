"""Beams of higher order whose nodes move in a plane: a law of their own, the same as that in space."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.elements.beams.spectral_nodes import PLANE


def plane_of(system):
    """What the first beam element of a system was compiled to: 0 space, 1 and 2 a plane with the normal y or z."""
    return int(system.loads.forces.block_integers[PLANE])


def stiffness(rng, within, coupled):
    """Couplings within the plane; a hint of one out of it, which does not matter but for the choice of the law."""
    C, A = np.diag(rng.uniform(1, 5, size=6)), rng.normal(size=(3, 3))
    C[np.ix_(within, within)] += A @ A.T
    C[0, 3] = C[3, 0] = 1e-14 if coupled else 0.0
    return C


def arc(seed, normal, order, coupled, held, damping=0.0):
    rng = np.random.default_rng(seed)
    C = stiffness(rng, [0, 1, 5] if normal == "z" else [0, 2, 4], coupled)
    beam = dt.Beam.from_stiffness(matrix=C, mass_per_length=1.0, rotary_inertia=(1, 1, 1), damping_time=damping)
    m = dt.Model("arc", gravity=(0, 0, 0))
    line, up = (("cos(s)", "sin(s)", "0.3"), "z") if normal == "z" else (("cos(s)", "0.3", "sin(s)"), (1, 0, 0.2))
    b = m.add_beam("b", beam, centreline=line, elements=2, order=order, up=up)
    first = b.nodes[0] if held != "free" else None
    if first is not None:
        m.add_joint("hinge", dt.Revolute(normal), m.ground, first, at=(0.1, 0.2, 0.3))
    for node in b.nodes[first is not None :]:
        of = first if held == "hub" else m.ground
        shift = (0.1, 0.0, 0.0)  # joints beside the nodes
        m.add_joint(f"{node.name}.plane", dt.Planar(normal), of, node, at=np.asarray(node.position) + shift)
    return dt.compile(m)


@pytest.mark.sample(9)
@pytest.mark.parametrize("held", ["free", "hinge", "hub"])
@pytest.mark.parametrize(("normal", "number"), [("y", 1), ("z", 2)])
@pytest.mark.parametrize("order", [2, 3, 4, 8])
def test_the_law_in_the_plane_is_that_in_space(order, normal, number, held):
    """Forces, energy and derivatives; those in space are compared with a complex step elsewhere. Round-off: 1e-12."""
    flat, space = (arc(order, normal, order, coupled, held) for coupled in (False, True))
    assert (plane_of(flat), plane_of(space)) == (number, 0)
    rng = np.random.default_rng(order)
    q, v, a = 0.3 * rng.normal(size=flat.nq), rng.normal(size=flat.nv), rng.normal(size=flat.nv)
    one, two = (dt.analyses.generalised_forces(system, q, v) for system in (flat, space))
    np.testing.assert_allclose(one, two, atol=1e-12 * np.abs(two).max())
    assert dt.energies(flat, q, v).elastic == pytest.approx(dt.energies(space, q, v).elastic, rel=1e-12)
    one, two = (dt.analyses.inverse_dynamics_derivatives(system, q, v, a) for system in (flat, space))
    np.testing.assert_allclose(one.dq, two.dq, atol=1e-12 * np.abs(two.dq).max())
    np.testing.assert_allclose(one.dv, two.dv, atol=1e-12 * np.abs(two.dq).max())


def test_what_is_not_taken_for_a_plane():
    """Damped beams; nodes on free joints; planes that are not those of the section; a chain of joints."""
    assert plane_of(arc(1, "z", 2, False, "free", damping=0.1)) == 0

    def straight(joints, **how):
        m = dt.Model("m", gravity=(0, 0, 0))
        beam = dt.Beam.from_stiffness(
            EA=1.0, GAy=1.0, GAz=1.0, GJ=1.0, EIy=1.0, EIz=1.0, mass_per_length=1.0, rotary_inertia=(1, 1, 1)
        )
        b = m.add_beam("b", beam, start=(0, 0, 0), end=(1, 0, 0), elements=1, order=2, **how)
        joints(m, b)
        return plane_of(dt.compile(m))

    def planes(m, b):
        for node in b.nodes:
            m.add_joint(f"{node.name}.plane", dt.Planar("z"), m.ground, node)

    def chain(m, b):
        m.add_joint("0", dt.Planar("z"), m.ground, b.nodes[0])
        m.add_joint("1", dt.Planar("z"), b.nodes[0], b.nodes[1])
        m.add_joint("2", dt.Planar("z"), b.nodes[1], b.nodes[2])

    def mixed(m, b):
        for node, normal in zip(b.nodes, "zzy", strict=True):
            m.add_joint(f"{node.name}.plane", dt.Planar(normal), m.ground, node)

    def clamped(m, b):
        m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
        for node in b.nodes[1:]:
            m.add_joint(f"{node.name}.plane", dt.Planar("z"), m.ground, node)

    assert straight(planes) == 2
    assert straight(clamped) == 2
    assert straight(planes, up="y") == 1
    assert straight(planes, up=(0, 1, 1)) == 0
    assert straight(lambda m, b: None) == 0
    assert straight(mixed) == 0
    assert straight(chain) == 0


def test_a_run_in_the_plane_is_that_in_space():
    """The same motion by both laws; steps are the same, so that round-off is all that differs (1e-9 over 200)."""
    runs = []
    for coupled in (False, True):
        system = arc(3, "z", 3, coupled, "hinge")
        m = system.model
        m.add_force("push", dt.AppliedForce("b.end", (0.0, 0.3, 0.0)))
        system = dt.compile(m)
        r = dt.simulate(system, 2.0, solver=dt.GeneralisedAlpha(step=0.01, rtol=1e-12), outputs=0.5)
        assert r.ok, r.reason
        runs.append(r["b.end.position"])
    np.testing.assert_allclose(runs[0], runs[1], atol=1e-9)
