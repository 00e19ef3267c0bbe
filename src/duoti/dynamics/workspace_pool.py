"""Workspaces of small systems that are used again by the next run: to make one takes as long as a short run.

A workspace begins every run as it was when it was made: its memory, one block, is copied back. Those of laws with
memory elsewhere (friction and stops in joints, reactions that laws read), of other constraint methods than the default
and of large systems, where the time to make one is nothing beside that of a run, are made anew.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.loops.constraint_methods import ConstraintMethod
from duoti.dynamics.reaction_feedback.installation import has_reaction_feedback
from duoti.dynamics.workspace import DEFAULT, new_workspace
from duoti.system.arrays import Work
from duoti.system.system import System

MOST_BYTES = 1_000_000
MOST_KEPT = 2  # of one system: more than one is in use only in threads, or where a law runs a simulation


class Borrowed(NamedTuple):
    """A workspace, and a copy of its memory as it was when it was made; None: it is not used again."""

    work: Work
    fresh: Any


_KEPT: WeakKeyDictionary[System, list[Borrowed]] = WeakKeyDictionary()


def borrow_workspace(system: System, constraints: ConstraintMethod = DEFAULT) -> Borrowed:
    """A workspace for a run, as `new_workspace(system, rates=True)` makes it."""
    if constraints is DEFAULT and (kept := _KEPT.get(system)):
        try:
            found = kept.pop()
        except IndexError:  # another thread was quicker
            pass
        else:
            found.work.y.base[:] = found.fresh
            return found
    work: Any = new_workspace(system, ydot=True, constraints=constraints)
    memory = work.y.base
    again = (
        constraints is DEFAULT
        and memory.nbytes <= MOST_BYTES
        and not has_joint_friction(system)
        and not has_reaction_feedback(system)
    )
    return Borrowed(work, memory.copy() if again else None)


def give_back(system: System, borrowed: Borrowed) -> None:
    """Let the next run of the system use a workspace that nothing else uses any more."""
    kept = _KEPT.setdefault(system, [])
    if borrowed.fresh is not None and len(kept) < MOST_KEPT:
        kept.append(borrowed)
