"""A ball with the restitution 0.8 on a floor."""

import duoti as dt

s = dt.contact.solve_impact([[2.0]], [-3.0], restitution=0.8, dimension=1)
print(s.ok, s.p.round(6), s.u.round(6))
