"""Impact laws on plain matrices: energy, Coulomb's cone, and independent integrations of the same laws."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import duoti as dt


def random_impact(random, dimension):
    """A body of some shape that hits something: W of full rank, an approaching contact."""
    G = random.normal(size=(dimension, dimension + int(random.integers(0, 3))))
    u = random.normal(size=dimension)
    u[0] = -abs(u[0])
    return G @ G.T, u, random.uniform(0.0, 2.0), random.uniform()


def check_random(count, dimension, seed):
    random = np.random.default_rng(seed)
    gains = dict.fromkeys(("newton", "poisson", "stronge"), 0)
    for _ in range(count):
        W, u, mu, e = random_impact(random, dimension)
        energy = 0.5 * u @ np.linalg.solve(W, u)
        for law in gains:
            s = dt.contact.solve_impact(W, u, mu, e, law=law, dimension=dimension)
            assert s.ok, s.reason
            after = 0.5 * s.u @ np.linalg.solve(W, s.u)
            # the energy of the motion that the contact sees falls by what is said to be lost
            assert energy - after == pytest.approx(s.energy_lost, abs=1e-8 * energy * np.linalg.cond(W))
            assert s.u[0] >= -1e-10
            assert np.linalg.norm(s.p[1:]) <= mu * s.p[0] * (1 + 1e-9) + 1e-12
            gained = s.energy_lost < -1e-9 * energy
            assert gained == s.gains_energy or abs(s.energy_lost) < 1e-8 * energy
            gains[law] += gained
    return gains


@pytest.mark.parametrize("dimension", [2, 3])
def test_poisson_and_stronge_never_gain_energy(dimension):
    gains = check_random(200, dimension, 4)
    assert gains["poisson"] == gains["stronge"] == 0
    assert gains["newton"] > 0  # some per cent of these problems


@pytest.mark.campaign
@pytest.mark.parametrize("dimension", [2, 3])
def test_two_thousand_frictional_impacts(dimension):
    gains = check_random(2000, dimension, 5)
    assert gains["poisson"] == gains["stronge"] == 0
    assert gains["newton"] > 20


def test_kanes_paradox_is_said():
    """A rod at 45 degrees with one end on the ground (Kane 1984 found such gains for a double pendulum)."""
    c = 3.0 * 0.5  # a rod of half length 1 and mass 1 at 45 degrees: W = 1 + 3 cos^2, coupling 3 sin cos
    W = np.array([[1 + c, -c], [-c, 1 + c]])
    worst = min(
        (dt.contact.solve_impact(W, [-1.0, slip], 0.6, 0.9, dimension=2) for slip in np.linspace(-3, 3, 61)),
        key=lambda s: s.energy_lost,
    )
    assert worst.energy_lost < 0.0
    assert worst.gains_energy
    assert "energy" in worst.reason
    for law in ("poisson", "stronge"):
        for slip in np.linspace(-3, 3, 61):
            assert dt.contact.solve_impact(W, [-1.0, slip], 0.6, 0.9, law=law, dimension=2).energy_lost >= -1e-12


def integrated(W, u, mu, e, law):
    """The equations of Darboux and Keller by SciPy, with slip speeds below 1e-9 regularised."""

    def rates(p, x):
        slip = np.sqrt(x[1] ** 2 + x[2] ** 2 + 1e-18)
        r = -mu * x[1:3] / slip
        return [*(W[:, 0] + W[:, 1:] @ r), x[0], *r]

    def ends(p, x):
        return x[0]

    ends.terminal, ends.direction = True, 1
    how = {"method": "Radau", "rtol": 1e-10, "atol": 1e-12}
    first = solve_ivp(rates, (0, 1e3), [*u, 0, 0, 0], events=ends, **how)
    x, p = first.y[:, -1], first.t[-1]
    if law == "poisson":
        second = solve_ivp(rates, (0, e * p), x, **how)
    else:

        def released(_, y):
            return y[3] - (1 - e**2) * x[3]

        released.terminal = True
        second = solve_ivp(rates, (0, 1e3), x, events=released, **how)
    return np.array([p + second.t[-1], *second.y[4:, -1]])


@pytest.mark.parametrize("law", ["poisson", "stronge"])
def test_space_against_another_integration(law):
    random = np.random.default_rng(11)
    for _ in range(4):
        W, u, mu, e = random_impact(random, 3)
        s = dt.contact.solve_impact(W, u, mu, e, law=law)
        assert s.p == pytest.approx(integrated(W, u, mu, e, law), rel=1e-5, abs=1e-6)  # regularised slip


@pytest.mark.parametrize("law", ["newton", "poisson", "stronge"])
def test_plane_and_space_agree(law):
    random = np.random.default_rng(7)
    for _ in range(20):
        W, u, mu, e = random_impact(random, 2)
        spatial = np.eye(3)
        spatial[:2, :2] = W
        in_plane = dt.contact.solve_impact(W, u, mu, e, law=law, dimension=2)
        in_space = dt.contact.solve_impact(spatial, [*u, 0.0], mu, e, law=law)
        assert in_space.p == pytest.approx([*in_plane.p, 0.0], rel=1e-8, abs=1e-8)


def test_reverse_sliding():
    """Coupling stronger than friction: after the slip has ended the contact slides back."""
    W = np.array([[1.0, 0.8], [0.8, 1.0]])
    s = dt.contact.solve_impact(W, [-1.0, -0.1], 0.2, 0.5, law="poisson", dimension=2)
    assert s.u[1] > 0.0
    # by hand: sliding (r = 0.2) until u_t = 0, then r = -0.2 through compression and expansion
    p1 = 0.1 / (0.8 + 0.2)
    un = -1.0 + p1 * (1.0 + 0.2 * 0.8)
    p2 = -un / (1.0 - 0.2 * 0.8)
    p_end = 1.5 * (p1 + p2)
    assert s.p == pytest.approx([p_end, 0.2 * p1 - 0.2 * (p_end - p1)], rel=1e-13)


@pytest.mark.parametrize("exponent", [1.0, 1.5])
def test_stored_energies_follow_springs(exponent):
    """Three balls in a row: without losses the law is that of springs between them, integrated here by SciPy."""
    G = np.array([[-1.0, 1, 0], [0, -1, 1]])
    v = np.array([1.0, 0, 0])

    def rates(t, y):
        force = np.maximum(-G @ y[:3], 0.0) ** exponent
        return [*y[3:], *(G.T @ force)]

    end = solve_ivp(rates, (0, 40), [0, 0, 0, *v], rtol=1e-10, atol=1e-12).y[3:, -1]
    s = dt.contact.solve_impact(G @ G.T, G @ v, 0.0, 1.0, law="lzb", dimension=1, exponent=exponent)
    assert v + G.T @ s.p == pytest.approx(end, abs=2e-5)  # steps of 1/500 of a period, order 2
    assert s.energy_lost == pytest.approx(0.0, abs=1e-5)


def test_several_contacts_with_losses():
    """Chains with restitution lose energy, keep momentum, end separated; "stronge" is then the law "lzb"."""
    random = np.random.default_rng(3)
    for _ in range(10):
        n = int(random.integers(3, 6))
        G = np.eye(n, k=1)[: n - 1] - np.eye(n)[: n - 1]
        m, v, e = random.uniform(0.5, 2.0, n), -np.sort(random.normal(size=n)), random.uniform(0.1, 1.0, n - 1)
        W = G @ np.diag(1 / m) @ G.T
        for law in ("newton", "poisson", "stronge"):
            s = dt.contact.solve_impact(W, G @ v, 0.0, e, law=law, dimension=1)
            after = v + G.T @ s.p / m
            assert s.ok, s.reason
            assert m @ after == pytest.approx(m @ v, abs=1e-10)
            assert np.diff(after).min() > -1e-6
            if law == "stronge":
                assert s.law == "lzb"
                assert s.energy_lost > 0.0


def test_poisson_with_friction_at_two_contacts():
    """A block that falls flat on two corners: each contact has half, and it rises with e times its speed."""
    G = np.array([[1.0, 0, -1], [0, 1, 0.5], [1, 0, 1], [0, 1, 0.5]])  # (n, t) of both, rates (z, x, turn)
    W = G @ np.diag([1.0, 1.0, 3.0]) @ G.T
    s = dt.contact.solve_impact(W, G @ [-2.0, 0.0, 0.0], 0.4, 0.5, law="poisson", dimension=2)
    assert s.ok, s.reason
    assert s.u == pytest.approx(G @ [1.0, 0.0, 0.0], abs=1e-9)
    sliding = dt.contact.solve_impact(W, G @ [-2.0, 5.0, 0.0], 0.1, 0.5, law="poisson", dimension=2)
    assert sliding.p[1] + sliding.p[3] == pytest.approx(-0.1 * (sliding.p[0] + sliding.p[2]), rel=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_impulses_with_friction_are_exact(seed):
    """Four contacts, made so that they stick, slide, slide and stay open: not a tolerance of the iterations off.

    Round-off of the solution is eps cond(W) of its size; the matrices have a condition of at most 20.
    """
    random = np.random.default_rng(seed)
    Q = np.linalg.qr(random.normal(size=(12, 12)))[0]
    W, mu, angle = Q @ np.diag(random.uniform(1, 20, 12)) @ Q.T, 0.3, random.uniform(0, 6, 2)
    W, p, u = 0.5 * (W + W.T), np.zeros(12), np.zeros(12)
    p[:3] = 1.0, 0.1, -0.2
    for c in (1, 2):
        along = np.array([np.cos(angle[c - 1]), np.sin(angle[c - 1])])
        p[3 * c], p[3 * c + 1 : 3 * c + 3], u[3 * c + 1 : 3 * c + 3] = c, mu * c * along, -0.7 * along
    u[9:] = 0.5, 0.2, 0.3
    s = dt.contact.solve_impact(W, u - W @ p, mu, 0.0)
    assert s.ok, s.reason
    assert s.p == pytest.approx(p, abs=1e-13)
    assert s.u == pytest.approx(u, abs=1e-13)


def test_bilateral_rows_share_the_impact():
    """Two masses joined by a rod (a bilateral row): the impact on one moves both."""
    G = np.array([[1.0, 0.0], [1.0, -1.0]])  # contact of the first, rod
    s = dt.contact.solve_impact(G @ G.T, G @ [-1.0, -1.0], 0.0, [0.5], dimension=1)
    assert s.u == pytest.approx([0.5, 0.0], abs=1e-13)
    assert s.p == pytest.approx([3.0, -1.5], abs=1e-12)  # 2 kg turned round; 1.5 N s of it through the rod


def test_wrong_input_is_refused():
    for wrong in ({"law": "newtons"}, {"restitution": 1.5}, {"friction": -1.0}, {"friction": [0.1, 0.1]}):
        with pytest.raises(ValueError, match=r"law|friction|rows"):
            dt.contact.solve_impact(np.eye(3), [-1.0, 0, 0], **wrong)
    with pytest.raises(ValueError, match="sequential"):
        dt.contact.solve_impact(np.eye(3), [-1.0, 0, 0], 0.1, law="sequential")


def test_a_cradle_in_a_run_follows_the_law_of_chains():
    """Balls that touch at rest keep their restitution in the impact of another: LZB, and no energy is lost."""
    m = dt.Model("cradle")
    for k in range(5):
        m.add_body(f"b{k}", dt.Inertia.sphere(0.5, radius=0.05), position=(0.1 * k, 0, -1))
        m.add_joint(f"j{k}", dt.Revolute("y"), m.ground, f"b{k}", at=(0.1 * k, 0, 0), q0=0.5 if k == 0 else 0.0)
        if k:
            m.add_contact(f"c{k}", dt.RigidContact(restitution=1.0, impact="stronge"), f"b{k - 1}", f"b{k}")
    r = dt.simulate(m, 0.515, outputs=0.005)  # the impact is at 0.51 s
    assert r.ok
    before, after = (np.array([r[f"j{k}.rate"][i] for k in range(5)]) for i in (-3, -1))
    # 1 m from the pivots, inertias I: the Delassus matrix of the chain of equal balls
    W = (2 * np.eye(4) - np.eye(4, k=1) - np.eye(4, k=-1)) / (0.5 * (1 + 0.4 * 0.05**2))
    found = dt.contact.solve_impact(W, [before[0], 0, 0, 0], restitution=1.0, law="stronge", dimension=1)
    struck = {each.contact: float(np.linalg.norm(each.impulse)) for each in r.impacts}
    speed = abs(r.impacts[0].normal_speed[0])
    by_hand = np.abs(found.p) * speed / abs(before[0])
    # the balls hang straight down at the impact; LZB depends on the speed by its scale alone: what is left is its steps
    assert [struck[f"c{k}"] for k in range(1, 5)] == pytest.approx(by_hand, rel=1e-4)
    assert abs(after[4]) > 0.98 * speed
    assert np.ptp(r.energy.total) < 1e-3 * r.energy.kinetic.max()  # of LZB's own integration
