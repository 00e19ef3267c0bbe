"""A joint type of one's own: one file in the folder of joints, no other edit.

The files are in `support/added_joints`; a process that finds them there has them as if they were the package's (plain
Python: a joint's law is part of nearly all kernels, which would be compiled anew). `pin_in_slot` is a sound type.
`parabola` says something untrue about itself, which the generic tests must find.
"""

import json

import pytest

from support.added_types import run, run_tests

WITH_ADDED_JOINTS = """
import json, tempfile
from pathlib import Path
import numpy as np
from support.added_types import look_there
look_there("added_joints")
import duoti as dt
from duoti.model.joints import JOINT_TYPES
PinInSlot = JOINT_TYPES["pin_in_slot"]
"""


def program(text):
    done = run("-c", WITH_ADDED_JOINTS + text, DUOTI_JIT="0")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def generic_tests():
    """What the tests of all joint types say of the two."""
    return run_tests("added_joints", "model/test_joints.py", "pin_in_slot or parabola", DUOTI_JIT="0")


def test_the_generic_tests_find_a_new_joint_and_pass(generic_tests):
    passed = [line for line in generic_tests if line.startswith("PASSED") and "pin_in_slot" in line]
    assert len(passed) >= 10
    assert not [line for line in generic_tests if line.startswith("FAILED") and "pin_in_slot" in line]


def test_the_generic_tests_find_what_is_untrue(generic_tests):
    failed = {line.split("::")[1] for line in generic_tests if line.startswith("FAILED")}
    assert {name.split("[")[0] for name in failed} == {"test_which_rates_carry_which"}


TREE = """
def model(own):
    m = dt.Model("swing", gravity=(0.3, -0.2, -9.81))
    rod = dt.Inertia(2.0, com=(0.3, 0.1, 0.2), matrix=np.diag([0.5, 0.6, 0.55]))
    m.add_body("rod", rod, position=(0.2, 0, 0))
    if own:
        m.add_joint("S", PinInSlot("x", "y"), m.ground, "rod", at=(0, 0, 0), q0=(0.1, 0.4), v0=(0.5, -1.2))
    else:
        m.add_body("carriage", dt.Inertia.point(0.0))
        m.add_joint("P", dt.Prismatic("x"), m.ground, "carriage", at=(0, 0, 0), q0=0.1, v0=0.5)
        m.add_joint("R", dt.Revolute("y"), "carriage", "rod", at=(0, 0, 0), q0=0.4, v0=-1.2)
    return m

ends = []
for own in (True, False):
    r = dt.simulate(model(own), 0.2, outputs=0.2, solver=dt.RK4(step=0.01))
    assert r.ok, r.reason
    ends.append([*r["rod.position"][-1], *r["rod.velocity"][-1], *r.q[-1]])
folder = Path(tempfile.mkdtemp())
model(True).save(folder / "swing.yaml")
again = dt.load(folder / "swing.yaml")
q, v = dt.compile(again).initial_state()
print(json.dumps([*ends, type(again.joints["S"].joint).__name__, *q.tolist(), *v.tolist()]))
"""


def test_a_joint_in_a_file_moves_as_two_known_joints_do():
    """A slide and a hinge on a massless carriage are the same; so is what is read back from YAML."""
    own, known, kind, *state = program(TREE)
    assert own == pytest.approx(known, rel=1e-12, abs=1e-12)  # the same motion, in other sums
    assert kind == "PinInSlot"
    assert state == [0.1, 0.4, 0.5, -1.2]


LOOP = """
m = dt.Model("crank and slot")
crank = m.add_body("crank", dt.Inertia.rod(1.0, length=0.5, axis="x"), position=(0.25, 0, 0))
arm = m.add_body("arm", dt.Inertia.rod(1.0, length=2.0, axis="x"), position=(-0.5, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, crank, at=(0, 0, 0), v0=2.0)
m.add_joint("B", dt.Revolute("y"), m.ground, arm, at=(-1.5, 0, 0))
m.add_joint("C", PinInSlot("x", "y"), arm, crank, at=(0.5, 0, 0))
r = dt.simulate(m, 0.1, outputs=0.1, solver=dt.RK4(step=0.01))
assert r.ok, r.reason
cuts = list(dt.topology(m).cut_joints)
print(json.dumps([cuts, r["A.angle"][-1], r["B.angle"][-1], r["C.position"][-1]]))
"""


def test_a_joint_in_a_file_closes_a_loop():
    """The arm points from its bearing to the pin: tan(B) = 0.5 sin(A) / (1.5 + 0.5 cos(A))."""
    import math

    cuts, a, b, slid = program(LOOP)
    assert len(cuts) == 1
    x, z = 1.5 + 0.5 * math.cos(a), 0.5 * math.sin(a)
    assert abs(a) > 0.1
    assert b == pytest.approx(math.atan2(z, x), abs=1e-9)  # loops are closed to 1e-9 and better
    assert slid == pytest.approx(math.hypot(x, z) - 2.0, abs=1e-9)


def test_a_joint_may_have_any_number_of_parameters():
    """The table of the compiled tree is as wide as the longest list; nothing is cut off."""
    import duoti as dt

    class Guided(dt.Revolute):
        def parameters(self):
            return (1.0, 2.0, 3.0, 4.0, 5.0)

    m = dt.Model("two hinges")
    m.add_body("a", dt.Inertia.point(1.0))
    m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("A", dt.Screw("z", lead_per_turn=0.5), m.ground, "a", at=(0, 0, 0))
    m.add_joint("B", Guided("z"), "a", "b", at=(0, 0, 0))
    table = dt.compile(m).tree.joint_parameters
    assert table.shape == (3, 5)
    assert table[1].tolist() == [0.5 / (2 * 3.141592653589793), 0.0, 0.0, 0.0, 0.0]
    assert table[2].tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
