"""Joint friction: a block that sticks and slips, and a four-bar with friction in its joints; for `--against`."""

from __future__ import annotations

import duoti as dt
from benchmarks.harness import Pair, Side, case, repeated
from duoti.examples import find_example


def run_of(model: dt.Model, duration: float) -> Pair:
    system = dt.compile(model)
    result = dt.simulate(system, duration, outputs=[duration], progress=False)
    assert result.ok, result.reason
    run = repeated(lambda: dt.simulate(system, duration, outputs=[duration], progress=False))
    return Pair(Side(run), clock="process")


@case("joint friction, stick-slip")
def stick_slip() -> Pair:
    found = find_example("stick_slip")
    return run_of(found.build(), found.duration)


@case("joint friction in a loop")
def four_bar() -> Pair:
    model = find_example("four_bar").build()
    for joint in list(model.joints)[:2]:
        model.add_force(f"{joint}.friction", dt.JointFriction(joint, friction=0.2, radius=0.01))
    return run_of(model, 1.0)
