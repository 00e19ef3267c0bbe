"""Draw the figures of chapters 7, 8, 9 and 14 of the theory: `python docs/make_theory_figures_b.py [chapter ...]`.

Each goes to docs/pictures/theory/, as a PNG of few colours.
"""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from PIL import Image

import duoti as dt

mpl.use("Agg")
from matplotlib import pyplot as plt

PICTURES = Path(__file__).parent / "pictures" / "theory"
BLUE, GREY, RED, GREEN, ORANGE = "#2563eb", "#9ca3af", "#dc2626", "#059669", "#d97706"
plt.rcParams.update(
    {
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.color": "#e5e7eb",
        "grid.linewidth": 0.6,
        "axes.axisbelow": True,
        "legend.frameon": False,
        "lines.linewidth": 1.5,
        "figure.facecolor": "white",
    }
)


def save(figure: Any, name: str) -> None:
    """As a PNG of at most 64 colours."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    path = PICTURES / f"{name}.png"
    figure.savefig(path, dpi=150, bbox_inches="tight")
    plt.close(figure)
    Image.open(path).convert("RGB").quantize(64).save(path, optimize=True)
    print(path.name, path.stat().st_size // 1024, "kB")


# ---- chapter 7


def stability() -> None:
    """Stability regions of explicit methods; modulus of R on the negative real axis."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 3.6))
    x, y = np.meshgrid(np.linspace(-5.5, 1.5, 500), np.linspace(-4.2, 4.2, 500))
    z = x + 1j * y
    dopri5 = 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24 + z**5 / 120 + z**6 / 600
    polynomials = {
        "Euler": (GREY, 1 + z),
        "order 2": (ORANGE, 1 + z + z**2 / 2),
        "RK4": (BLUE, 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24),
        "DOPRI5": (RED, dopri5),
    }
    for name, (colour, R) in polynomials.items():
        left.contour(x, y, np.abs(R), levels=[1.0], colors=[colour], linewidths=1.5)
        left.plot([], [], color=colour, label=name)
    left.axvline(0, color="black", linewidth=0.6)
    left.set(xlabel="Re hλ", ylabel="Im hλ", title="|R| = 1 of explicit methods", aspect="equal")
    left.legend(loc="upper left", fontsize=8)
    s = np.logspace(-1, 3, 300)
    z = -s
    gamma = 1 - 0.5**0.5
    lines = {
        "RK4": (BLUE, 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24),
        "trapezoidal rule": (GREY, (1 + z / 2) / (1 - z / 2)),
        "two-stage Rosenbrock": (GREEN, (1 + (1 - 2 * gamma) * z) / (1 - gamma * z) ** 2),
        "Radau IIA, order 5": (RED, (1 + 2 / 5 * z + z**2 / 20) / (1 - 3 / 5 * z + 3 / 20 * z**2 - z**3 / 60)),
        "exact": ("black", np.exp(z)),
    }
    for name, (colour, R) in lines.items():
        right.loglog(s, np.abs(R), color=colour, label=name, linestyle=":" if name == "exact" else "-")
    right.set(xlabel="-hλ (real)", ylabel="|R|", ylim=(1e-4, 20), title="Damping of fast modes")
    right.legend(fontsize=8, loc="lower left")
    figure.tight_layout()
    save(figure, "07_stability")


def _amplification(wh: float, am: float, af: float, beta: float, gamma: float) -> Any:
    left = np.array([[1, 0, -beta], [0, 1, -gamma], [(1 - af) * wh**2, 0, 1 - am]])
    right = np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [-af * wh**2, 0, -am]])
    return np.linalg.eigvals(np.linalg.solve(left, right))


