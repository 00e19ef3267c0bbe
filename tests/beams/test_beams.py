"""Beams: exact small deflections, large ones, rest shapes, joints at nodes, loads, files."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.states.consistent import state_of

NUMBERS = dt.Beam.from_stiffness(
    EA=1e6, GAy=1e6, GAz=1e6, GJ=80.0, EIy=100.0, EIz=70.0, mass_per_length=2.0, rotary_inertia=(2e-4, 1e-4, 1e-4)
)
STEEL = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0, name="steel")
STRIP = dt.Beam(dt.Section.rectangle(width=0.02, height=0.002).named("strip"), STEEL)


def cantilever(elements=8, beam=NUMBERS, gravity=(0, 0, 0), **how):
    m = dt.Model("cantilever", gravity=gravity)
    b = m.add_beam("b", beam, start=(0, 0, 0), end=(1, 0, 0), elements=elements, **how)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    return m, b


def balanced(m):
    e = dt.equilibrium(m)
    assert e.ok, e.reason
    return e


@pytest.mark.parametrize("elements", [1, 3])
def test_small_deflections_are_exact_at_nodes(elements):
    """P L³/(3 E I) + P L/(G A) for whatever number of elements; quadratic terms are of the load's square."""
    P = 1e-4
    m, b = cantilever(elements)
    m.add_force("tip", dt.AppliedForce(b.end, (0, P, P)))
    tip = balanced(m)["b.end.position"]
    np.testing.assert_allclose(tip[1:], [P / 3 / 70 + P / 1e6, P / 3 / 100 + P / 1e6], rtol=1e-9)


def test_weight_and_uniform_load_are_exact_at_nodes():
    g = 1e-5
    expected = -2.0 * g / 8 / 100 - 2.0 * g / 2 / 1e6  # q L⁴/(8 E I) + q L²/(2 G A)
    m, b = cantilever(2, gravity=(0, 0, -g))
    assert balanced(m)["b.end.position"][2] == pytest.approx(expected, rel=1e-8)
    m, b = cantilever(2)
    m.add_force("snow", dt.BeamLoad(b, (0, 0, "-2e-5 + 0*s")))
    assert balanced(m)["b.end.position"][2] == pytest.approx(expected, rel=1e-8)


def test_half_of_the_beam_is_loaded():
    """q on the outer half, with a node there and without: E I w = q (L⁴/8 - ...) by superposition."""
    q = 1e-5
    exact = q / 100 * (1 / 8 - (0.5**4 / 8 + 0.5**3 / 6 * 0.5)) + q / 1e6 * (1 / 2 - 1 / 8)
    for elements, tolerance in ((4, 1e-8), (5, 1e-2)):  # within an element the load is shared, error of second order
        m, b = cantilever(elements)
        m.add_force("half", dt.BeamLoad(b, (0, 0, q), start=0.5))
        assert balanced(m)["b.end.position"][2] == pytest.approx(exact, rel=tolerance)


def test_following_load_turns_with_the_sections():
    """A ring under pressure that follows its sections keeps its shape and shrinks by p R²/(E A)."""
    m = dt.Model("ring", gravity=(0, 0, 0))
    ring = m.add_beam("r", NUMBERS, centreline=("cos(2*pi*s)", "sin(2*pi*s)", "0"), elements=24)
    m.add_joint("hold", dt.Fixed(), m.ground, ring.start)
    m.add_force("p", dt.BeamLoad(ring, (0, 0.5, 0), frame="section"))  # y points inwards
    e = balanced(m)
    diameter = np.linalg.norm(e["r.node12.position"] - e["r.start.position"])
    assert 2 - diameter == pytest.approx(2 * 0.5 / 1e6, rel=1e-5)  # it shrinks by 5e-7: relative error of second order


