"""`dt.linearise` against closed forms and published matrices."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case
from scipy.linalg import eigh

import duoti as dt

G = 9.81


def test_a_chain_of_masses_and_springs():
    """Frequencies 2 sqrt(k/m) sin(k pi / 2 (n + 1)) of n equal masses between two walls."""
    n, k, mass = 7, 50.0, 0.3
    m = dt.Model("masses", gravity=(0, 0, 0))
    last = m.ground
    for i in range(n + 1):
        m.add_marker(f"wall {i}", m.ground, position=(float(i), 0, 0))
    for i in range(n):
        body = m.add_body(f"m{i}", dt.Inertia.point(mass), position=(i + 1.0, 0, 0))
        m.add_joint(f"J{i}", dt.Prismatic("x"), m.ground, body)
        m.add_force(f"s{i}", dt.SpringDamper(last, body, stiffness=k, rest_length=0.9))
        last = body
    m.add_marker("end", m.ground, position=(n + 1.0, 0, 0))
    m.add_force("last", dt.SpringDamper(last, "end", stiffness=k, rest_length=0.9))
    e = dt.equilibrium(m)
    assert e.ok
    assert e.stable
    assert np.abs(e.q).max() < 1e-12  # preload alone moves nothing
    lin = dt.linearise(m, e)
    wanted = 2.0 * np.sqrt(k / mass) * np.sin(np.arange(1, n + 1) * np.pi / (2 * (n + 1))) / (2 * np.pi)
    assert lin.frequencies == pytest.approx(wanted, rel=1e-12)
    assert lin.damping_ratios == pytest.approx(np.zeros(n), abs=1e-12)
    assert np.allclose(lin.mass, mass * np.eye(n), rtol=1e-13)
    assert lin.modes[0].moves[0] == "J3.velocity"  # the middle one


def compound_pendulum(mass=1.2, arm=0.4, inertia=0.05) -> dt.Model:
    m = dt.Model("physical pendulum")
    body = m.add_body("body", dt.Inertia(mass, (0, 0, -arm), np.diag([inertia] * 3)))
    m.add_joint("A", dt.Revolute("y"), m.ground, body)
    return m


def test_a_physical_pendulum_hanging_and_standing():
    wanted = np.sqrt(1.2 * G * 0.4 / (0.05 + 1.2 * 0.4**2))
    lin = dt.linearise(compound_pendulum())
    assert lin.frequencies == pytest.approx([wanted / (2 * np.pi)], rel=1e-13)
    standing = dt.equilibrium(compound_pendulum(), {"A": 3.0})
    assert standing["A.angle"] == pytest.approx(np.pi, abs=1e-12)
    assert not standing.stable
    lin = dt.linearise(compound_pendulum(), standing)
    assert sorted(lin.eigenvalues.real) == pytest.approx([-wanted, wanted], rel=1e-12)
    assert len(lin.frequencies) == 0


@pytest.mark.parametrize("free", [True, False])
def test_a_pendulum_in_cartesian_coordinates(free):
    """A point on a rod without mass: its g/l comes from the force in the rod alone, which turns with it."""
    m = dt.Model("point on a rod")
    body = m.add_body("point", dt.Inertia(2.0, matrix=0.01 * np.eye(3)), position=(0, 0, -0.7))
    m.add_joint("F", dt.Free() if free else dt.Planar("y"), m.ground, body)
    m.add_constraint("rod", dt.Distance(m.ground, body, 0.7))
    lin = dt.linearise(m)
    swing = np.sqrt(G / 0.7) / (2 * np.pi)
    assert lin.frequencies[-(1 + free) :] == pytest.approx([swing] * (1 + free), rel=1e-11)
    assert lin.frequencies[: -(1 + free)] == pytest.approx(np.zeros(3 if free else 1), abs=1e-9)  # turns of the point
    wrong = np.abs(lin.variation.K - lin.variation.K.T).max()
    assert wrong < 1e-12
    assert list(dt.equilibrium(m).multipliers.values()) == pytest.approx([-2.0 * G], rel=1e-12)


def test_a_damped_mass_with_input_and_output():
    """x'' = (u - c x' - k x) / m: the transfer function 1 / (m s² + c s + k)."""
    m = dt.Model("damped", gravity=(0, 0, 0), parameters={"u": 0.0})
    body = m.add_body("b", dt.Inertia.point(2.0))
    m.add_joint("x", dt.Prismatic("x"), m.ground, body)
    m.add_force("spring", dt.JointSpring("x", stiffness=8.0))
    m.add_force("damper", dt.JointDamping("x", damping=0.4))
    m.add_force("push", dt.JointTorque("x", "u"))
    for name in ("u", "push", "x"):
        lin = dt.linearise(m, inputs=[name], outputs=["x.position", "b.acceleration.x", "u*0 + 3*x.velocity"])
        f = np.array([0.1, 0.3183, 2.0])
        s = 2j * np.pi * f
        wanted = 1.0 / (2.0 * s**2 + 0.4 * s + 8.0)
        response = lin.frequency_response(f)[:, 0]
        assert np.allclose(response, [wanted, s**2 * wanted, 3 * s * wanted], rtol=1e-9, atol=1e-12)
    assert lin.frequencies == pytest.approx([2.0 / (2 * np.pi)], rel=1e-12)
    assert lin.damping_ratios == pytest.approx([0.4 / (2 * np.sqrt(16.0))], rel=1e-12)
    one = dt.linearise(m, inputs=["u"], outputs=["x.position"])
    _, x = one.to_scipy().step(T=np.linspace(0, 100, 1001))
    assert x[-1] == pytest.approx(1 / 8.0, abs=1e-5)  # the spring's answer to one newton


def test_states_count():
    """A direct-current motor: the eigenvalues of [[0, 1, 0], [0, 0, k/J], [0, -k/L, -R/L]] less the free angle."""
    J, k, R, L = 0.02, 0.3, 1.5, 0.01
    m = dt.Model("motor", gravity=(0, 0, 0), parameters={"U": 12.0})
    body = m.add_body("rotor", dt.Inertia(1.0, matrix=J * np.eye(3)))
    m.add_joint("A", dt.Revolute("z"), m.ground, body)
    m.add_state("i", f"(U - {R}*i - {k}*A.rate)/{L}")
    m.add_force("torque", dt.JointTorque("A", f"{k}*i"))
    lin = dt.linearise(m, inputs=["U"], outputs=["A.rate", "i"])
    wanted = np.linalg.eigvals([[0, 1, 0], [0, 0, k / J], [0, -k / L, -R / L]])
    assert sorted(lin.eigenvalues.real) == pytest.approx(sorted(wanted.real), abs=1e-9)
    assert lin.states == ("A.angle", "A.rate", "i")
    gain = lin.frequency_response([0.001])[0, 0, 0]
    assert gain.real == pytest.approx(1 / k, rel=1e-4)


def test_an_algebraic_state_is_eliminated():
    """0 = a - 2 x: a force -3 a is a spring of stiffness 6."""
    m = dt.Model("algebraic", gravity=(0, 0, 0))
    body = m.add_body("b", dt.Inertia.point(1.5))
    m.add_joint("x", dt.Prismatic("x"), m.ground, body)
    m.add_state("a", "a - 2*x.position", algebraic=True)
    m.add_force("spring", dt.JointTorque("x", "-3*a"))
    lin = dt.linearise(m)
    assert lin.states == ("x.position", "x.velocity")
    assert lin.frequencies == pytest.approx([np.sqrt(6 / 1.5) / (2 * np.pi)], rel=1e-12)


def top(joint: str, spin: float) -> dt.Model:
    """An upright top on its tip; mass 1 kg, mass centre 0.2 m above."""
    m = dt.Model("top")
    inertia = dt.Inertia(1.0, (0, 0, 0.2), np.diag([0.01, 0.01, 0.004]))
    if joint == "spherical":
        body = m.add_body("top", inertia)
        m.add_joint("S", dt.Spherical(), m.ground, body, v0=(0, 0, spin))
        return m
    fork = m.add_body("fork", dt.Inertia(1e-9, matrix=1e-9 * np.eye(3)))
    body = m.add_body("top", inertia)
    m.add_joint("U", dt.Universal("x", "y"), m.ground, fork)
    m.add_joint("S", dt.Revolute("z"), fork, body, v0=spin)
    return m


@pytest.mark.parametrize("joint", ["spherical", "universal"])
def test_nutation_and_precession_of_a_top(joint):
    """Upright, A = I_x + m l², C = I_z: A w² - C s w + m g l = 0 has the two circular frequencies."""
    spin, A, C, torque = 300.0, 0.01 + 0.04, 0.004, 1.0 * G * 0.2
    m = top(joint, spin)
    lin = dt.linearise(m)
    assert lin.steady
    wanted = np.roots([A, -C * spin, torque])
    found = sorted(x.imag for x in lin.eigenvalues if x.imag > 1e-3)
    assert found == pytest.approx(sorted(wanted.real), rel=1e-7)  # the fork's inertia: 1e-9 / 0.05
    assert np.max(np.abs(lin.eigenvalues.real)) < 1e-6
    slow = dt.linearise(top(joint, 50.0))  # C s < 2 sqrt(A m g l): it falls
    assert np.max(slow.eigenvalues.real) > 1.0


def test_steady_precession_of_an_inclined_top():
    """The same nutation by a ball joint, in axes that neither turn with the top nor rest, and by three Euler angles."""
    A, C, torque, tilt, spin = 0.01 + 0.04, 0.004, 1.0 * G * 0.2, 0.5, 300.0
    turn = min(np.roots([(A - C) * np.cos(tilt), -C * spin, torque]).real, key=abs)  # slow precession (Lagrange)
    inertia = dt.Inertia(1.0, (0, 0, 0.2), np.diag([0.01, 0.01, 0.004]))
    angles = dt.Model("Euler angles")
    for name in ("a", "b"):
        angles.add_body(name, dt.Inertia(1e-9, matrix=1e-12 * np.eye(3)))
    angles.add_body("top", inertia)
    angles.add_joint("psi", dt.Revolute("z"), angles.ground, "a", v0=turn)
    angles.add_joint("theta", dt.Revolute("x"), "a", "b", q0=tilt)
    angles.add_joint("phi", dt.Revolute("z"), "b", "top", v0=spin)
    by_angles = dt.linearise(angles)
    ball = dt.Model("ball")
    ball.add_body("top", inertia)
    R = dt.Rotation.about("x", tilt)
    omega = R.matrix.T @ np.array([0, 0, turn]) + np.array([0, 0, spin])
    ball.add_joint("S", dt.Spherical(), ball.ground, "top", q0=R, v0=omega)
    by_ball = dt.linearise(ball)
    assert by_ball.steady
    assert by_ball.frame.axes == "in between"
    nutation = max(by_angles.eigenvalues.imag)
    assert max(by_ball.eigenvalues.imag) == pytest.approx(nutation, rel=1e-6)
    e = dt.equilibrium(angles, {"theta": 0.45}, rates={"psi": turn, "phi": spin})
    assert e["theta.angle"] == pytest.approx(tilt, abs=1e-9)


def test_a_coin_that_rolls_around_a_circle():
    """A thin disc rolls steadily; its nodding has the frequency that O'Reilly (1996) and a simulation show."""
    from duoti.examples import rolling_coin

    m = rolling_coin.build(push=0.0)
    lin = dt.linearise(m)
    assert lin.steady
    assert lin.frame.axes == "in between"
    r = dt.simulate(rolling_coin.build(push=0.02), 0.6, outputs=1e-3, rtol=1e-11, atol=1e-13)
    height = r["coin.position"][:, 2] - r["coin.position"][:, 2].mean()
    spectrum = np.abs(np.fft.rfft(height * np.hanning(len(height)), 1 << 16))
    peak = np.fft.rfftfreq(1 << 16, 1e-3)[np.argmax(spectrum)]
    nod = max(x.imag for x in lin.eigenvalues) / (2 * np.pi)
    assert nod == pytest.approx(peak, rel=0.01)


# ------------------------------------------------------------------------------------------------------------- bicycle


def bicycle(p, speed: float) -> dt.Model:
    """The benchmark bicycle: x forward, y left, z up (the case has z down, y right)."""
    m = dt.Model("bicycle", gravity=(0, 0, -p["g"]))

    def flipped(xx, zz, xz):  # z upward turns the sign of xz; yy does not matter when the bicycle runs straight
        return np.array([[xx, 0, -xz], [0, xx + zz, 0], [-xz, 0, zz]])

    (bx, bz, bxz), (hx, hz, hxz) = p["IB"], p["IH"]
    w, c, lam = p["w"], p["c"], p["lam"]
    m.add_body("R", dt.Inertia(p["mR"], matrix=np.diag([p["IRxx"], p["IRyy"], p["IRxx"]])), position=(0, 0, p["rR"]))
    m.add_body("B", dt.Inertia(p["mB"], matrix=flipped(bx, bz, bxz)), position=(p["xB"], 0, -p["zB"]))
    m.add_body("H", dt.Inertia(p["mH"], matrix=flipped(hx, hz, hxz)), position=(p["xH"], 0, -p["zH"]))
    m.add_body("F", dt.Inertia(p["mF"], matrix=np.diag([p["IFxx"], p["IFyy"], p["IFxx"]])), position=(w, 0, p["rF"]))
    m.add_joint("frame", dt.Free(), m.ground, "B", v0={"velocity": (speed, 0, 0)})
    m.add_joint("rear", dt.Revolute("y"), "B", "R", at=(0, 0, p["rR"]))
    axis = (np.sin(lam), 0, -np.cos(lam))  # downward, as in the case: its steer angle is positive to the right
    m.add_joint("steer", dt.Revolute(axis), "B", "H", at=(w + c, 0, 0))
    m.add_joint("front", dt.Revolute("y"), "H", "F", at=(w, 0, p["rF"]))
    for wheel in ("R", "F"):
        m.add_marker(f"{wheel} hub", wheel, rotation=dt.Rotation.about("x", -np.pi / 2))
        m.add_constraint(f"{wheel} rolls", dt.RollingDisc(f"{wheel} hub", radius=p[f"r{wheel}"]))
    return m


@pytest.fixture(scope="module")
def published():
    return case("V01")


@pytest.mark.parametrize("speed", [0, 1, 3, 5, 8, 10])
def test_bicycle(published, speed):
    p, reference = published.p, published.reference
    lin = dt.linearise(bicycle(p, speed), coordinates=["frame.v[3]", "steer", "rear"])
    values = lin.eigenvalues
    for re, im in reference["eigenvalues_re_im_by_speed"][str(speed)]:
        assert np.min(np.abs(values - (re + 1j * im))) < 1e-9 * max(1.0, abs(re + 1j * im))
    assert lin.steady
    # roll of the case is about x (forward), the same; rows of lean and steer of the matrices of second order
    r = [lin.rates.index("frame.v[3]"), lin.rates.index("steer.rate")]
    q = [lin.coordinates.index("frame.turn.x"), lin.coordinates.index("steer.angle")]
    M = np.array(reference["M"])
    K = p["g"] * np.array(reference["K0"]) + speed**2 * np.array(reference["K2"])
    C = speed * np.array(reference["C1"])
    assert np.allclose(lin.mass[np.ix_(r, r)], M, rtol=1e-10, atol=1e-10)
    assert np.allclose((lin.damping + lin.gyroscopic)[np.ix_(r, r)], C, rtol=1e-10, atol=1e-8)
    assert np.allclose(lin.stiffness[np.ix_(r, q)], K, rtol=1e-9, atol=1e-8)


# --------------------------------------------------------------------------------------------------------------- loops


def test_a_redundant_loop_is_a_tree_with_one_freedom():
    """A parallelogram of three cranks, two of them redundant in space: the frequency of its one freedom by hand."""
    length, mass, bar = 0.5, 0.8, 2.0
    m = dt.Model("parallelogram")
    m.add_body("bar", dt.Inertia.box(bar, size=(1.0, 0.05, 0.05)), position=(0.5, 0, -length))
    for i, x in enumerate((0.0, 0.5, 1.0)):
        m.add_body(f"c{i}", dt.Inertia.rod(mass, length=length, axis="z"), position=(x, 0, -length / 2))
        m.add_joint(f"A{i}", dt.Revolute("y"), m.ground, f"c{i}", at=(x, 0, 0))
        m.add_joint(f"B{i}", dt.Revolute("y"), f"c{i}", "bar", at=(x, 0, -length))
    e = dt.equilibrium(m, {"A0": 0.2})
    assert e.stable
    lin = dt.linearise(m, e)
    inertia = 3 * mass * length**2 / 3 + bar * length**2
    weight = (3 * mass * length / 2 + bar * length) * G
    assert lin.frequencies == pytest.approx([np.sqrt(weight / inertia) / (2 * np.pi)], rel=1e-10)


def test_any_instant_against_differences_of_the_motion():
    """A spatial loop in motion: the flow of neighbouring states over a short time follows exp(A t)."""
    from duoti.examples import slider_crank

    system = dt.compile(slider_crank.build())
    state = system.state({"main": 0.7}, rates={"main": 5.0})
    lin = dt.linearise(system, state)
    assert not lin.steady
    h, d = 1e-4, 1e-4
    ends = []
    for sign in (1, -1):
        q, v = system.state({"main": 0.7 + sign * d}, rates={"main": 5.0})
        r = dt.simulate(system, h, at=(q, v), rtol=1e-12, atol=1e-14, outputs=[h])
        ends.append((r["main.angle"][-1], r["main.rate"][-1]))
    found = (np.array(ends[0]) - np.array(ends[1])) / (2 * d)
    k = [lin.states.index("main.angle"), lin.states.index("main.rate")]
    slope = lin.A[np.ix_(k, k)][:, 0]
    assert found[1] / h == pytest.approx(slope[1], rel=2e-3)  # over h, the coefficients change by 5e-4
    assert found[0] == pytest.approx(1.0, abs=1e-4)


def test_the_error_of_differences_falls_as_it_should():
    """A loop at an instant: A by central differences of accelerations on closed states; error of the order h²."""
    from duoti.examples import slider_crank

    system = dt.compile(slider_crank.build())
    state = system.state({"main": 0.7}, rates={"main": 5.0})
    lin = dt.linearise(system, state, coordinates=["main"])
    at = system.joints["main"].v[0]
    row, angle, rate = lin.states.index("main.rate"), lin.states.index("main.angle"), lin.states.index("main.rate")

    def faster(dq, dv):
        q, v = system.state({"main": 0.7 + dq}, rates={"main": 5.0 + dv})
        return dt.accelerations(system, q, v)[at]

    for column, way in ((angle, (1.0, 0.0)), (rate, (0.0, 1.0))):
        errors = []
        for h in (4e-2, 2e-2, 1e-2):
            x, y = h * way[0], h * way[1]
            errors.append(abs((faster(x, y) - faster(-x, -y)) / (2 * h) - lin.A[row, column]))
        size = abs(lin.A[row, column])
        assert errors[2] < 1e-3 * size
        if errors[0] > 1e-8 * size:  # by the rate the accelerations are quadratic: no error at all
            assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.1)
            assert errors[1] / errors[2] == pytest.approx(4.0, abs=0.1)


