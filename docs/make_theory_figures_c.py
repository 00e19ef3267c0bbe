"""Make the pictures of docs/theory/10 to 13: `python docs/make_theory_figures_c.py [NAME ...]`."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image
from scipy.linalg import eigh
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc

import duoti as dt
from duoti.bond import GY, MGY, MTF, Graph, I, One, R, Se, Zero
from duoti.bond.element import Element

Array = NDArray[np.float64]
PICTURES = Path(__file__).parent / "pictures"
plt.rcParams |= {
    "font.size": 10,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def save(figure: Figure, name: str) -> None:
    """As a PNG of few colours."""
    stream = io.BytesIO()
    figure.savefig(stream, dpi=110, facecolor="white")
    plt.close(figure)
    Image.open(stream).convert("RGB").quantize(128).save(PICTURES / f"{name}.png", optimize=True)


# ---------------------------------------------------------------------------------------------------------- chapter 10


def theory_strain() -> None:
    """Strain of a bar that turns; four measures of a stretch."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    angle = np.linspace(0, 60, 61)
    left.plot(angle, 1.05 * np.cos(np.radians(angle)) - 1, "C3", label="small strain")
    left.plot(angle, np.full(61, 0.5 * (1.05**2 - 1)), "C0", label="Green-Lagrange")
    left.set(xlabel="rotation [degrees]", ylabel="strain along the bar")
    left.legend(frameon=False)
    stretch = np.linspace(0.5, 1.8, 66)
    measures = {"Green-Lagrange": 0.5 * (stretch**2 - 1), "small": stretch - 1, "Hencky": np.log(stretch),
                "Almansi": 0.5 * (1 - stretch**-2)}  # fmt: skip
    for (name, values), colour in zip(measures.items(), ("C0", "C3", "C2", "C1"), strict=True):
        right.plot(stretch, values, colour, label=name)
    right.set(xlabel="stretch", ylabel="strain", ylim=(-1.2, 1.2))
    right.legend(frameon=False)
    save(figure, "theory_strain")


def theory_floating_frame() -> None:
    """A bent rod in an attached frame and in that of Buckens."""
    n = 41
    s = np.linspace(0, 1, n)
    mass = np.full(n, 1 / n)
    x = np.cumsum(np.column_stack([np.cos(1.3 * s), np.sin(1.3 * s)]), axis=0) / n
    x -= x[0]
    r = np.column_stack([s * np.hypot(*(np.diff(x, axis=0).T)).sum(), 0 * s])
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained", sharey=True)
    centres = mass @ x, mass @ r
    U, _, V = np.linalg.svd((x - centres[0]).T @ ((r - centres[1]) * mass[:, None]))
    A = U @ V
    frames = {"attached frame": (np.zeros(2), np.eye(2)), "Buckens' frame": (centres[0] - A @ centres[1], A)}
    for axis, (name, (p, turn)) in zip(axes, frames.items(), strict=True):
        ghost = p + r @ turn.T
        axis.plot(*ghost.T, color="0.6", lw=5, solid_capstyle="round", label="undeformed")
        axis.plot(*x.T, "C0", lw=3, label="rod")
        for k in range(0, n, 4):
            axis.annotate("", x[k], ghost[k], arrowprops={"arrowstyle": "->", "color": "C3", "lw": 1})
        origin = p if name.startswith("attached") else p + turn @ centres[1]
        for k, letter in enumerate("xy"):
            axis.annotate(
                "", origin + 0.25 * turn[:, k], origin, arrowprops={"arrowstyle": "-|>", "color": "k", "lw": 1.6}
            )
            axis.text(*(origin + 0.25 * turn[:, k] + 0.06 * turn[:, 1 - k]), letter, ha="center", va="center")
        largest = np.linalg.norm(x - ghost, axis=1).max()
        axis.set(
            title=f"{name}: largest displacement {largest:.2f} L", aspect="equal", xlim=(-0.25, 1.1), ylim=(-0.2, 0.75)
        )
        axis.grid(visible=False)
    axes[0].legend(frameon=False, loc="upper left")
    save(figure, "theory_floating_frame")


# ---------------------------------------------------------------------------------------------------------- chapter 11


