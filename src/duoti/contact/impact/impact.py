"""`solve_impact`: impact laws on plain matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from duoti.contact.impact.least_norm import share_out
from duoti.contact.solve.arguments import as_reals, is_symmetric
from duoti.contact.solve.friction_discs import Disc
from duoti.contact.solve.lcp import Reals, solve_lcp
from duoti.contact.solve.ncp import TOLERANCE, solve_ncp
from duoti.strict import explained

ImpactLaw = Literal["newton", "poisson", "stronge", "lzb", "sequential"]
LAWS = ("newton", "poisson", "stronge", "lzb", "sequential")
MOST_COLLISIONS = 100_000
GAIN = 1e-9  # of the energies involved: more than that is said
SWEEPS = 20_000


@dataclass(frozen=True)
class ImpactSolution:
    """What an impact does: impulses [N s] and velocities after it [m/s]."""

    p: Reals
    u: Reals
    """Velocities after the impact, u = W p + u_before."""
    energy_lost: float
    """[J]; negative if the law made energy."""
    ok: bool
    reason: str
    exchanged: float
    """[J] what the impulses gave and took at the most; gains beyond round-off of this are gains."""
    law: str
    """The law that was used: "stronge" for several contacts is that of Liu, Zhao and Brogliato ("lzb")."""

    @property
    def gains_energy(self) -> bool:
        """True if there is more energy after the impact than before: Newton's law with friction can do that."""
        return self.ok and self.energy_lost < -GAIN * self.exchanged


@explained
def solve_impact(
    W: ArrayLike,
    u: ArrayLike,
    friction: ArrayLike = 0.0,
    restitution: ArrayLike = 0.0,
    *,
    law: ImpactLaw = "newton",
    dimension: int = 3,
    stiffness: ArrayLike = 1.0,
    exponent: float = 1.5,
    round_off: float = 0.0,
) -> ImpactSolution:
    r"""Impulses of closed contacts, and the velocities after the impact.

    $$u^+ = u^- + W p$$

    Laws:

    - "newton": $u_N^+ = -e\, u_N^-$ for all contacts at once (Moreau 1988). With friction it can gain energy (Kane's
      paradox); `reason` then says so, and `energy_lost` is negative.
    - "poisson": compression, then expansion with $e$ times the impulses (Glocker and Pfeiffer 1995).
    - "stronge": $e^2$ is the part of the work of the normal force that is given back; it never gains energy.
    - "lzb": Liu, Zhao and Brogliato (2008), for waves through chains of contacts.
    - "sequential": collisions of two, contact after contact, until all have separated; no friction.

    Impulses that are not unique are those of least norm.

    Parameters
    ----------
    W:
        Symmetric Delassus matrix $G M^{-1} G^T$; the rows of a contact stand together, the normal first, bilateral rows
        last.
    u:
        Relative velocities before the impact [m/s]; negative normal ones approach.
    friction, restitution:
        One number, or one for each contact.
    law:
        The impact law.
    dimension:
        Rows of a contact: 3, 2 in the plane, 1 without friction.
    stiffness:
        Ratios of contact stiffnesses, for "lzb".
    exponent:
        Exponent of the contact springs, for "lzb": 1.5 (Hertz) or 1 (linear).
    round_off:
        Error of u [m/s].
    """
    W, u = as_reals(W, "W"), as_reals(u, "u")
    if W.ndim != 2 or u.ndim != 1 or W.shape != (len(u), len(u)):
        raise ValueError(f"W has the shape {W.shape} and u {u.shape}; they must be (n, n) and (n,)")
    if not (np.all(np.isfinite(W)) and np.all(np.isfinite(u))):
        raise ValueError("W and u must be finite")
    if not is_symmetric(W):
        raise ValueError("W is not symmetric: energies of an impact belong to one that is, G M^-1 G^T")
    if law not in LAWS:
        raise ValueError(f"law is {law!r}; it must be one of {', '.join(LAWS)}")
    mu = np.atleast_1d(np.asarray(friction, dtype=float))
    e = np.atleast_1d(np.asarray(restitution, dtype=float))
    contacts = max(len(mu), len(e))
    if contacts == 1 and np.ndim(friction) == 0 and np.ndim(restitution) == 0:
        contacts = len(u) // dimension
    mu, e = (np.ascontiguousarray(np.broadcast_to(each, contacts)) for each in (mu, e))
    if np.any(mu < 0.0) or np.any(e < 0.0) or np.any(e > 1.0):
        raise ValueError("friction must not be negative, restitution from 0 to 1")
    if dimension * contacts > len(u):
        raise ValueError(f"{contacts} contacts with {dimension} rows each do not fit into {len(u)} rows")
    rows = dimension * contacts
    inner = _without_bilateral(W, u, rows)
    Wc, uc, back, offset = inner
    k = np.ascontiguousarray(np.broadcast_to(np.asarray(stiffness, dtype=float), contacts))
    p, reason, used = _impulses(Wc, uc, mu, e, law, dimension, k, exponent, round_off)
    if not reason and used not in ("lzb", "sequential"):  # of which stiffness, or an order, says how they are shared
        p = share_out(Wc, p, uc, mu, dimension)
    impulses = np.concatenate([p, back @ p + offset])
    after = W @ impulses + u
    lost = -0.5 * float(impulses @ (u + after))
    ok = not reason
    scale = 0.5 * float(np.abs(impulses) @ (np.abs(u) + np.abs(after)))
    if ok and lost < -GAIN * scale:
        reason = f"solved; but this law makes {-lost:.4g} J of energy here"
    return ImpactSolution(impulses, after, lost, ok, reason or "solved", scale, used)


