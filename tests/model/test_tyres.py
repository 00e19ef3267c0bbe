"""Tyres: forces beside a second implementation, files, and the element beside closed forms."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.elements import tyre_models
from duoti.formats.errors import ModelFileError
from duoti.model.tyres.numbers import COMMON, FIALA_NUMBERS, MAGIC
from duoti.model.tyres.tir_file import TyreFileError
from support import pacejka

DATA = Path(__file__).parents[1] / "data" / "tyres"
FILES = {"PAC2002": "pac2002.tir", "6.1": "mf61.tir", "6.2": "mf62.tir"}
G = 9.81


def read(version):
    return dt.Tyre.read(DATA / FILES[version])


def tmeasy(**changed):
    return dt.Tyre.tmeasy(**{
        "radius": 0.3, "nominal_load": 4000.0, "vertical_stiffness": 2e5, "slope_x": (90e3, 160e3),
        "slip_max_x": (0.11, 0.12), "force_max_x": (3300.0, 6500.0), "slip_sliding_x": (0.5, 0.55),
        "force_sliding_x": (3100.0, 6000.0), "slope_y": (70e3, 100e3), "slip_max_y": (0.18, 0.2),
        "force_max_y": (3100.0, 6000.0), "slip_sliding_y": (0.6, 0.65), "force_sliding_y": (3000.0, 5700.0),
        "vertical_damping": 2000.0, **changed,
    })  # fmt: skip


def fiala(**changed):
    numbers = {"radius": 0.3, "vertical_stiffness": 2e5, "slip_stiffness": 8e4, "cornering_stiffness": 6e4,
               "vertical_damping": 2000.0, **changed}  # fmt: skip
    return dt.Tyre.fiala(**numbers)


TYRES = {"6.1": lambda: read("6.1"), "6.2": lambda: read("6.2"), "PAC2002": lambda: read("PAC2002"), "fiala": fiala,
         "tmeasy": tmeasy}  # fmt: skip
every_tyre = pytest.mark.parametrize("name", TYRES)


# ---------------------------------------------------------------------------------------------------- Magic Formula


def grid(c, rng):
    """1 717 points: sweeps of both slips, a grid of both, sweeps of load, camber and speed, and random ones."""
    F, last = c["FNOMIN"], c["FZMAX"]
    rows = [(F, 0, a, 0, 16) for a in np.linspace(-0.5, 0.5, 201)]
    rows += [(F, k, 0, 0, 16) for k in np.linspace(-0.5, 0.5, 201)]
    rows += [(F, k, a, 0.02, 16) for k in np.linspace(-0.3, 0.3, 21) for a in np.linspace(-0.3, 0.3, 21)]
    rows += [(f, 0.05, 0.05, 0, 16) for f in np.linspace(200, last, 51)]
    rows += [(F, 0.05, 0.05, g, 16) for g in np.linspace(-0.14, 0.14, 41)]
    rows += [(F, 0.05, 0.05, 0.01, v) for v in np.linspace(2, 60, 21)]
    low, high = (200, -1, -0.8, -0.14, 3), (last, 1, 0.8, 0.14, 60)
    return np.vstack([rows, rng.uniform(low, high, (761, 5))])


@pytest.mark.parametrize("version", FILES)
def test_magic_formula_beside_a_second_implementation(version):
    """1e-9 of the largest; they differ by round-off."""
    c, tyre = pacejka.coefficients(DATA / FILES[version]), read(version)
    if version == "PAC2002":  # this file has other units
        c |= {name: tyre.coefficients[name] for name in ("UNLOADED_RADIUS", "LONGVL", "VXLOW")}
    rng = np.random.default_rng(3)
    load, kappa, alpha, gamma, speed = grid(c, rng).T
    assert len(load) == 1717
    pressure = np.where(rng.random(len(load)) < 0.3, rng.uniform(1.6e5, 3.4e5, len(load)), 2.2e5)
    found = tyre.forces(load, kappa, alpha, gamma, speed, pressure)
    wanted = pacejka.forces(c, version, load, kappa, alpha, gamma, speed, pressure)
    assert not any(found.clipped)
    for name, values in wanted.items():
        np.testing.assert_allclose(getattr(found, name), values, rtol=0, atol=1e-9 * np.abs(values).max(), err_msg=name)


def test_names_of_numbers_are_those_of_the_kernels():
    for names, prefix in ((COMMON, ""), (MAGIC, ""), (FIALA_NUMBERS, "F_")):
        own = "R0" if names is COMMON else None
        first = 0 if names is COMMON else len(COMMON)
        for k, name in enumerate(names):
            kernel = own if own and name == "UNLOADED_RADIUS" else (prefix + name).upper()
            assert getattr(tyre_models, kernel) == first + k


def test_forces_are_broadcast_and_say_what_was_clipped():
    tyre = read("6.1")
    f = tyre.forces(load=[[3000.0], [20000.0]], slip_angle=[0.0, 0.1, 1.5])
    assert f.fy.shape == (2, 3)
    assert f.clipped[0, 1] == ()
    assert f.clipped[1, 2] == ("load", "slip_angle")
    assert f.fy[1, 0] == tyre.forces(12000.0).fy
    assert np.isnan(tyre.forces(1e9).loaded_radius)
    assert isinstance(tyre.forces(3000.0).fy, float)
    unlimited = tyre.forces(load=20000.0, limits=False)
    assert unlimited.clipped == ()
    assert unlimited.fx != tyre.forces(load=20000.0).fx


@every_tyre
def test_slopes_without_slip_are_the_stiffnesses(name):
    tyre, h = TYRES[name](), 1e-6
    if name not in ("fiala", "tmeasy"):  # without the shifts of the curves
        tyre = tyre.changed(LHX=0.0, LVX=0.0, LHY=0.0, LVY=0.0, RHX1=0.0, RHY1=0.0, RHY2=0.0, LVYKA=0.0)
    for load in (1500.0, 4000.0):
        x, y = tyre.forces(load, [h, -h]), tyre.forces(load, 0.0, [h, -h])
        assert (x.fx[0] - x.fx[1]) / (2 * h) == pytest.approx(x.slip_stiffness[0], rel=1e-4)
        assert (y.fy[1] - y.fy[0]) / (2 * h) == pytest.approx(x.cornering_stiffness[0], rel=1e-4)


@every_tyre
def test_mirror_images(name):
    """Lateral force and torques of the tyre of the other side are opposite at opposite slip angle and camber."""
    tyre = TYRES[name]()
    gamma = 0.0 if name in ("fiala", "tmeasy") else 0.05
    a, b = tyre.forces(3500.0, 0.03, 0.06, gamma), tyre.mirrored().forces(3500.0, 0.03, -0.06, -gamma)
    for quantity, sign in (("fx", 1), ("fy", -1), ("mx", -1), ("my", 1), ("mz", -1)):
        assert getattr(a, quantity) == pytest.approx(sign * getattr(b, quantity), rel=1e-14, abs=1e-12)


def test_fiala_is_a_brush():
    """Pure slip: the cubic of Fiala, sliding from 3 mu F / C on; combined: on the circle of friction."""
    tyre, F = fiala(cornering_stiffness=8e4, friction=0.9), 4000.0
    alpha = 0.05
    psi = 8e4 * np.tan(alpha) / (3 * 0.9 * F)
    f = tyre.forces(F, 0.0, alpha)
    assert f.fy == pytest.approx(-0.9 * F * (1 - (1 - psi) ** 3), rel=1e-12)
    assert f.mz == pytest.approx(0.9 * F * 0.075 * psi * (1 - psi) ** 3, rel=1e-12)
    slides = tyre.forces(F, 0.0, [0.15, 0.3])
    np.testing.assert_allclose(slides.fy, -0.9 * F, rtol=1e-12)
    np.testing.assert_array_equal(slides.mz, 0.0)
    both = tyre.forces(F, 0.2, np.arctan([0.0, 0.1, 0.2, 5.0]))
    np.testing.assert_allclose(np.hypot(both.fx, both.fy), 0.9 * F, rtol=1e-9)
    np.testing.assert_allclose(-both.fy / both.fx, [0.0, 0.5, 1.0, 25.0], rtol=1e-9)


def test_tmeasy_has_its_maxima_and_slides():
    tyre = tmeasy()
    for load, k in ((4000.0, 0), (8000.0, 1)):
        s = np.array([(0.11, 0.12), (0.5, 0.55)])[:, k]
        f = tyre.forces(load, s / (1 - s))  # slips of TMeasy are over the speed of the tread
        np.testing.assert_allclose(f.fx, [(3300, 6500)[k], (3100, 6000)[k]], rtol=1e-9)
        g = tyre.forces(load, 0.0, np.arctan([(0.18, 0.2)[k], (0.6, 0.65)[k], 2.0]))
        np.testing.assert_allclose(g.fy, [-(3100, 6000)[k], -(3000, 5700)[k], -(3000, 5700)[k]], rtol=1e-9)
        assert g.mz[2] == 0.0
    assert tyre.forces(4000.0, 0.02, 0.0).fx == pytest.approx(90e3 * 0.02, rel=0.3)


@every_tyre
def test_friction_bounds_forces(name):
    """Within the ellipse of the largest forces; combined slip of the Magic Formula may pass it by a few per cent."""
    tyre = TYRES[name]()
    kappa, alpha = np.meshgrid(np.linspace(-0.9, 0.9, 41), np.linspace(-0.6, 0.6, 41))
    f = tyre.forces(4000.0, kappa, alpha)
    pure_x, pure_y = np.abs(tyre.forces(4000.0, kappa).fx).max(), np.abs(tyre.forces(4000.0, 0.0, alpha).fy).max()
    most = ((f.fx / pure_x) ** 2 + (f.fy / pure_y) ** 2).max()
    assert most < (1.0 + 1e-9 if name == "fiala" else 1.25)


def test_what_tyres_refuse():
    with pytest.raises(NotImplementedError, match="turn_slip"):
        read("6.1").forces(4000.0, turn_slip=0.1)
    with pytest.raises(ValueError, match="camber has no effect"):
        fiala().forces(4000.0, camber=0.1)
    with pytest.raises(ValueError, match="load, slip_angle: not finite"):
        fiala().forces(np.nan, slip_angle=np.inf)
    with pytest.raises(ValueError, match=r"PKX9 is not known.*PKX1.*; PDX1 is 'a'.*; FNOMIN is missing"):
        dt.Tyre.magic_formula({"UNLOADED_RADIUS": 0.3, "PKX9": 1.0, "PDX1": "a"})
    with pytest.raises(ValueError, match="two positive numbers"):
        tmeasy(slope_x=3.0)
    with pytest.raises(ValueError, match="radius is -1"):
        fiala(radius=-1.0)
    with pytest.raises(TypeError, match="made anew"):
        fiala().changed(friction=0.5)


# --------------------------------------------------------------------------------------------------------------- files


def test_faults_of_a_file_come_all_at_once_with_their_lines(tmp_path):
    path = tmp_path / "bad.tir"
    path.write_text(
        "[UNITS]\nLENGTH = 'furlong'\n[MODEL]\nFITTYP = 99\n[DIMENSION]\nUNLOADED_RADIUS = abc $ m\nWIDTH 0.2\n"
        "[VERTICAL\nFNOMIN = -3\n"
    )
    with pytest.raises(TyreFileError) as raised:
        dt.Tyre.read(path)
    text = str(raised.value)
    for part in ("line 2: unit 'furlong'", "line 4: FITTYP = 99", "line 6: UNLOADED_RADIUS = abc",
                 "line 7: 'WIDTH 0.2'", "line 8: a section", "line 9: FNOMIN is -3"):  # fmt: skip
        assert part in text
    path.write_text("PROPERTY_FILE_FORMAT = 'FTIRE'\n")
    with pytest.raises(TyreFileError, match=r"FTIRE.*\n.*UNLOADED_RADIUS is missing"):
        dt.Tyre.read(path)


def test_a_missing_file_is_a_fault(tmp_path):
    """Of a model file, too, together with all others."""
    with pytest.raises(TyreFileError, match=r"nope\.tir: there is no such file"):
        dt.Tyre.read(tmp_path / "nope.tir")
    car = "{front: {double_wishbone: {}}, rear: {trailing_arm: {}}, road: flat, tyre: nope.tir, cg_hight: 1}"
    path = tmp_path / "car.yaml"
    path.write_text(f"duoti: 1\nsubmodels: {{car: {{part: {{car: {car}}}}}}}\n")
    with pytest.raises(ModelFileError, match=r"(?s)nope\.tir: there is no such file.*cg_hight"):
        dt.load(path)


def test_data_in_other_axes_are_noticed(tmp_path):
    path = tmp_path / "sae.tir"
    text = (DATA / "mf61.tir").read_text()
    line = next(each for each in text.splitlines() if each.startswith("PKY1"))
    path.write_text(text.replace(line, "PKY1 = 15.0"))
    with pytest.warns(UserWarning, match=r"cornering stiffness \(PKY1\) is -.*SAE"):
        dt.Tyre.read(path)


@pytest.mark.parametrize(("given", "message"), [
    ({"slip_angle": 2.0}, "slip_angle reaches 2 rad.*radians"),
    ({"camber": [0.0, -3.0]}, "camber reaches 3 rad.*radians"),
    ({"load": -4000.0}, "load is -4e\\+03 N.*positive"),
])  # fmt: skip
def test_odd_inputs_are_said(given, message):
    tyre = read("6.1")
    with pytest.warns(UserWarning, match=message):
        f = tyre.forces(**({"load": 4000.0} | given))
    if "load" in given:
        assert f.fx == f.fy == f.fz == 0.0


def test_what_has_no_effect_is_said(tmp_path):
    path = tmp_path / "odd.tir"
    path.write_text((DATA / "mf61.tir").read_text() + "PKX7 = 3\nLMUV = 0.1\nPDXP1 = 0.4\n[DEFLECTION_LOAD_CURVE]\n")
    last = len(path.read_text().splitlines())
    with pytest.warns(UserWarning, match="has no effect") as said:
        tyre = dt.Tyre.read(path)
    text = str(said[0].message)
    assert f"line {last - 3}: PKX7 is not known" in text
    assert f"line {last - 2}: LMUV = 0.1 is not modelled" in text
    assert "[DEFLECTION_LOAD_CURVE] has no effect" in text
    assert "PDXP1" not in text
    assert tyre.forces(4000.0, 0.1).fx == read("6.1").forces(4000.0, 0.1).fx


def test_units_of_files():
    """The PAC2002 file is in millimetres and degrees."""
    numbers = read("PAC2002").coefficients
    assert numbers["UNLOADED_RADIUS"] == pytest.approx(0.315)
    assert numbers["LONGVL"] == pytest.approx(16.6)
    assert numbers["VERTICAL_STIFFNESS"] == pytest.approx(210e3)
    assert numbers["VERTICAL_DAMPING"] == pytest.approx(50.0)
    assert numbers["ALPMAX"] == pytest.approx(np.radians(60.0))
    assert read("PAC2002").kind == "PAC2002"
    assert "PPX1" in read("PAC2002").defaults


@every_tyre
def test_tyres_in_model_files(name, tmp_path):
    m = rolling(TYRES[name]())
    dt.save(m, tmp_path / "m.yaml")
    again = dt.load(tmp_path / "m.yaml", allow_outside=True)
    assert again.forces["tyre"].tyre == m.forces["tyre"].tyre
    a, b = dt.simulate(m, 0.2), dt.simulate(again, 0.2)
    np.testing.assert_array_equal(a["tyre.fx"], b["tyre.fx"])


def test_a_tyre_file_beside_a_model_file(tmp_path):
    (tmp_path / "my.tir").write_text((DATA / "mf61.tir").read_text())
    (tmp_path / "m.yaml").write_text(
        "duoti: 1\nbodies: {w: {inertia: {mass: 20, matrix: [1, 1, 1]}, position: [0, 0, 0.3]}}\n"
        "joints: {j: {type: translation, between: [ground, w]}}\n"
        "forces: {t: {type: tyre, wheel: w, road: flat, tyre: my.tir}}\n"
    )
    assert dt.load(tmp_path / "m.yaml").forces["t"].tyre == read("6.1")


# ------------------------------------------------------------------------------------------------------------- element


def rolling(tyre, v=10.0, kappa=0.0, mass=400.0, road=None, joint=None, lifted=0.0, **of_tyre):
    """A mass on one wheel, which does not pitch or roll: at rest on the road, the wheel with the slip kappa."""
    f = tyre.forces(mass * G, speed=max(abs(v), 1e-3))
    m = dt.Model("rolling")
    z = float(f.loaded_radius)
    car = m.add_body("car", dt.Inertia(mass - 20, (0, 0, 0), np.diag([10, 10, 10])), position=(0, 0, z))
    wheel = m.add_body("wheel", dt.Inertia(20, (0, 0, 0), np.diag([0.5, 1, 0.5])), position=(0, 0, z))
    if joint is None:
        m.add_joint("slide", dt.Translation(), "ground", car, q0=(0, 0, lifted), v0=(v, 0, 0))
    else:
        m.add_joint("slide", joint, "ground", car)
    m.add_joint("spin", dt.Revolute("y"), car, wheel, v0=v / f.effective_radius * (1 + kappa))
    m.add_force("tyre", dt.TyreForce(wheel, road or dt.Road.flat(), tyre, **of_tyre))
    return m


def parked(tyre, slope, across=False, **of_tyre):
    """A block with a blocked wheel on a slope."""
    a = np.arctan(slope)
    down = (0.0, -G * np.sin(a)) if across else (-G * np.sin(a), 0.0)
    m = dt.Model("parked", gravity=(*down, -G * np.cos(a)))
    z = float(tyre.forces(400 * G * np.cos(a), speed=1e-3).loaded_radius)
    wheel = m.add_body("wheel", dt.Inertia(400, (0, 0, 0), np.eye(3)), position=(0, 0, z))
    m.add_joint("slide", dt.Translation(), "ground", wheel)
    m.add_force("tyre", dt.TyreForce(wheel, dt.Road.flat(), tyre, **of_tyre))
    return m


@every_tyre
@pytest.mark.parametrize("across", [False, True])
def test_a_parked_wheel_stands_still_on_a_slope(name, across):
    """A slope of 30 %: once it is at rest it creeps less than 1e-6 m in 10 s."""
    tyre = TYRES[name]()
    if name not in ("fiala", "tmeasy"):
        tyre = tyre.changed(VERTICAL_DAMPING=2000.0)
    r = dt.simulate(parked(tyre, 0.3, across), 20.0, outputs=5.0)
    x = r["wheel.position"]
    assert np.abs(x[-1] - x[2]).max() < 1e-6
    assert np.abs(x[-1, :2]).max() < 0.03
    assert np.abs(r["wheel.velocity"][-1]).max() < 1e-7


@every_tyre
def test_standstill_as_an_equilibrium(name):
    """The slips that hold a wheel are found with it."""
    tyre = TYRES[name]()
    e = dt.equilibrium(parked(tyre, 0.1))
    assert e.ok
    assert "slip_x" in str(e)


@every_tyre
def test_a_blocked_wheel_comes_to_rest(name):
    """From 5 m/s, sliding: it stops after v²/(2 mu g) and rocks back less than 10 cm, by the deflection of mu m g."""
    tyre = TYRES[name]()
    m = parked(tyre, 0.0)
    m.joints["slide"].v0 = (5.0, 0.0, 0.0)
    r = dt.simulate(m, 4.0, outputs=1e-3)
    slides = -tyre.forces(400 * G, -1.0, speed=3.0).fx / 400
    x = r["wheel.position"][:, 0]
    assert x.max() == pytest.approx(25.0 / (2 * slides), rel=0.12)
    assert x.max() - x[-1] < 0.1
    assert np.abs(r["wheel.velocity"][-1, :2]).max() < 1e-4
    assert np.abs(r["tyre.fx"] / np.maximum(r["tyre.load"], 1.0)).max() < 1.5


@every_tyre
@pytest.mark.parametrize(("v", "spin"), [(0.0, 100.0), (-10.0, -33.0), (-3.0, 20.0), (0.0, 0.0), (20.0, 0.0)])
def test_odd_motions_are_finite_and_lose_energy(name, v, spin):
    """Dropped while spinning on the spot, rolling backwards, sliding; the energy of the wheel falls but for drops."""
    m = rolling(TYRES[name](), v, lifted=0.05)
    m.joints["spin"].v0 = spin
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the load may be beyond the range of a file for a moment
        r = dt.simulate(m, 1.5)
    assert r.ok, r.reason
    for channel in ("load", "slip_ratio", "slip_angle", "fx", "fy", "mx", "my", "mz", "loaded_radius"):
        assert np.isfinite(r[f"tyre.{channel}"]).all()
    energy = 0.5 * 400 * (r["car.velocity"] ** 2).sum(axis=1) + 0.5 * r["tyre.spin"] ** 2
    assert energy[-1] < energy[0] + 400 * G * 0.06


def rig(tyre, alpha, v=20.0, load=4000.0):
    """A wheel on a rig: its centre moves along x at a fixed height, steered by alpha, and turns freely."""
    height = float(tyre.forces(load, speed=v).loaded_radius)
    m = dt.Model("rig", gravity=(0, 0, 0))
    sled = m.add_body("sled", dt.Inertia(1e9, (0, 0, 0), np.eye(3)), position=(0, 0, height))
    wheel = m.add_body("wheel", dt.Inertia(1, (0, 0, 0), np.diag([1e4, 1e4, 1e4])), position=(0, 0, height),
                       rotation=dt.Rotation.about("z", -alpha))  # fmt: skip
    m.add_joint("slide", dt.Prismatic("x"), "ground", sled, v0=v)
    m.add_joint("spin", dt.Revolute((np.sin(alpha), np.cos(alpha), 0)), sled, wheel,
                v0=v * np.cos(alpha) / float(tyre.forces(load, speed=v).effective_radius))  # fmt: skip
    m.add_force("tyre", dt.TyreForce(wheel, dt.Road.flat(), tyre))
    return m


def test_a_step_in_slip_angle_is_answered_over_the_relaxation_length():
    """fy = -C tan(alpha) (1 - exp(-v t / sigma)), with friction so large that the tyre is linear."""
    alpha, v, sigma = 0.02, 20.0, 0.5
    tyre = fiala(friction=1e4, relaxation_y=sigma)
    r = dt.simulate(rig(tyre, alpha, v), 0.15, outputs=0.005)
    wanted = -6e4 * np.tan(alpha) * (1.0 - np.exp(-v * np.cos(alpha) * r.t / sigma))
    np.testing.assert_allclose(r["tyre.fy"], wanted, rtol=0, atol=2e-5 * 6e4 * alpha)


@every_tyre
def test_steady_slip_has_the_forces_of_the_tyre(name):
    """After many relaxation lengths the element has the forces of `Tyre.forces` at the slips of the wheel."""
    tyre, alpha = TYRES[name](), 0.05
    r = dt.simulate(rig(tyre, alpha), 1.0)
    kappa, load, speed = r["tyre.slip_ratio"][-1], r["tyre.load"][-1], r["tyre.speed"][-1]
    f = tyre.forces(load, kappa, alpha, speed=speed)
    assert r["tyre.slip_angle"][-1] == pytest.approx(alpha, rel=1e-5)
    for channel in ("fx", "fy", "mx", "my", "mz"):
        assert r[f"tyre.{channel}"][-1] == pytest.approx(getattr(f, channel), rel=2e-4, abs=2e-2)


def test_energy_on_a_random_road():
    """What the spring of the tyre stores and what is lost is counted as the road bends, to the solver's accuracy."""
    m = rolling(fiala(), 15.0, road=dt.Road.random("C", 100.0, seed=2))
    residuals = []
    for rtol in (1e-6, 1e-9):
        r = dt.simulate(m, 1.0, solver=dt.DOP853(rtol=rtol, atol=1e-2 * rtol))
        residuals.append(np.abs(r["energy.residual"]).max())
        assert r.ok
    exchanged = np.ptp(r["energy.elastic"])
    assert exchanged > 10.0
    assert residuals[1] < 1e-5 * exchanged
    assert residuals[1] < 1e-2 * residuals[0] or residuals[0] < 1e-5 * exchanged


