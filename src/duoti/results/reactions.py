"""Accelerations and reactions of a motion: what passes through joints, cut joints and constraints."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from duoti.dynamics.constraint_methods import ConstraintMethod
from duoti.integrate.record import ACCELERATION, CONTACT, RecordLayout
from duoti.model.cuts import relative_tree
from duoti.model.element_id import ElementId
from duoti.model.errors import ChannelError
from duoti.model.mobility import directions, lasting, mobility
from duoti.results.observe import FRAMES, REACTIONS, Observation, observe
from duoti.strict import explained_methods
from duoti.system.arrays import Reals
from duoti.system.system import System

if TYPE_CHECKING:  # of runs with contacts
    from duoti.results.stepped_run import SteppedRun


@explained_methods
class Reactions:
    """What `Result` knows of forces in joints."""

    system: Any
    model: Any
    t: Any
    _x: Any
    _y: Any
    _multipliers: Any
    record_layout: RecordLayout
    constraints: ConstraintMethod
    contact_run: Any

    @cached_property
    def _forces(self) -> Observation:
        return self.observed(REACTIONS)

    def observed(self, what: int, markers: list[int] | None = None) -> Observation:
        """Accelerations or reactions, with the forces of contacts."""
        if self.contact_run is not None:
            return self.contact_run.observe(self.t, self._y, what, markers)
        if self.stepped is not None:
            return self.stepped.observe(markers)
        if self.record_layout.columns_of(CONTACT):
            raise ChannelError(
                "accelerations and reactions with rigid contacts are not in this file: it was written before files "
                "kept the states of contacts in event-driven runs; simulate again"
            )
        return observe(self.system, self.t, self._y, what, markers, self.constraints, multipliers=self._multipliers)

    @cached_property
    def stepped(self) -> SteppedRun | None:
        """Forces of a run by time stepping with rigid contacts: means over the step to which each output belongs."""
        if not self.record_layout.columns_of(ACCELERATION):
            return None
        from duoti.results.stepped_run import SteppedRun

        return SteppedRun(self.system, self.t, np.asarray(self._y[:]), self._x, self.record_layout)

    @property
    def force_states(self) -> tuple[Reals, Any]:
        """Times and states to which forces belong: those of the outputs, or the middles of steps (see `stepped`)."""
        return (self.t, self._y) if self.stepped is None else (self.stepped.t, self.stepped.y)

    @property
    def closing_wrenches(self) -> Reals:
        """[time, closure, 6]: torque and force of each cut joint and constraint on its second body, at its frame there,
        world axes; in the order of `system.closure_names`."""
        return self._forces.closing

    def reaction(
        self, joint: str, at: Literal["child", "parent"] = "child", frame: str = "world"
    ) -> tuple[Reals, Reals]:
        """Reaction force [N] and torque [N m] of the parent on the child over time.

        at: the torque is about the origin of the joint's frame on the child or on the parent (they differ where the
        joint slides). frame: axes of the components, "world" or the name of a body or marker. What drives the joint
        (motors, springs in it) is not part of the reaction. In a run by time stepping with rigid contacts, it is the
        mean over the step that ends at an output or contains it: the impulse through the joint, impacts included, over
        the step; at the first output, that of the first step.
        """
        if joint not in self.system.joints:
            raise ChannelError(f'there is no joint "{joint}"')
        if self.stepped is not None and not self.stepped.whole:  # free bodies alone
            return np.zeros((len(self.t), 3)), np.zeros((len(self.t), 3))
        joint_layout = self.system.joints[joint]
        markers = [joint_layout.child_marker, joint_layout.parent_marker]
        markers.append(markers[0] if frame == "world" else self.system.marker_index(frame))
        frames = observe(self.system, *self.force_states, FRAMES, markers).frames
        p_child, p_parent = frames[:, 0, 9:12], frames[:, 1, 9:12]
        if joint_layout.closure >= 0:
            wrench = self._forces.closing[:, joint_layout.closure]
            return self._expressed(
                wrench[:, 3:], wrench[:, :3], p_child, p_child if at == "child" else p_parent, frames, frame
            )
        system, forces = self.system, self._forces
        if joint_layout.fused:  # its two bodies are one there
            system, forces = self.system.unfused, self._weld_forces
        row = system.joints[joint].body
        wrench, R_WB = forces.wrenches[:, row], self._row_rotation(system, row)
        torque, force = np.einsum("nij,nj->ni", R_WB, wrench[:, :3]), np.einsum("nij,nj->ni", R_WB, wrench[:, 3:])
        here = p_child
        if joint_layout.reversed:  # the wrench is that of the child on the parent, at the parent's frame
            torque, force, here = -torque, -force, p_parent
        return self._expressed(force, torque, here, p_child if at == "child" else p_parent, frames, frame)

    @staticmethod
    def _expressed(
        force: Reals, torque: Reals, here: Reals, there: Reals, frames: Reals, frame: str
    ) -> tuple[Reals, Reals]:
        """A wrench about the point `here`, in world axes, moved to `there` and turned into the third of the frames."""
        torque = torque + np.cross(here - there, force)
        if frame != "world":
            R_FW = np.transpose(frames[:, 2, :9].reshape(-1, 3, 3), (0, 2, 1))
            force, torque = np.einsum("nij,nj->ni", R_FW, force), np.einsum("nij,nj->ni", R_FW, torque)
        return force, torque

    @cached_property
    def not_unique(self) -> dict[str, str]:
        """Joints of closed loops whose reactions are not unique -> the components concerned, in words (world axes).

        "force y, torque x, z": these depend on how the parts give way, which rigid bodies do not tell; r[...] has those
        of least norm, or those that the solver recorded. All other components are unique. Judged near the reference
        configuration; empty for a tree.
        """
        if len(self.model.joints) <= len(self.model.bodies):  # a tree: every body hangs on one joint
            return {}
        topo = relative_tree(self.model)
        groups = (lasting(self.model, topo, group) for group in mobility(self.model, topo))
        found = {name: directions(w) for group in groups for name, w in group.stresses.items()}
        return {name: found[name] for name in self.model.joints if name in found}

    def multipliers(self, name: str) -> Reals:
        """Multipliers of a constraint over time, one column per equation [N, N m, or per coordinate].

        Of a prescribed motion: the driving force or torque. Those of an implicit solver are its own (see `source`).
        Where a cut joint has the same name: "constraint:name".
        """
        closures, (kind, _, rest) = self.system.closure_names, name.partition(":")
        meant = [ElementId("joint", name), ElementId("constraint", name)]
        meant += [ElementId(kind, rest)] if kind in ("joint", "constraint") else []
        found = [closures.index(each) for each in meant if each in closures]
        if not found:
            raise ChannelError(f'there is no constraint or cut joint "{name}"')
        closure = found[0]
        first = self.system.closures.first
        return self._forces.multipliers[:, first[closure] : first[closure + 1]]

    @cached_property
    def _weld_forces(self) -> Observation:
        """The same as `_forces`, with a row for every body: what passes through a weld."""
        if self.stepped is not None:
            return self.stepped.observe(unfused=True)
        if self.contact_run is not None:
            from duoti.results.given_forces import observe_given

            return observe_given(self.system.unfused, self.contact_run.given(self.t, self._y))[0]
        return observe(
            self.system.unfused, self.t, self._y, REACTIONS, constraints=self.constraints, multipliers=self._multipliers
        )

    def _row_rotation(self, system: System, row: int) -> Reals:
        """Orientation in the world of a row's own frame, from any marker on it."""
        marker = int(np.flatnonzero(system.loads.markers.body == row)[0])
        R_WM = observe(system, *self.force_states, FRAMES, [marker]).frames[:, 0, :9].reshape(-1, 3, 3)
        return R_WM @ system.loads.markers.X_BM[marker, :9].reshape(3, 3).T