@pytest.mark.parametrize("elements", [2, 3, 5])
def test_curved_elements_are_exact_for_small_loads(elements):
    """A quarter of a circle, clamped, with forces at its tip: Castigliano's theorem with all six section forces.

    Across the plane, where bending and torsion are coupled, any number of elements is exact. Along the tangent of the
    clamped end the chords of the elements do not yield by bending: a part of angle⁴/720.
    """
    R, P, quarter = 2.0, 1e-5, np.pi / 2
    EA, GA, GJ, EIy, EIz = 1e6, 1e6, 80.0, 100.0, 70.0
    m = dt.Model("arc", gravity=(0, 0, 0))
    line = (f"{R}*sin(pi/2*s)", f"{R}*(1 - cos(pi/2*s))", "0")
    b = m.add_beam("b", NUMBERS, centreline=line, elements=elements)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    before = balanced(m)["b.end.position"]
    m.add_force("tip", dt.AppliedForce(b.end, (P, 0, P)))
    moved = balanced(m)["b.end.position"] - before
    x, w = np.polynomial.legendre.leggauss(20)
    x, w = quarter / 2 * (1 + x), R * quarter / 2 * w  # angle from the clamped end
    N, Q, M = np.cos(x), np.sin(x), R * np.cos(x)
    along = P * np.sum(w * (N**2 / EA + Q**2 / GA + M**2 / EIz))
    bending, torsion = R * np.sin(quarter - x), R * (1 - np.cos(quarter - x))
    across = P * np.sum(w * (1 / GA + bending**2 / EIy + torsion**2 / GJ))
    assert moved[2] == pytest.approx(across, rel=1e-6)  # P R²/(E I) is 6e-7: what is nonlinear is of that size
    assert moved[0] == pytest.approx(along, rel=1e-6 + (quarter / elements) ** 4 / 720)


SHAPES = (
    lambda x: dt.Section.rectangle(width=0.02 * x, height=0.03),
    lambda x: dt.Section.circle(radius=0.02 * x),
    lambda x: dt.Section.polygon([(0, 0), (0.02, 0), (0.02 * x, 0.03), (0, 0.04 * x)]),
)


@pytest.mark.sample(3)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("elements", [1, 3])
def test_tapered_elements_are_exact_for_small_loads(shape, elements):
    """Bending, shear, torsion and stretch of a cantilever that tapers to 0.4: compliances summed along it."""
    force = np.array([1e-3, 2e-3, -3e-3])
    m = dt.Model("taper", gravity=(0, 0, 0))
    thick, thin = dt.Beam(shape(1.0), STEEL), dt.Beam(shape(0.4), STEEL)
    b = m.add_beam("b", thick, start=(0, 0, 0), end=(1, 0, 0), elements=elements, taper=thin)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    m.add_force("tip", dt.AppliedForce(b.end, tuple(force.tolist())))
    m.add_force("twist", dt.AppliedTorque(b.end, (1e-3, 0, 0)))
    e = balanced(m)
    x, w = np.polynomial.legendre.leggauss(30)
    moved, turned = np.zeros(3), 0.0
    for part, weight in zip(0.5 * (1 + x), 0.5 * w, strict=True):
        C = np.linalg.inv(thick.between(thin, part).matrix)
        arm = 1.0 - part
        to_strains = np.zeros((6, 3))  # section forces (N, Qy, Qz, Mx, My, Mz) of the tip's force
        to_strains[:3], to_strains[4, 2], to_strains[5, 1] = np.eye(3), -arm, arm
        moved += weight * to_strains.T @ C @ to_strains @ force
        turned += 1e-3 * weight * C[3, 3]
    # what is nonlinear: axial force times length squared over E I (1e-7), and the tip is drawn back by bending
    np.testing.assert_allclose(e["b.end.position"] - [1, 0, 0], moved, rtol=1e-6, atol=float(moved @ moved))
    assert e["b.end.rotation"][1] * 2 == pytest.approx(turned, rel=1e-6)


