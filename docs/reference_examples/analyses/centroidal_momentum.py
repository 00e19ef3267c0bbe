"""Momentum of a double pendulum about its mass centre, and the Jacobian of the mass centre."""

import duoti as dt
from duoti.examples import double_pendulum

m = double_pendulum.build()
found = dt.analyses.centroidal_momentum(m, [0.3, 0.5], [1.0, -2.0])
print(found.mass, found.mass_centre.round(3))
print((found.matrix @ [1.0, -2.0]).round(3))
print(found.mass_centre_jacobian.round(3))