def alpha() -> None:
    """Spectral radius and error of the period of the Newmark family."""
    methods: dict[str, tuple[str, str, tuple[float, float, float, float]]] = {}
    for rho, colour in ((1.0, GREY), (0.8, BLUE), (0.5, GREEN), (0.0, RED)):
        am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        gamma = 0.5 + af - am
        methods[f"generalised-α, ρ = {rho:g}"] = (colour, "-", (am, af, (gamma + 0.5) ** 2 / 4, gamma))
    methods["HHT, α = 0.1"] = (ORANGE, "--", (0.0, 0.1, 1.1**2 / 4, 0.6))
    methods["Newmark, γ = 0.6"] = ("black", ":", (0.0, 0.0, 1.1**2 / 4, 0.6))
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 3.2))
    x = np.logspace(-2, 3, 300)
    low = np.linspace(0.01, 0.4, 100)
    for name, (colour, style, numbers) in methods.items():
        left.semilogx(
            x,
            [np.abs(_amplification(2 * math.pi * s, *numbers)).max() for s in x],
            color=colour,
            linestyle=style,
        )
        period = []
        for s in low:
            values = _amplification(2 * math.pi * s, *numbers)
            best = values[np.argmax(values.imag)]
            period.append(2 * math.pi * s / np.angle(best) - 1)
        right.plot(low, period, color=colour, linestyle=style, label=name)
    left.set(xlabel="h / period", ylabel="spectral radius", ylim=(0, 1.05), title="Damping per step")
    right.legend(fontsize=7.5, loc="upper left")
    right.set(xlabel="h / period", ylabel="relative error of the period", title="Error of the period")
    figure.tight_layout()
    save(figure, "07_alpha")


def energy() -> None:
    """Energy residual of a pendulum with RK4 and Verlet."""
    m = dt.Model("pendulum")
    m.add_body("bob", dt.Inertia.point(1.0), position=(0, 0, -1))
    m.add_joint("A", dt.Revolute("y"), m.ground, "bob", at=(0, 0, 0), q0=1.0)
    figure, axes = plt.subplots(figsize=(8.6, 2.6))
    for solver, colour, name in ((dt.Verlet(step=0.01), GREY, "Verlet"), (dt.RK4(step=0.05), RED, "RK4")):
        r = dt.simulate(m, 200.0, outputs=0.05, solver=solver)
        axes.plot(r.t, 1e3 * r.energy.residual, color=colour, label=f"{name}, step {solver.step:g} s", linewidth=0.9)
    axes.set(xlabel="time [s]", ylabel="energy residual [mJ]")
    axes.legend(loc="lower left")
    save(figure, "07_energy")


# ---- chapter 8


def bare(axes: Any) -> None:
    """A drawing, not a diagram."""
    axes.set_aspect("equal")
    axes.axis("off")


def arrow(axes: Any, start: Any, end: Any, text: str, colour: str, shift: tuple[float, float] = (4, 4)) -> None:
    """An arrow with a text at its end."""
    axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 1.5})
    axes.annotate(text, end, xytext=shift, textcoords="offset points", color=colour, fontsize=11)


def rod() -> None:
    """The rod over the floor, with gap, directions and force."""
    figure, axes = plt.subplots(figsize=(5.6, 2.9))
    bare(axes)
    axes.plot([-1.6, 1.9], [0, 0], color="black")
    for x in np.arange(-1.6, 1.8, 0.15):
        axes.plot([x, x + 0.1], [-0.1, 0], color=GREY, linewidth=0.8)
    angle = math.radians(50)
    end = np.array([0.3, 0.3])
    top = end + 1.5 * np.array([-math.cos(angle), math.sin(angle)])
    axes.plot(*np.column_stack([end, top]), color=BLUE, linewidth=6, solid_capstyle="round", alpha=0.8)
    middle = (end + top) / 2
    axes.plot(*middle, "o", color="white", markersize=5, markeredgecolor="black")
    axes.annotate("$m,\\ I$", middle, xytext=(8, 4), textcoords="offset points", fontsize=11)
    axes.plot([end[0] - 0.75, end[0]], [end[1]] * 2, ":", color="black", linewidth=0.9)
    turn = np.linspace(math.pi - angle, math.pi, 30)
    axes.plot(end[0] + 0.45 * np.cos(turn), end[1] + 0.45 * np.sin(turn), color="black", linewidth=0.9)
    axes.annotate("$\\varphi$", (end[0] - 0.62, end[1] + 0.18), fontsize=11)
    axes.annotate("", (end[0], 0), end, arrowprops={"arrowstyle": "<->", "color": GREY, "linewidth": 1.2})
    axes.annotate("gap $g$", (end[0], end[1] / 2), xytext=(6, -4), textcoords="offset points", color="#4b5563")
    base = np.array([1.2, 0.0])
    arrow(axes, base, np.add(base, (0, 0.6)), "$n$", "black")
    arrow(axes, base, np.add(base, (0.5, 0)), "$t$", "black", (2, 5))
    arrow(axes, end, np.add(end, (0, 0.85)), "$\\lambda_n$", RED)
    arrow(axes, end, np.add(end, (0.4, 0)), "$\\lambda_t$", RED, (2, 4))
    save(figure, "08_rod")


