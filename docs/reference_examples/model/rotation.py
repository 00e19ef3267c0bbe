"""A rotation by 90 degrees about z, applied to a vector."""

import math

import duoti as dt

R = dt.Rotation.about("z", math.pi / 2)
print((R @ (1.0, 0.0, 0.0)).round(6), R.quaternion.round(6))
