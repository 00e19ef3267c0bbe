"""Numbers with units: factors against their definitions, dimensions, and errors."""

import math

import pytest

import duoti as dt
from duoti.formats.yaml.units import PREFIXED, UNITS, Dimension, UnitError, fits, quantity, unit
from duoti.model.constructor_schema import UNITS as OF_PARAMETERS
from duoti.model.constructor_schema import units_of

# by definition (BIPM, SI Brochure, 9th ed. 2019, tables 4, 7, 8; international yard and pound agreement of 1959)
DEFINED = {
    "12 mm": 0.012, "-3.5 cm": -0.035, "1 in": 0.0254, "1 ft": 0.3048, "2 km": 2000, "1 um": 1e-6, "3 µm": 3e-6,
    "30 deg": math.pi / 6, "45°": math.pi / 4, "1 rev": 2 * math.pi, "200 mrad": 0.2,
    "1200 rpm": 40 * math.pi, "360 deg/s": 2 * math.pi, "90 km/h": 25, "9.81 m/s^2": 9.81, "9.81 m/s²": 9.81,
    "2 h": 7200, "1.5 min": 90, "10 ms": 0.01,
    "250 g": 0.25, "1 t": 1000, "1 lb": 0.45359237, "2 kg": 2,
    "5 bar": 5e5, "1 MPa": 1e6, "2 kN/m": 2000, "3 N/mm": 3000, "1 lbf": 4.4482216152605, "1 kN m": 1000,
    "2 Nm": 2, "5 kNm": 5000, "0.5 N m/rad": 0.5, "0.5 N m s/rad": 0.5, "1 N m/deg": 180 / math.pi,
    "1 kg m^2": 1, "5 g cm^2": 5e-7, "3 kg*m^2": 3, "7.85 g/cm^3": 7850, "1 kg/m": 1, "2 kW": 2000, "3 MJ": 3e6,
    "50 %": 0.5, "3 Hz": 3, "12 V": 12, "20 mA": 0.02, "1e3 mm": 1, "1E-3 m": 0.001, "+2m": 2, ".5m": 0.5, "2.m": 2,
    "4 l": 0.004, "7": 7, "1 m^-2": 1, "2 m^+1": 2,
}  # fmt: skip


@pytest.mark.parametrize("text", DEFINED)
def test_factor(text):
    assert quantity(text) == pytest.approx(DEFINED[text], rel=1e-15, abs=0)


@pytest.mark.parametrize("text", ["", "m", "x 3", "10*sin(t)", "1/t", "1/s", "3 + 4", "=r", "1e3e4", "--1", "2*pi"])
def test_what_is_no_number_with_a_unit(text):
    try:
        assert quantity(text) is None
    except UnitError:
        assert text == "1e3e4"


def test_errors_name_both_dimensions_and_near_units():
    for text, expected, message in (
        ("3 kg", ["m"], "'3 kg' is a mass [kg], but a length [m] is needed here"),
        ("30 deg", ["m"], "'30 deg' is an angle [rad], but a length [m] is needed here"),
        ("3 Hz", ["rad/s"], "'3 Hz' is a frequency [1/s], but an angular velocity [rad/s] is needed here"),
        ("3 N", ["N/m", "N m/rad"], "'3 N' is a force [N], but a stiffness [N/m] or a torsional stiffness [N m/rad] is "
                                    "needed here"),
        ("3 m^4", ["m"], "'3 m^4' is something in m^4, but a length [m] is needed here"),
        ("3 m", ["1"], "'3 m' is a length [m], but a plain number is needed here"),
    ):  # fmt: skip
        with pytest.raises(UnitError) as error:
            quantity(text, expected)
        assert str(error.value) == message
    for text, message in (
        ("3 Kg", "there is no unit 'Kg'. Did you mean 'kg'?"),
        ("3 parsec", "there is no unit 'parsec'."),
        ("3 m^", "'m^' is no unit; write it as in N m/rad, kg m^2, mm, deg, rpm"),
        ("3 m//s", "'m//s' is no unit; write it as in N m/rad, kg m^2, mm, deg, rpm"),
    ):
        with pytest.raises(UnitError) as error:
            quantity(text)
        assert str(error.value) == message


def test_radians_may_be_left_out_where_a_force_is_in_it():
    stiffness, rate, angle = unit("N m/rad")[1], unit("rad/s")[1], unit("rad")[1]
    assert fits(unit("N m")[1], stiffness)
    assert not fits(unit("1/s")[1] if "1" in UNITS else Dimension(s=-1), rate)
    assert not fits(Dimension(), angle)
    assert not fits(unit("N/m")[1], stiffness)


