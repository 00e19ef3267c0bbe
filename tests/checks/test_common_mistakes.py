"""The four mistakes that users of every package make, each with the message that duoti gives: culprit and remedy.

What other packages say to the same models (measured): a body attached to nothing falls in silence, is welded to the
world, or shows up as an undefined velocity; loops that do not close run with forces of 1e7 N or end in NaN; a redundant
planar four-bar ends with "System Jacobian seems to be singular ... coordinate number = 42"; a massless end body in NaN.
"""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt


def four_bar(name="four-bar", **initial) -> dt.Model:
    """A planar four-bar of hinges about y: crank 1 m, coupler about 2 m, rocker 1.5 m, base 2 m."""
    m = dt.Model(name)
    m.add_body("crank", dt.Inertia.box(1.0, size=(0.1, 0.1, 1.0)), position=(0, 0, 0.5))
    m.add_body("coupler", dt.Inertia.box(1.0, size=(2.0, 0.1, 0.1)), position=(1, 0, 1.25))
    m.add_body("rocker", dt.Inertia.box(1.0, size=(0.1, 0.1, 1.5)), position=(2, 0, 0.75))
    for joint, parent, child, at in (
        ("A", "ground", "crank", (0, 0, 0)),
        ("B", "crank", "coupler", (0, 0, 1)),
        ("C", "coupler", "rocker", (2, 0, 1.5)),
        ("D", "ground", "rocker", (2, 0, 0)),
    ):
        m.add_joint(joint, dt.Revolute("y"), parent, child, at=at, **initial.get(joint, {}))
    return m


def message(model, **options) -> str:
    with pytest.raises(dt.ModelError) as raised:
        dt.simulate(model, 0.1, **options)
    return str(raised.value)


# ------------------------------------------------------------------------------------- 1. a body attached to nothing


def test_body_attached_to_nothing():
    m = four_bar()
    m.add_body("weight", dt.Inertia.sphere(1.0, 0.1))
    assert message(m) == (
        'model "four-bar" has 1 error\n'
        '✗ body "weight" is attached to nothing\n'
        "    why:    no chain of joints leads from ground to it\n"
        '    remedy: join it, or let it float: model.add_joint("weight_free", dt.Free(), model.ground, "weight")'
    )
    assert str(dt.check(m)) == message(m)  # check says the same


def test_the_remedy_for_a_body_attached_to_nothing_works():
    model = m = four_bar(A={"v0": 1.0})
    m.add_body("weight", dt.Inertia.sphere(1.0, 0.1))
    model.add_joint("weight_free", dt.Free(), model.ground, "weight")  # as the message says
    r = dt.simulate(m, 0.1)
    assert r["weight.position"][-1] == pytest.approx([0, 0, -0.5 * 9.81 * 0.1**2], abs=1e-9)  # solver's tolerance


def test_group_of_bodies_attached_to_nothing():
    m = four_bar()
    for name in ("bus", "panel"):
        m.add_body(name, dt.Inertia.sphere(1.0, 0.1))
    m.add_joint("hinge", dt.Revolute("z"), "bus", "panel")
    assert message(m) == (
        'model "four-bar" has 1 error\n'
        '✗ bodies "bus", "panel" are joined to each other but not to ground\n'
        "    why:    no chain of joints leads from ground to it\n"
        '    remedy: join it, or let it float: model.add_joint("bus_free", dt.Free(), model.ground, "bus")'
    )


# ----------------------------------------------------------------------------------------- 2. an inconsistent start


def test_start_that_cannot_be_assembled():
    """Crank upright and rocker turned by 0.7: both are held, and the coupler is too short."""
    assert message(four_bar(A={"q0": 0.0}, D={"q0": 0.7})) == (
        'model "four-bar" has 1 error\n'
        '✗ joint "C" cannot be closed: 0.8813 m are left between "coupler" and "rocker"\n'
        "    why:    around the loop B, A, D, C; it was 0.9663 m at the start\n"
        "    remedy: the given q0 of A, D is held: leave one out or correct it; or correct the positions or lengths of "
        "the bodies of this loop, or begin nearer to a closed position"
    )


