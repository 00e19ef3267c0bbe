"""What `check` and `topology` say is what a simulation does: the same cut joints, the same refusals."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import duoti as dt
from duoti.cli.app import app
from duoti.contact.joint_friction.impulses import inverse_on_loops
from duoti.examples import example_names, find_example
from duoti.topology.errors import TopologyError


def four_bar(**initial) -> dt.Model:
    """Links of 0.3, 1, 0.3 and 1 m; the rocker turns at most to where crank and coupler are in line."""
    m = dt.Model("four-bar")
    for name, place in {"crank": (0, 0, 0.15), "coupler": (0.5, 0, 0.3), "rocker": (1, 0, 0.15)}.items():
        m.add_body(name, dt.Inertia.rod(1.0, length=0.3, axis="z"), position=place)
    for name, parent, child, at in (
        ("A", "ground", "crank", (0, 0, 0)),
        ("B", "crank", "coupler", (0, 0, 0.3)),
        ("C", "coupler", "rocker", (1, 0, 0.3)),
        ("D", "ground", "rocker", (1, 0, 0)),
    ):
        m.add_joint(name, dt.Revolute("y"), parent, child, at=at, **initial.get(name, {}))
    return m


@pytest.mark.parametrize(
    ("initial", "code"),
    [
        ({"A": {"q0": 0.4}, "B": {"q0": 1.0}}, "cannot-assemble"),  # two angles of a mechanism with one freedom
        ({"A": {"v0": 1.0}, "B": {"v0": 1.0}}, "inconsistent-rates"),
        ({"A": {"q0": 0.4}, "B": {"q0": -0.4}}, None),
    ],
)
def test_check_refuses_a_loop_that_a_run_cannot_assemble(initial, code, tmp_path):
    m = four_bar(**initial)
    report = dt.check(m)
    path = tmp_path / "four_bar.yaml"
    m.save(path)
    said = CliRunner().invoke(app, ["check", str(path)])
    if code is None:
        assert report.ok
        assert said.exit_code == 0
        assert dt.simulate(m, 0.01).ok
        return
    assert code in {f.code for f in report.errors}
    with pytest.raises(dt.ModelError) as refused:
        dt.simulate(m, 0.01)
    assert {f.code for f in refused.value.report.errors} == {f.code for f in report.errors}
    assert said.exit_code == 1


@pytest.mark.parametrize("name", example_names())
def test_the_cut_joints_are_those_of_the_simulation(name):
    """Stewart platform and driver in a cab have so many loops that a simulation looks for the cheapest tree."""
    model = dt.load(find_example(name).file)
    cut = dt.compile(model).topology.cut_joints
    assert dt.topology(model).cut_joints == cut
    said = CliRunner().invoke(app, ["topology", name, "--json"])
    assert tuple(json.loads(said.stdout)["cut_joints"]) == cut
    (structure,) = [f for f in dt.check(model).findings if f.code == "topology"]
    assert structure.names == cut


def test_the_tree_of_a_model_whose_laws_are_wrong():
    """The structure needs no laws."""
    m = four_bar()
    m.add_force("odd", dt.JointTorque("A", "nonsense + 1"))
    assert dt.topology(m).cut_joints == ("D",)
    with pytest.raises(TopologyError):
        dt.topology(m, force_cut=("E",))


def test_a_thin_rod_on_a_rigid_contact_is_refused_by_name():
    """Nothing resists turning about its axis: the contact's equations have no solution either."""
    m = dt.Model("rod")
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=0.5, axis="z"), position=(0, 0, 0.25))
    m.add_joint("free", dt.Free(), m.ground, rod)
    tip = m.add_marker("tip", rod, (0, 0, -0.25))
    m.add_contact("foot", dt.RigidContact(friction=0.8), m.ground, tip, shapes=(dt.Shape.plane(), dt.Shape.point()))
    dt.check(m)
    with pytest.raises(dt.ModelError, match="nothing resists turning about its axis"):
        dt.simulate(m, 0.1)


def test_what_a_run_refuses_for_want_of_inertia_check_refuses(tmp_path):
    """Chains of rods and balls on joints of all kinds, along and across the rods: the same errors of both."""
    random, refused = np.random.default_rng(3), 0
    for _ in range(25):
        m, last = dt.Model("chain"), "ground"
        for k in range(random.integers(1, 4)):
            axis = random.normal(size=3)
            axis = tuple((axis / np.linalg.norm(axis)).tolist())
            thin = random.random() < 0.6
            inertia = dt.Inertia.rod(1.0, length=0.5, axis=axis) if thin else dt.Inertia.sphere(1.0, radius=0.1)
            m.add_body(f"b{k}", inertia, position=random.normal(size=3).tolist())
            joints = (dt.Revolute("x"), dt.Spherical(), dt.Universal("x", "y"), dt.Free(), dt.Revolute(axis))
            m.add_joint(f"j{k}", joints[random.integers(5)], last, f"b{k}")
            last = f"b{k}"
        said = [(f.code, f.names) for f in dt.check(m).errors]
        try:
            dt.simulate(m, 1e-4)
            met = []
        except dt.ModelError as error:
            met = [(f.code, f.names) for f in error.report.errors]
        assert said == met
        refused += bool(met)
    assert 5 < refused < 20


@pytest.mark.parametrize("friction", [False, True])
def test_a_rod_that_turns_about_itself_in_a_loop(friction):
    """Its mass matrix is singular; check says so in the words of a run, also where it looks at friction of joints."""
    m = four_bar()
    m.joints.pop("C")
    m.joints.pop("D")
    m.add_joint("C", dt.Spherical(), "coupler", "rocker", at=(1, 0, 0.3))
    m.add_joint("D", dt.Universal("y", "z"), "ground", "rocker", at=(1, 0, 0))
    if friction:
        m.add_force("rub", dt.JointFriction("A", friction=0.1, radius=0.01))
    report = dt.check(m)
    with pytest.raises(dt.ModelError) as refused:
        dt.simulate(m, 0.01)
    assert [f.what for f in report.errors] == [f.what for f in refused.value.report.errors]
    assert 'joint "D": nothing resists turning about its axis' in report.errors[0].what


def test_the_inverse_on_loops_needs_no_inertia_where_they_allow_no_motion():
    """Against Z (Z^T M Z)^-1 Z^T with a basis Z of the null space of G, for a regular and a singular M."""
    random = np.random.default_rng(5)
    for lacking in (0, 1):
        A = random.normal(size=(5 - lacking, 5))
        G = random.normal(size=(3, 5))
        G[2] = G[0] - 2 * G[1]  # a redundant one
        M, Z = A.T @ A, np.linalg.svd(G)[2][2:].T
        assert inverse_on_loops(M, G) == pytest.approx(Z @ np.linalg.inv(Z.T @ M @ Z) @ Z.T, abs=1e-9)
