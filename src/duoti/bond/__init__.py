"""Bond graphs: motors, hydraulics, circuits and heat, by themselves or connected to a mechanism.

g = dt.bond.Graph("oscillator")
g.add("m", dt.bond.I(2.0)), g.add("k", dt.bond.C(0.01)), g.add("v", dt.bond.One())
g.bond("v", "m"), g.bond("v", "k")
"""

from duoti.bond import library
from duoti.bond.elements import GY, MGY, MTF, TF, C, I, One, Port, R, Se, Sf, Zero
from duoti.bond.errors import BondGraphError
from duoti.bond.graph import Graph
from duoti.bond.ports import ForcePort, JointPort, LinePort, TorquePort, WrenchPort

__all__ = [
    "GY",
    "MGY",
    "MTF",
    "TF",
    "BondGraphError",
    "C",
    "ForcePort",
    "Graph",
    "I",
    "JointPort",
    "LinePort",
    "One",
    "Port",
    "R",
    "Se",
    "Sf",
    "TorquePort",
    "WrenchPort",
    "Zero",
    "library",
]