def test_a_tapered_element_in_a_file(tmp_path):
    m = dt.Model("leaf", gravity=(0, 0, 0))
    end = m.add_body("end", dt.Inertia.sphere(1.0, radius=0.1), position=(1, 0, 0))
    m.add_joint("free", dt.Free(), m.ground, end)
    thick, thin = dt.Beam(SHAPES[0](1.0), STEEL), dt.Beam(SHAPES[0](0.4), STEEL)
    m.add_force("leaf", dt.beams.BeamElement(m.ground, end, thick, taper=thin))
    m.save(tmp_path / "leaf.yaml")
    again = dt.load(tmp_path / "leaf.yaml")
    np.testing.assert_array_equal(dt.linearise(again).frequencies, dt.linearise(m).frequencies)
    m.forces.clear()
    m.add_force("leaf", dt.beams.BeamElement(m.ground, end, thick, taper=dt.Beam(SHAPES[1](0.4), STEEL)))
    with pytest.raises(dt.ModelError, match=r"taper is .* two sections of one shape"):
        dt.compile(m)


def test_frequencies_of_a_ring_in_and_across_its_plane():
    """Love: w² = E I n² (n² - 1)²/(m R⁴ (n² + 1)) in the plane and with n² + 1 + nu across it, of a thin round ring.

    Thickness is felt with (r/R)² = 1e-4 times a small number; 16 elements have an error of 1.3e-4 (1.5e-2 before
    elements knew how their curvature couples bending with torsion).
    """
    R, radius, n = 0.5, 0.005, 2
    m = dt.Model("ring", gravity=(0, 0, 0))
    ring = dt.Beam(dt.Section.circle(radius=radius), STEEL)
    m.add_beam("r", ring, centreline=(f"{R}*cos(2*pi*s)", f"{R}*sin(2*pi*s)", "0"), elements=16)
    found = dt.linearise(m).frequencies
    square = 2.1e11 * radius**2 / 4 * n**2 * (n**2 - 1) ** 2 / (7850.0 * R**4)
    expected = [np.sqrt(square / (n**2 + 1 + nu)) / (2 * np.pi) for nu in (0.3, 0.3, 0.0, 0.0)]
    np.testing.assert_allclose(found[found > 1.0][:4], expected, rtol=4e-4)


def test_end_moment_bends_to_a_circle():
    """M = 2 pi E I / L closes the ring, exactly, with constant strains: no other error than Newton's."""
    m, b = cantilever(8)
    m.add_force("M", dt.AppliedTorque(b.end, (0, -2 * np.pi * 100, 0)))
    e = balanced(m)
    np.testing.assert_allclose(e["b.end.position"], 0, atol=1e-9)
    np.testing.assert_allclose(e["b.node4.position"], [0, 0, 1 / np.pi], atol=1e-9)


@pytest.mark.parametrize(
    "centreline", [("s", "0.3*s*s", "0.2*sin(3*s)"), [(0, 0, 0), (1, 0.2, 0), (2, 0, 0.3), (3, 1, 0)]]
)
def test_a_beam_is_free_of_stress_as_it_is_drawn(centreline):
    m = dt.Model("arch", gravity=(0, 0, 0))
    b = m.add_beam("b", NUMBERS, centreline=centreline, elements=6, twist=0.8)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    system = dt.compile(m)
    at_rest = dt.analyses.generalised_forces(system, *state_of(system))
    assert np.abs(at_rest).max() < 1e-7  # round-off times E A


def test_who_holds_a_node():
    """Clamped, hinged or joined nodes have no free joint and close no loop; the others one each."""
    m, b = cantilever(4)
    c = m.add_beam("c", NUMBERS, start=(1, 0, 0), end=(1, 0, 1), up="x", elements=2)
    m.add_joint("corner", dt.Fixed(), b.end, c.start)
    m.add_joint("hinge", dt.Revolute("y"), m.ground, c.end)
    report = dt.check(m)
    assert report.ok
    assert not dt.topology(m).cut_joints
    assert dt.compile(m).nv == 6 * (3 + 1 + 1) + 1
    del m.joints["clamp"]
    assert dt.compile(m).nv == 6 * (4 + 1 + 1) + 1


