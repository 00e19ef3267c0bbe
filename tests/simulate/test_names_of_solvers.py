"""Solvers and constraint methods by name."""

import pytest

import duoti as dt
from duoti.analyses.simulate.named_options import CONSTRAINT_METHODS, SOLVERS, by_name


def pendulum() -> dt.Model:
    m = dt.Model("pendulum")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    return m


@pytest.mark.parametrize("name", ["radau", "Radau", "RADAU"])
def test_a_name_is_a_solver_with_its_default_settings(name):
    by_text = dt.simulate(pendulum(), 0.5, solver=name)
    by_object = dt.simulate(pendulum(), 0.5, solver=dt.Radau())
    assert by_text.stats.solver == by_object.stats.solver
    assert (by_text.q == by_object.q).all()


def test_tolerances_beside_a_name():
    assert "rtol=1e-05" in dt.simulate(pendulum(), 0.5, solver="dop853", rtol=1e-5).stats.solver


def test_all_names():
    for name, cls in SOLVERS.items():
        if name in ("moreau", "rk4", "semi_implicit_euler", "verlet"):
            with pytest.raises(ValueError, match=rf"needs step: give solver=dt.{cls.__name__}\(step=0.001\)"):
                by_name(name, SOLVERS, "solver")
        else:
            assert isinstance(by_name(name, SOLVERS, "solver"), cls)
            assert isinstance(by_name(cls.__name__, SOLVERS, "solver"), cls)
    for name, cls in CONSTRAINT_METHODS.items():
        assert isinstance(by_name(name, CONSTRAINT_METHODS, "constraints"), cls)


def test_a_misspelt_name():
    with pytest.raises(ValueError, match=r"solver='radua': there is no solver of this name. Did you mean 'radau'\?"):
        dt.simulate(pendulum(), 1.0, solver="radua")
    with pytest.raises(ValueError, match=r"There are: .*dopri5"):
        dt.simulate(pendulum(), 1.0, solver="ode45x")
    with pytest.raises(ValueError, match=r"Did you mean 'baumgarte'\?"):
        dt.simulate(pendulum(), 1.0, constraints="baumgart")
    with pytest.raises(ValueError, match=r"Did you mean 'dopri5'\?"):
        dt.analyses.compare_solvers(pendulum(), 1.0, ["dopri"])
    with pytest.raises(TypeError, match=r"not a solver"):
        dt.simulate(pendulum(), 1.0, solver=dt.Radau)