def test_matrices_of_a_random_tree_are_those_of_the_equations():
    from support.random_models import random_model

    rng = np.random.default_rng(3)
    system = dt.compile(random_model(rng, 5, kinds=("revolute", "prismatic", "universal")).model)
    q, v = rng.uniform(-1, 1, system.nq), rng.uniform(-1, 1, system.nv)
    lin = dt.linearise(system, (q, v))
    d = dt.analyses.forward_dynamics_derivatives(system, q, v)
    n = system.nv
    assert np.allclose(
        lin.A, np.block([[np.zeros((n, n)), np.eye(n)], [d.dq, d.dv]]), rtol=0, atol=1e-9 * np.abs(d.dq).max()
    )
    assert np.allclose(eigh(lin.mass, eigvals_only=True) > 0, True)


# ----------------------------------------------------------------------------------------------------------- rotors

TRANSVERSE, POLAR, TILT = 0.02, 0.03, 400.0


def rotor() -> dt.Model:
    """A disc that turns on a shaft which gives way elastically to tilting, the same in all directions."""
    m = dt.Model("rotor", gravity=(0, 0, 0), parameters={"speed": 0.0})
    m.add_body("shaft", dt.Inertia(1e-6, matrix=1e-12 * np.eye(3)))
    m.add_body("disc", dt.Inertia(2.0, matrix=np.diag([TRANSVERSE, TRANSVERSE, POLAR])))
    m.add_joint("tilt", dt.Universal("x", "y"), m.ground, "shaft")
    m.add_joint("spin", dt.Revolute("z"), "shaft", "disc")
    for k in range(2):
        m.add_force(f"bearing {k}", dt.JointSpring("tilt", stiffness=TILT, coordinate=k))
    m.add_constraint("drive", dt.JointMotion("spin", "speed*t"))
    return m


