"""What checks of a compiled model are given: the system, its tree, its initial state, each computed when asked for."""

from __future__ import annotations

import warnings
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from duoti.model.errors import ModelError
from duoti.model.mechanism.choose_tree import relative_tree
from duoti.model.mechanism.mobility import LoopGroup, lasting, mobility
from duoti.model.model import Model
from duoti.topology import Topology

if TYPE_CHECKING:
    from duoti.analyses.simulate.choose_solver import SolverChoice
    from duoti.analyses.states.assemble import NearlyClosedWarning
    from duoti.system.arrays import Reals
    from duoti.system.system import System


class CheckContext:
    """A model without structural errors, and what follows from it."""

    choice: SolverChoice | None = None
    """The solver that a simulation would take, once the check of the solver ran."""

    def __init__(self, model: Model) -> None:
        self.model = model
        """As the user described it, with free joints only at nodes of beams that need one."""
        self.nearly_closed: list[NearlyClosedWarning] = []
        """What the assembly of the initial state warned about."""

    @property
    def may_be_open(self) -> bool:
        """Whether there are loops or constraints that must be closed."""
        return len(self.model.joints) > len(self.model.bodies) or bool(self.model.constraints)

    @cached_property
    def system(self) -> System:
        """The compiled model; raises ModelError if there is none."""
        from duoti.system.compile.compiler import compile_model

        return compile_model(self.model)

    @cached_property
    def topology(self) -> Topology:
        """The tree of a simulation."""
        if not self.may_be_open:
            return relative_tree(self.model)
        try:
            with np.errstate(all="ignore"):
                topo = self.system.topology
        except ModelError:
            topo = None
        return topo or relative_tree(self.model)

    @cached_property
    def loop_groups(self) -> list[tuple[LoopGroup, LoopGroup]]:
        """Loops that share joints: what holds in the reference configuration, and what holds in those nearby, too."""
        groups = mobility(self.model, self.topology) if self.topology.loop_count else []
        return [(group, lasting(self.model, self.topology, group)) for group in groups]

    @property
    def initial(self) -> tuple[Reals, Reals]:
        """Coordinates q and velocities v with which a simulation begins; raises ModelError if loops stay open."""
        q, v = self._initial
        return q.copy(), v.copy()

    @cached_property
    def _initial(self) -> tuple[Reals, Reals]:
        from duoti.analyses.states.assemble import NearlyClosedWarning
        from duoti.analyses.states.initial_state import first_state

        with np.errstate(all="ignore"), warnings.catch_warnings(record=True) as caught:  # numbers beyond all measure
            warnings.simplefilter("always", NearlyClosedWarning)
            state = first_state(self.system)
        for each in caught:
            if isinstance(each.message, NearlyClosedWarning):
                self.nearly_closed.append(each.message)
            else:
                warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
        return state