def single_track(v, steer, C=(6e4, 8e4)):
    """A rigid car in a plane with a front and a rear wheel: 1500 kg, 2500 kg m², a = 1.2 m, b = 1.4 m."""
    a, b, mass, load = 1.2, 1.4, 1500.0, 7000.0
    tyres = [fiala(cornering_stiffness=each, friction=1e4, contact_length=1e-6, vertical_damping=0.0) for each in C]
    height = float(tyres[0].forces(load).loaded_radius)
    m = dt.Model("single track", gravity=(0, 0, 0))
    car = m.add_body("car", dt.Inertia(mass - 2e-3, (0, 0, 0), np.diag([2500, 2500, 2500])), position=(0, 0, height))
    m.add_joint("plane", dt.Planar("z"), "ground", car, v0=(v, 0, 0))
    for name, tyre, x, angle in (("front", tyres[0], a, steer), ("rear", tyres[1], -b, 0.0)):
        wheel = m.add_body(name, dt.Inertia(1e-3, (0, 0, 0), np.diag([1e-3, 1e-3, 1e-3])), position=(x, 0, height),
                           rotation=dt.Rotation.about("z", angle))  # fmt: skip
        m.add_joint(f"{name} spin", dt.Revolute((-np.sin(angle), np.cos(angle), 0)), car, wheel, v0=v / height)
        m.add_force(f"{name} tyre", dt.TyreForce(wheel, dt.Road.flat(), tyre))
    return m, mass, a, b


