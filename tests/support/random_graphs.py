"""Random linear bond graphs, and an independent, dense way to compute them: null spaces of all equations."""

from __future__ import annotations

import numpy as np

from duoti import bond

ROUND_OFF = 1e-9


def random_graph(rng: np.random.Generator) -> bond.Graph:
    """A tree of junctions with some loops, transformers and gyrators between, and one-ports at random."""
    g = bond.Graph("random")
    n = int(rng.integers(1, 7))
    for k in range(n):
        g.add(f"j{k}", bond.Zero() if rng.random() < 0.5 else bond.One())
    pairs = [(int(rng.integers(0, k)), k) for k in range(1, n)]
    if n > 2 and rng.random() < 0.4:
        a, b = rng.choice(n, 2, replace=False)
        pairs.append((int(a), int(b)))
    for k, (a, b) in enumerate(pairs):
        if rng.random() < 0.5:
            a, b = b, a
        kind = rng.random()
        if kind < 0.5:
            g.bond(f"j{a}", f"j{b}")
            continue
        ratio = float(rng.uniform(0.3, 3.0) * rng.choice([-1, 1]))
        g.add(f"t{k}", bond.TF(ratio) if kind < 0.75 else bond.GY(ratio))
        ends = [(f"j{a}", f"t{k}"), (f"t{k}", f"j{b}")]
        if rng.random() < 0.2:  # an arrow against the other one
            ends[1] = (f"j{b}", f"t{k}")
        for each in ends:
            g.bond(*each)
    for k in range(n):
        for i in range(int(rng.integers(1, 4))):
            value = float(rng.uniform(0.2, 3.0))
            cls = [bond.R, bond.C, bond.I, bond.R, bond.C, bond.I, bond.Se, bond.Sf][int(rng.integers(0, 8))]
            name = f"{cls.__name__}{k}_{i}"
            g.add(name, cls(value))
            source = cls in (bond.Se, bond.Sf)
            g.bond(*((name, f"j{k}") if source != (rng.random() < 0.2) else (f"j{k}", name)))
    return g


class Dense:
    """S w = X x + u, dx/dt = D w, with all storages as they stand; w = (efforts, flows)."""

    def __init__(self, g: bond.Graph):
        names = list(g.elements)
        n = len(g.bonds)
        ends = {name: [] for name in names}
        for k, (a, b, _) in enumerate(g.bonds):
            ends[a].append((k, -1))
            ends[b].append((k, 1))
        self.states = [name for name in names if g.elements[name].kind in "CI"]
        rows, X, u = [], [], []
        self.D = np.zeros((len(self.states), 2 * n))
        for name in names:
            element, here = g.elements[name], ends[name]
            kind = element.kind

            def put(terms, x=None, value=0.0, name=name):
                row, by = np.zeros(2 * n), np.zeros(len(self.states))
                for column, c in terms:
                    row[column] += c
                if x is not None:
                    by[self.states.index(name)] = x
                rows.append(row), X.append(by), u.append(value)

            if kind in "01":
                common, other = (0, n) if kind == "0" else (n, 0)
                for k, _ in here[1:]:
                    put([(common + here[0][0], 1.0), (common + k, -1.0)])
                put([(other + k, s) for k, s in here])
            elif kind in ("TF", "GY"):
                (a, sa), (b, sb) = here
                m, through = (element.m if kind == "TF" else element.r), -sa * sb
                if kind == "TF":
                    put([(a, 1.0), (b, -m)]), put([(n + b, 1.0), (n + a, -m * through)])
                else:
                    put([(a, 1.0), (n + b, -m * through)]), put([(b, 1.0), (n + a, -m)])
            else:
                ((k, s),) = here
                if kind == "R":
                    put([(k, 1.0), (n + k, -element.resistance * s)])
                elif kind == "C":
                    put([(k, 1.0)], x=1.0 / element.capacitance)
                    self.D[self.states.index(name), n + k] = s
                elif kind == "I":
                    put([(n + k, s)], x=1.0 / element.inertia)
                    self.D[self.states.index(name), k] = 1.0
                else:
                    put([(k if kind == "Se" else n + k, 1.0)], value=element.value)
        self.S, self.X, self.u = np.array(rows), np.array(X).reshape(len(rows), -1), np.array(u)
        U, s, _ = np.linalg.svd(self.S)
        left = U[:, np.sum(s > ROUND_OFF * s[0]) :]
        self.constraint, self.given = left.T @ self.X, left.T @ self.u  # constraint x + given = 0
        self.whole = np.vstack([self.S, self.constraint @ self.D])
        self.rank = np.linalg.matrix_rank(self.whole, tol=ROUND_OFF * s[0])

    @property
    def regular(self) -> bool:
        """Whether efforts and flows follow from the states, and the states have a common value to begin with."""
        possible = np.linalg.lstsq(self.constraint, -self.given, rcond=None)[0] if len(self.given) else 0.0
        left = self.constraint @ possible + self.given if len(self.given) else np.zeros(1)
        return self.rank == self.S.shape[1] and float(np.max(np.abs(left), initial=0.0)) < 1e-8

    def bonds(self, x: np.ndarray) -> np.ndarray:
        """w in a state that obeys the constraints."""
        right = np.concatenate([self.X @ x + self.u, np.zeros(len(self.constraint))])
        return np.linalg.lstsq(self.whole, right, rcond=None)[0]