def theory_craig_bampton() -> None:
    """Constraint and fixed-interface modes of a beam; errors of its frequencies."""
    steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850)
    beam = dt.flexible.Structure.from_beam(dt.Beam(dt.Section.rectangle(0.02, 0.03), steel), 1.0, 40)
    M, K = beam.M.toarray(), beam.K.toarray()
    plane = np.sort(np.concatenate([np.arange(1, 246, 6), np.arange(5, 246, 6)]))  # y and the rotation about z
    M, K = M[np.ix_(plane, plane)], K[np.ix_(plane, plane)]
    ends = [0, 1, 80, 81]
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    x, basis = np.linspace(0, 1, 41), dt.craig_bampton(M, K, ends, 3).basis[::2]
    left.plot(x, basis[:, 2], "C3", label="end moves")
    left.plot(x, 3 * basis[:, 3], "C1", label="end turns (x 3)")
    for k, colour in enumerate(("C0", "C2", "C4")):
        shape = basis[:, 4 + k]
        left.plot(x, 0.5 * shape / abs(shape).max(), colour, ls="--", label=f"fixed-interface mode {k + 1}")
    left.set(xlabel="x / L", ylabel="displacement", ylim=(-0.6, 1.9))
    left.legend(frameon=False, ncol=2, fontsize=9, loc="upper left")
    exact = np.sqrt(np.maximum(eigh(K, M, eigvals_only=True), 0))[2:12]
    for modes, mark in ((2, "o"), (6, "s"), (12, "^")):
        found = dt.craig_bampton(M, K, ends, modes).frequencies()[2:12]
        right.semilogy(
            np.arange(1, len(found) + 1), found / exact[: len(found)] - 1, mark + "-", label=f"{modes} modes"
        )
    right.set(xlabel="number of the frequency", ylabel="relative error")
    right.legend(frameon=False)
    save(figure, "theory_craig_bampton")


def _turning_blade(body: dt.Flexible, speed: float) -> Array:
    m = dt.Model("blade", gravity=(0, 0, 0))
    m.add_body("blade", body)
    m.add_joint("hub", dt.Revolute("z"), m.ground, "blade", at=(0, 0, 0))
    m.add_constraint("drive", dt.JointMotion("hub", f"{speed}*t"))
    return dt.linearise(m, dt.equilibrium(m)).eigenvalues


def _ritz(speed: float, kappa: float) -> float:
    x, w = np.polynomial.legendre.leggauss(24)
    x, w, p = (x + 1) / 2, w / 2, np.arange(2, 11)[:, None]
    f, slope, bend = x**p, p * x ** (p - 1), p * (p - 1) * x ** (p - 2)
    K = (bend * w) @ bend.T + speed**2 * ((slope * w * (1 - x**2) / 2) @ slope.T - kappa * (f * w) @ f.T)
    return float(np.sqrt(np.linalg.eigvals(np.linalg.solve((f * w) @ f.T, K)).real.min()))


def theory_stiffening() -> None:
    """First frequencies of a turning blade over its speed."""
    unit = dt.Beam.from_stiffness(
        EA=1e6, GAy=1e8, GAz=1e8, GJ=100, EIy=1, EIz=1, mass_per_length=1, rotary_inertia=(2e-8, 1e-8, 1e-8)
    )
    stiffened, linear = (
        dt.Flexible.from_beam(unit, 1.0, 16, 12, interfaces={"root": "start"}, stiffening=k) for k in (True, False)
    )
    figure, axis = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    speeds = np.linspace(0, 8, 41)
    for kappa, name, colour in ((0, "flap", "C0"), (1, "lag", "C2")):
        axis.plot(speeds, [_ritz(speed, kappa) for speed in speeds], colour, label=f"{name}, Ritz")
    dots = np.linspace(0, 8, 11)
    values = [np.sort(found[found.imag > 0].imag) for found in (_turning_blade(stiffened, speed) for speed in dots)]
    axis.plot(dots, [v[1] for v in values], "C0o", label="flap, package")
    axis.plot(dots, [v[0] for v in values], "C2o", label="lag, package")
    axis.plot(speeds, np.sqrt(np.maximum(3.516**2 - speeds**2, 0)), "C3--", label="lag, linear modes")
    grow = [_turning_blade(linear, speed).real.max() for speed in speeds]
    axis.plot(speeds, grow, "C3:", label="their rate of growth")
    axis.set(xlabel="speed", ylabel="frequency", ylim=(-0.2, 10))
    axis.legend(frameon=False, ncol=2)
    save(figure, "theory_stiffening")


# ---------------------------------------------------------------------------------------------------------- chapter 12

SLIM = dt.Beam.from_stiffness(
    EA=1e6, GAy=1e6, GAz=1e6, GJ=1, EIy=1, EIz=1, mass_per_length=1, rotary_inertia=(2e-5, 1e-5, 1e-5)
)