def _impulses(
    W: Reals, u: Reals, mu: Reals, e: Reals, law: str, dimension: int, stiffness: Reals, exponent: float, least: float
) -> tuple[Reals, str, str]:
    """Impulses of the contacts, what went wrong, and the law that was used."""
    contacts = len(mu)
    alone = contacts == 1
    if law == "newton":
        return *_newton(W, u, mu, e, dimension, least), law
    if law == "sequential":
        return *_sequential(W, u, mu, e, dimension), law
    if law in ("poisson", "stronge") and alone:
        return *_one_contact(W, u, float(mu[0]), float(e[0]), law, dimension), law
    if law == "poisson":
        return *_poisson(W, u, mu, e, dimension), law
    return *_chain(W, u, mu, e, dimension, stiffness, exponent), "lzb"


def _without_bilateral(W: Reals, u: Reals, rows: int) -> tuple[Reals, Reals, Reals, Reals]:
    """Matrix and velocities of the contacts alone; impulses of the bilateral rows are back p + offset."""
    n = len(u)
    if n == rows:
        return W, u, np.zeros((0, rows)), np.zeros(0)
    inverse = np.linalg.pinv(W[rows:, rows:], rcond=1e-12, hermitian=True)
    back, offset = -inverse @ W[rows:, :rows], -inverse @ u[rows:]
    Wc = W[:rows, :rows] + W[:rows, rows:] @ back
    return np.ascontiguousarray(0.5 * (Wc + Wc.T)), u[:rows] + W[:rows, rows:] @ offset, back, offset


def _newton(W: Reals, u: Reals, mu: Reals, e: Reals, dimension: int, least: float) -> tuple[Reals, str]:
    """Moreau's law: u_n + e u_n(before) takes the part of u_n in Coulomb's law."""
    q = u.copy()
    q[::dimension] += e * u[::dimension]
    return coulomb_impulses(W, q, mu, dimension, least)


def coulomb_impulses(W: Reals, q: Reals, mu: Reals, dimension: int, least: float = 0.0) -> tuple[Reals, str]:
    """Impulses with Coulomb's law, u = W p + q; without friction those of least norm if they are not unique.

    least: an error of u that does not matter.
    """
    if not np.any(mu) or dimension == 1:
        p = np.zeros(len(q))
        found = solve_lcp(W[::dimension, ::dimension], q[::dimension])
        p[::dimension] = found.z
        return p, "" if found.ok else found.reason
    tolerance = max(TOLERANCE, least / (float(np.max(np.abs(q), initial=0.0)) or 1.0))
    solved = solve_ncp(W, q, mu, dimension=dimension, tolerance=tolerance)
    if not solved.ok and dimension == 2:
        solved = solve_ncp(W, q, mu, dimension=dimension, model="pyramid")
    elif solved.ok:
        _make_exact(W, q, mu, dimension, solved.p)
    return solved.p, "" if solved.ok else solved.reason


def _make_exact(W: Reals, q: Reals, mu: Reals, dimension: int, p: Reals) -> None:
    """Bring impulses near the solution to it, in place: iterations end at a tolerance, Newton's method at round-off."""
    from duoti.contact.solve.dense_newton import EXACT, LAST_ITERATIONS, newton

    n, first = len(q), dimension * np.arange(len(mu) + 1)
    if np.min(np.diag(W)[first[:-1]]) <= 0.0:
        return  # contacts whose normal velocity no impulse changes: `solve_ncp` leaves them out
    enough = EXACT * float(np.max(np.abs(q), initial=0.0))
    newton(W, q, first, mu, p, np.zeros(n), np.zeros((n, n)), np.zeros((3, n)), LAST_ITERATIONS, enough)


