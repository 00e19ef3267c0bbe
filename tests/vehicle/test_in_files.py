"""Parts and manoeuvres in model files, on tyres and roads."""

import numpy as np
import pytest

import duoti as dt
from duoti.formats import from_text, to_text
from duoti.formats.errors import ModelFileError
from support.linear_tyre import centre, rolling_place

V = dt.vehicle
CAR = """\
duoti: 1
submodels:
  car:
    part:
      car:
        front: {axle: {corner: {double_wishbone: {stiffness: 75 kN/m}}, steering_ratio: 15, anti_roll: 2 kN m/rad}}
        rear: {trailing_arm: {sweep: 12 deg}}
        road: flat
        speed: 20 m/s
analyses:
  turn: {type: steady_state_cornering, speed: 25 m/s, rtol: 1e-5}
  stop: {type: braking, speed: 20, torque: 3000, rtol: 1e-5}
"""


def same_car():
    front = V.axle(V.double_wishbone(stiffness=75e3), steering_ratio=15.0, anti_roll=2000.0)
    return V.car(front, V.trailing_arm(sweep=np.radians(12.0)), road=dt.Road.flat(), speed=20.0)


def test_a_part_of_a_file_is_that_of_python():
    model, other = from_text(CAR), same_car()
    A, B = dt.compile(model), dt.compile(other)
    assert [name.removeprefix("car.") for name in A.coordinate_names] == list(B.coordinate_names)

    a, b = (dt.simulate(s, 0.3, outputs=0.1) for s in (A, B))
    assert np.allclose(a.q, b.q, atol=1e-9)
    again = dt.simulate(from_text(to_text(model)), 0.3, outputs=0.1)
    assert np.allclose(again.q, a.q, atol=1e-9)


def test_manoeuvres_below_analyses():
    done = dt.analyses.run_tasks(from_text(CAR))["analyses"]
    assert done["turn"].ok
    assert done["stop"].ok
    alone = V.steady_state_cornering(same_car(), 25.0, rtol=1e-5)
    assert done["turn"]["understeer_gradient"] == pytest.approx(alone["understeer_gradient"], rel=1e-3)
    assert "understeer_gradient" in str(done["turn"])


@pytest.mark.parametrize(("old", "new", "message"), [
    ("double_wishbone:", "double_wishbon:", "double_wishbon"),
    ("stiffness: 75 kN/m", "stiffness: 75 kg", "kg"),
    ("sweep:", "swep:", "swep"),
    ("road: flat", "road: flat\n        drive: six", "drive is 'six'"),
    ("    part:", "    parameters: {a: 1}\n    part:", "the parameters of a part are its own keys"),
    ("    part:", "    model: {}\n    part:", "give one of 'file'"),
])  # fmt: skip
def test_faults_of_parts(old, new, message):
    with pytest.raises(ModelFileError, match=message):
        from_text(CAR.replace(old, new))


def test_an_analysis_called_step_takes_speeds():
    """Its name is the author's: it says nothing about units."""
    m = from_text(CAR.replace("stop: {type: braking, speed: 20,", "step: {type: braking, speed: 20 m/s,"))
    assert m.tasks["analyses"]["step"]["speed"] == 20.0


def test_a_towed_car_is_a_steady_motion():
    """At 30 m/s: the tow bears drag and rolling resistance, the tyres the weight; modes as in straight running."""
    tyre = dt.Tyre.fiala(radius=0.33, vertical_stiffness=2e5, slip_stiffness=9e4, cornering_stiffness=6e4,
                         friction=50.0, rolling_resistance=0.01)  # fmt: skip
    axle = V.axle(V.double_wishbone(), steering_ratio=15.0)

    def make():
        return V.car(axle, V.trailing_arm(), tyre=tyre, road=dt.Road.flat(), speed=30.0, drag_area=0.7)

    m = make()
    m.add_constraint("tow", dt.JointMotion("motion", "30*t"))
    e = dt.equilibrium(m, rates={name: None for name in m.joints if name.endswith("bearing")})
    assert e.ok
    assert e.stable
    wheels = [f"{end}.{side}.tyre" for end in ("front", "rear") for side in ("left", "right")]
    drag = 0.5 * 1.225 * 0.7 * 30.0**2
    tilt = e["chassis.axis_x"][2]  # drag acts along the car
    loads, pulls, moments = (np.array([float(e[f"{w}.{what}"]) for w in wheels]) for what in ("load", "fx", "my"))
    heights = np.array([float(e[f"{w}.loaded_radius"]) for w in wheels])
    assert loads.sum() == pytest.approx(9.81 * m.mass + drag * tilt, rel=1e-6)
    np.testing.assert_allclose(pulls * heights, moments, rtol=1e-6)  # about the axles, which bear no torque
    assert e.multipliers["tow.coupler"] == pytest.approx(drag - pulls.sum(), rel=1e-5)

    def modes(values):
        return np.sort_complex(values[(values.imag > 0) & (np.abs(values) < 20)])

    found, about_design = modes(e.linear.eigenvalues), modes(V.straight_running(make(), [30.0]).systems[0].eigenvalues)
    np.testing.assert_allclose(found, about_design, rtol=0.05)  # camber and toe change a little by pitch