def test_up_along_a_straight_beam():
    """Refused where the user chose it; left out, another axis is taken, which turns with the model."""
    m = dt.Model("posts")
    with pytest.raises(ValueError, match='beam "b": start and end are the same point'):
        m.add_beam("b", STRIP, start=(1, 2, 3), end=(1, 2, 3))
    for up in ("x", (-2.0, 0.0, 0.0)):
        with pytest.raises(ValueError, match=r'beam "b": up=.* is along the axis of the beam; give another up'):
            m.add_beam("b", STRIP, start=(0, 0, 0), end=(1, 0, 0), up=up)
    post = m.add_beam("post", STRIP, start=(0, 0, 0), end=(0, 0, 1), elements=2)
    R = dt.Rotation.about("x", 0.5 * np.pi)
    whole = dt.Model("whole")
    whole.add_submodel("moved", m, rotation=R)
    moved = whole.beams["moved.post"]
    np.testing.assert_allclose(moved.rotations, np.asarray(R.matrix) @ post.rotations, atol=1e-15)


def test_a_beam_with_both_ends_on_one_body_and_in_flight():
    m = dt.Model("bow", gravity=(0, 0, 0))
    b = m.add_beam(
        "b", NUMBERS, start=(0, 0, 0), end=(1, 0, 0), elements=4, velocity=(1, 2, 3), angular_velocity=(0, 0, 2)
    )
    s = dt.compile(m)
    assert s.nv == 30
    r = dt.simulate(m, 0.1, solver=dt.GeneralisedAlpha(step=1e-2))
    assert r.ok
    np.testing.assert_allclose(r["b.end.velocity"][0], [1, 4, 3], atol=1e-12)
    assert m.mass == pytest.approx(2.0)
    assert b.end.name == "b.end"


def test_a_place_between_nodes_and_a_taper():
    wide = dt.Beam(dt.Section.rectangle(width=0.04, height=0.002), STEEL)
    m = dt.Model("taper")
    b = m.add_beam("b", wide, start=(0, 0, 0), end=(1, 0, 0), elements=10, taper=STRIP, places={"sensor": 0.33})
    np.testing.assert_allclose(b["sensor"].position, (0.33, 0, 0), atol=1e-12)
    assert b["sensor"].name == "b.sensor"
    assert m.mass == pytest.approx(7850 * 0.002 * 0.03, rel=1e-12)


def test_files_hold_beams(tmp_path):
    m, b = cantilever(6, STRIP, places={"sensor": 0.3}, twist=0.1)
    m.add_beam("arch", NUMBERS, centreline=[(0.0, 1.0, 0.0), (1.0, 1.0, 0.3), (2.0, 1.0, 0.0)], up=(0.0, 1.0, 0.0))
    m.add_joint("A", dt.Spherical(), m.ground, "arch.start")
    m.add_force("wind", dt.BeamLoad("b", (0.0, "sin(t)", "-0.1*part"), frame="section", end=0.5))
    m.save(tmp_path / "one.yaml")
    text = (tmp_path / "one.yaml").read_text()
    assert "strip: {rectangle: {width: 0.02, height: 0.002}}" in text
    assert "b.element1" not in text
    n = dt.load(tmp_path / "one.yaml")
    n.save(tmp_path / "two.yaml")
    assert (tmp_path / "two.yaml").read_text() == text
    one, two = dt.compile(m), dt.compile(n)
    q, _ = state_of(one)
    np.testing.assert_array_equal(one.loads.forces.reals, two.loads.forces.reals)
    np.testing.assert_array_equal(dt.mass_matrix(one, q), dt.mass_matrix(two, q))
    b.end.inertia = dt.Inertia.point(3.0)
    with pytest.raises(dt.ModelError, match=r"\"b\.end\" was changed"):
        m.save(tmp_path / "three.yaml")