def test_whirl_of_a_rotor(tmp_path):
    """Forward and backward whirl: w = (I_p W +- sqrt((I_p W)² + 4 I_t k)) / 2 I_t."""
    speeds = np.linspace(0.0, 300.0, 7)
    locus = dt.root_locus(rotor(), "speed", speeds)
    root = np.sqrt((POLAR * speeds) ** 2 + 4 * TRANSVERSE * TILT)
    wanted = np.sort([(root + POLAR * speeds) / (2 * TRANSVERSE), (root - POLAR * speeds) / (2 * TRANSVERSE)], axis=0)
    assert np.sort(locus.frequencies.T, axis=0) == pytest.approx(wanted / (2 * np.pi), rel=1e-9)
    assert np.all(locus.stable)
    assert all(lin.steady for lin in locus.systems)
    assert np.abs(locus.systems[-1].gyroscopic).max() == pytest.approx(POLAR * 300.0, rel=1e-9)
    locus.plot_campbell(orders=(1,)).savefig(tmp_path / "campbell.png")
    locus.plot().savefig(tmp_path / "locus.png")


def test_modes_as_films(tmp_path):
    m = compound_pendulum()
    lin = dt.linearise(m)
    r = lin.mode_result(0, amplitude=0.2, frames=20)
    assert r["A.angle"] == pytest.approx(0.2 * np.cos(np.linspace(0, 2 * np.pi, 21)), abs=1e-12)
    assert r.t[-1] == pytest.approx(1 / lin.frequencies[0])
    lin.plot().savefig(tmp_path / "modes.png")
    r.export_html(tmp_path / "mode.html")
    from duoti.examples import four_bar

    m = four_bar.build()
    del m.forces["motor"]
    lin = dt.linearise(m, dt.equilibrium(m))
    r = lin.mode_result(0, frames=10)
    for q in r.q:
        dt.analyses.constraint_jacobian(r.system, q)  # refuses an open loop
