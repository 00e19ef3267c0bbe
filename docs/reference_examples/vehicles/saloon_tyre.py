"""Cornering stiffness of the tyre that cars have by default."""

import duoti as dt

tyre = dt.vehicle.saloon_tyre()
print(f"{tyre.kind}: {tyre.forces(load=4000.0).cornering_stiffness:.0f} N/rad at 4 kN")
