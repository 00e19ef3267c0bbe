"""Every case of the explicit methods once more with the implicit ones: the same models, the same comparisons.

The solver is exchanged, and no comparison asks for more than what an error per step of 1e-9 leaves of a run: 1e-7 of
the size of the quantity (steps here are some 1e2 ... 1e4, and the outputs between them are of order 3).
"""

from __future__ import annotations

import re

import numpy as np
import pytest
import test_loop_cases as loops
import test_rolling_cases as rolling
import test_tree_cases as trees
from cases import case

import duoti as dt

RADAU = dt.Radau(rtol=1e-9, atol=1e-11)
PROMISE = 1e-7


def assert_near(got, wanted, tolerance):
    __tracebackhide__ = True
    size = max(1.0, float(np.max(np.abs(wanted))))
    error = np.max(np.abs(np.asarray(got) - np.asarray(wanted)))
    assert error <= max(tolerance, PROMISE * size), f"error {error:.3g} is above {max(tolerance, PROMISE * size):.3g}"


def exchanged(run, solver):
    def other(model, times, given=None, **options):
        return run(model, times, solver, **options)

    return other


CASES = {
    "R01": (trees.test_R01_bar_tension,),
    "R02": (trees.test_R02_torque_free_top, "R02", "spherical"),
    "R02 free": (trees.test_R02_torque_free_top, "R02", "free"),
    "R02b": (trees.test_R02_torque_free_top, "R02b", "spherical"),
    "R03": (trees.test_R03_heavy_top,),
    "R04": (trees.test_R04_double_pendulum,),
    "R04c": (trees.test_R04c_chain_of_five_rods,),
    "R07": (trees.test_R07_cart_pole_with_light_cart, "R07"),
    "R07v": (trees.test_R07_cart_pole_with_light_cart, "R07v"),
    "V02": (trees.test_V02_human_in_free_fall,),
    "X01": (trees.test_X01_spatial_chain,),
    "X06": (trees.test_X06_duffing_oscillator_with_sweep, "expression"),
    "X06 function": (trees.test_X06_duffing_oscillator_with_sweep, "python"),
    "X08": (trees.test_X08_revolute_and_prismatic_chain,),
    "L01": (loops.test_L01_double_four_bar,),
    "L03": (loops.test_L03_bricard, "relative"),
    "L03 absolute": (loops.test_L03_bricard, "absolute"),
    "L05 B": (loops.test_L05_spatial_slider_crank, "B"),
    "L05 C": (loops.test_L05_spatial_slider_crank, "C"),
    "L05 D": (loops.test_L05_spatial_slider_crank, "D"),
    "L05 absolute": (loops.test_L05_spatial_slider_crank, "absolute"),
    "X05": (loops.test_X05_slider_crank_driven_by_torque, "X05"),
    "X05v": (loops.test_X05_slider_crank_driven_by_torque, "X05v"),
    "L08": (loops.test_L08_through_the_singular_position,),
    "L09": (loops.test_L09_door_on_two_hinges, "relative"),
    "L09 absolute": (loops.test_L09_door_on_two_hinges, "absolute"),
    "R05": (rolling.test_R05_steady_rolling,),
    "R05b": (rolling.test_R05b_general_motion,),
    "X14": (rolling.test_X14_exudyn_rolling_coin,),
}


@pytest.fixture
def with_radau(monkeypatch):
    for module in (trees, loops):
        monkeypatch.setattr(module, "run", exchanged(module.run, RADAU))
    monkeypatch.setattr(rolling, "TIGHT", RADAU)
    for module in (trees, loops, rolling):
        monkeypatch.setattr(module, "assert_near", assert_near)


# they pass positions in which loops are singular, where Newton's iteration may fail: explicit solvers get through
SINGULAR = ("L01", "L08")


@pytest.mark.full("L05", "X06", "L03")
@pytest.mark.parametrize("name", [name for name in CASES if name not in SINGULAR])
def test_radau(name, with_radau):
    test, *arguments = CASES[name]
    test(*arguments)


@pytest.mark.parametrize("name", SINGULAR)
def test_radau_gets_through_singular_positions_or_says_what_to_do(name, with_radau):
    """Round-off decides which of the two; a wrong motion is never accepted."""
    test, *arguments = CASES[name]
    try:
        test(*arguments)
    except dt.errors.SimulationWarning as warning:
        assert re.search(  # noqa: PT017  (the warning need not come)
            r'closure of (cut joint|constraint) ".*if loops are in a singular position there, try an explicit solver',
            str(warning),
        )


def test_radau_squeezer(with_radau):
    c = case("L02")
    values = np.array(c.reference["own_trajectory"]["values"])
    r, at = loops.run(loops.squeezer(c), values[:, 0], between=301)
    loops.test_L02_squeezer_motion((c, values, r, at))