def _cantilever(elements: int, force: float = 0.0, moment: float = 0.0, order: int = 1) -> Array:
    """Places of the nodes of a bent cantilever."""
    m = dt.Model("cantilever", gravity=(0, 0, 0))
    beam = m.add_beam("b", SLIM, start=(0, 0, 0), end=(1, 0, 0), elements=elements, order=order)
    m.add_joint("clamp", dt.Fixed(), m.ground, beam.start)
    m.add_force("P", dt.AppliedForce(beam.end, (0, 0, force)))
    m.add_force("M", dt.AppliedTorque(beam.end, (0, -moment, 0)))
    e = dt.equilibrium(m)
    return np.array([e[f"{node.name}.position"][[0, 2]] for node in beam.nodes])


def _elastica(load: float) -> Array:
    def limits(alpha: float) -> tuple[float, float]:
        return (1 + np.sin(alpha)) / 2, np.arcsin(np.sqrt(1 / (1 + np.sin(alpha))))

    def excess(alpha: float) -> float:
        k2, phi = limits(alpha)
        return ellipk(k2) - ellipkinc(phi, k2) - np.sqrt(load)

    alpha = brentq(excess, 1e-9, np.pi / 2 - 1e-12)
    k2, phi = limits(alpha)
    beta = np.sqrt(load)
    return np.array([np.sqrt(2 * np.sin(alpha)) / beta, 1 - 2 * (ellipe(k2) - ellipeinc(phi, k2)) / beta])


