"""Reduced flexible bodies: invariants against sums over points, changes of the frame against their definition."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from duoti.flexible.reduction.quadratic_modes import of_loads, to_loads
from duoti.flexible.reduction.reduced import Interface, Reduced
from duoti.flexible.structure.moments import Moments, cross_matrices
from support.flexible_bodies import random_lumps

ROUND_OFF = 1e-12  # sums of some dozen products of numbers of size 1


def test_nine_invariants_are_the_sums_over_the_masses():
    rng = np.random.default_rng(1)
    body = random_lumps(rng, n=4, count=12)
    m, r, phi = body.mass, body.r, body.phi
    I, r_, phi_ = Moments.of(m, r, phi), cross_matrices(r), cross_matrices(phi.transpose(0, 2, 1))
    expected = {
        "I1": m.sum(), "I2": m @ r, "I3": np.einsum("a,axj->xj", m, phi), "I4": np.einsum("a,axy,ayj->xj", m, r_, phi),
        "I5": np.einsum("a,ajxy,ayk->jxk", m, phi_, phi), "I6": np.einsum("a,axj,axk->jk", m, phi, phi),
        "I7": -np.einsum("a,axy,ayz->xz", m, r_, r_), "I8": np.einsum("a,axy,ajyz->jxz", m, r_, phi_),
        "I9": np.einsum("a,ajxy,akyz->jkxz", m, phi_, phi_),
    }  # fmt: skip
    for name, value in expected.items():
        np.testing.assert_allclose(getattr(I, name), value, rtol=0, atol=ROUND_OFF * np.abs(value).max(), err_msg=name)


def test_consistent_mass_and_rotary_inertia():
    """A mass matrix in place of masses; sections with rotary inertia as many points at offsets from their node."""
    rng = np.random.default_rng(2)
    body = random_lumps(rng)
    mixed = rng.normal(size=(len(body.mass), len(body.mass)))
    as_matrix = Moments.of(np.diag(body.mass), body.r, body.phi)
    np.testing.assert_allclose(as_matrix.gram, Moments.of(body.mass, body.r, body.phi).gram, atol=ROUND_OFF)
    M = mixed @ mixed.T
    expected = np.einsum("ab,axj,bxk->jk", M, body.phi, body.phi)
    np.testing.assert_allclose(Moments.of(M, body.r, body.phi).I6, expected, atol=1e2 * ROUND_OFF)
    psi, offsets, share = rng.normal(size=(9, 3, 3)), rng.normal(size=(9, 6, 3)), rng.uniform(size=6)
    offsets -= np.einsum("s,asx->ax", share / share.sum(), offsets)[:, None]  # the node is the section's centre
    points = (body.r[:, None] + offsets).reshape(-1, 3)
    phi = body.phi[:, None] + np.einsum("ajxy,asy->asxj", cross_matrices(psi.transpose(0, 2, 1)), offsets)
    masses = np.broadcast_to(share, (9, 6)).ravel()
    E = np.einsum("s,asx,asy->axy", share, offsets, offsets)
    sections = Moments.of(np.full(9, share.sum()), body.r, body.phi, E, psi)
    np.testing.assert_allclose(
        sections.gram, Moments.of(masses, points, phi.reshape(-1, 3, 3)).gram, atol=1e2 * ROUND_OFF
    )


def exact(body, at, points, eta):
    """Points in the frame of an interface that moves and turns by both orders."""
    place = at.position + at.displacement @ eta
    turn = at.turn @ eta
    U, Q = body.second[next(k for k, v in body.interfaces.items() if v is at)]
    place, turn = place + 0.5 * U @ eta @ eta, turn + 0.5 * Q @ eta @ eta
    R = Rotation.from_rotvec(turn).as_matrix()
    return (points - place) @ R + at.position, R


def test_modes_counted_from_an_interface():
    """Masses and the other interface in the frame of interface "a", to second order, by differences of the exact map.

    Second differences with a step of 1e-3 are good to 1e-6 (fourth derivatives) and round-off of 1e-16/1e-6.
    """
    rng = np.random.default_rng(3)
    body = random_lumps(rng)
    at, other = body.interfaces["a"], body.interfaces["b"]

    def seen(eta):
        s = body.r + body.phi @ eta + 0.5 * body.u @ eta @ eta
        s, R = exact(body, at, s, eta)
        place = other.position + other.displacement @ eta + 0.5 * body.second["b"][0] @ eta @ eta
        turn = Rotation.from_rotvec(other.turn @ eta + 0.5 * body.second["b"][1] @ eta @ eta).as_matrix()
        return np.concatenate(
            [s, exact(body, at, place[None], eta)[0], Rotation.from_matrix(R.T @ turn).as_rotvec()[None]]
        )

    h, n, e = 1e-3, 3, np.eye(3)
    first = np.stack([(seen(h * e[j]) - seen(-h * e[j])) / (2 * h) for j in range(n)], axis=-1)
    second = np.empty((*first.shape, n))
    for j in range(n):
        for k in range(n):
            corners = [a * b * seen(h * (a * e[j] + b * e[k])) for a in (1, -1) for b in (1, -1)]
            second[..., j, k] = sum(corners) / (4 * h * h)
    now = body.reduced().clamped_at("a")
    np.testing.assert_allclose(now.moments.gram, Moments.of(body.mass, body.r, first[:-2]).gram, atol=1e-5)
    np.testing.assert_allclose(now.interfaces["b"].displacement, first[-2], atol=1e-6)
    np.testing.assert_allclose(now.interfaces["b"].turn, first[-1], atol=1e-6)
    u = of_loads(now)
    assert u is not None
    np.testing.assert_allclose(u.u, np.einsum("a,axjk->xjk", body.mass, second[:-2]), atol=1e-5)
    np.testing.assert_allclose(u.r_u, np.einsum("a,ax,ayjk->xyjk", body.mass, body.r, second[:-2]), atol=1e-5)
    np.testing.assert_allclose(u.displacement["b"], second[-2], atol=1e-5)
    np.testing.assert_allclose(u.turn["b"], second[-1], atol=1e-5)
    assert not now.interfaces["a"].displacement.any()
    assert not now.interfaces["a"].turn.any()
    for each in (u.displacement["a"], u.turn["a"]):
        np.testing.assert_allclose(each, 0.0, atol=ROUND_OFF)


def test_geometric_stiffness_is_the_work_of_loads():
    """Of each unit load: minus the sum of load times displacement of second order."""
    rng = np.random.default_rng(4)
    body = random_lumps(rng)
    loads = body.reduced().geometric
    x, m = np.eye(3), body.mass[:, None]

    def field(w, v):
        return -np.cross(w, np.cross(v, body.r))

    forces = {f"a.{i}": -m * x[k] for k, i in enumerate("xyz")}
    forces |= {f"alpha.{i}": -m * np.cross(x[k], body.r) for k, i in enumerate("xyz")}
    forces |= {f"w.{i}{i}": m * field(x[k], x[k]) for k, i in enumerate("xyz")}
    for i, j in ((0, 1), (0, 2), (1, 2)):
        forces[f"w.{'xyz'[i]}{'xyz'[j]}"] = m * (field(x[i], x[j]) + field(x[j], x[i]))
    for label, f in forces.items():
        np.testing.assert_allclose(loads[label], -np.einsum("ax,axjk->jk", f, body.u), atol=ROUND_OFF, err_msg=label)
    np.testing.assert_allclose(loads["b.fy"], -body.second["b"][0][1])
    again = of_loads(body.reduced())
    assert again is not None
    for label, K in to_loads(again).items():
        np.testing.assert_allclose(K, loads[label], atol=ROUND_OFF)


def test_impossible_numbers_are_refused_all_at_once():
    body = random_lumps(np.random.default_rng(6)).reduced()
    bad = Interface(np.zeros(3), 2 * np.eye(3), np.zeros((3, 2)), np.zeros((3, 3)))
    skew = np.triu(np.ones((3, 3)))
    with pytest.raises(ValueError, match="not symmetric") as caught:
        Reduced(body.moments, skew, np.eye(2), {"x": bad}, {"y.fx": np.eye(3)})
    for words in ("stiffness is not symmetric", "damping has shape", "'x': displacement", "not orthonormal", "'y.fx'"):
        assert words in str(caught.value)
    with pytest.raises(ValueError, match="negative eigenvalue"):
        Reduced(body.moments, -np.eye(3), np.eye(3))
    twice = Moments.of(np.ones(4), np.eye(4, 3), np.ones((4, 3, 2)))
    with pytest.raises(ValueError, match="depend on each other"):
        Reduced(twice, np.eye(2), np.zeros((2, 2)))
    with pytest.raises(KeyError, match="there are a, b"):
        body.clamped_at("c")