def test_the_remedy_for_a_start_that_cannot_be_assembled_works():
    r = dt.simulate(four_bar(A={"q0": 0.2}), 0.1)  # D left out: it follows
    assert r["A.angle"][0] == 0.2
    # closed to 1e-12 by the assembly
    gap = r["crank.position"][0] + dt.Rotation(r["crank.rotation"][0]).matrix @ [0, 0, 0.5]
    gap = gap - r["coupler.position"][0] - dt.Rotation(r["coupler.rotation"][0]).matrix @ [-1, 0, -0.25]
    assert np.max(np.abs(gap)) < 1e-12


def test_links_that_cannot_reach():
    """Markers on both sides: what misses is known before any equation."""
    m = dt.Model("short coupler")
    for name, length in (("crank", 1.0), ("coupler", 0.4), ("rocker", 1.0)):
        m.add_body(name, dt.Inertia.box(1.0, (length, 0.1, 0.1)))
        m.add_marker(f"{name} begin", name, (-length / 2, 0, 0))
        m.add_marker(f"{name} end", name, (length / 2, 0, 0))
    m.add_marker("near", m.ground)
    m.add_marker("far", m.ground, (3.0, 0, 0))
    chain = ["near", "crank begin", "crank end", "coupler begin", "coupler end", "rocker begin", "rocker end", "far"]
    for name, parent, child in zip("ABCD", chain[::2], chain[1::2], strict=True):
        m.add_joint(name, dt.Revolute("y"), parent, child)
    assert message(m) == (
        'model "short coupler" has 1 error\n'
        '✗ joint "D": its markers on "rocker" and "ground" do not coincide in the reference configuration: '
        "0.6 m and 0 degrees apart\n"
        "    why:    the bodies were placed by other joints with markers, which leave the loop of this joint open\n"
        "    remedy: place the bodies where the loop is closed and join them at world points (at=...), "
        "or mend the markers"
    )


def test_rates_that_tear_the_loop():
    """The chain A, B, C turns about A as one piece: its end at D moves at 2 m * 1 rad/s."""
    rates = {"A": {"v0": 1.0}, "B": {"v0": 0.0}, "C": {"v0": 0.0}}
    assert message(four_bar(**rates)) == (
        'model "four-bar" has 1 error\n'
        '✗ the initial velocities tear joint "D" apart at 2 m/s\n'
        "    why:    around the loop A, B, C, D; v0 given for A, B, C\n"
        "    remedy: give v0 for as many joints as there are degrees of freedom; the others follow"
    )


def test_the_remedy_for_rates_works():
    r = dt.simulate(four_bar(A={"v0": 1.0}), 0.1)
    # crank tip moves at 1 m/s along x, the rocker's tip (1.5 m high, straight above D) with it along x
    assert r["A.rate"][0] == 1.0
    assert r["C.rate"][0] + r["B.rate"][0] + r["A.rate"][0] == pytest.approx(r["D.rate"][0], abs=1e-12)


def test_too_many_values_given():
    """Zero is closed; the angle of the cut joint is then known, and another one was given."""
    given = {"A": {"q0": 0.0}, "B": {"q0": 0.0}, "C": {"q0": 0.0}, "D": {"q0": 0.3}}
    assert message(four_bar(**given)) == (
        'model "four-bar" has 1 error\n'
        '✗ joint "D": q0=[0.3] contradicts the other initial values of its loop, which make it [0.0]\n'
        "    remedy: leave out one of them; the loop determines it"
    )


def test_too_many_values_that_agree_are_no_mistake():
    given = {name: {"q0": 0.0, "v0": 0.0} for name in "ABCD"}
    assert dt.simulate(four_bar(**given), 0.1).ok


def test_constraint_that_cannot_be_met():
    m = dt.Model("rod")
    m.add_body("ball", dt.Inertia.sphere(1.0, 0.1), position=(1, 0, 0))
    m.add_joint("P", dt.Prismatic("x"), m.ground, "ball", q0=0.0)
    m.add_constraint("rod", dt.Distance(m.ground, "ball", length=1.5))
    assert message(m) == (
        'model "rod" has 1 error\n'
        '✗ constraint "rod" cannot be met: 0.5 m are left\n'
        "    why:    it works on joints P; it was 0.5 m at the start\n"
        "    remedy: the given q0 of P is held: leave one out or correct it; or correct its numbers or the positions "
        "of the bodies, or begin nearer to a position that meets it"
    )


# --------------------------------------------------------------------------------------- 3. a redundant planar four-bar