def test_all_units_that_parameters_name_exist():
    for name in OF_PARAMETERS:
        for each in units_of(name):
            factor, _ = unit(each)
            assert factor == 1.0, f"{name}: {each} is not SI"
    assert set(PREFIXED) <= set(UNITS)


# ----------------------------------------------------------------------------------------- units of joints, and in laws

JOINTS = """\
duoti: 1
parameters: {{m: 2 kg, speed: 120 rpm}}
bodies:
  rod: {{inertia: {{sphere: {{mass: 1, radius: 0.1}}}}}}
  block: {{inertia: {{sphere: {{mass: 1, radius: 0.1}}}}}}
joints:
  hinge: {{type: revolute, axis: y, between: [ground, rod]{joint}}}
  slide: {{type: cylindrical, axis: x, between: [ground, block]}}
{more}
"""


def faults_of(tmp_path, more="", joint="") -> list[str]:
    path = tmp_path / "model.yaml"
    path.write_text(JOINTS.format(more=more, joint=joint))
    try:
        dt.load(path)
    except dt.errors.ModelFileError as error:
        return [f"{f.code}: {f.what}" for f in error.report.errors]
    return []


@pytest.mark.parametrize(
    ("what", "needed"),
    [
        ("type: joint_spring, joint: hinge, stiffness: 50 N/m", "a torsional stiffness [N m/rad]"),
        ("type: joint_spring, joint: hinge, damping: 5 N s/m", "a torsional damping [N m s/rad]"),
        ("type: joint_spring, joint: hinge, rest: 5 mm", "an angle [rad]"),
        ("type: joint_damping, joint: hinge, damping: 5 N s/m", "a torsional damping [N m s/rad]"),
        ("type: joint_torque, joint: hinge, value: 5 N", "a torque or an energy [N m]"),
        ("type: joint_motor, joint: hinge, stall_torque: 5 N, no_load_speed: 3", "a torque or an energy [N m]"),
        ("type: joint_motor, joint: hinge, stall_torque: 5 N m, no_load_speed: 3 m/s", "an angular velocity [rad/s]"),
        ("type: joint_torque, joint: slide, coordinate: 0, value: 5 N m", "a force [N]"),
        ("type: joint_torque, joint: slide, coordinate: 1, value: 5 N", "a torque or an energy [N m]"),
        ("type: joint_torque, joint: slide, coordinate: 0, value: 5 kN", ""),
        ("type: joint_torque, joint: slide, coordinate: 1, value: 5 N m", ""),
        ("type: joint_spring, joint: hinge, stiffness: 50 N m/rad, damping: 5 N m s, rest: 30 deg", ""),
        ("type: joint_damping, joint: slide, damping: 5 N s/m", ""),  # it acts on coordinates of both kinds
    ],
)
def test_units_follow_from_the_coordinate(what, needed, tmp_path):
    found = faults_of(tmp_path, f"forces:\n  f: {{{what}}}")
    assert bool(found) == bool(needed), found
    if needed:
        (fault,) = found
        assert fault.startswith("wrong-unit: forces.f")
        assert f"but {needed} is needed here" in fault


def test_units_of_motions_and_rotors(tmp_path):
    motion = "constraints:\n  c: {type: joint_motion, joint: hinge, value: 5 mm}"
    assert "an angle [rad] is needed" in faults_of(tmp_path, motion)[0]
    assert "a moment of inertia [kg m^2] is needed" in faults_of(tmp_path, joint=", rotor_inertia: 2 kg")[0]
    assert not faults_of(tmp_path, motion.replace("5 mm", "5 deg"), joint=", rotor_inertia: 2 kg m^2")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("120 rpm * t", "is 't' the time or a unit?"),
        ("120 rpm t", "is 't' the time or a unit?"),
        ("5 N*m", "is 'm' the parameter 'm' or a unit?"),
        ("3 t", "in a law t is the time; write 3*t"),
        ("3 N m*sin(t)", "cannot be a part of an expression"),
        ("3 Nm + 2", "cannot be a part of an expression"),
        ("5 N m", ""),
        ("5 N·m", ""),
        ("2e-1 kN m", ""),
        ("speed*t", ""),
        ("3*t", ""),
        ("3", ""),
    ],
)
def test_units_in_laws(value, said, tmp_path):
    found = faults_of(tmp_path, f"forces:\n  f: {{type: joint_torque, joint: hinge, value: {value}}}")
    assert bool(found) == bool(said), found
    if said:
        assert said in found[0]
    state = f"states:\n  z: {{rate: {value}}}"  # a value that may have any unit
    assert bool(faults_of(tmp_path, state)) == bool(said)