def routh_path(W: Any, u: Any, mu: float, e: float, law: str) -> list[tuple[Any, float, str]]:
    """Velocities, normal impulse and event at the corners of the path of a planar impact."""
    u, p, work, end = np.array(u, float), 0.0, 0.0, None
    path = [(u.copy(), p, "start")]
    while True:
        if abs(u[1]) > 1e-12:
            r = -mu * np.sign(u[1])
        else:
            r = -W[0, 1] / W[1, 1] if abs(W[0, 1]) <= mu * W[1, 1] else -mu * np.sign(W[0, 1])
        slope = W[:, 0] + r * W[:, 1]
        change = -u[1] / slope[1] if u[1] * slope[1] < -1e-15 else math.inf
        if end is None:
            last = -u[0] / slope[0] if slope[0] > 0 else math.inf
        elif law == "poisson":
            last = end - p
        else:
            last = (-u[0] + math.sqrt(u[0] ** 2 + 2 * slope[0] * (end - work))) / slope[0]
        dp = min(change, last)
        work += u[0] * dp + slope[0] * dp**2 / 2
        u, p = u + slope * dp, p + dp
        if change < last:
            u[1] = 0.0
            path.append((u.copy(), p, "slip ends"))
        elif end is None:
            end = (1 + e) * p if law == "poisson" else (1 - e**2) * work
            path.append((u.copy(), p, "compression ends"))
        else:
            path.append((u.copy(), p, law))
            return path


