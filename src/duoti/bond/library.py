"""Ready-made graphs, to be used as parts of others: `g.add("motor", dt.bond.library.dc_motor(...))`.

Each function returns a new `Graph` with ports, which bonds lead to by their names ("motor.shaft"). Arrows point into
electric and hydraulic inlets and out of shafts and rods, so that a drive's power counts positive from source to load.
Values are numbers or expressions of parameters unless stated otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duoti.bond.elements import GY, TF, C, I, One, Port, R, Se, Zero
from duoti.bond.graph import Graph
from duoti.model.laws.law import Value
from duoti.strict import explained

Constant = float | str


@explained
def dc_motor(
    inductance: Constant,
    resistance: Value,
    torque_constant: Constant,
    inertia: Constant | None = None,
    damping: Value | None = None,
) -> Graph:
    r"""Permanent-magnet motor.

    $$u = L\, \frac{di}{dt} + R\, i + K \omega, \qquad \tau = K i - J \dot\omega - b\, \omega$$

    Ports: `electric` (voltage, current) and `shaft` (torque, angular velocity). Elements: L, R, K, J, b.

    Parameters
    ----------
    inductance:
        Inductance $L$ [H].
    resistance:
        Resistance $R$ [ohm].
    torque_constant:
        Torque constant $K$ [N m/A].
    inertia:
        Inertia $J$ of the rotor [kg m²]; by default it is left to the mechanism.
    damping:
        Viscous damping $b$ [N m s/rad].
    """
    g = Graph("dc motor")
    for name, element in (("electric", Port()), ("armature", One()), ("L", I(inductance)), ("R", R(resistance)),
                          ("K", GY(torque_constant)), ("rotor", One()), ("shaft", Port())):  # fmt: skip
        g.add(name, element)
    g.domains |= {"armature": "electric", "rotor": "rotation"}
    for start, end in (("electric", "armature"), ("armature", "L"), ("armature", "R"), ("armature", "K"),
                       ("K", "rotor"), ("rotor", "shaft")):  # fmt: skip
        g.bond(start, end)
    if inertia is not None:
        g.add("J", I(inertia))
        g.bond("rotor", "J")
    if damping is not None:
        g.add("b", R(damping))
        g.bond("rotor", "b")
    return g


@explained
def reducer(
    ratio: float, stiffness: float | None = None, damping: Value | None = None, losses: Value | None = None
) -> Graph:
    r"""Gear whose port `fast` turns `ratio` times as fast as its port `slow`.

    $$\omega_{\mathrm{fast}} = i\, \omega_{\mathrm{slow}}$$

    Parameters
    ----------
    ratio:
        Ratio $i$.
    stiffness, damping:
        Stiffness [N m/rad] and damping [N m s/rad] of a shaft at the slow side (elements k, c).
    losses:
        Viscous friction of the slow side [N m s/rad].
    """
    g = Graph("reducer")
    g.add("fast", Port())
    g.add("slow", Port())
    g.add("gear", TF(1.0 / ratio))
    g.add("out", One())
    g.bond("fast", "gear")
    g.bond("gear", "out")
    if losses is not None:
        g.add("losses", R(losses))
        g.bond("out", "losses")
    if stiffness is None:
        g.bond("out", "slow")
        return g
    g.add("torque", Zero())
    g.add("twist", One())
    g.add("k", C(1.0 / stiffness))
    g.bond("out", "torque")
    g.bond("torque", "twist")
    g.bond("twist", "k")
    if damping is not None:
        g.add("c", R(damping))
        g.bond("twist", "c")
    g.bond("torque", "slow")
    return g


@explained
def hydraulic_pump(displacement: Constant, leakage: Value | None = None, inertia: Constant | None = None) -> Graph:
    r"""Pump or hydraulic motor.

    $$Q = D\, \omega - \frac{p}{R}, \qquad \tau = D\, p$$

    Ports: `shaft` (torque, angular velocity) and `outlet` (pressure, volume flow). Elements: pump, leak, J.

    Parameters
    ----------
    displacement:
        Displacement $D$ [m³/rad].
    leakage:
        Leakage resistance $R$ [Pa s/m³].
    inertia:
        Inertia of the shaft [kg m²].
    """
    g = Graph("pump")
    for name, element in (("shaft", Port()), ("pump", TF(displacement)), ("rotor", One()), ("line", Zero()),
                          ("outlet", Port())):  # fmt: skip
        g.add(name, element)
    g.domains |= {"rotor": "rotation", "line": "hydraulic"}
    for start, end in (("shaft", "rotor"), ("rotor", "pump"), ("pump", "line"), ("line", "outlet")):
        g.bond(start, end)
    if leakage is not None:
        g.add("leak", R(leakage))
        g.bond("line", "leak")
    if inertia is not None:
        g.add("J", I(inertia))
        g.bond("rotor", "J")
    return g


@explained
def hydraulic_cylinder(
    area_a: float,
    area_b: float | None = None,
    volume_a: float | None = None,
    volume_b: float | None = None,
    bulk_modulus: float = 1.4e9,
    damping: Value | None = None,
    pressure: float = 0.0,
) -> Graph:
    r"""Hydraulic cylinder with one or two chambers.

    $$F = A_a p_a - A_b p_b - d\, v, \qquad \dot p = \frac{B}{V} (Q \mp A v)$$

    Ports: `a` and `b` (pressure, volume flow into the chamber), `rod` (pushing force, speed of extension). Connect the
    rod to a line between markers. Elements: Ca, Cb, d.

    Parameters
    ----------
    area_a, area_b:
        Areas of the piston [m²]: chamber a pushes the rod out, chamber b pulls it in. Without `area_b` there is only a.
    volume_a, volume_b:
        Oil volumes [m³]; by default the oil is incompressible.
    bulk_modulus:
        Bulk modulus $B$ [Pa].
    damping:
        Damping of the rod [N s/m].
    pressure:
        Pressure at the start [Pa].
    """
    g = Graph("cylinder")
    g.add("piston", One(), domain="translation")
    g.add("rod", Port())
    for side, area, volume in (("a", area_a, volume_a), ("b", area_b, volume_b)):
        if area is None:
            continue
        g.add(side, Port())
        g.add(f"p{side}", Zero(), domain="hydraulic")
        g.bond(side, f"p{side}")
        if volume is not None:
            g.add(f"C{side}", C(volume / bulk_modulus, initial=pressure * volume / bulk_modulus))
            g.bond(f"p{side}", f"C{side}")
        # force = area * pressure: seen from the chamber e1 = m e2 with m = 1/area; chamber b works against extension
        g.add(f"A{side}", TF(1.0 / area if side == "a" else -1.0 / area))
        g.bond(f"p{side}", f"A{side}")
        g.bond(f"A{side}", "piston")
    if damping is not None:
        g.add("d", R(damping))
        g.bond("piston", "d")
    g.bond("piston", "rod")
    return g


@explained
def valve(conductance: Value) -> Graph:
    r"""Orifice.

    $$Q = k\, \mathrm{sign}(\Delta p) \sqrt{|\Delta p|}$$

    Ports: `inlet`, `outlet` (pressure, volume flow). Element: orifice; its effort is the pressure drop.

    Parameters
    ----------
    conductance:
        Conductance $k$ [m³/s/Pa^0.5]: a number or an expression.
    """
    g = Graph("valve")
    for name, element in (("inlet", Port()), ("flow", One()), ("outlet", Port())):
        g.add(name, element)
    g.domains["flow"] = "hydraulic"
    g.add("orifice", R(flow=f"({conductance})*sign(effort)*sqrt(abs(effort))"))
    g.bond("inlet", "flow")
    g.bond("flow", "orifice")
    g.bond("flow", "outlet")
    return g


@explained
def accumulator(volume: float, precharge: float, exponent: float = 1.4, resistance: Value | None = None) -> Graph:
    r"""Gas accumulator.

    $$p = p_0 \left( \frac{V}{V - q} \right)^{n}$$

    Port: `inlet`. Elements: gas, and R, the resistance of its neck. $q$ is the oil that flowed in.

    Parameters
    ----------
    volume:
        Volume $V$ [m³].
    precharge:
        Pressure $p_0$ [Pa] at q = 0.
    exponent:
        Polytropic exponent $n$.
    resistance:
        Resistance of the neck [Pa s/m³].
    """
    g = Graph("accumulator")
    n = exponent
    energy = (
        f"{precharge}*{volume}*(({volume}/({volume} - q))^{n - 1.0} - 1)/{n - 1.0}"
        if n != 1.0
        else f"-{precharge}*{volume}*log(1 - q/{volume})"
    )
    g.add("inlet", Port())
    g.add("neck", One(), domain="hydraulic")
    g.add("gas", C(effort=f"{precharge}*({volume}/({volume} - q))^{n}", energy=energy))
    g.bond("inlet", "neck")
    g.bond("neck", "gas")
    if resistance is not None:
        g.add("R", R(resistance))
        g.bond("neck", "R")
    return g


@explained
def thermal_network(
    capacities: Mapping[str, float],
    resistances: Mapping[tuple[str, str], float],
    temperatures: Mapping[str, float] | None = None,
    ambient: Value | None = None,
) -> Graph:
    r"""Heated masses and resistances between them: a pseudo bond graph of temperatures and heat flows.

    $$C_i\, \dot T_i = \sum_j \frac{T_j - T_i}{R_{ij}} + Q_i$$

    Each node is a port of its name, for heat flow into it. Elements: C_node, R_a_b.

    Parameters
    ----------
    capacities:
        Node → heat capacity [J/K].
    resistances:
        Pair of nodes → thermal resistance [K/W]; "ambient" is the surroundings.
    temperatures:
        Node → temperature at the start [K].
    ambient:
        Temperature of the surroundings [K].
    """
    g = Graph("thermal network")
    start = temperatures or {}
    for name, capacity in capacities.items():
        g.add(name, Port())
        g.add(f"T_{name}", Zero(), domain="thermal")
        g.add(f"C_{name}", C(capacity, initial=capacity * start.get(name, 0.0)))
        g.bond(name, f"T_{name}")
        g.bond(f"T_{name}", f"C_{name}")
    if ambient is not None:
        g.add("surroundings", Se(ambient))
        g.add("T_ambient", Zero(), domain="thermal")
        g.bond("surroundings", "T_ambient")
    _between(g, resistances, "T_")
    return g


@explained
def electric_network(
    nodes: Sequence[str],
    resistors: Mapping[tuple[str, str], float] | None = None,
    capacitors: Mapping[tuple[str, str], float] | None = None,
    inductors: Mapping[tuple[str, str], float] | None = None,
) -> Graph:
    """Circuit between nodes; "earth" has the potential zero.

    Each node is a port of its name (potential, current in). Elements: R_a_b, C_a_b, L_a_b for each pair, with the arrow
    from a to b.

    Parameters
    ----------
    nodes:
        Names of the nodes.
    resistors, capacitors, inductors:
        Pair of nodes → value [ohm, F, H].
    """
    g = Graph("electric network")
    for name in nodes:
        g.add(name, Port())
        g.add(f"u_{name}", Zero(), domain="electric")
        g.bond(name, f"u_{name}")
    _between(g, resistors or {}, "u_")
    for letter, cls, given in (("C", C, capacitors), ("L", I, inductors)):
        for (a, b), value in (given or {}).items():
            _branch(g, f"{letter}_{a}_{b}", cls(value), a, b, "u_")
    return g


def _between(g: Graph, resistances: Mapping[tuple[str, str], float], prefix: str) -> None:
    for (a, b), value in resistances.items():
        _branch(g, f"R_{a}_{b}", R(value), a, b, prefix)


def _branch(g: Graph, name: str, element: R | C | I, a: str, b: str, prefix: str) -> None:
    g.add(name, element)
    if b == "earth":
        g.bond(f"{prefix}{a}", name)
        return
    g.add(f"{name}_flow", One())
    g.bond(f"{prefix}{a}", f"{name}_flow")
    g.bond(f"{name}_flow", f"{prefix}{b}")
    g.bond(f"{name}_flow", name)