def test_tangent_of_a_load_by_differences():
    m, b = cantilever(3)
    m.add_force("wind", dt.BeamLoad(b, ("s*b.end.velocity.y", "b.node2.position.z + part", "sin(t)"), frame="section"))
    system = dt.compile(m)
    rng = np.random.default_rng(1)
    q, _ = state_of(system)
    q, v = dt.analyses.displace(system, q, 0.2 * rng.normal(size=system.nv)), 0.3 * rng.normal(size=system.nv)
    derivatives = dt.analyses.inverse_dynamics_derivatives(system, q, v, np.zeros(system.nv))
    step = 1e-6
    for j in range(system.nv):
        d = np.zeros(system.nv)
        d[j] = step
        there, back = (
            dt.inverse_dynamics(system, dt.analyses.displace(system, q, s * d), v, np.zeros(system.nv)) for s in (1, -1)
        )
        slope = (there - back) / (2 * step)
        near = 1e-5 * np.abs(slope).max()  # round-off of E A / step, and step²
        assert np.abs(derivatives.dq[:, j] - slope).max() < near


@pytest.mark.parametrize(("arguments", "says"), [
    ({"start": (0, 0, 0)}, "end is None"),
    ({}, "give start and end"),
    ({"start": (0, 0, 0), "end": (0, 0, 0)}, "same point"),
        ({"centreline": [(0, 0, 0), (1, 0, 0), (1, 0, 0)]}, 'beam "b": centreline: two neighbouring points'),
    ({"start": (0, 0, 0), "end": (1, 0, 0), "elements": 0}, "elements is 0"),
    ({"start": (0, 0, 0), "end": (1, 0, 0), "places": {"x": 2.0}}, "between 0 and 1"),
    ({"centreline": ("s", "q", "0")}, "'q' is unknown"),
])  # fmt: skip
def test_refusals(arguments, says):
    with pytest.raises(ValueError, match=says):
        dt.Model("m").add_beam("b", NUMBERS, **arguments)


@pytest.mark.parametrize("extra", [{"mass_per_length": 5.0}, {"rotary_inertia": (1.0, 1.0, 1.0)}])
def test_numbers_beside_a_section_are_refused(extra):
    """They were taken and had no effect."""
    with pytest.raises(ValueError, match=f"{next(iter(extra))} would have no effect"):
        dt.Beam(dt.Section.circle(0.01), dt.Material(2e11, 0.3, 7800.0), **extra)


@pytest.mark.parametrize("solver", [None, "auto"])
def test_the_default_solver_is_implicit_and_says_so(solver):
    m, _ = cantilever(6, STRIP, gravity=(0, 0, -9.81))
    r = dt.simulate(m, 0.2, solver=solver, outputs=0.05)
    assert r.ok, r.reason
    assert "Radau throughout: beams" in r.stats.notes[0]
    assert r.stats.steps < 2000  # DOPRI5 would need some hundred thousand


def test_section_forces_and_stresses_along_a_cantilever():
    """Statics: N, Q constant, M = P (L - s) also within the elements; stress M z/I at the outline."""
    P = 0.01
    m, b = cantilever(4, STRIP)
    m.add_force("tip", dt.AppliedForce(b.end, (0, 0, P)))
    e = balanced(m)
    M = e.along("b", "bending_moment_y")
    np.testing.assert_allclose(M.values[0], -P * (1 - M.s), atol=1e-4 * P)  # deflection of 2 mm: (w/L)²
    np.testing.assert_allclose(e.along(b, "shear_force_z").values, P, rtol=1e-4)
    I = 0.02 * 0.002**3 / 12
    np.testing.assert_allclose(np.abs(e.along(b, "stress").values[0, 0]), P * 0.001 / I, rtol=1e-3)
    energy = e.along(b, "strain_energy")
    total = np.trapezoid(energy.values[0], energy.s)
    assert total == pytest.approx(P**2 / 6 / (2.1e11 * I), rel=0.05)  # trapezoids of a parabola with four elements
    np.testing.assert_array_equal(e.along(b, "normal_stress").values, e.along(b, "stress").values)
    with pytest.raises(dt.errors.ChannelError, match=r"There are axial_force, .*, stress$"):
        e.along("b", "bending_momentum")
    with pytest.raises(dt.errors.ChannelError, match="no beam"):
        e.along("c", "stress")