def routh() -> None:
    """An impact followed along the normal impulse; energy lost by three laws."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 3.6))
    W, u = np.array([[2.0, 1.5], [1.5, 3.0]]), (-1.0, -0.8)
    paths = {law: routh_path(W, u, 0.3, 0.7, law) for law in ("poisson", "stronge")}
    longest = max(paths.values(), key=lambda path: path[-1][1])
    points = np.array([each[0] for each in longest])
    left.plot(points[:, 1], points[:, 0], color=BLUE)
    for k in range(len(points) - 1):
        middle, way = points[k : k + 2].mean(axis=0), points[k + 1] - points[k]
        left.annotate("", middle[::-1] + 0.02 * way[::-1], middle[::-1], arrowprops={"arrowstyle": "->", "color": BLUE})
    for at, _, name in longest[:-1]:
        left.plot(at[1], at[0], "o", color=BLUE, markersize=4)
        left.annotate(name, (at[1], at[0]), xytext=(7, -4), textcoords="offset points", fontsize=8)
    for law, path in paths.items():
        at = path[-1][0]
        left.plot(at[1], at[0], "s", color=RED if law == "stronge" else ORANGE, markersize=5)
        left.annotate(f"end: {law.title()}", (at[1], at[0]), xytext=(8, -3), textcoords="offset points", fontsize=8)
    left.axhline(0, color="black", linewidth=0.6)
    left.axvline(0, color="black", linewidth=0.6)
    left.set(xlabel="slip $u_t$ [m/s]", ylabel="normal velocity $u_n$ [m/s]", xlim=(-0.9, 0.8))
    left.set_title("Slip, then reverse slip")
    W, u = np.array([[2.0, 2.2], [2.2, 3.0]]), [-1.0, -0.9]
    mu = np.linspace(0, 1.2, 121)
    for law, colour in (("newton", RED), ("poisson", ORANGE), ("stronge", BLUE)):
        lost = [dt.contact.solve_impact(W, u, m, 0.75, law=law, dimension=2).energy_lost for m in mu]
        right.plot(mu, lost, color=colour, label=law.title())
    right.axhline(0, color="black", linewidth=0.6)
    right.set(xlabel="coefficient of friction", ylabel="energy lost [J]", title="Newton's law may produce energy")
    right.legend()
    figure.tight_layout()
    save(figure, "08_routh")


def painleve() -> None:
    """Critical coefficient of friction of the rod."""
    figure, axes = plt.subplots(figsize=(5.6, 3.2))
    angle = np.radians(np.linspace(8, 86, 300))
    critical = (1 + 3 * np.cos(angle) ** 2) / (3 * np.sin(angle) * np.cos(angle))
    axes.plot(np.degrees(angle), critical, color=RED)
    axes.fill_between(np.degrees(angle), critical, 5, color=RED, alpha=0.12, linewidth=0)
    axes.plot(math.degrees(math.atan(2)), 4 / 3, "o", color=RED)
    axes.annotate("4/3", (math.degrees(math.atan(2)), 4 / 3), xytext=(-5, -14), textcoords="offset points")
    axes.text(50, 3.4, "no motion, or two", color=RED, ha="center")
    axes.text(30, 0.7, "one motion", ha="center")
    axes.set(xlabel="angle between rod and floor [°]", ylabel="coefficient of friction", xlim=(0, 90), ylim=(0, 5))
    save(figure, "08_painleve")


# ---- chapter 9


def code_of(page: str) -> dict[str, Any]:
    """What the Python blocks of a chapter define: figures show the code that the reader sees."""
    text = (Path(__file__).parent / "theory" / page).read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "page"}
    for block in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        exec(compile(block, page, "exec"), names)
    return names


def cone() -> None:
    """The cone of friction, its dual, and De Saxcé's shift, in a plane through the normal."""
    figure, axes = plt.subplots(figsize=(5.6, 3.0))
    bare(axes)
    mu, top = 0.5, 1.6
    axes.fill([0, -mu * top, mu * top], [0, top, top], color=BLUE, alpha=0.25, linewidth=0)
    for s in (-1, 1):
        axes.plot([0, s * mu * top], [0, top], color=BLUE)
        axes.plot([0, s * 2.1], [0, mu * 2.1], color=ORANGE)
    axes.fill([0, -2.1, -2.1, 2.1, 2.1], [0, mu * 2.1, top, top, mu * 2.1], color=ORANGE, alpha=0.12, linewidth=0)
    axes.plot([-2.2, 2.2], [0, 0], color="black", linewidth=0.8)
    axes.text(-0.15, 1.3, "$K_\\mu$", color=BLUE, fontsize=12, ha="center")
    axes.text(1.75, 1.3, "$K_\\mu^*$", color="#92400e", fontsize=12, ha="center")
    u = np.array([1.5, 0.0])
    arrow(axes, (0, 0), u, "$u$ (slides)", "black", (-12, -14))
    arrow(axes, (0, 0), np.add(u, (0, mu * 1.5)), "$\\tilde u$", RED, (6, -8))
    axes.annotate("", np.add(u, (0, mu * 1.5)), u, arrowprops={"arrowstyle": "-|>", "color": GREY, "linestyle": "--"})
    axes.annotate("$\\mu |u_t|\\, n$", np.add(u, (0, 0.3)), xytext=(6, -2), textcoords="offset points", color="#4b5563")
    arrow(axes, (0, 0), (-mu * 1.1, 1.1), "$p$", BLUE, (-14, 2))
    save(figure, "09_cone")


def solvers() -> None:
    """Residuals of Gauss-Seidel and Newton on a stack."""
    page = code_of("09_complementarity_and_time_stepping.md")
    figure, axes = plt.subplots(figsize=(6.4, 3.2))
    for top, colour in ((1, BLUE), (100, RED)):
        W, q = page["stack"](10, top)
        _, slow = page["sweeps"](W, q, 0.5, 1000)
        start, _ = page["sweeps"](W, q, 0.5, 3)
        _, fast = page["newton"](W, q, 0.5, start)
        axes.loglog(range(1, len(slow) + 1), slow, color=colour, label=f"Gauss-Seidel, top of {top} kg")
        axes.loglog(range(4, len(fast) + 4), fast, "o--", color=colour, markersize=3, label=f"Newton, top of {top} kg")
    axes.set(xlabel="sweeps, iterations", ylabel="residual of (9.6) [m/s]", ylim=(1e-10, 10))
    axes.legend(fontsize=8)
    save(figure, "09_solvers")


