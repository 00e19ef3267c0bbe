"""A problem of two unknowns."""

import duoti as dt

s = dt.solve_lcp([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0])
print(s.ok, s.z.round(6), s.w.round(6))