def test_along_a_beam_over_time_and_its_plot():
    m, b = cantilever(4, STRIP, gravity=(0, 0, -9.81))
    r = dt.simulate(m, 0.1, outputs=0.01)
    M = r.along(b, "bending_moment")
    assert M.values.shape == (11, 8)
    low, high = M.envelope
    assert np.all(low <= high)
    assert len(M.plot(0.0, 0.05).axes[0].lines) == 3


def test_the_check_speaks_of_beams():
    m = dt.Model("doubtful", gravity=(0, 0, 0))
    soft = dt.Beam(
        dt.Section.circle(radius=0.01), dt.Material(youngs_modulus=210.0, poisson_ratio=0.3, density=7.85e-9)
    )
    m.add_beam("ring", NUMBERS, centreline=("cos(2*pi*s)", "sin(2*pi*s)", "0"), elements=3)
    m.add_beam("arc", NUMBERS, centreline=("cos(pi*s)", "sin(pi*s)", "2"), elements=6)
    m.add_beam("soft", soft, start=(0, 0, 0), end=(1, 0, 0))
    m.add_force("wind", dt.BeamLoad("rign", (0, 0, 1)))
    codes = {finding.code: finding for finding in dt.check(m).findings}
    assert {"beam-turns", "beam-coarse", "beam-units", "unknown-beam"} <= codes.keys()
    assert "did you mean" in str(codes["unknown-beam"]).lower()


def test_a_picture_is_coloured_by_a_quantity():
    m, b = cantilever(4, STRIP)
    m.add_force("tip", dt.AppliedForce(b.end, (0, 0, 1.0)))
    M = balanced(m).along("b", "bending_moment")
    figure = M.picture()
    faces = figure.axes[0].collections[0]
    assert len(faces.get_array()) == 4 * 4 * 4  # elements, pieces, edges of the rectangle
    assert faces.get_array().max() == pytest.approx(M.values.max(), rel=0.05)
    assert len(figure.axes) == 2  # with a scale
    assert b.nodes[1].shapes[0].kind == "box"


def test_a_beam_in_a_part_of_a_model():
    wing = dt.Model("wing", gravity=(0, 0, 0))
    b = wing.add_beam("b", NUMBERS, start=(0, 0, 0), end=(1, 0, 0), elements=3, places={"tip": 0.9})
    wing.add_joint("root", dt.Fixed(), wing.ground, b.start)
    wing.add_force("lift", dt.BeamLoad(b, (0, 0, 5.0)))
    m = dt.Model("plane", gravity=(0, 0, 0))
    m.add_submodel("left", wing, position=(0, 2, 0), rotation=dt.Rotation.about("z", np.pi / 2))
    m.add_submodel("right", wing)
    e = balanced(m)
    np.testing.assert_allclose(
        e["left.b.tip.position"], [0, 2 + e["right.b.tip.position"][0], e["right.b.tip.position"][2]], atol=1e-9
    )
    assert e.along("left.b", "bending_moment").values.shape == (1, 8)


def test_a_taper_of_another_kind_is_refused():
    m = dt.Model()
    with pytest.raises(ValueError, match=r'beam "b": taper is 0.5; give the dt.Beam'):
        m.add_beam("b", STRIP, start=(0, 0, 0), end=(1, 0, 0), taper=0.5)


@pytest.mark.parametrize("times", [(0.0, 2e-3), (2e-3, 0.0)])
def test_damping_that_one_end_of_a_taper_has(times):
    """Half of it in the middle of the only element, whichever end it is."""
    material = dt.Material(2e11, 0.3, 7800.0)
    ends = [dt.Beam(dt.Section.rectangle(width=0.02, height=0.02), material, damping_time=each) for each in times]
    m = dt.Model()
    b = m.add_beam("b", ends[0], start=(0, 0, 0), end=(1, 0, 0), elements=1, taper=ends[1])
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    lin = dt.linearise(m)
    # Kelvin-Voigt: the ratio of a mode is half its damping time times its frequency
    first = 2 * np.pi * lin.frequencies[0]
    assert lin.damping_ratios[0] == pytest.approx(0.5 * 1e-3 * first, rel=1e-3)