def _poisson(W: Reals, u: Reals, mu: Reals, e: Reals, dimension: int) -> tuple[Reals, str]:
    from duoti.contact.impact.poisson_expansion import expand

    compressed, wrong = coulomb_impulses(W, u, mu, dimension)
    if wrong:
        return compressed, f"compression: {wrong}"
    between = W @ compressed + u
    least = np.ascontiguousarray(e * compressed[::dimension])
    if not np.any(mu) or dimension == 1:
        Wn, q = W[::dimension, ::dimension], between[::dimension] + W[::dimension, ::dimension] @ least
        found = solve_lcp(Wn, q)
        p = np.zeros(len(u))
        p[::dimension] = least + found.z
        return compressed + p, "" if found.ok else found.reason
    p, after = np.zeros(len(u)), np.zeros(len(u))
    first = dimension * np.arange(len(mu) + 1)
    status = expand(W, between, first, mu, least, p, after, SWEEPS, 1e-13)
    return compressed + p, "" if status == 0 else "expansion: the sweeps over the contacts did not converge"


def _one_contact(W: Reals, u: Reals, mu: float, e: float, law: str, dimension: int) -> tuple[Reals, str]:
    from duoti.contact.impact.planar import POISSON, STRONGE, planar_impact
    from duoti.contact.impact.spatial import spatial_impact

    kind = POISSON if law == "poisson" else STRONGE
    if mu == 0.0 or dimension == 1:
        p = np.zeros(len(u))
        p[0] = -(1.0 + e) * min(u[0], 0.0) / W[0, 0]
        return p, ""
    if dimension == 2:
        state = np.array([u[0], u[1], 0.0])
        pn = planar_impact(float(W[0, 0]), float(W[0, 1]), float(W[1, 1]), mu, e, kind, state)
        return np.array([pn, state[2]]), ""
    state = np.concatenate([u, np.zeros(3)])
    status = spatial_impact(W, mu, e, kind, state)
    return state[3:], "" if status == 0 else "the impact did not come to an end: the contact jams"


def _chain(
    W: Reals, u: Reals, mu: Reals, e: Reals, dimension: int, stiffness: Reals, exponent: float
) -> tuple[Reals, str]:
    size, contacts = dimension, range(len(mu))
    discs = [Disc(tuple(range(size * c + 1, size * c + size)), size * c, float(mu[c])) for c in contacts if size > 1]
    p, after = chain_impulses(W, u, size * np.arange(len(mu)), discs, e, stiffness, exponent)
    if after is None:
        return p, ""
    rest, wrong = coulomb_impulses(W, after, mu, dimension)  # what is left of a long sequence ends without rebound
    return p + rest, wrong


def chain_impulses(
    W: Reals, u: Reals, normals: Any, discs: list[Disc], e: Reals, stiffness: Any = 1.0, exponent: float = 1.5
) -> tuple[Reals, Reals | None]:
    """Impulses of the law of Liu, Zhao & Brogliato, and the velocities after them if it did not come to an end."""
    from duoti.contact.impact.chain import chain_impact

    p, after = np.zeros(len(u)), u.copy()
    normals = np.asarray(normals, np.int64)
    rows = np.array([(d.rows[0], d.rows[-1] + 1, d.owner) for d in discs], np.int64).reshape(-1, 3)
    radius = np.array([d.radius for d in discs], dtype=float)
    k = np.ascontiguousarray(np.broadcast_to(np.asarray(stiffness, dtype=float), len(normals)))
    W = np.ascontiguousarray(W)
    status = chain_impact(W, normals, rows, radius, e, k, float(exponent), after, p, np.zeros((3, len(u))))
    return p, after if status else None


def _sequential(W: Reals, u: Reals, mu: Reals, e: Reals, dimension: int) -> tuple[Reals, str]:
    if np.any(mu):
        raise ValueError('law "sequential" is for contacts without friction')
    normal: Any = slice(None, None, dimension)
    Wn, v, p = W[normal, normal], u[normal].copy(), np.zeros(len(u))
    still = 1e-12 * float(np.max(np.abs(v), initial=0.0))
    for _ in range(MOST_COLLISIONS):
        if np.all(v >= -still):
            return p, ""
        for c in range(len(mu)):
            if v[c] < -still:
                impulse = -(1.0 + e[c]) * v[c] / Wn[c, c]
                p[dimension * c] += impulse
                v += Wn[:, c] * impulse
    return p, f"the contacts had not separated after {MOST_COLLISIONS} rounds of collisions"
