"""The drawings of force elements, constraints and contact laws."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.patches import Circle

from reference_maker.sketch import BLUE, GREY, INK, RED, Sketch

DRAWINGS: dict[str, Callable[[Sketch], None]] = {}


def drawing(*names: str) -> Callable[[Callable[[Sketch], None]], Callable[[Sketch], None]]:
    """Registers a drawing under `group/name`."""

    def keep(function: Callable[[Sketch], None]) -> Callable[[Sketch], None]:
        DRAWINGS.update(dict.fromkeys(names, function))
        return function

    return keep


def two_bodies(s: Sketch) -> tuple[tuple[float, float], tuple[float, float]]:
    """Bodies with a marker each; the markers."""
    s.body((1.3, 2.5), 1.9, 2.0)
    s.body((8.7, 2.5), 1.9, 2.0)
    s.point((2.0, 2.5), "a", (-0.3, 0.0))
    s.point((8.0, 2.5), "b", (0.3, 0.0))
    return (2.0, 2.5), (8.0, 2.5)


def hinge(s: Sketch, at: tuple[float, float] = (3.0, 1.6), angle: float = 30.0) -> tuple[float, float]:
    """A body on a hinge with its angle; the end of the body."""
    s.ground((at[0], at[1] - 0.5), 1.8)
    s.line([(at[0] - 0.4, at[1] - 0.5), at, (at[0] + 0.4, at[1] - 0.5)], INK, 1.4)
    a = np.radians(angle)
    tip = (at[0] + 4.6 * np.cos(a), at[1] + 4.6 * np.sin(a))
    s.body(((at[0] + tip[0]) / 2, (at[1] + tip[1]) / 2), 5.0, 0.45, angle=angle)
    s.line([at, (at[0] + 4.2, at[1])], GREY, 1.0, "--")
    s.pin(at)
    return tip


# ------------------------------------------------------------------------------------------------------------- forces


@drawing("forces/applied_force")
def _(s: Sketch) -> None:
    s.body((4.0, 2.3), 3.4, 2.0)
    s.point((5.0, 2.6), "marker", (-0.2, -0.45))
    s.arrow((5.0, 2.6), (8.0, 4.1), "$f(t, \\dots)$", shift=(0.3, -0.5))
    s.axes_at((0.8, 0.7))


@drawing("forces/applied_torque")
def _(s: Sketch) -> None:
    s.body((4.8, 2.5), 3.4, 2.0)
    s.point((4.8, 2.5), "marker", (0.0, -0.5))
    s.arc((4.8, 2.5), 1.9, -40, 220, "$\\tau(t, \\dots)$", out=0.35)
    s.axes_at((0.8, 0.7))


@drawing("forces/spring_damper")
def _(s: Sketch) -> None:
    a, b = two_bodies(s)
    s.spring_damper(a, b)
    s.arrow((a[0], 0.75), (b[0], 0.75), "$\\ell$", INK, (0, -0.35), both=True, width=1.0)


@drawing("forces/table_spring")
def _(s: Sketch) -> None:
    s.body((1.0, 3.7), 1.4, 1.4)
    s.body((5.0, 3.7), 1.4, 1.4)
    s.point((1.5, 3.7), "a", (-0.3, 0))
    s.point((4.5, 3.7), "b", (0.3, 0))
    s.spring((1.5, 3.7), (4.5, 3.7))
    s.arrow((6.2, 2.4), (9.7, 2.4), "", INK, width=1.0)
    s.arrow((7.9, 0.5), (7.9, 4.6), "", INK, width=1.0)
    x = np.array([-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5])
    y = np.array([-1.6, -0.7, -0.25, 0.0, 0.25, 0.7, 1.6])
    fine = np.linspace(-1.5, 1.5, 60)
    s.line(np.column_stack([7.9 + fine, 2.4 + 0.47 * fine**3 + 0.3 * np.sin(fine) * 0.15]), RED, 1.6)
    for p in zip(x, y, strict=True):
        s.point((7.9 + p[0], 2.4 + 0.47 * p[0] ** 3 + 0.045 * np.sin(p[0])), colour=RED)
    s.text((9.4, 2.05), "$\\ell - \\ell_0$", size=9)
    s.text((8.3, 4.5), "$T$")


@drawing("forces/line_force")
def _(s: Sketch) -> None:
    a, b = two_bodies(s)
    s.line([a, b], GREY, 1.2, "--")
    s.arrow(a, (4.0, 2.5), "$T$")
    s.arrow(b, (6.0, 2.5), "$T$")
    s.arrow((a[0], 1.1), (b[0], 1.1), "$\\ell$", INK, (0, -0.35), both=True, width=1.0)


@drawing("forces/rope")
def _(s: Sketch) -> None:
    s.ground((4.6, 4.4), 5.0, "above")
    for x in (2.6, 6.6):
        s.line([(x, 4.4), (x, 4.0)], INK, 1.4)
        s.pin((x, 3.9))
    s.line([(2.6, 1.6), (2.6, 3.9), (6.6, 3.9), (6.6, 1.1)], RED, 2.0)
    s.body((2.6, 1.1), 1.5, 1.0)
    s.body((6.6, 0.7), 1.7, 1.0)
    s.text((4.6, 3.5), "$T$ everywhere", RED)
    s.text((7.3, 3.9), "eye", INK)


@drawing("forces/gear_mesh")
def _(s: Sketch) -> None:
    s.wheel((3.2, 2.5), 1.3)
    s.wheel((6.9, 2.5), 2.1)
    s.spring((4.75, 1.2), (4.75, 2.3), turns=4)
    s.arrow((4.45, 3.4), (5.05, 3.4), "$b$", INK, (0, 0.35), both=True, width=1.0)
    s.text((2.4, 2.6), "$q_a, r_a$")
    s.text((7.2, 2.6), "$q_b, r_b$")
    s.text((5.0, 0.75), "$k, c$", RED)


@drawing("forces/reeving")
def _(s: Sketch) -> None:
    angle = np.linspace(np.pi, 0.0, 40)
    s.wheel((5.0, 2.9), 1.1)
    s.line(np.column_stack([5.0 + 1.15 * np.cos(angle), 2.9 + 1.15 * np.sin(angle)]), RED, 2.0)
    s.line([(3.85, 2.9), (3.85, 1.3)], RED, 2.0)
    s.line([(6.15, 2.9), (6.15, 1.0)], RED, 2.0)
    s.body((3.85, 0.8), 1.4, 0.9)
    s.body((6.15, 0.5), 1.6, 0.9)
    s.text((3.0, 2.1), "$T_{in}$", RED)
    s.text((6.5, 2.1), "$T_{out}$", RED)
    s.text((4.85, 3.2), "$\\varphi, \\mu$", INK)
    s.text((7.7, 3.7), "$T_{out} \\leq T_{in}\\, e^{\\mu\\varphi}$", RED)


@drawing("forces/tyre")
def _(s: Sketch) -> None:
    s.line([(1.0, 1.0), (9.0, 1.0)], INK, 1.6)
    s.wheel((5.0, 2.75), 1.8)
    s.pin((5.0, 2.75))
    s.arrow((5.0, 2.75), (7.6, 2.75), "$V_x$")
    s.arc((5.0, 2.75), 1.0, 130, 40, "$\\Omega$", BLUE)
    s.arrow((5.0, 1.0), (7.4, 1.0), "$F_x$", RED, (0.4, -0.4))
    s.arrow((5.0, -0.2), (5.0, 0.95), "$F_z$", RED, (0.4, -0.3))
    s.arrow((4.6, 2.75), (4.6, 1.05), "$R_l$", INK, (-0.4, 0.0), both=True, width=1.0)
    s.text((2.0, 4.2), "$\\kappa = (\\Omega R_e - V_x)/|V_x|$", INK)


@drawing("forces/point_gravity")
def _(s: Sketch) -> None:
    s.wheel((2.0, 2.5), 1.1)
    s.wheel((8.0, 2.5), 0.5)
    s.arrow((3.2, 2.5), (4.7, 2.5), "$T$")
    s.arrow((7.4, 2.5), (5.9, 2.5), "$T = G m_1 m_2 / \\ell^2$", shift=(-0.7, 0.6))
    s.arrow((2.0, 0.8), (8.0, 0.8), "$\\ell$", INK, (0, -0.35), both=True, width=1.0)


@drawing("forces/bushing")
def _(s: Sketch) -> None:
    s.body((1.3, 2.5), 1.9, 2.4)
    s.body((8.7, 2.5), 1.9, 2.4)
    s.axes_at((2.1, 2.5), 0.7)
    s.spring((2.3, 3.5), (7.8, 3.5))
    s.damper((2.3, 1.5), (7.8, 1.5))
    s.axes_at((7.6, 2.5), 0.7, angle=12, colour=BLUE)
    s.arc((5.0, 2.5), 0.55, -140, 140, "", RED)
    s.text((5.0, 4.4), "$k_x, k_y, k_z, k_{xx}, k_{yy}, k_{zz}$", RED)
    s.text((1.8, 2.2), "a")
    s.text((8.4, 2.3), "b", BLUE)


@drawing("forces/cartesian_spring")
def _(s: Sketch) -> None:
    s.ground((0.9, 2.7), 2.0, "left")
    s.ground((5.2, 0.5), 2.0)
    s.spring((0.9, 2.7), (4.3, 2.7))
    s.spring((5.2, 0.5), (5.2, 2.1), turns=4)
    s.body((5.2, 2.7), 1.8, 1.2, angle=20)
    s.point((5.2, 2.7), "b", (0.3, 0.2))
    s.text((2.6, 3.3), "$k_x$", RED)
    s.text((5.9, 1.2), "$k_z$", RED)
    s.axes_at((8.0, 1.6), 1.0, ("x", "z"))
    s.text((8.3, 3.6), "world axes", size=9)


@drawing("forces/coupling_spring")
def _(s: Sketch) -> None:
    s.wheel((1.8, 2.5), 1.3, "A", 1.0)
    s.wheel((8.2, 2.5), 1.3, "B", 0.6)
    s.spring((3.2, 2.5), (6.8, 2.5))
    s.text((5.0, 3.3), "$x = c_A q_A + c_B q_B$", RED)
    s.arc((1.8, 2.5), 1.6, 20, 80, "$q_A$")
    s.arc((8.2, 2.5), 1.6, 20, 80, "$q_B$")


@drawing("forces/joint_spring")
def _(s: Sketch) -> None:
    hinge(s)
    a = np.linspace(0, 4.5 * np.pi, 200)
    radius = 0.25 + 0.06 * a
    s.line(np.column_stack([3.0 + radius * np.cos(a), 1.6 + radius * np.sin(a)]), RED, 1.5)
    s.arc((3.0, 1.6), 2.4, 0, 28, "$q$", INK)
    s.text((1.3, 2.6), "$k, c$", RED)


@drawing("forces/joint_damping")
def _(s: Sketch) -> None:
    hinge(s)
    s.arc((3.0, 1.6), 2.4, 0, 28, "$v$", INK)
    s.arc((3.0, 1.6), 1.1, 200, 60, "$-c\\,v$", RED, out=0.55)


@drawing("forces/joint_torque")
def _(s: Sketch) -> None:
    hinge(s)
    s.arc((3.0, 1.6), 2.6, 0, 28, "$q$", INK)
    s.arc((3.0, 1.6), 1.1, 60, 250, "$\\tau(t, q, v)$", RED, out=0.9)


@drawing("forces/joint_friction")
def _(s: Sketch) -> None:
    s.wheel((2.6, 2.5), 1.7)
    s.axes.add_patch(Circle((2.6, 2.5), 0.8, fc="white", ec=INK, lw=1.4, zorder=3))
    s.line([(2.6, 2.5), (3.3, 2.11)], INK, 1.0, zorder=6)
    s.text((2.8, 2.05), "$r$", size=9)
    s.arrow((2.6, 4.9), (2.6, 3.35), "$N$", INK, (0.4, 0.3))
    s.arc((2.6, 2.5), 1.2, 150, 20)
    s.text((0.6, 4.4), "$\\mu r N$", RED)
    s.arrow((5.6, 2.5), (9.6, 2.5), "", INK, width=1.0)
    s.arrow((7.6, 0.5), (7.6, 4.6), "", INK, width=1.0)
    v = np.linspace(0, 1.9, 50)
    y = 0.9 + 0.6 * np.exp(-((v / 0.35) ** 2))
    s.line(np.column_stack([7.6 + v, 2.5 + y]), RED)
    s.line(np.column_stack([7.6 - v, 2.5 - y]), RED)
    s.line([(7.6, 1.0), (7.6, 4.0)], RED, 2.4)
    s.text((9.4, 2.15), "$v$")
    s.text((8.0, 4.5), "$|\\tau|$")


@drawing("forces/joint_motor")
def _(s: Sketch) -> None:
    s.body((1.7, 2.5), 2.2, 1.6, "motor")
    s.line([(2.8, 2.5), (4.0, 2.5)], INK, 3.0)
    s.wheel((4.5, 2.5), 0.9)
    s.arrow((6.3, 0.8), (9.8, 0.8), "", INK, width=1.0)
    s.arrow((6.3, 0.8), (6.3, 4.6), "", INK, width=1.0)
    s.line([(6.3, 3.9), (9.2, 0.8)], RED)
    s.line([(6.3, 2.35), (7.75, 0.8)], RED, 1.2, "--")
    s.text((5.9, 3.9), "$\\tau_s$", RED)
    s.text((9.2, 0.4), "$v_0$", RED)
    s.text((8.6, 2.4), "$u = 1$", RED, 9)
    s.text((7.2, 0.45), "$u = 0.5$", RED, 9)


@drawing("forces/one_way_clutch")
def _(s: Sketch) -> None:
    s.wheel((2.5, 2.5), 1.5)
    s.wheel((2.5, 2.5), 0.8)
    s.arrow((6.0, 1.2), (9.8, 1.2), "", INK, width=1.0)
    s.arrow((7.6, 0.6), (7.6, 4.6), "", INK, width=1.0)
    s.line([(6.0, 3.6), (7.6, 3.6), (7.6, 1.2), (9.4, 1.2)], RED, 2.0)
    s.text((7.9, 4.5), "$\\tau$")
    s.text((7.9, 3.6), "$T$", RED)
    s.text((9.7, 0.75), "$\\omega$")


@drawing("forces/joint_stop")
def _(s: Sketch) -> None:
    hinge(s, (2.2, 2.2), 8.0)
    s.ground((6.4, 0.75), 1.8)
    s.spring((6.4, 0.75), (6.4, 2.0), turns=4)
    s.line([(5.9, 2.0), (6.9, 2.0)], RED, 2.0)
    s.text((7.2, 1.4), "$k, c$", RED)
    s.arc((2.2, 2.2), 3.2, 30, 14, "limit", INK, 0.7)


def _beam(s: Sketch, nodes: int = 2, text: str = "$EA,\\ EI,\\ GJ,\\ GA$", frames: bool = True) -> None:
    x = np.linspace(1.5, 8.5, 80)
    y = 1.3 + 0.045 * (x - 1.5) ** 2
    s.line(np.column_stack([x, y]), RED, 5.0)
    s.line(np.column_stack([x, y]), "white", 0.8, "--", 5)
    slope = np.degrees(np.arctan(0.09 * 7.0))
    if frames:
        s.axes_at((1.5, 1.3), 1.1, ("x", "z"))
        s.axes_at((8.5, y[-1]), 1.1, ("x", "z"), slope)
    if nodes == 2:
        s.point((1.5, 1.3), "a", (-0.35, -0.3))
        s.point((8.5, y[-1]), "b", (0.0, -0.45))
    else:
        places = 5.0 - 3.5 * np.cos(np.linspace(0, np.pi, nodes)) if frames else np.linspace(1.5, 8.5, nodes)
        for k, place in enumerate(places):
            s.point((place, 1.3 + 0.045 * (place - 1.5) ** 2), f"{k}", (0.25, -0.35))
    s.text((4.6, 3.2), text, RED)


@drawing("forces/beam_element")
def _(s: Sketch) -> None:
    _beam(s)


@drawing("forces/spectral_beam_element")
def _(s: Sketch) -> None:
    _beam(s, 5)


@drawing("forces/thin_beam")
def _(s: Sketch) -> None:
    _beam(s, 6, "$EA,\\ EI$", frames=False)


@drawing("forces/beam_load")
def _(s: Sketch) -> None:
    s.ground((1.0, 1.5), 2.0, "left")
    s.line([(1.0, 1.5), (9.0, 1.5)], BLUE, 5.0)
    tops = [(x, 1.7 + 0.28 * (x - 1.0) ** 0.95) for x in np.linspace(2.0, 9.0, 8)]
    for x, y in tops:
        s.arrow((x, y + 0.3), (x, 1.65))
    s.line([(x, y + 0.3) for x, y in tops], RED, 1.4)
    s.text((4.0, 3.6), "$f(s, t)$", RED)
    s.arrow((1.0, 0.7), (5.0, 0.7), "$s$", INK, (0, -0.35), width=1.0)


def _mesh(s: Sketch) -> None:
    s.ground((0.9, 1.7), 2.4, "left")
    for k in range(7):
        s.line([(0.9 + 1.1 * k, 0.9), (0.9 + 1.1 * k, 2.5)], BLUE, 1.0)
    for y in (0.9, 1.7, 2.5):
        s.line([(0.9, y), (7.5, y)], BLUE, 1.0)


@drawing("forces/nodal_force")
def _(s: Sketch) -> None:
    _mesh(s)
    for y in (0.9, 1.7, 2.5):
        s.point((7.5, y), colour=RED)
        s.arrow((7.5, y), (8.8, y + 0.5), "$f/n$" if y == 2.5 else "", shift=(0.9, 0.4))


@drawing("forces/surface_pressure")
def _(s: Sketch) -> None:
    _mesh(s)
    for k in range(6):
        s.arrow((1.45 + 1.1 * k, 3.7), (1.45 + 1.1 * k, 2.6))
    s.line([(1.45, 3.7), (6.95, 3.7)], RED, 1.4)
    s.text((4.2, 4.2), "$p(t)$", RED)


@drawing("forces/surface_traction")
def _(s: Sketch) -> None:
    _mesh(s)
    for k in range(6):
        s.arrow((1.0 + 1.1 * k, 2.95), (1.9 + 1.1 * k, 2.6))
    s.text((4.2, 3.6), "$(p_x, p_y, p_z)$", RED)


# -------------------------------------------------------------------------------------------------------- constraints


@drawing("constraints/distance")
def _(s: Sketch) -> None:
    a, b = two_bodies(s)
    s.line([a, b], RED, 2.4)
    s.arrow((a[0], 1.1), (b[0], 1.1), "$\\ell(t)$", INK, (0, -0.4), both=True, width=1.0)


@drawing("constraints/point_on_line")
def _(s: Sketch) -> None:
    s.body((2.6, 2.0), 4.2, 1.6, "a", 15)
    s.line([(0.4, 1.9), (9.4, 4.3)], RED, 1.6, "--")
    s.body((8.0, 2.9), 1.6, 1.6)
    s.point((7.4, 3.77), "b", (0.25, 0.4), RED)
    s.text((5.3, 3.7), "axis", RED)


@drawing("constraints/point_on_plane")
def _(s: Sketch) -> None:
    s.axes.fill([1.0, 7.0, 9.0, 3.0], [0.8, 0.8, 2.2, 2.2], fc="#fee2e2", ec=RED, lw=1.2)
    s.arrow((3.2, 1.5), (3.2, 3.3), "$n$", RED, (0.35, 0.3))
    s.body((6.6, 2.6), 1.6, 1.4)
    s.point((6.0, 1.6), "b", (-0.35, 0.0), RED)
    s.line([(6.0, 1.6), (6.2, 2.0)], BLUE, 1.2)
    s.text((3.0, 1.1), "a")


def _axes_of_two(s: Sketch, second: float, label: str) -> None:
    s.body((2.4, 2.0), 2.2, 1.6, "a")
    s.body((7.2, 2.0), 2.2, 1.6, "b")
    s.arrow((2.4, 2.9), (2.4, 4.5), "axis a", RED, (-0.8, 0.4))
    a = np.radians(second)
    s.arrow((7.2, 2.9), (7.2 + 1.6 * np.cos(a), 2.9 + 1.6 * np.sin(a)), "axis b", RED, (0.85, 0.3))
    s.text((4.8, 3.7), label, RED)


@drawing("constraints/parallel")
def _(s: Sketch) -> None:
    _axes_of_two(s, 90.0, "parallel")


@drawing("constraints/perpendicular")
def _(s: Sketch) -> None:
    _axes_of_two(s, 0.0, "90°")


@drawing("constraints/angle")
def _(s: Sketch) -> None:
    _axes_of_two(s, 55.0, "angle $\\varphi$")


@drawing("constraints/weld")
def _(s: Sketch) -> None:
    s.body((3.1, 2.5), 3.6, 1.6, "a")
    s.body((6.9, 2.5), 3.6, 1.6, "b")
    for y in (1.8, 2.15, 2.5, 2.85, 3.2):
        s.line([(4.8, y - 0.1), (5.2, y + 0.1)], RED, 2.0, zorder=6)
    s.axes_at((5.0, 3.6), 0.9)


@drawing("constraints/gear")
def _(s: Sketch) -> None:
    s.wheel((3.2, 2.5), 1.2, "A", 0.9)
    s.wheel((6.6, 2.5), 2.2, "B", 2.4)
    s.arc((3.2, 2.5), 1.5, 110, 170, "$q_a$")
    s.arc((6.6, 2.5), 1.6, 80, 20, "$q_b = i\\,q_a$", out=-0.6)


@drawing("constraints/belt")
def _(s: Sketch) -> None:
    s.wheel((2.2, 2.5), 0.8, "A", 0.7)
    s.wheel((7.4, 2.5), 1.6, "B", 0.7)
    beta = np.arcsin(0.8 / 5.2)
    for sign in (1, -1):
        n = np.array([-np.sin(beta), np.cos(beta) * sign])
        s.line([(2.2 + 0.8 * n[0], 2.5 + 0.8 * n[1]), (7.4 + 1.6 * n[0], 2.5 + 1.6 * n[1])], RED, 2.0)
    s.text((1.55, 3.55), "$r_a$")
    s.text((9.4, 3.6), "$r_b$")


@drawing("constraints/rack_and_pinion")
def _(s: Sketch) -> None:
    s.wheel((4.2, 2.4), 1.3, "", 1.2)
    s.body((5.0, 0.75), 8.0, 0.7)
    teeth = [(1.2 + 0.2 * k, 1.1 + (0.16 if k % 2 else 0.0)) for k in range(39)]
    s.line(teeth, BLUE, 1.2)
    s.arc((4.2, 2.4), 1.6, 140, 60, "$q$")
    s.arrow((6.4, 1.7), (8.4, 1.7), "$x = r\\,q$")


@drawing("constraints/screw_coupling")
def _(s: Sketch) -> None:
    s.line([(0.8, 1.5), (9.2, 1.5)], INK, 1.0)
    zig = [(1.2 + 0.25 * k, 1.5 + (0.3 if k % 2 else -0.3)) for k in range(31)]
    s.line(zig, GREY, 1.2)
    s.body((5.0, 2.2), 2.0, 1.9, "slide")
    s.arc((9.1, 1.5), 0.7, -120, 120, "")
    s.text((9.2, 2.7), "turn $q$", RED)
    s.arrow((5.0, 3.7), (7.4, 3.7), "$x = p\\,q / 2\\pi$")


@drawing("constraints/coupler")
def _(s: Sketch) -> None:
    for x, name in ((1.8, "A"), (5.0, "B"), (8.2, "C")):
        s.wheel((x, 3.1), 1.1, name, 0.8)
        s.arc((x, 3.1), 1.35, 30, 80)
    s.text((5.0, 0.9), "$c_A q_A + c_B q_B + c_C q_C = b(t)$", RED, 11)


@drawing("constraints/cam")
def _(s: Sketch) -> None:
    a = np.linspace(0, 2 * np.pi, 120)
    radius = 1.1 + 0.6 * np.exp(-(((a - np.pi / 2) / 0.6) ** 2))
    s.axes.fill(3.0 + radius * np.cos(a), 1.7 + radius * np.sin(a), fc="#dbeafe", ec=BLUE, lw=1.4)
    s.pin((3.0, 1.7))
    s.arc((3.0, 1.7), 1.5, 200, 150, "$q_d$")
    s.body((3.0, 4.1), 0.5, 1.4)
    s.arrow((3.6, 3.6), (3.6, 4.6), "$q_f$", RED, (0.4, 0))
    s.arrow((5.6, 1.0), (9.8, 1.0), "$q_d$", INK, (1.9, -0.35), width=1.0)
    s.arrow((5.6, 1.0), (5.6, 4.4), "$q_f$", INK, (-0.4, 1.4), width=1.0)
    x = np.linspace(0, 4, 80)
    s.line(np.column_stack([5.6 + x, 1.3 + 2.2 * np.exp(-(((x - 2) / 0.7) ** 2))]), RED)


@drawing("constraints/joint_motion")
def _(s: Sketch) -> None:
    hinge(s)
    s.arc((3.0, 1.6), 2.6, 0, 28, "$q = q(t)$", RED, 0.95)


@drawing("constraints/marker_motion")
def _(s: Sketch) -> None:
    x = np.linspace(1.0, 8.0, 80)
    y = 2.6 + 0.9 * np.sin(x)
    s.line(np.column_stack([x, y]), RED, 1.4, "--")
    s.body((6.3, 2.2), 2.2, 1.2, angle=-20)
    s.point((5.6, 2.6 + 0.9 * np.sin(5.6)), "", colour=RED)
    s.text((3.0, 4.2), "$(x(t), y(t), z(t))$", RED)
    s.axes_at((0.6, 0.6))


@drawing("constraints/equation")
def _(s: Sketch) -> None:
    a = np.linspace(0, 2 * np.pi, 100)
    s.line(np.column_stack([3.0 + 1.9 * np.cos(a), 2.5 + 1.9 * np.sin(a)]), RED, 1.4, "--")
    s.body((5.2, 4.0), 1.2, 0.9, angle=30)
    s.point((3.0 + 1.9 * np.cos(0.7), 2.5 + 1.9 * np.sin(0.7)), colour=RED)
    s.arrow((3.0, 2.5), (3.0 + 1.8 * np.cos(0.7), 2.5 + 1.8 * np.sin(0.7)), "", INK, width=1.0)
    s.text((7.4, 1.4), "$g(q, t) = 0$", RED, 12)


@drawing("constraints/knife_edge")
def _(s: Sketch) -> None:
    x = np.linspace(0.8, 9.0, 80)
    y = 1.5 + 0.9 * np.sin(0.7 * x)
    s.line(np.column_stack([x, y]), GREY, 1.2, "--")
    at = (6.0, 1.5 + 0.9 * np.sin(4.2))
    angle = np.degrees(np.arctan(0.63 * np.cos(4.2)))
    s.body(at, 2.2, 0.35, angle=angle)
    n = np.array([-np.sin(np.radians(angle)), np.cos(np.radians(angle))])
    e = np.array([n[1], -n[0]])
    s.arrow(at, np.array(at) + 2.2 * e, "$\\dot r$", BLUE, (0.3, 0.35))
    s.arrow(at, np.array(at) + 1.8 * n, "axis: no velocity", RED, (0.6, 1.1))


@drawing("constraints/rolling_disc", "constraints/rolling_sphere")
def _(s: Sketch) -> None:
    s.ground((5.0, 0.8), 9.0)
    s.wheel((4.2, 2.4), 1.6, "", 0.9)
    s.arc((4.2, 2.4), 1.9, 130, 70, "$\\omega$")
    s.arrow((4.2, 2.4), (6.9, 2.4), "$\\dot r$")
    s.point((4.2, 0.8), "no slip", (2.4, 0.4), RED)
    s.arrow((8.6, 0.8), (8.6, 2.2), "$n$", INK, (0.35, 0.3), width=1.1)


# ----------------------------------------------------------------------------------------------------------- contacts


@drawing("contacts/rigid_contact")
def _(s: Sketch) -> None:
    s.ground((2.9, 0.9), 4.8)
    s.body((2.9, 2.1), 2.4, 2.0)
    s.text((3.7, 2.7), "b", BLUE)
    s.text((4.9, 1.2), "a", INK)
    s.arrow((2.9, 1.0), (2.9, 2.6), "$\\lambda_N$", RED, (-0.5, 0.3))
    s.arrow((2.9, 1.0), (1.0, 1.0), "$\\lambda_T$", RED, (-0.7, 0.4))
    s.arrow((6.0, 1.0), (9.8, 1.0), "$g_N$", INK, (1.7, -0.4), width=1.0)
    s.arrow((6.4, 0.6), (6.4, 4.6), "$\\lambda_N$", INK, (0.5, 1.8), width=1.0)
    s.line([(6.4, 4.2), (6.4, 1.0), (9.3, 1.0)], RED, 2.6)


@drawing("contacts/compliant_contact")
def _(s: Sketch) -> None:
    s.ground((2.7, 1.2), 4.6)
    s.wheel((2.7, 2.3), 1.3, "b")
    s.spring((1.2, 1.1), (1.2, 2.9), turns=4)
    s.damper((4.2, 1.1), (4.2, 2.9))
    s.text((2.7, 0.6), "$d$", RED)
    s.arrow((5.9, 1.0), (9.8, 1.0), "$d$", INK, (1.8, -0.4), width=1.0)
    s.arrow((5.9, 1.0), (5.9, 4.6), "$F_N$", INK, (0.5, 1.6), width=1.0)
    x = np.linspace(0, 3.2, 60)
    s.line(np.column_stack([5.9 + x, 1.0 + 0.58 * x**1.5]), RED, 2.0)
    s.text((8.3, 3.6), "$k\\,d^{\\,n}$", RED)


@drawing("contacts/rolling_contact")
def _(s: Sketch) -> None:
    s.line([(0.6, 0.9), (5.2, 0.9)], INK, 3.0)
    s.wheel((2.7, 2.4), 1.5, "b", 1.0)
    s.arc((2.7, 2.4), 1.8, 130, 70, "$\\omega$")
    s.arrow((2.7, 2.4), (4.9, 2.4), "$V$")
    s.arrow((2.7, 0.9), (0.9, 0.9), "$F_x$", RED, (-0.6, -0.4))
    s.arrow((6.2, 1.0), (9.8, 1.0), "creepage $v_x / V$", INK, (0.2, -0.45), width=1.0)
    s.arrow((6.2, 1.0), (6.2, 4.6), "$F_x$", INK, (0.5, 1.6), width=1.0)
    x = np.linspace(0, 3.3, 60)
    s.line(np.column_stack([6.2 + x, 1.0 + 2.6 * np.tanh(x)]), RED, 2.0)
    s.line([(6.2, 3.6), (9.6, 3.6)], GREY, 1.0, "--")
    s.text((9.2, 3.95), "$\\mu N$", size=9)


@drawing("forces/slider")
def _(s: Sketch) -> None:
    s.line([(0.8, 2.6), (2.9, 2.1), (5.0, 1.9), (7.1, 2.1), (9.2, 2.6)])
    for k, at in enumerate(((0.8, 2.6), (2.9, 2.1), (5.0, 1.9), (7.1, 2.1), (9.2, 2.6))):
        s.point(at, f"node {k + 1}", (0.0, -0.45))
    s.body((4.0, 3.9), 1.5, 0.9, "slider")
    s.spring_damper((4.0, 3.4), (4.0, 2.05))
    s.arrow((4.0, 1.98), (5.6, 1.9), "$v$", shift=(0.9, 0.35))
