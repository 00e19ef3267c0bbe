"""A coin that rolls upright along a straight line."""

import duoti as dt

m = dt.Model("coin")
upright = dt.Rotation.about("x", 1.5707963267948966)
disc = dt.Inertia.cylinder(0.01, radius=0.02, length=0.002, axis="z")
coin = m.add_body("coin", disc, position=(0, 0, 0.02), rotation=upright)
m.add_joint("motion", dt.Free(), m.ground, coin, at=(0, 0, 0.02), v0=[0.2, 0.0, 0.0, 0.0, 10.0, 0.0])
m.add_constraint("rolling", dt.RollingDisc(coin, radius=0.02))
r = dt.simulate(m, duration=1.0)
print(r["coin.position"][-1].round(4), "m")
