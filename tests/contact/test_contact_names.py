"""Contacts of lists and of "all": which pair is it?"""

from __future__ import annotations

import pytest

import duoti as dt

FILE = """
duoti: 1
name: two balls
bodies:
  a: {inertia: {sphere: {mass: 1.0, radius: 0.1}}, position: [0, 0, 0.1]}
  b: {inertia: {sphere: {mass: 2.0, radius: 0.1}}, position: [0, 0, 0.5]}
joints:
  za: {type: prismatic, axis: z, between: [ground, a], at: [0, 0, 0]}
  zb: {type: prismatic, axis: z, between: [ground, b], at: [0, 0, 0]}
contacts:
  touch: {type: rigid_contact, between: [all, all], separate: true}
  floor: {type: rigid_contact, between: [ground, a], shapes: [{plane: {}}, {sphere: {radius: 0.1}}]}
"""


def test_each_pair_has_channels_and_impacts_of_its_own(tmp_path):
    """From a file and in Python; the upper ball falls on the lower one and rests there: 2 and 3 times g."""
    (tmp_path / "balls.yaml").write_text(FILE)
    m = dt.load(tmp_path / "balls.yaml")
    assert list(m.contacts) == ["touch a b", "floor"]
    r = dt.simulate(m, 1.0, outputs=[1.0])
    assert r.ok, r.reason
    assert r["touch a b.normal_force"][-1] == pytest.approx(2 * 9.81, rel=1e-9)
    assert r["floor.normal_force"][-1] == pytest.approx(3 * 9.81, rel=1e-9)
    assert "touch a b" in {impact.contact for impact in r.impacts}
    again = dt.load(m.save(tmp_path / "again.yaml") or tmp_path / "again.yaml")
    assert list(again.contacts) == list(m.contacts)


def test_what_is_wrong_with_a_list_is_said_once():
    m = dt.Model("lonely")
    b = m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("f", dt.Free(), m.ground, b)
    m.add_contacts("touch", dt.RigidContact())
    m.add_contacts("other", dt.RigidContact(), ["b", "nobody"], "all")
    assert sorted(fault.code for fault in dt.check(m).errors) == ["no-shapes", "unknown-name"]


def test_messages_name_the_pair():
    """Of three bodies in one contact, the two that overlap, and those of an impact that was missed."""
    m = dt.Model("three", gravity=(0, 0, 0))
    for k in range(3):
        b = m.add_body(f"b{k}", dt.Inertia.sphere(1.0, radius=0.1), position=(0.15 * k if k < 2 else 1.0, 0, 0))
        m.add_joint(f"f{k}", dt.Free(), m.ground, b)
    m.add_contact("touch", dt.RigidContact(), "all", "all")
    (warning,) = [finding for finding in dt.check(m).findings if finding.code == "penetration"]
    assert '"b0" and "b1"' in str(warning)
