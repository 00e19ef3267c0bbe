"""Beams of higher order: elements with nodes and masses at Gauss-Lobatto points."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.states.consistent import state_of
from duoti.model.beams.lobatto import lagrange, lobatto
from duoti.model.beams.spectral_strains import point_strains
from duoti.view.scene.beams_and_cables import along_columns, along_numbers, slender_document

ORDERS = (2, 3, 4, 5, 8)
MATRIX = np.diag([1e4, 4e3, 5e3, 30.0, 20.0, 40.0])
MATRIX[0, 4] = MATRIX[4, 0] = 60.0
MATRIX[3, 5] = MATRIX[5, 3] = 7.0
COUPLED = dt.Beam.from_stiffness(matrix=MATRIX, mass_per_length=2.0, rotary_inertia=(0.02, 0.01, 0.01))


def numbers(EA=1e6, GA=1e6, GJ=80.0, EIy=100.0, EIz=70.0, mass=2.0, rotary=(0.002, 0.001, 0.001), **more):
    return dt.Beam.from_stiffness(
        EA=EA, GAy=GA, GAz=GA, GJ=GJ, EIy=EIy, EIz=EIz, mass_per_length=mass, rotary_inertia=rotary, **more
    )


def cantilever(order, elements, beam=None, gravity=(0, 0, 0), length=1.0, **more):
    m = dt.Model("cantilever", gravity=gravity)
    b = m.add_beam("b", beam or numbers(), start=(0, 0, 0), end=(length, 0, 0), elements=elements, order=order, **more)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    return m, b


def balanced(m):
    e = dt.equilibrium(m)
    assert e.ok, e.reason
    return e


def slopes(errors):
    """Orders of convergence from errors at halved lengths."""
    return np.log2(np.array(errors[:-1]) / np.array(errors[1:]))


@pytest.mark.parametrize("order", range(1, 9))
def test_points_and_polynomials(order):
    """Lobatto's rule is exact up to 2 order - 1; Lagrange's polynomials reproduce any one of their degree."""
    x, w = lobatto(order)
    for k in range(2 * order):
        assert w @ x**k == pytest.approx((1 + (-1) ** k) / (k + 1), abs=4e-15)
    at = np.linspace(-1, 1, 7)
    N, D = lagrange(x, at)
    for k in range(order + 1):
        np.testing.assert_allclose(N @ x**k, at**k, atol=1e-14)
        np.testing.assert_allclose(D @ x**k, k * at ** max(k - 1, 0), atol=2e-13)  # slopes are up to order²


@pytest.mark.parametrize("order", ORDERS)
def test_a_turn_of_everything_changes_nothing(order):
    """Objectivity: nodes that move by a carrier feel the same wherever it is, and it feels nothing: 1e-12."""
    rng = np.random.default_rng(order)
    m = dt.Model("carried", gravity=(0, 0, 0))
    carrier = m.add_body("carrier", dt.Inertia.sphere(1.0, 0.1))
    m.add_joint("whole", dt.Free(), m.ground, carrier)
    b = m.add_beam("b", COUPLED, centreline=("s", "0.3*s*s", "0.2*sin(3*s)"), elements=2, order=order, twist=0.4)
    for node in b.nodes:
        m.add_joint(f"{node.name}.on", dt.Free(), carrier, node)
    system = dt.compile(m)
    q, v = state_of(system)
    bend = np.r_[np.zeros(6), 0.1 * rng.normal(size=system.nv - 6)]
    here = dt.analyses.displace(system, q, bend)
    there = dt.analyses.displace(system, here, np.r_[2.0 * rng.normal(size=6), np.zeros(system.nv - 6)])
    one, two = (dt.analyses.generalised_forces(system, each, v) for each in (here, there))
    size = np.abs(one).max()
    assert size > 10.0
    assert np.abs(two - one)[6:].max() < 1e-12 * size
    assert np.abs(one)[:6].max() < 1e-12 * size
    energies = [dt.energies(system, each, v).elastic for each in (here, there)]
    assert energies[1] == pytest.approx(energies[0], rel=1e-12)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("closed", [False, True])
def test_a_beam_is_free_of_stress_as_it_is_drawn(order, closed):
    line = ("cos(2*pi*s)", "sin(2*pi*s)", "0.1*sin(4*pi*s)") if closed else ("s", "0.3*s*s", "0.2*sin(3*s)")
    m = dt.Model("arch", gravity=(0, 0, 0))
    b = m.add_beam("b", COUPLED, centreline=line, elements=3, order=order, twist=0.0 if closed else 0.8)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    system = dt.compile(m)
    assert system.nv == 6 * (3 * order - closed)
    assert np.abs(dt.analyses.generalised_forces(system, *state_of(system))).max() < 1e-9  # round-off times E A, order²


@pytest.mark.parametrize("order", ORDERS)
def test_masses_and_loads_are_lobattos(order):
    """Mass, first and second moment of a straight beam are exact; so is a cantilever under a uniform load."""
    m, b = cantilever(order, 2, gravity=(0, 0, -1e-5))
    masses = np.array([node.inertia.mass for node in b.nodes])
    for k in range(3):
        assert masses @ b.stations**k == pytest.approx(2.0 / (k + 1), rel=1e-14)
    expected = -2.0 * 1e-5 / 8 / 100 - 2.0 * 1e-5 / 2 / 1e6  # q L⁴/(8 E I) + q L²/(2 G A)
    if order >= 3:  # the deflection is of fourth degree, exact at the ends of elements from cubic slopes on
        assert balanced(m)["b.end.position"][2] == pytest.approx(expected, rel=1e-8)
    m, b = cantilever(order, 2)
    m.add_force("half", dt.BeamLoad(b, (0, 0, 1e-5), start=0.5))
    q = 1e-5
    exact = q / 100 * (1 / 8 - (0.5**4 / 8 + 0.5**3 / 6 * 0.5)) + q / 1e6 * (1 / 2 - 1 / 8)
    assert balanced(m)["b.end.position"][2] == pytest.approx(exact, rel=1e-8 if order > 2 else 2e-3)
    carried = b.lengths(0.3, 0.8)
    assert carried.sum() == pytest.approx(0.5, rel=1e-13)
    assert carried @ b.stations == pytest.approx(0.5 * 0.55, rel=1e-13)


@pytest.mark.parametrize(("order", "elements"), [(2, (4, 8, 16)), (3, (3, 6, 12)), (4, (4, 8)), (5, (3, 6))])
def test_frequencies_converge_with_twice_the_order(order, elements):
    """A Timoshenko beam on two supports: w = W sin(k x), turn = T cos(k x) are two equations, a closed form."""
    EI, GA, mass, rotary = 1.0, 100.0, 1.0, 0.01
    k = 3 * np.pi  # the third mode
    A = np.array([[GA * k * k, -GA * k], [-GA * k, EI * k * k + GA]]) / np.sqrt(
        np.outer((mass, rotary), (mass, rotary))
    )
    exact = np.sqrt(np.linalg.eigvalsh(A)[0])
    errors = []
    for n in elements:
        m = dt.Model("beam", gravity=(0, 0, 0))
        beam = numbers(EA=1e4, GA=GA, GJ=1e3, EIy=EI, EIz=9.0, mass=mass, rotary=(1.0, rotary, 1.0))
        b = m.add_beam("b", beam, start=(0, 0, 0), end=(1, 0, 0), elements=n, order=order)
        m.add_joint("left", dt.Revolute("y"), m.ground, b.start)
        m.add_joint("right", dt.Revolute("y"), m.ground, b.end)
        omega = 2 * np.pi * dt.linearise(m).frequencies
        errors.append(np.abs(omega / exact - 1).min())
    assert np.all(slopes(errors) > 2 * order - 0.4), errors
    assert errors[-1] < 1e-4


@pytest.mark.parametrize(("order", "elements"), [(2, (4, 8, 16)), (3, (4, 8)), (4, (2, 4))])
def test_large_deflections_converge_with_twice_the_order(order, elements):
    """The elastica with P L²/E I = 4 by itself, with twice as many elements, and so on."""

    def tip(n):
        m, b = cantilever(order, n, numbers(EA=1e4, GA=1e4, EIy=1.0, EIz=1.0, GJ=1.0))
        m.add_force("P", dt.AppliedForce(b.end, (0, 0, 4.0)))
        return balanced(m)["b.end.position"]

    exact = tip(2 * elements[-1])
    errors = [np.linalg.norm(tip(n) - exact) for n in elements]
    assert np.all(slopes(errors) > 2 * order - 0.6), errors


@pytest.mark.parametrize("order", ORDERS)
def test_nothing_locks(order):
    """Slenderness 1e4: E A L²/E I = 1.2e9 changes the deflection of an arch by nothing but its own compliance."""

    def tip(EA):
        m = dt.Model("arch", gravity=(0, 0, 0))
        beam = numbers(EA=EA, GA=EA, EIy=1.0, EIz=1.0, GJ=1.0)
        b = m.add_beam("b", beam, centreline=("sin(s)", "1 - cos(s)", "0"), elements=3, order=order)
        m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
        m.add_force("P", dt.AppliedForce(b.end, (0.3, 0.5, 0.4)))
        return balanced(m)["b.end.position"]

    assert np.linalg.norm(tip(1.2e9) - tip(1.2e6)) < 2e-6  # of a length of one: force / E A


def test_a_curved_beam_against_castigliano():
    """A quarter circle, loaded out of its plane: E I (pi/4) and G J (3 pi/4 - 2) times P R³, to first order in P."""
    P, EI, GJ = 1e-5, 100.0, 80.0
    m = dt.Model("quarter", gravity=(0, 0, 0))
    line = ("sin(pi/2*s)", "1 - cos(pi/2*s)", "0")
    b = m.add_beam("b", numbers(EA=1e9, GA=1e9), centreline=line, elements=2, order=5)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    m.add_force("P", dt.AppliedForce(b.end, (0, 0, P)))
    expected = P * (np.pi / 4 / EI + (3 * np.pi / 4 - 2) / GJ)
    assert balanced(m)["b.end.position"][2] == pytest.approx(expected, rel=1e-6)


def test_couplings_of_the_section():
    """A tip wrench on a straight beam with coupled stiffness: strains are C^-1 times section forces, small ones."""
    scale = 1e-6
    m, b = cantilever(4, 1, COUPLED)
    m.add_force("F", dt.AppliedForce(b.end, (scale * 5, 0, 0)))
    m.add_force("M", dt.AppliedTorque(b.end, (scale * 2, scale * 3, 0)))
    e = balanced(m)
    strain = np.linalg.solve(MATRIX, scale * np.array([5, 0, 0, 2, 3, 0]))
    turn = dt.Rotation.from_quaternion(e["b.end.rotation"]).vector
    np.testing.assert_allclose(turn, strain[3:], rtol=1e-5, atol=1e-12)
    np.testing.assert_allclose(
        e["b.end.position"] - (1, 0, 0),
        strain[:3] + 0.5 * np.array([0, strain[5], -strain[4]]),
        rtol=1e-5,
        atol=1e-12,
    )


@pytest.mark.parametrize("solver", [dt.Radau(rtol=1e-8), dt.IDA(rtol=1e-7), dt.GeneralisedAlpha(step=5e-4)])
def test_damping_takes_out_what_it_says(solver):
    """The energy lost in a vibrating beam is the integral of the power dissipated: balance of energies."""
    m, _ = cantilever(3, 2, numbers(damping_time=2e-3), gravity=(0, 0, -9.81))
    r = dt.simulate(m, 0.2, outputs=1e-3, solver=solver)
    assert r.ok, r.reason
    assert r.energy.dissipated[-1] > 0.01 * np.ptp(r.energy.kinetic)
    assert np.abs(r.energy.residual).max() < 2e-4 * np.ptp(r.energy.kinetic)  # generalised-alpha damps 2e-5


def flight(step):
    """Changes of linear and angular momentum and of the energy, by their sizes, of a soft beam that spins."""
    m = dt.Model("flight", gravity=(0, 0, 0))
    soft = numbers(EA=1e3, GA=1e3, GJ=5.0, EIy=5.0, EIz=4.0, rotary=(0.02, 0.01, 0.01))
    m.add_beam("b", soft, start=(0, 0, 0), end=(1, 0, 0), elements=2, order=4, velocity=(1, 2, 3),
               angular_velocity=(0.5, 2, 9))  # fmt: skip
    system = dt.compile(m)
    r = dt.simulate(system, 1.0, outputs=0.1, solver=dt.GeneralisedAlpha(step=step, rho=1.0, rtol=1e-10))
    assert r.ok, r.reason
    nq, nv = system.nq, system.nv
    found = [dt.momentum(system, y[:nq], y[nq : nq + nv]) for y in r.states]
    p, L = (np.array([getattr(each, name) for each in found]) for name in ("linear", "angular"))
    return np.ptp(p, axis=0).max() / 2.0, np.ptp(L, axis=0).max() / 8.0, np.ptp(r.energy.total) / r.energy.kinetic[0]


def test_free_flight_keeps_momentum_and_energy():
    """Linear momentum to round-off, angular and energy to the second order of the method."""
    one, two = flight(2e-3), flight(1e-3)
    assert max(one[0], two[0]) < 1e-11
    assert two[1] < one[1] / 3.5 < 2e-5
    assert two[2] < one[2] / 3.5 < 1e-3


def test_files_copies_and_parts_hold_the_order(tmp_path):
    m, b = cantilever(3, 4, numbers(), places={"sensor": 0.3}, twist=0.1)
    assert b.order == 3
    np.testing.assert_allclose(b["sensor"].position, (0.3, 0, 0), atol=1e-12)
    assert 0.3 in np.round(b.boundaries, 12)
    m.save(tmp_path / "one.yaml")
    text = (tmp_path / "one.yaml").read_text()
    assert "order: 3" in text
    assert "element1" not in text
    n = dt.load(tmp_path / "one.yaml")
    n.save(tmp_path / "two.yaml")
    assert (tmp_path / "two.yaml").read_text() == text
    one, two = dt.compile(m), dt.compile(n)
    np.testing.assert_array_equal(one.loads.forces.block_reals, two.loads.forces.block_reals)
    whole = dt.Model("whole", gravity=(0, 0, 0))
    whole.add_submodel("part", m, position=(0, 1, 0), rotation=dt.Rotation.about("z", 0.7))
    assert whole.beams["part.b"].order == 3
    assert dt.compile(whole).nv == one.nv


def test_an_element_by_itself_in_a_file(tmp_path):
    m = dt.Model("element", gravity=(0, 0, 0))
    for k, x in enumerate((0.0, 0.5, 1.0)):
        m.add_body(f"n{k}", dt.Inertia.sphere(1.0, 0.1), position=(x, 0, 0))
        m.add_joint(f"free{k}", dt.Free(), m.ground, f"n{k}")
    m.add_force("e", dt.beams.SpectralBeamElement(["n0", "n1", "n2"], numbers()))
    m.save(tmp_path / "m.yaml")
    n = dt.load(tmp_path / "m.yaml")
    assert list(n.forces["e"].nodes) == ["n0", "n1", "n2"]
    a, b = dt.compile(m), dt.compile(n)
    np.testing.assert_array_equal(a.loads.forces.block_reals, b.loads.forces.block_reals)


def test_the_usual_number_of_nodes():
    for order, nodes in ((2, 17), (3, 19), (4, 17), (8, 17)):
        b = dt.Model("m").add_beam("b", numbers(), start=(0, 0, 0), end=(1, 0, 0), order=order)
        assert len(b.nodes) == nodes


@pytest.mark.parametrize(("arguments", "says"), [
    ({"order": 0}, "order is 0; give a whole number from 1 to 8"),
    ({"order": 9}, "order is 9"),
    ({"order": 2.0}, "order is 2.0"),
    ({"order": 2, "short_ends": True}, "short_ends is for elements of order 1"),
])  # fmt: skip
def test_refusals(arguments, says):
    with pytest.raises(ValueError, match=says):
        dt.Model("m").add_beam("b", numbers(), start=(0, 0, 0), end=(1, 0, 0), **arguments)


def test_faults_of_an_element():
    assert "dt.beams.BeamElement" in dt.beams.SpectralBeamElement(["a", "b"], numbers()).faults()[0].text
    assert "give a dt.Beam" in dt.beams.SpectralBeamElement(["a", "b", "c"], 3.0).faults()[0].text  # pyright: ignore


def test_section_forces_and_stresses_along_a_cantilever():
    """Statics: N, Q constant, M = P (L - s), in the nodes and over the elements; stress M z/I at the outline."""
    P = 0.01
    steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
    strip = dt.Beam(dt.Section.rectangle(width=0.02, height=0.002), steel)
    m, b = cantilever(3, 2, strip)
    m.add_force("tip", dt.AppliedForce(b.end, (0, 0, P)))
    e = balanced(m)
    M = e.along("b", "bending_moment_y")
    assert M.s.shape == (12,)  # two for each of six pieces between nodes
    np.testing.assert_allclose(M.s[1:-1:2], M.s[2::2])
    np.testing.assert_allclose(M.values[0], -P * (1 - M.s), atol=1e-4 * P)  # deflection of 2 mm: (w/L)²
    np.testing.assert_allclose(e.along(b, "shear_force_z").values, P, rtol=1e-4)
    np.testing.assert_allclose(e["b.element1.section_moment"][1], -0.75 * P, rtol=1e-4)
    np.testing.assert_allclose(e["b.element1.curvature"][1], -0.75 * P / strip.matrix[4, 4], rtol=1e-4)
    I = 0.02 * 0.002**3 / 12
    np.testing.assert_allclose(np.abs(e.along(b, "stress").values[0, 0]), P * 0.001 / I, rtol=1e-3)
    low, high = M.envelope
    assert np.all(low <= high)
    faces = M.picture().axes[0].collections[0]
    assert len(faces.get_array()) == 6 * 4 * 4  # pieces between nodes, parts of these, edges of the rectangle


def test_a_tapered_beam_along_its_length():
    """A cantilever whose depth halves: E I w'' = P (L - x) integrated numerically; the moment is that of statics."""
    P = 0.1
    steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
    thick, thin = (dt.Beam(dt.Section.rectangle(width=0.02, height=h), steel) for h in (0.004, 0.002))
    m, b = cantilever(4, 2, thick, taper=thin)
    m.add_force("tip", dt.AppliedForce(b.end, (0, 0, P)))
    e = balanced(m)
    x, w = np.polynomial.legendre.leggauss(20)
    x, w = 0.5 * (x + 1), 0.5 * w
    EI = 2.1e11 * 0.02 * (0.004 - 0.002 * x) ** 3 / 12
    bent = P * np.sum(w * (1 - x) ** 2 / EI)
    assert e["b.end.position"][2] == pytest.approx(
        bent, rel=3e-5
    )  # shear: 2e-6 of it; polynomials of the fourth degree
    M = e.along("b", "bending_moment_y")
    np.testing.assert_allclose(M.values[0], -P * (1 - M.s), atol=2e-4 * P)
    assert m.mass == pytest.approx(7850 * 0.02 * 0.003, rel=1e-12)


def test_the_check_speaks_of_elements_of_higher_order():
    def codes(order, elements):
        m = dt.Model("ring", gravity=(0, 0, 0))
        m.add_beam("ring", numbers(), centreline=("cos(2*pi*s)", "sin(2*pi*s)", "0"), elements=elements, order=order)
        return [(each.code, str(each)) for each in dt.check(m).findings if each.code.startswith("beam")]

    [(code, text)] = codes(4, 1)
    assert code == "beam-turns"
    assert "180 degrees within its element 1 from its middle node to an end" in text
    [(code, text)] = codes(2, 6)
    assert code == "beam-coarse"
    assert "fourth power" in text
    assert codes(2, 10) == []
    assert codes(4, 3) == []


def test_the_viewer_sweeps_through_all_nodes():
    m, b = cantilever(3, 2, gravity=(0, 0, -9.81))
    r = dt.simulate(m, 0.02, outputs=0.01)
    assert "Radau throughout: beams" in r.stats.notes[0]
    names = list(m.bodies)
    (document,) = slender_document(m, {name: k for k, name in enumerate(names)})
    assert document["elements"] == ["b.element1"] * 3 + ["b.element2"] * 3
    ends = [names[end["body"]] for end in document["ends"]]
    assert ends == [node.name for k in range(6) for node in b.nodes[k : k + 2]]
    assert len(document["section"]) == 12
    heads = along_numbers(r)["heads"]
    assert {head["size"] for head in heads} == {12}
    assert along_columns(m) >= sum(head["size"] for head in heads)


def test_nodes_out_of_order_are_refused():
    m = dt.Model("mixed up", gravity=(0, 0, 0))
    for k, x in enumerate((0.0, 1.0, 0.0)):
        m.add_body(f"n{k}", dt.Inertia.sphere(1.0, 0.1), position=(x, 0, 0))
        m.add_joint(f"free{k}", dt.Free(), m.ground, f"n{k}")
    m.add_force("e", dt.beams.SpectralBeamElement(["n0", "n2", "n2"], numbers()))
    with pytest.raises(ValueError, match=r'nodes "n0", "n2", "n2".*coincide'):
        dt.compile(m)


def test_every_kind_of_solver_runs_it():
    """A soft cantilever that is let go: explicit, implicit, linearly implicit and time stepping agree."""
    soft = numbers(EA=50.0, GA=50.0, GJ=2.0, EIy=2.0, EIz=1.0, rotary=(0.2, 0.1, 0.1))
    m, _ = cantilever(3, 1, soft, gravity=(0, 1.0, -2.0))
    system = dt.compile(m)

    def tip(solver):
        r = dt.simulate(system, 0.5, outputs=0.25, solver=solver)
        assert r.ok, r.reason
        return r["b.end.position"][-1]

    exact = tip(dt.DOP853(rtol=1e-10, atol=1e-12))
    assert np.linalg.norm(exact - (1, 0, 0)) > 0.05
    for solver, tolerance in (
        (dt.DOPRI5(rtol=1e-8), 1e-6),
        (dt.Radau(rtol=1e-8), 1e-6),
        (dt.IDA(rtol=1e-8), 1e-5),  # tolerances are of a step; errors of some hundred add up
        (dt.Rodas(rtol=1e-7), 1e-5),
        (dt.GeneralisedAlpha(step=1e-3), 1e-4),  # of second order; the highest frequency is 100 rad/s
        (dt.Moreau(step=2e-4), 2e-3),  # of first order
    ):
        assert np.linalg.norm(tip(solver) - exact) < tolerance, solver


def test_a_column_buckles():
    """Euler's load pi² E I/(4 L²), less by P/GA of shear (Engesser) and more by stretch, both 2.5e-4."""
    critical = np.pi**2 * 100.0 / 4
    for part, stable in ((0.999, True), (1.001, False)):
        m, b = cantilever(4, 2, numbers(EIy=100.0, EIz=300.0))
        m.add_force("P", dt.AppliedForce(b.end, (-part * critical, 0, 0)))
        e = balanced(m)
        assert e.stable == stable


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("order", [3, 4, 8])
def test_an_element_bent_beyond_half_a_turn(order, flat):
    """Bent evenly until neighbouring nodes are turned by half a turn, the energy has no jump.

    It is E I (angle/L)² L/2, as nearly as polynomials make a circle. The ends are turned by more than half a turn from
    the middle then: with order 4 by 0.73 turns.
    """
    m = dt.Model("roll", gravity=(0, 0, 0))
    b = m.add_beam(
        "b", numbers(EIy=1.0, EIz=1.0, GA=30.0, EA=30.0), start=(0, 0, 0), end=(1, 0, 0), elements=1, order=order
    )
    for node in b.nodes:
        joint = dt.Planar("z") if flat else dt.Free()
        m.add_joint(f"{node.name}.on", joint, m.ground, node)
    system = dt.compile(m)

    def rolled(angle):
        s = b.stations
        values = {}
        for k, node in enumerate(b.nodes):
            turn = angle * (s[k] - 0.5)
            place = np.array([np.sin(turn), 1 - np.cos(turn)]) / angle - (s[k] - 0.5, 0.0)
            values[f"{node.name}.on"] = (
                [*place, turn] if flat else [*place, 0, np.cos(turn / 2), 0, 0, np.sin(turn / 2)]
            )
        q, v = state_of(system, values)
        turns = angle * (s - 0.5)
        o, i = np.cos(turns), np.sin(turns)
        frames = np.zeros((1, len(s), 18))
        frames[0, :, [0, 1, 3, 4, 8]] = o, -i, i, o, np.ones(len(s))
        frames[0, :, [9, 10]] = i / angle, (1 - o) / angle
        element = system.model.forces["b.element1"]
        strain = point_strains(element, frames)[0]
        energy = 0.5 * np.einsum("g,gi,ij,gj->", element.rest.lengths, strain, element.beam.matrix, strain)
        assert dt.energies(system, q, v).elastic == pytest.approx(energy, rel=1e-11)  # results and kernels agree
        return energy

    most = 0.95 * np.pi / np.diff(b.stations).max()
    assert most > 2 * np.pi
    angles = np.linspace(0.02, 1.0, 80) * most
    ratio = np.array([rolled(a) for a in angles]) / (0.5 * angles**2)
    assert np.all(np.abs(np.diff(ratio)) < 0.1 * np.maximum(ratio[1:], 1.0)), ratio  # 80 small changes and no jump
    assert np.all(np.abs(ratio[angles < np.pi] - 1.0) < (0.1 if order == 3 else 0.02))


def test_a_ring_under_pressure():
    """Pressure that follows the sections keeps the ring's shape and shrinks it by p R²/(E A).

    Bending is 1e4 times as easy as stretch, so that the smallest error of the loads shows: with six elements of order 4
    6e-4, with eight 6e-5, with sixteen 2e-7 (the power 8 of their length); 24 of order 1 are right to a hundredth.
    """
    m = dt.Model("ring", gravity=(0, 0, 0))
    ring = m.add_beam("r", numbers(), centreline=("cos(2*pi*s)", "sin(2*pi*s)", "0"), elements=8, order=4)
    m.add_joint("hold", dt.Fixed(), m.ground, ring.start)
    m.add_force("p", dt.BeamLoad(ring, (0, 0.5, 0), frame="section"))  # y points inwards
    e = balanced(m)
    diameter = np.linalg.norm(e["r.node16.position"] - e["r.start.position"])
    assert 2 - diameter == pytest.approx(2 * 0.5 / 1e6, rel=1e-4)
