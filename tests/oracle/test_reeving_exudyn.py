"""A rope over a moving sheave beside Exudyn's reeving system: its test model without the damping of rotation.

Data: EXUDYN, TestModels/reevingSystemSpringsTest.py, with the rope at 0.8 of the half circle so that it stays taut, and
ends at points: at fixed sheaves Exudyn leaves out the rope that is laid on them.
"""

import numpy as np
import pytest

import duoti as dt

STIFFNESS, DAMPING, END = 1e5, 0.5e5, 2.0
RADIUS, THICKNESS, DENSITY = 2.0, 0.1, 1000.0


def by_exudyn(places, step, end_radius=0.0, arc=0.8, rotational=(0.0, 0.0), regularization=-1.0, coordinates=False):
    """Position of the sheave at the end (or all coordinates), and the reference length.

    arc: part of the half circle in this length; rotational: torsional and shear damping.
    """
    exudyn = pytest.importorskip("exudyn")
    items = pytest.importorskip("exudyn.itemInterface")
    bodies = pytest.importorskip("exudyn.rigidBodyUtilities")
    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(items.ObjectGround())
    axes, markers, nodes = exudyn.Vector3DList(), [], []
    radii = [end_radius, RADIUS, end_radius]
    for k, place in enumerate(places):
        r = radii[k] or RADIUS
        inertia = bodies.InertiaCylinder(DENSITY, THICKNESS, r, axis=2).Translated([0, -r, 0])
        made = mbs.CreateRigidBody(
            referencePosition=list(place), inertia=inertia, gravity=[0, -9.81, 0], returnDict=True
        )
        nodes.append(made["nodeNumber"])
        markers.append(mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=made["nodeNumber"])))
        axes.Append([0, 0, 1 if k == 1 else -1])
    for k in (0, 2):
        fixed = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=ground, localPosition=list(places[k])))
        mbs.AddObject(items.GenericJoint(markerNumbers=[fixed, markers[k]], constrainedAxes=[1] * 6))
    length = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum()) + arc * RADIUS * np.pi
    mbs.AddObject(
        items.ReevingSystemSprings(
            markerNumbers=markers, hasCoordinateMarkers=False, stiffnessPerLength=STIFFNESS, dampingPerLength=DAMPING,
            referenceLength=length, dampingTorsional=rotational[0], dampingShear=rotational[1], sheavesAxes=axes,
            sheavesRadii=radii, regularizationForce=regularization,
        )
    )  # fmt: skip
    mbs.Assemble()
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(END / step)
    settings.timeIntegration.endTime = END
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    mbs.SolveDynamic(settings)
    if coordinates:
        return np.array(mbs.systemData.GetODE2Coordinates()), length
    position = mbs.GetNodeOutput(nodes[1], exudyn.OutputVariableType.Position)
    return np.array(position), length


def by_duoti(places, length, end_radius=0.0):
    model = dt.Model("reeving", gravity=(0, -9.81, 0))
    mass = DENSITY * np.pi * RADIUS**2 * THICKNESS
    across = mass * (3 * RADIUS**2 + THICKNESS**2) / 12
    inertia = dt.Inertia(mass, com=(0, -RADIUS, 0), matrix=np.diag([across, across, mass * RADIUS**2 / 2]))
    model.add_body("sheave", inertia, position=places[1])
    model.add_joint("free", dt.Free(), model.ground, "sheave", at=places[1])
    model.add_marker("start", model.ground, position=places[0])
    model.add_marker("end", model.ground, position=places[2])
    ends = [dt.Sheave(name, end_radius, side=-1) if end_radius else name for name in ("start", "end")]
    rope = dt.Reeving(ends[0], [dt.Sheave("sheave", RADIUS)], ends[1], STIFFNESS / length, DAMPING / length, length)
    model.add_force("rope", rope)
    r = dt.simulate(model, END, rtol=1e-9, atol=1e-11)
    assert r.ok, r.reason
    return r["sheave.position"][-1]


def test_in_a_plane():
    """Exudyn's error falls with the square of its step; extrapolated, both agree."""
    places = np.array([[0.0, 0, 0], [7, -20, 0], [12, 0, 0]])
    coarse, length = by_exudyn(places, 0.005)
    fine, _ = by_exudyn(places, 0.0025)
    ours = by_duoti(places, length)
    error = np.abs(coarse - fine).max()
    assert error < 1e-4
    np.testing.assert_allclose(fine + (fine - coarse) / 3, ours, atol=max(0.1 * error, 1e-7))


def test_out_of_the_plane():
    """The rope runs on at an angle of 0.05 rad: the models differ by its square (which part of the arc is straight)."""
    places = np.array([[0.0, 0, 0], [7, -20, 1], [12, 0, 2]])
    theirs, length = by_exudyn(places, 0.0025)
    np.testing.assert_allclose(theirs, by_duoti(places, length), atol=0.05**2 * 2 * RADIUS)


def test_the_test_model():
    """As Exudyn ships it: ends on sheaves of 0.5 m, and a rope that is slack at first.

    Its value is 2.2155575717433007, with a damping of rotation that no rope of duoti has. Without it, the sheave is
    where duoti has it, but for the rope that comes off the fixed sheaves as its ends turn, which Exudyn leaves out.
    """
    places, end_radius = np.array([[0.0, 0, 0], [7, -20, 1], [12, 0, 2]]), 0.5
    original = {"end_radius": end_radius, "arc": 1.0, "regularization": 0.1, "coordinates": True}
    value, _ = by_exudyn(places, 0.01, rotational=(0.01 * DAMPING, 0.1 * DAMPING), **original)
    np.testing.assert_allclose(np.linalg.norm(value), 2.2155575717433007, rtol=1e-9)
    free, length = by_exudyn(places, 0.0025, **original)
    theirs, ours = places[1] + free[7:10], by_duoti(places, length, end_radius)
    off = 0.0
    for k in (0, 2):
        before, after = places[1] - places[k], ours - places[k]
        off += end_radius * np.arccos(before @ after / np.linalg.norm(before) / np.linalg.norm(after))
    assert 0.02 < off < 0.04
    np.testing.assert_allclose(theirs, ours, atol=off)
    assert np.linalg.norm(theirs - places[1]) > 50 * off  # of a way of 2.2 m
