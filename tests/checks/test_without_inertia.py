"""Arms whose files have no inertia: positions, Jacobians and drawings work, accelerations are refused by name."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.formats.urdf.load import load_urdf
from duoti.results.evaluate.observe import FRAMES, observe

pytestmark = pytest.mark.filterwarnings("ignore::duoti.errors.LeftOutWarning")
LINKS = "".join(
    f'<link name="l{i}"><visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual></link>' for i in range(4)
)
JOINTS = "".join(
    f"""<joint name="j{i}" type="revolute"><parent link="l{i}"/><child link="l{i + 1}"/><origin xyz="0 0.1 0.5"
    rpy="0.3 0 0"/><axis xyz="0 {i % 2} {1 - i % 2}"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>"""
    for i in range(3)
)
HEAVY = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


@pytest.fixture
def arm(tmp_path) -> dt.Model:
    (tmp_path / "arm.urdf").write_text(f'<robot name="arm">{LINKS}{JOINTS}</robot>')
    return load_urdf(tmp_path / "arm.urdf")


def place(system, q: np.ndarray) -> np.ndarray:
    y = system.whole_state(q, np.zeros(system.nv))[None]
    return observe(system, np.zeros(1), y, FRAMES, [system.marker_index("tip")]).frames[0, 0, 9:12]


def test_positions_and_jacobians(arm):
    """The Jacobian against central differences, step 1e-6: truncation 1e-12, round-off 1e-10."""
    arm.add_marker("tip", "l3", (0.1, 0.2, 0.3))
    system = dt.compile(arm)
    q = np.array([0.3, -0.4, 0.5])
    J = dt.jacobian(system, "tip", q)
    for k, step in enumerate(1e-6 * np.eye(3)):
        assert np.allclose(J[3:, k], (place(system, q + step) - place(system, q - step)) / 2e-6, atol=1e-9)


def test_inverse_kinematics(arm):
    """A constraint on the tip, met by assembly: the joints go where the tip is to be."""
    arm.add_marker("tip", "l3", (0.1, 0.2, 0.3))
    target = place(dt.compile(arm), np.array([0.3, -0.4, 0.5]))
    arm.add_constraint("reach", dt.MarkerMotion("tip", tuple(target)))
    system = dt.compile(arm)
    found = dt.analyses.assemble(system)
    assert np.allclose(place(system, found.q), target, atol=1e-9)
    assert np.any(found.q)


def test_inverse_kinematics_with_limits(arm):
    tip = arm.add_marker("tip", "l3", (0.1, 0.2, 0.3))
    target = place(dt.compile(arm), np.array([0.3, -0.4, 0.5]))
    found = dt.inverse_kinematics(arm, tip, target)
    assert np.allclose(place(dt.compile(arm), found.q), target, atol=1e-7)


def test_it_is_drawn(arm):
    from duoti.view.scene.configuration import Configuration

    drawn = Configuration(arm)
    assert drawn.names == ["l1", "l2", "l3"]
    assert drawn.size > 1.0


def test_what_needs_masses_is_refused_with_what_is_missing(arm):
    system = dt.compile(arm)
    q = v = a = np.zeros(3)
    calls = {
        "simulate": lambda: dt.simulate(arm, 1.0), "accelerations": lambda: dt.accelerations(system, q, v),
        "mass_matrix": lambda: dt.mass_matrix(system, q), "energies": lambda: dt.energies(system, q, v),
        "inverse_dynamics": lambda: dt.inverse_dynamics(system, q, v, a), "momentum": lambda: dt.momentum(system, q, v),
        "derivatives": lambda: dt.analyses.forward_dynamics_derivatives(system, q, v),
        "linearise": lambda: dt.linearise(arm),
        "equilibrium": lambda: dt.equilibrium(arm), "equilibria": lambda: dt.equilibria(arm),
        "kane": lambda: dt.kane(system, q, v), "lineariser": lambda: dt.Lineariser(arm),
    }  # fmt: skip
    for call in calls.values():
        with pytest.raises(dt.ModelError, match="no body has a mass or an inertia"):
            call()
    assert [f.code for f in dt.check(arm).errors] == ["massless-end"]
    assert "no link has a mass: positions, velocities, Jacobians" in str(arm.import_notes.changing_motion)


def test_an_arm_without_inertia_is_not_welded_away(tmp_path):
    (tmp_path / "arm.urdf").write_text(f'<robot name="arm">{LINKS}{JOINTS}</robot>')
    assert dt.compile(load_urdf(tmp_path / "arm.urdf", weld_massless=True)).nv == 3


def test_one_tool_without_mass(tmp_path):
    """M and inverse dynamics of the rest are known; accelerations are not, unless the tool is welded."""
    text = f'<robot name="arm">{LINKS}{JOINTS}</robot>'
    for i in (1, 2):
        text = text.replace(f'<link name="l{i}">', f'<link name="l{i}">{HEAVY}')
    (tmp_path / "arm.urdf").write_text(text)
    system = dt.compile(load_urdf(tmp_path / "arm.urdf"))
    M = dt.mass_matrix(system, np.zeros(3))
    assert np.linalg.matrix_rank(M) == 2
    assert not np.any(M[2])
    with pytest.raises(dt.ModelError, match='body "l3" at the end of joint "j2" has no mass'):
        dt.accelerations(system, np.zeros(3), np.zeros(3))
    welded = dt.compile(load_urdf(tmp_path / "arm.urdf", weld_massless=True))
    assert np.allclose(dt.mass_matrix(welded, np.zeros(2)), M[:2, :2])
    assert np.all(np.isfinite(dt.accelerations(welded, np.zeros(2), np.zeros(2))))