REDUNDANT = (
    '! the loop closed by "D" has 3 redundant closure equations: joints "A", "B", "C", "D" over-constrain each other\n'
    "    why:    in the reference configuration 6 equations have rank 3; reactions that are not unique (world axes): "
    '"A" (force y, torque x, z); "B" (force y, torque x, z); "C" (force y, torque x, z); "D" (force y, torque x, z)\n'
    '    remedy: make "C" cylindrical and "D" spherical: then nothing is redundant and every reaction is unique'
)


def test_redundant_four_bar_is_reported():
    report = dt.check(four_bar())
    assert report.ok
    (finding,) = report.warnings
    assert str(finding) == REDUNDANT
    assert finding.code == "redundant"


def test_redundant_four_bar_runs_and_labels_its_reactions():
    r = dt.simulate(four_bar(A={"v0": 1.0}), 0.5)
    assert r.ok
    assert r.not_unique == dict.fromkeys("ABCD", "force y, torque x, z")
    assert "  reactions not unique: A, B, C, D (force y, torque x, z)" in r.summary().splitlines()
    # least norm: what nothing asks for is zero (1e-9 of the weights of 10 N each)
    assert np.max(np.abs(r["A.reaction_force"][:, 1])) < 1e-8
    assert np.max(np.abs(r["A.reaction_torque"][:, [0, 2]])) < 1e-8


def test_the_remedy_for_the_redundant_four_bar_works():
    def mended():
        m = four_bar(A={"v0": 1.0})
        m.joints["C"].joint = dt.Cylindrical("y")
        m.joints["D"].joint = dt.Spherical()
        return m

    assert not dt.check(mended()).warnings
    solver = dt.DOP853(rtol=1e-10, atol=1e-11)
    loose, tight = (dt.simulate(m, 0.5, solver=solver) for m in (mended(), four_bar(A={"v0": 1.0})))
    assert loose.not_unique == {}
    assert "not unique" not in loose.summary()
    # the same motion and the same unique reactions: error of the solver, forces of 30 N
    assert np.max(np.abs(loose["crank.position"] - tight["crank.position"])) < 1e-9
    assert np.max(np.abs(loose["A.reaction_force"] - tight["A.reaction_force"])[:, [0, 2]]) < 1e-7


def test_labels_do_not_depend_on_the_coordinates():
    r = dt.simulate(four_bar(A={"v0": 1.0}), 0.1, coordinates="absolute")
    assert r.not_unique == dict.fromkeys("ABCD", "force y, torque x, z")


