"""A body that nothing holds."""

import duoti as dt

m = dt.Model("loose body")
m.add_body("block", dt.Inertia.point(1.0))
report = dt.check(m)
print(report.ok)
print(report)
