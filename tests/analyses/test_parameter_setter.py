"""Parameters resolved once: the slots write what `with_parameters` and a new compilation give."""

from __future__ import annotations

import numpy as np
import pytest
from test_with_parameters import arm

import duoti as dt
from duoti.model.errors import ParameterError
from duoti.model.parameters import find, number_names
from duoti.system.parameters import with_values
from duoti.system.setter import ARRAYS, ParameterSetter, arrays_of


def test_slots_of_several_equal_a_new_compilation() -> None:
    """1e-13: sums of moments in another order."""
    model = arm()
    names = ["upper.mass", "tag.mass", "lower.inertia.yy", "gravity.z", "spring.stiffness", "A.q0", "z.initial", "c"]
    setter = ParameterSetter(dt.compile(model), names)
    assert setter.rest == ()
    rng = np.random.default_rng(1)
    for _ in range(5):
        values = setter.values * rng.uniform(0.5, 2.0, len(names))
        fresh = arrays_of(dt.compile(with_values(model, dict(zip(names, values.tolist(), strict=True)))))
        made = {**arrays_of(setter.base), **setter.arrays(values)}
        for name in ARRAYS:
            np.testing.assert_allclose(made[name], fresh[name], rtol=1e-13, atol=1e-14, err_msg=name)
        np.testing.assert_array_equal(setter.system(values).tree.gravity, fresh["gravity"])


def test_what_tables_do_not_have_belongs_to_no_parameter() -> None:
    """Beyond their ends they have no numbers: NaN, which is not equal to itself."""
    m = dt.Model("pendulum", parameters={"k": 10.0})
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
    m.add_table("T", [0, 1, 2], [0, 5, 3])
    m.add_force("spring", dt.JointTorque("A", "T(A.angle) - k*A.angle"))
    slots = ParameterSetter(dt.compile(m), ["k"]).slots
    assert slots.place.shape == (1,)
    assert slots.scale.tolist() == [1.0]


def test_every_name_alone() -> None:
    model = arm()
    system = dt.compile(model)
    for name in number_names(model):
        setter = ParameterSetter(system, [name])
        value = 1.1 * find(model, name).number(model) + 0.01
        if setter.rest or name.endswith(".mass"):
            continue
        fresh = arrays_of(dt.compile(with_values(model, {name: value})))
        made = {**arrays_of(system), **setter.arrays([value])}
        for array in ARRAYS:
            np.testing.assert_allclose(made[array], fresh[array], rtol=1e-13, atol=1e-14, err_msg=f"{name} {array}")


def test_what_has_no_slots_is_named() -> None:
    setter = ParameterSetter(dt.compile(arm()), ["k", "eye.position.x", "upper.mass", "upper.com.x", "gravity.x"])
    assert setter.rest == ("eye.position.x", "upper.mass", "upper.com.x")
    with pytest.raises(ParameterError, match=r"no slots; use setter\.system"):
        setter.arrays(setter.values)
    changed = setter.system([40.0, 0.6, 2.0, 0.1, 0.0])
    assert changed.model.parameters["k"] == 40.0


@pytest.mark.parametrize(("law", "slots"), [
    ("-k*q - c*v", True), ("sin(k*t)", True), ("max(k*q, 3)", True), ("k*c*q", False), ("k*q/c", True),
    ("q*(k/c)", False),
    ("q*sqrt(k)", False), ("q*max(k, 200)", False), ("if(k > 60, q, -q)", False), ("q/k", True), ("q*(1/k)", False),
    ("q^k", True),
    ("q*(3*k - 1)", True), ("q*k*k", True), ("q*(k*k)", False),
])  # fmt: skip
def test_expressions_that_are_affine_in_each_constant(law: str, slots: bool) -> None:
    """Numbers that are computed before a run by anything but sums and multiples have no slots."""
    model = arm()
    model.forces["drive"].value = law
    setter = ParameterSetter(dt.compile(model), ["k", "c"] if "c" in law else ["k"])
    assert (not setter.rest) == slots


def test_refusals() -> None:
    system = dt.compile(arm())
    with pytest.raises(ParameterError, match="Did you mean"):
        ParameterSetter(system, ["upper.mas"])
    with pytest.raises(ParameterError, match="named twice"):
        ParameterSetter(system, ["upper.mass", "body:upper.mass"])
    setter = ParameterSetter(system, ["upper.mass", "spring.damping"])
    with pytest.raises(ParameterError, match=r"spring\.damping: values must be finite"):
        setter.system([1.0, np.nan])
    with pytest.raises(ParameterError, match="have shape"):
        setter.system([1.0])
    with pytest.raises(dt.ModelError, match="must not be negative"):
        setter.require([[1.0, 0.1], [1.0, -0.1]])