@pytest.mark.parametrize("v", [10.0, 30.0])
def test_steady_cornering_of_a_single_track_car(v):
    """Yaw rate V delta / (l + K V²) with the understeer gradient K = m (b C_r - a C_f) / (l C_f C_r)."""
    steer, C = 1e-3, (6e4, 8e4)
    m, mass, a, b = single_track(v, steer, C)
    r = dt.simulate(m, 4.0, outputs=0.5)
    speed = np.linalg.norm(r["car.velocity"][-1, :2])
    K = mass * (b * C[1] - a * C[0]) / ((a + b) * C[0] * C[1])
    wanted = speed * steer / (a + b + K * speed**2)
    assert r["car.angular_velocity"][-1, 2] == pytest.approx(wanted, rel=1e-3)


def test_yaw_frequency_of_a_single_track_car():
    """Eigenvalues of straight running beside the two by two matrix of the single-track model, without relaxation."""
    v, C = 30.0, (6e4, 8e4)
    m, mass, a, b = single_track(v, 0.0, C)
    for name, each in zip(("front tyre", "rear tyre"), C, strict=True):
        m.forces[name].tyre = fiala(cornering_stiffness=each, friction=1e6, contact_length=1e-6, relaxation_y=1e-3,
                                    relaxation_x=1e-3, vertical_damping=0.0)  # fmt: skip
    # the least relaxation length is a tenth of the radius, 0.03 m: 1 ms, beside 0.3 s of the motion
    found = np.linalg.eigvals(dt.linearise(m).A)
    f, r_, J = C[0], C[1], 2500.0 + 1e-3 * (a * a + b * b)
    A = np.array([[-(f + r_) / (mass * v), (b * r_ - a * f) / (mass * v) - v],
                  [(b * r_ - a * f) / (J * v), -(a * a * f + b * b * r_) / (J * v)]])  # fmt: skip
    for wanted in np.linalg.eigvals(A):
        assert np.abs(found - wanted).min() < 0.02 * abs(wanted)