def theory_elastica() -> None:
    """Cantilevers under an end force and under an end moment."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
    for k, load in enumerate((1.0, 3.0, 10.0, 30.0)):
        left.plot(*_cantilever(16, force=load).T, f"C{k}", label=f"{load:.0f}")
        left.plot(*_elastica(load), "kx")
    left.legend(frameon=False, title="P L²/EI")
    left.set(aspect="equal", xlabel="x / L", ylabel="z / L")
    for k, part in enumerate((0.25, 0.5, 0.75, 1.0)):
        right.plot(*_cantilever(32, moment=2 * np.pi * part).T, f"C{k}", label=f"{part:g}")
        turn = 2 * np.pi * part * np.linspace(0, 1, 5)
        right.plot(np.sin(turn) / (2 * np.pi * part), (1 - np.cos(turn)) / (2 * np.pi * part), "kx")
    right.legend(frameon=False, title="M L/(2π EI)")
    right.set(aspect="equal", xlabel="x / L", ylabel="z / L")
    save(figure, "theory_elastica")


def _tip(n: int, GA: float, rule: str) -> float:
    h, stiff = 1 / n, 1 / (1 / GA + 1 / (12 * n**2)) if rule == "residual flexibility" else GA
    bend, gauss = np.array([0, -1 / h, 0, 1 / h]), 0.5 / np.sqrt(3)
    K = h * np.outer(bend, bend)
    for x, weight in ((0.5 - gauss, 0.5), (0.5 + gauss, 0.5)) if rule == "two points" else ((0.5, 1.0),):
        shear = np.array([-1 / h, x - 1, 1 / h, -x])
        K += stiff * h * weight * np.outer(shear, shear)
    whole = np.zeros((2 * n + 2, 2 * n + 2))
    for k in range(n):
        whole[2 * k : 2 * k + 4, 2 * k : 2 * k + 4] += K
    return float(np.linalg.inv(whole[2:, 2:])[-2, -2] / (1 / 3 + 1 / GA))


def theory_beam_elements() -> None:
    """Locking; convergence of segments and elements."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    stiffness = np.logspace(0, 6, 41)
    for rule, style in (("two points", "C3"), ("one point", "C1--"), ("residual flexibility", "C0")):
        left.semilogx(stiffness, [_tip(4, GA, rule) for GA in stiffness], style, label=rule)
    left.set(xlabel="GA L²/EI", ylabel="deflection / exact deflection", ylim=(0, 1.1))
    left.legend(frameon=False)
    exact = _cantilever(4, 10.0, order=8)[-1]  # of this beam, which shears a little
    counts = np.array([4, 8, 16, 32])
    ends: list[Array] = []
    for n in counts.tolist():
        m = dt.Model("segments", gravity=(0, 0, 0))
        part = m.add_segments("s", SLIM, (0, 0, 0), (1, 0, 0), segments=n)
        m.add_joint("clamp", dt.Fixed(), m.ground, part.start, at=(0, 0, 0))
        m.add_force("P", dt.AppliedForce(part.end, (0, 0, 10.0)))
        ends.append(dt.equilibrium(m)["s.end.position"][[0, 2]])
    right.loglog(counts, np.linalg.norm(ends - _elastica(10.0), axis=1), "s-", color="C1", label="finite segments")
    for order, mark, colour in ((1, "o", "C0"), (2, "^", "C2"), (4, "v", "C4")):
        which = counts[counts >= (order if order < 4 else 8)]
        found = [_cantilever(int(n // order), 10.0, order=order)[-1] for n in which]
        right.loglog(
            which, np.linalg.norm(found - exact, axis=1), mark + "-", color=colour, label=f"elements, order {order}"
        )
    right.set(xlabel="nodes beside the first", ylabel="error of the tip / L")
    right.set_xticks(counts, counts.tolist())
    right.minorticks_off()
    right.legend(frameon=False)
    save(figure, "theory_beam_elements")


# ---------------------------------------------------------------------------------------------------------- chapter 13


def _graph(name: str, elements: dict[str, Element], bonds: str) -> Graph:
    g = Graph(name)
    for key, element in elements.items():
        g.add(key, element)
    for bond in bonds.split(", "):
        g.bond(*bond.split())
    return g


def theory_bond_motor() -> None:
    """A DC motor."""
    elements = {
        "U": Se(240.0),
        "i": One(),
        "L": I(0.2),
        "R": R(10.0),
        "K": GY(0.157),
        "w": One(),
        "J": I(0.002),
        "b": R(4e-4),
    }
    g = _graph("motor", elements, "U i, i L, i R, i K, K w, w J, w b")
    places = {
        "U": (0, 0),
        "i": (1.2, 0),
        "L": (1.2, 1),
        "R": (1.2, -1),
        "K": (2.4, 0),
        "w": (3.6, 0),
        "J": (3.6, 1),
        "b": (3.6, -1),
    }
    g.draw(PICTURES / "theory_bond_motor.svg", positions=places)


def theory_bond_body() -> None:
    """The Euler junction structure."""
    elements = {f"w{k}": One() for k in "xyz"} | {f"h{k}": I(1.0) for k in "xyz"}
    elements |= {f"G{i}{j}": MGY(f"h{k}.momentum") for i, j, k in ("xyz", "yzx", "zxy")}
    bonds = [f"w{k} h{k}" for k in "xyz"]
    for i, j in ("xy", "yz", "zx"):
        bonds += [f"w{i} G{i}{j}", f"G{i}{j} w{j}"]
    places: dict[str, tuple[float, float]] = {}
    for k, axis in enumerate("xyz"):
        way = np.pi / 2 - 2 * np.pi * k / 3
        x, y = np.cos(way), np.sin(way)
        places[f"w{axis}"], places[f"h{axis}"] = (1.6 * x, 1.6 * y), (2.7 * x, 2.7 * y)
        places[f"G{axis}{'yzx'[k]}"] = (1.25 * np.cos(way - np.pi / 3), 1.25 * np.sin(way - np.pi / 3))
    _graph("rigid body", elements, ", ".join(bonds)).draw(PICTURES / "theory_bond_body.svg", positions=places)


def theory_bond_pendulum() -> None:
    """A planar pendulum with its two reactions as unknown efforts."""
    elements = {
        "vx": One(), "vz": One(), "w": One(), "mx": I(2.0), "mz": I(2.0), "J": I(1.0), "weight": Se(-19.6),
        "joint": MTF([[-1.0, 0.0, -0.3], [0.0, -1.0, 0.4]]), "cx": Zero(), "cz": Zero(), "Ux": Se(1.0), "Uz": Se(1.0),
    }  # fmt: skip
    bonds = "vx mx, vz mz, w J, weight vz, vx joint, vz joint, w joint, joint cx, joint cz, Ux cx, Uz cz"
    places = {
        "mx": (0, 1.1), "vx": (1.1, 1.1), "mz": (0, 0), "vz": (1.1, 0), "weight": (0.2, 0.6), "J": (0, -1.1),
        "w": (1.1, -1.1), "joint": (2.8, 0), "cx": (4.2, 0.7), "cz": (4.2, -0.7), "Ux": (5.3, 0.7), "Uz": (5.3, -0.7),
    }  # fmt: skip
    _graph("pendulum", elements, bonds).draw(PICTURES / "theory_bond_pendulum.svg", positions=places)


FIGURES = {each.__name__: each for name, each in list(globals().items()) if name.startswith("theory_")}


def main(names: list[str]) -> None:
    """All figures, or those of these names."""
    for name in names or FIGURES:
        FIGURES[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