def test_what_manoeuvres_refuse():
    bare = V.car(V.mcpherson(), V.trailing_arm())
    for test in (V.step_steer, V.braking, V.ride, V.double_lane_change, V.steady_state_cornering):
        with pytest.raises(ValueError, match=r"nothing acts between front\.left.*rear\.right and a road.*speed is -1"):
            test(bare, speed=-1)
    with pytest.raises(ValueError, match="and a road"):
        V.straight_running(bare, [20.0])
    with pytest.raises(ValueError, match=r"front_share is 1\.4"):
        V.car(V.mcpherson(), V.trailing_arm(), front_share=1.4)
    with pytest.raises(TypeError, match=r"car: there is no parameter 'wheelbas' \(did you mean 'wheelbase'"):
        V.car(V.mcpherson(), V.trailing_arm(), wheelbas=3)


def test_a_step_steer_too_short_is_not_ok():
    """Its measures are those of a steady turn, which there is not."""
    step = V.step_steer(same_car(), 25.0, duration=0.2)
    assert not step.ok
    assert "the yaw rate is not steady at the end" in step.reason


def test_tyres_stand_where_they_carry_the_car():
    """At the start the tyres carry what the masses say, but for the little that the mean height leaves."""
    m = same_car()
    r = dt.simulate(m, 3.0, outputs=1.0, rtol=1e-6)
    assert r.ok
    wheels = ("front.left", "front.right", "rear.left", "rear.right")
    total = sum(r[f"{wheel}.tyre.load"] for wheel in wheels)
    assert np.allclose(total, 9.81 * m.mass, rtol=0.02)


def test_braking_with_locked_wheels_is_coulomb_friction():
    """All wheels locked on Fiala's tyre: mu g, v^2 / (2 mu g), whatever the load of each wheel."""
    mu = 0.8
    tyre = dt.Tyre.fiala(radius=0.33, vertical_stiffness=2e5, slip_stiffness=1e5, cornering_stiffness=6e4, friction=mu,
                         vertical_damping=300.0)  # fmt: skip
    m = V.car(V.double_wishbone(), V.double_wishbone(), tyre=tyre, road=dt.Road.flat(), drag_area=0.0)
    r = V.braking(m, 20.0, torque=60e3, rise_time=0.01)
    assert r.ok
    assert r["mean_deceleration"] == pytest.approx(mu * 9.81, rel=0.02)
    assert r["distance"] == pytest.approx(20.0**2 / (2 * mu * 9.81), rel=0.02)


def test_steady_turn_on_fiala_tyres_is_that_of_the_single_track():
    """Fiala's tyre with much friction is linear: understeer gradient within 1 % of the formula with pneumatic trail."""
    C = 6e4
    trail = 0.15 / 6  # a third of half the contact length
    tyre = dt.Tyre.fiala(radius=0.33, vertical_stiffness=2e5, slip_stiffness=1e5, cornering_stiffness=C, friction=50.0,
                         contact_length=0.15, vertical_damping=300.0)  # fmt: skip
    m = V.car(V.double_wishbone(), V.double_wishbone(), tyre=tyre, road=dt.Road.flat(), drag_area=0.0)

    x = centre(m)
    a, b = rolling_place(m, "front.left") - x - trail, x - rolling_place(m, "rear.left") + trail
    K = m.mass / (a + b) * (b - a) / (2 * C)
    r = V.steady_state_cornering(m, 25.0, lateral_acceleration=3.0, handwheel_rate=0.03)
    assert r["understeer_gradient"] == pytest.approx(K, rel=0.01)


def test_a_rough_road_shakes_the_car_as_its_class_says():
    """The spectrum of a road of class C is four times that of class B: accelerations are twice as large."""
    found = []
    for name in "BC":
        road = dt.Road.random(name, length=200.0, seed=2, tracks=(-0.775, 0.775))
        m = V.car(V.double_wishbone(), V.double_wishbone(), road=road)
        r = V.ride(m, 20.0, duration=6.0)
        assert r.ok
        found.append(r["rms_vertical_acceleration"])
    assert found[1] / found[0] == pytest.approx(2.0, rel=0.1)  # dampers are linear, tyres nearly