def test_bounce_of_a_quarter_car():
    """A mass on the spring of a tyre: sqrt(k/m), damping c/(2 m)."""
    m = rolling(fiala(vertical_damping=500.0), 10.0)
    found = np.linalg.eigvals(dt.linearise(m).A)
    wanted = -500.0 / 800.0 + 1j * np.sqrt(2e5 / 400.0 - (500.0 / 800.0) ** 2)
    assert np.abs(found - wanted).min() < 1e-6


@every_tyre
def test_a_braked_wheel(name):
    """Spin follows I dOmega/dt = -fx R_l + my - M; the car slows down by fx / m."""
    m = rolling(TYRES[name](), 20.0)
    m.add_force("brake", dt.JointTorque("spin", -300.0))
    r = dt.simulate(m, 1.0, outputs=0.01)
    tail = slice(20, None)
    turned = -r["tyre.fx"] * r["tyre.loaded_radius"] + r["tyre.my"] - 300.0
    np.testing.assert_allclose(r["spin.a"][tail], turned[tail], rtol=0, atol=0.2)
    np.testing.assert_allclose(r["car.acceleration"][tail, 0], r["tyre.fx"][tail] / 400.0, rtol=0, atol=1e-6)
    assert r["tyre.fx"][-1] == pytest.approx(-300.0 / 0.3, rel=0.15)


def test_load_and_camber_outside_the_range_are_said():
    m = rolling(read("6.1"), lifted=0.4)
    with pytest.warns(UserWarning, match='force "tyre" .first seen at t = .*the load of the tyre is'):
        r = dt.simulate(m, 0.6)
    assert r.ok


def test_faults_of_the_element():
    m = rolling(fiala())
    m.forces["tyre"] = dt.TyreForce("wheel", "flat", "file.tir", axis="z", friction=-1.0)
    text = str(dt.check(m))
    for part in ("give a dt.Road", "give a dt.Tyre", "friction is -1"):
        assert part in text
    m.forces["tyre"] = dt.TyreForce("wheel", dt.Road.flat(), fiala(), axis="z")
    assert "the axis of the wheel is upright" in str(dt.check(m))
    m.forces["tyre"] = dt.TyreForce("wheel", dt.Road.flat(), fiala(), pressure=2e5)
    assert "pressure has no effect on a Fiala tyre" in str(dt.check(m))
