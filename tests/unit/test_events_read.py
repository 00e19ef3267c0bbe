"""What events may read: a force of an element is refused by name, its law and reactions are read."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt


def hanging(event: str) -> dt.Model:
    m = dt.Model("hanging")
    m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("J", dt.Prismatic("z"), m.ground, "b")
    m.add_force("spring", dt.JointSpring("J", stiffness=50.0))
    m.add_marker("top", m.ground, position=(0, 0, 1))
    m.add_marker("hook", "b")
    m.add_force("line", dt.SpringDamper("top", "hook", stiffness=20.0, rest_length=1.0))
    m.add_force("push", dt.JointTorque("J", "0*t"))
    m.add_event("ev", dt.Event(event, terminal=True))
    return m


@pytest.mark.parametrize("name", ["spring.force", "line.tension", "line.length", "push.force", "line.power"])
def test_what_an_element_does_is_no_quantity_that_events_read(name):
    found = dt.check(hanging(f"{name} - 1"))
    assert not found.ok
    assert "is a channel of results" in str(found)
    assert "no law or event reads it" in str(found)
    with pytest.raises(dt.ModelError, match="channel of results"):
        dt.simulate(hanging(f"{name} - 1"), 0.1)


def test_the_law_of_an_element_is_read():
    """z = -(g/w²) (1 - cos(w t)), w² = 70 1/s²: the spring bears 5 N where z = -0.1 m."""
    r = dt.simulate(hanging("-50*J.position - 5"), 2.0, rtol=1e-10, atol=1e-12)
    w = np.sqrt(70.0)
    assert r.events[0].t == pytest.approx(np.arccos(1.0 - 0.1 * w**2 / 9.81) / w, rel=1e-8)