def test_tree_has_only_unique_reactions():
    m = dt.Model("pendulum")
    m.add_body("rod", dt.Inertia.rod(1.0, 1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    assert dt.simulate(m, 0.1).not_unique == {}


# A singular position is another matter than redundancy: it passes when the mechanism moves.


def flat_four_bar(**kinds) -> dt.Model:
    """A parallelogram drawn with all bars in line, on which two branches of motion meet."""
    m = dt.Model("flat")
    points = {"A": (0, 0, 0), "B": (1, 0, 0), "C": (3, 0, 0), "D": (2, 0, 0)}
    for name, a, b in (("crank", "A", "B"), ("coupler", "B", "C"), ("rocker", "D", "C")):
        middle = (np.array(points[a]) + points[b]) / 2
        m.add_body(name, dt.Inertia.box(1.0, (1.0, 0.1, 0.1)), position=middle)
    for joint, parent, child in (
        ("A", "ground", "crank"), ("B", "crank", "coupler"), ("C", "coupler", "rocker"), ("D", "ground", "rocker"),
    ):  # fmt: skip
        m.add_joint(joint, kinds.get(joint, dt.Revolute("y")), parent, child, at=points[joint])
    return m


SINGULAR = (
    '! the loop of joints "A", "B", "C", "D" is drawn in a singular position\n'
    "    why:    mobility 2 there, 1 in positions nearby: 1 closure equation of 6 depends on the others in this "
    "position only; branches of motion may meet, and reactions are not unique in it\n"
    "    remedy: draw it in another position, or give q0 of one joint so that it starts elsewhere"
)


def test_singular_position_is_told_apart_from_redundancy():
    redundant, singular = dt.check(flat_four_bar()).warnings
    assert (redundant.code, singular.code) == ("redundant", "singular-position")
    assert str(redundant) == REDUNDANT.replace("in the reference", "near the reference")
    assert str(singular) == SINGULAR


def test_singular_position_without_redundancy():
    (singular,) = dt.check(flat_four_bar(C=dt.Cylindrical("y"), D=dt.Spherical())).warnings
    assert str(singular) == SINGULAR


def test_labels_of_reactions_leave_out_what_is_only_singular():
    """Drawn in line, but started elsewhere: forces in the plane are unique during the motion."""
    m = flat_four_bar()
    m.joints["A"].q0 = 0.5
    assert dt.simulate(m, 0.1).not_unique == dict.fromkeys("ABCD", "force y, torque x, z")


def test_slider_crank_with_equal_links_at_its_bifurcation():
    m = dt.Model("slider-crank")
    for name, z in (("crank", 0.5), ("rod", 0.5), ("slider", 0.0)):
        m.add_body(name, dt.Inertia.box(1.0, (0.1, 0.1, 1.0)), position=(0, 0, z))
    m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("y"), "crank", "rod", at=(0, 0, 1))
    m.add_joint("C", dt.Revolute("y"), "rod", "slider", at=(0, 0, 0))
    m.add_joint("D", dt.Prismatic("x"), m.ground, "slider")
    assert [f.code for f in dt.check(m).warnings] == ["redundant", "singular-position"]


def test_truly_redundant_mechanisms_are_not_called_singular():
    assert [f.code for f in dt.check(four_bar()).warnings] == ["redundant"]


# ----------------------------------------------------------------------------------------------- 4. a massless end body


def test_massless_end_body():
    m = four_bar()
    m.add_body("tip", dt.Inertia.point(0.0), position=(2, 0, 1.5))
    m.add_joint("T", dt.Revolute("y"), "rocker", "tip")
    assert message(m) == (
        'model "four-bar" has 1 error\n'
        '✗ body "tip" at the end of joint "T" has no mass\n'
        '    why:    nothing resists the motion of revolute joint "T": its acceleration is undefined\n'
        '    remedy: give "tip" a mass and inertia, or weld it with dt.Fixed() to a body that has them'
    )


def test_the_remedy_for_a_massless_end_body_works():
    m = four_bar(A={"v0": 1.0})
    m.add_body("tip", dt.Inertia.point(0.0), position=(2, 0, 1.5))
    m.add_joint("T", dt.Fixed(), "rocker", "tip")
    assert dt.simulate(m, 0.1).ok


def test_massless_body_in_a_loop():
    """The loop holds it: a tree is chosen that does not end at it. The limit of a small mass: it shifts
    the angle by 1e-3 rad per kg."""
    ends: list[float] = []
    for mass in (0.0, 1e-4):
        m = four_bar(A={"v0": 1.0})
        m.bodies["rocker"].inertia = dt.Inertia.point(0.0) if not mass else dt.Inertia.sphere(mass, radius=0.1)
        assert dt.check(m).ok
        ends.append(float(dt.simulate(m, 0.2, outputs=0.2, rtol=1e-10, atol=1e-12)["A.angle"][-1]))
    assert abs(ends[0] - ends[1]) < 1e-6  # of a mechanism of 1 kg bodies


def test_thin_rod_on_a_joint_that_spins_it():
    """One culprit is named, not all that follow from it."""
    m = dt.Model("rod")
    m.add_body("rod", dt.Inertia.rod(1.0, 1.0, axis="x"))
    m.add_joint("F", dt.Free(), m.ground, "rod")
    m.add_constraint("line", dt.PointOnLine(m.ground, "rod", axis="x"))
    assert message(m).splitlines()[:2] == [
        'model "rod" has 1 error',
        '✗ joint "F": nothing resists turning about its axis in the initial state (F.v[3])',
    ]


def test_thin_rod_in_absolute_coordinates():
    m = four_bar()
    m.bodies["crank"].inertia = dt.Inertia.rod(1.0, 1.0, axis="z")
    assert message(m, coordinates="absolute") == (
        'model "four-bar" has 1 error\n'
        '✗ body "crank": nothing resists turning about its axis in the initial state\n'
        '    why:    body "crank" and what it carries have no inertia for it: its acceleration is undefined\n'
        '    remedy: give "crank" an inertia about this axis (a thin rod has none), or use coordinates="relative"'
    )