def moreau() -> None:
    """Path of a ball with long steps; error over the step."""
    page = code_of("09_complementarity_and_time_stepping.md")
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 3.2))
    exact = dt.simulate(page["m"], 2.0, outputs=4e-3, solver=dt.DOPRI5())["floor.gap"].ravel()
    left.plot(np.linspace(0, 2, len(exact)), exact, color=GREY, label="event-driven")
    path = page["bounce"](0.04, 2.0, 0.8, 1.0)
    left.plot(0.04 * np.arange(len(path)), path, "o-", color=BLUE, markersize=3, linewidth=0.8, label="step 40 ms")
    left.axhline(0, color="black", linewidth=0.6)
    left.set(xlabel="time [s]", ylabel="gap [m]")
    left.legend(fontsize=8)
    steps = 4e-3 / np.array([1, 2, 4, 8, 16, 32])
    errors = [np.abs(page["bounce"](h, 2.0, 0.8, 1.0)[:: round(4e-3 / h)] - exact).mean() for h in steps]
    right.loglog(steps, errors, "o-", color=BLUE)
    right.loglog(steps, errors[0] * steps / steps[0], ":", color="black", label="slope 1")
    right.set(xlabel="step [s]", ylabel="mean error of the path [m]")
    right.xaxis.set_minor_formatter("")
    right.legend(fontsize=8)
    figure.tight_layout()
    save(figure, "09_moreau")


# ---- chapter 14


def differences() -> None:
    """Error of difference quotients and of the complex step."""
    figure, axes = plt.subplots(figsize=(6.4, 3.2))
    x = 0.7
    true = math.cos(x) * math.exp(math.sin(x))

    def f(z: Any) -> Any:
        return np.exp(np.sin(z))

    h = np.logspace(-18, 0, 109)
    forward = np.abs((f(x + h) - f(x)) / h - true)
    central = np.abs((f(x + h) - f(x - h)) / (2 * h) - true)
    imaginary = np.abs(f(x + 1j * h).imag / h - true)
    for error, colour, name in (
        (forward, RED, "forward difference"),
        (central, ORANGE, "central difference"),
        (imaginary, BLUE, "complex step"),
    ):
        axes.loglog(h, np.maximum(error / true, 1e-17), color=colour, label=name)
    axes.set(xlabel="step", ylabel="relative error", ylim=(1e-17, 10))
    axes.invert_xaxis()
    axes.legend(fontsize=8)
    save(figure, "14_differences")


def saltation() -> None:
    """Neighbouring motions of a bouncing ball; the derivative of the height by the initial height."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 3.2))
    t, g, e = np.linspace(0, 0.9, 400), 9.81, 0.8
    for k, H in enumerate(np.linspace(0.8, 1.2, 5)):
        t1 = math.sqrt(2 * H / g)
        z = np.where(t < t1, H - g * t**2 / 2, e * g * t1 * (t - t1) - g / 2 * (t - t1) ** 2)
        left.plot(t, z, color=plt.colormaps["viridis"](k / 5), label=f"H = {H:.1f} m")
    left.axhline(0, color="black", linewidth=0.6)
    left.set(xlabel="time [s]", ylabel="height [m]")
    left.legend(fontsize=7.5)
    H = 1.0
    u, t1 = -math.sqrt(2 * g * H), math.sqrt(2 * H / g)
    after = -e - (1 + e) * g / u * (t - t1)
    right.plot(t, np.where(t < t1, 1.0, np.nan), color=BLUE, label="exact, with (14.16)")
    right.plot(t, np.where(t >= t1, after, np.nan), color=BLUE)
    right.plot(t, np.ones_like(t), "--", color=RED, label="time stepping, differentiated")
    right.plot([t1, t1], [1, -e], ":", color=GREY)
    right.set(xlabel="time [s]", ylabel="∂z/∂H", title="Derivative for H = 1 m")
    right.legend(fontsize=8, loc="center left")
    figure.tight_layout()
    save(figure, "14_saltation")


CHAPTERS = {
    "7": [stability, alpha, energy],
    "8": [rod, routh, painleve],
    "9": [cone, solvers, moreau],
    "14": [differences, saltation],
}


def main(names: list[str]) -> None:
    """All figures, or those of the chapters that are named."""
    for chapter in names or list(CHAPTERS):
        for figure in CHAPTERS[chapter]:
            figure()


if __name__ == "__main__":
    main(sys.argv[1:])
