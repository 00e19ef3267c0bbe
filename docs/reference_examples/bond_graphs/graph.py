"""A series circuit of source, resistor, inductor and capacitor."""

import duoti as dt

g = dt.bond.Graph("circuit")
g.add("loop", dt.bond.One())
g.add("source", dt.bond.Se(5.0))
g.add("R", dt.bond.R(2.0))
g.add("L", dt.bond.I(0.1))
g.add("C", dt.bond.C(0.01))
g.bond("source", "loop")
for name in ("R", "L", "C"):
    g.bond("loop", name)
r = dt.simulate(g, duration=1.0)
print(f"{r['C.effort'][-1]:.3f} V, {r['L.flow'][-1]:.4f} A")
