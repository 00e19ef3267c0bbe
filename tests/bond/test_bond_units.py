"""Units of channels of bond graphs, by the domains of bonds: declared, from joints and markers, or not known."""

from __future__ import annotations

import matplotlib as mpl
import pytest

import duoti as dt
from duoti.bond import GY, Graph, I, One, Port, R, Se, library

mpl.use("Agg")


def motor() -> Graph:
    g = Graph("motor")
    elements = {"U": Se(240.0), "i": One(), "L": I(0.2), "R": R(10.0), "K": GY(0.157), "w": One(), "J": I(0.002)}
    for name, element in elements.items():
        g.add(name, element)
    for bond in ("U i", "i L", "i R", "i K", "K w", "w J"):
        g.bond(*bond.split())
    return g


CHANNELS = ("L.flow", "U.effort", "J.flow", "L.momentum", "J.energy", "K.effort")


def labels(figure) -> list[str]:
    return [axis.get_ylabel() for axis in figure.axes]


def test_declared_domains_reach_all_that_junctions_connect():
    g = motor()
    g.domains |= {"U": "electric", "J": "rotation"}
    r = dt.simulate(g, 0.1, outputs=0.05)
    units = [r.unit(name) for name in ("L.flow", "R.effort", "L.momentum", "J.flow", "J.momentum", "i-K.effort")]
    assert units == ["A", "V", "V s", "rad/s", "N m s", "V"]
    assert (r.unit("K.effort"), r.unit("K.effort[0]"), r.unit("K.effort[1]")) == ("mixed", "V", "N m")
    assert r.unit("L.momentum.rate") == "V"
    assert labels(r.plot(*CHANNELS)) == ["A", "V", "rad/s", "V s", "J", "N m"]


def test_unknown_domains_are_drawn_by_what_they_are():
    r = dt.simulate(motor(), 0.1, outputs=0.05)
    assert r.unit("L.flow") == ""
    assert labels(r.plot(*CHANNELS)) == ["flow", "effort", "momentum", "J"]


@pytest.mark.parametrize(("joint", "effort", "flow"), [("revolute", "N m", "rad/s"), ("prismatic", "N", "m/s")])
def test_a_port_has_the_units_of_its_joint(joint, effort, flow):
    m = dt.Model("drive")
    m.add_body("b", dt.Inertia.box(1.0, size=(1, 1, 1)))
    m.add_joint("J", dt.Revolute("x") if joint == "revolute" else dt.Prismatic("x"), m.ground, "b")
    g = Graph("g")
    for name, element in (("F", Se(1.0)), ("v", One()), ("d", R(2.0)), ("out", Port())):
        g.add(name, element)
    for bond in ("F v", "v d", "v out"):
        g.bond(*bond.split())
    m.add_bond_graph("g", g, ports={"out": "J"})
    r = dt.simulate(m, 0.1, outputs=0.05)
    assert [r.unit(f"g.d.{what}") for what in ("effort", "flow", "power")] == [effort, flow, "W"]


def test_parts_of_the_library_know_their_domains_and_ports_hand_them_on():
    """Also through ports that are gone in the whole graph."""
    g = Graph("lift")
    g.add("U", Se(24.0))
    g.add("motor", library.dc_motor(0.01, 1.0, 0.05, inertia=2e-4))
    g.add("pump", library.hydraulic_pump(1e-6, leakage=1e12))
    g.bond("U", "motor.electric")
    g.bond("motor.shaft", "pump.shaft")
    inner = Graph("inner")
    inner.add("in", Port(), domain="thermal")
    inner.add("s", R(1.0))
    inner.bond("in", "s")
    g.add("part", inner)
    g.add("T", Se(300.0))
    g.bond("T", "part.in")
    r = dt.simulate(g, 0.01, outputs=0.01)
    units = {name: r.unit(name) for name in ("U.flow", "motor.J.flow", "pump.leak.effort", "T.effort", "part.s.flow")}
    assert list(units.values()) == ["A", "rad/s", "Pa", "K", "W"]


def test_domains_that_differ_and_domains_that_are_none():
    m = dt.Model("m")
    m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("x", dt.Prismatic("x"), m.ground, "b")
    g = motor()
    g.domains |= {"U": "electric", "R": "hydraulic"}
    m.add_bond_graph("g", g)
    (warning,) = dt.check(m).warnings
    assert "electric" in warning.what
    assert "hydraulic" in warning.what
    g.domains |= {"K": "electric", "w": "odd"}
    first, second = dt.check(m).errors
    assert '"K": a domain is declared for' in first.what
    assert "no domain 'odd'" in second.what


def test_domains_in_files(tmp_path):
    m = dt.Model("m")
    m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("x", dt.Prismatic("x"), m.ground, "b")
    g = motor()
    g.domains |= {"U": "electric"}
    m.add_bond_graph("g", g)
    m.save(tmp_path / "m.yaml")
    again = dt.load(tmp_path / "m.yaml")
    assert again.bond_graphs["g"].graph.domains == {"U": "electric"}
    assert dt.simulate(again, 0.01).unit("g.L.flow") == "A"
