"""Diving board: a slender beam with a mass at its tip, in large deformation.

An aluminium board of 4 m by 0.4 m by 25 mm is clamped at one end and carries 60 kg at the other. It starts straight
and swings about its equilibrium, where the tip hangs half a metre lower. Twelve geometrically exact beam elements
model the board. The default solver is implicit, because axial vibrations of the board are a thousand times faster than
its swing. For small swings, a massless board with a tip mass has the stiffness 3 EI/L^3.
"""

from __future__ import annotations

import duoti as dt

DURATION = 3.0
PICTURE = {"channels": ["diver.position.z"]}

LENGTH, WIDTH, THICKNESS = 4.0, 0.4, 0.025  # m
MASS = 60.0  # kg, at the end
ALUMINIUM = dt.Material(youngs_modulus=7.0e10, poisson_ratio=0.33, density=2700.0, name="aluminium")


def build() -> dt.Model:
    """Drawn straight."""
    m = dt.Model("diving board")
    m.add_body("diver", dt.Inertia.sphere(MASS, 0.15), position=(LENGTH, 0, 0))
    board = dt.Beam(dt.Section.rectangle(width=WIDTH, height=THICKNESS), ALUMINIUM, damping_time=1e-3)
    beam = m.add_beam("board", board, start=(0, 0, 0), end=(LENGTH, 0, 0), up="z", elements=12)
    m.add_joint("clamp", dt.Fixed(), m.ground, beam.start)
    m.add_joint("feet", dt.Fixed(), beam.end, "diver", at=(LENGTH, 0, 0))
    return m


def stiffness() -> float:
    """Of the end of the board, for small deflections [N/m]."""
    return 3 * ALUMINIUM.youngs_modulus * WIDTH * THICKNESS**3 / 12 / LENGTH**3


def main() -> dt.Result:
    """Simulate; compare the equilibrium with the theory of small deflections."""
    m = build()
    r = dt.simulate(m, DURATION)
    print(r.summary())
    rest = dt.equilibrium(m)
    own = 2700.0 * WIDTH * THICKNESS * LENGTH
    small = (MASS + 3 / 8 * own) * 9.81 / stiffness()
    print(f"the diver hangs {-rest['diver.position'][2]:.4f} m down; small deflections would be {small:.4f} m")
    return r


if __name__ == "__main__":
    main()
