"""Steps of Moreau and Jean's method in which fast bodies would pass each other are cut into shorter ones.

Before each step `collision_detection` looks along its motion whether bodies would come deeper into each other than a
twelfth of their thickness. If so, a piece of the step ends before they meet, the next one has this instant in its
middle, where impacts are, and then the rest is looked at in the same way. Pieces are steps like others, with
restitution and energy accumulators of their own. After each of them collision detection back along the velocities that
it has led to says whether something has passed behind its middle: then it is taken again, half as long.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.contact.build import ContactSet
from duoti.contact.collide.arrays import CONTACT_CONTEXT, example_contacts
from duoti.contact.collide.geometry import look_for_pairs
from duoti.contact.thickness import MESH_DEPTH
from duoti.contact.workspace import new_contact_workspace
from duoti.integrate.moreau.collision_detection import (
    FRACTION,
    NEVER,
    TURNS,
    begin_detection,
    deepest,
    evaluate_shapes_at,
    first_meeting,
    forget_detection,
    may_meet,
    new_detection,
    passed,
    put_turning,
)
from duoti.integrate.moreau.contact_problem import MoreauMemory
from duoti.integrate.moreau.point_identity import forget_points, restore_points
from duoti.integrate.moreau.step import (
    COLUMNS,
    MOREAU_CONTEXT,
    moreau_polynomial,
    moreau_shift,
    moreau_start,
    moreau_step,
)
from duoti.integrate.moreau.step_record import WHOLE
from duoti.integrate.record import FORCE, LOST, MOMENT, NORMAL_FORCE, POINT, RESIDUALS, STATE
from duoti.integrate.state import ACCEPTED, NEWTON_FAILED, Run
from duoti.kernel import ContextType, address_of, call_entry, entry, entry_address, helper, pack, part, unpack
from duoti.spatial.algebra import dot, get3
from duoti.system.arrays import Tree
from duoti.system.context import REAL_CONTEXT

MOST_PIECES = 1000  # of a step
NOT_PASSED, PASSED, DEEP_BEFORE = range(3)  # of a piece; the last: pieces that are shorter do not help
OPPOSITE = -0.5  # cosine of the angle between normals of two sides
WORDS = 128  # room for what is packed
SHORTEST = 1e-6  # part of a step: no piece is cut further


def _example() -> tuple[Any, ...]:
    contacts = example_contacts()
    none = np.zeros(0, np.int64)
    return (new_detection(0, 0, none, 0.0, none, contacts, (0, 0, 0, 0, 0)),)


DETECTION_CONTEXT = ContextType(_example)


@helper
def pair_count(contacts):
    """How many pairs there are, or are near."""
    return contacts.kind[contacts.kind.shape[0] - 1]


@helper
def _look_for_pairs(cw, time):
    """Bring the list of near pairs up to date for the poses of this workspace, and for a time from there."""
    cw.margin[0] = 0.0
    look_for_pairs(cw, time)


@part
def _longest(tree, contacts, cw, w, detection, y, left):
    """How long a piece may be that begins with the state y, at most `left`."""
    counts = detection.counts[0]
    if 2.0 * begin_detection(tree, contacts, cw, w, detection, y) * left <= TURNS * FRACTION * counts.least:
        return left
    _look_for_pairs(cw, left)
    forget_detection(detection)
    first, half = NEVER, 0.0
    for i in range(pair_count(contacts)):
        if contacts.thickness[i] == 0.0:
            continue
        if may_meet(contacts, cw, detection, i, left, TURNS * FRACTION * contacts.thickness[i]):
            time = first_meeting(tree, contacts, cw, w, detection, y, i, left)
            if time < first:
                first, half, counts.found = time, counts.after, i
            evaluate_shapes_at(tree, contacts, cw, w, detection, y, 0.0)
    if first == NEVER:
        return left
    return first - half if first > 1.5 * half else min(left, 2.0 * first)


@helper
def _is_deep(contacts, cw, detection, i):
    """Whether pair i is deeper than it may come to be, where shapes are now."""
    s = deepest(contacts, cw, detection, i, 0.0)
    return s >= 0 and -cw.gap[s] >= 1.5 * FRACTION * contacts.thickness[i]


@part
def _turned_over(tree, contacts, cw, w, detection, run, i):
    """Whether pair i overlaps before and after a piece with opposite normals. Leaves shapes where it began."""
    evaluate_shapes_at(tree, contacts, cw, w, detection, run.y_new, 0.0)
    s = deepest(contacts, cw, detection, i, 0.0)
    after = get3(cw.frame, s, 0) if s >= 0 else (0.0, 0.0, 0.0)
    evaluate_shapes_at(tree, contacts, cw, w, detection, run.y, 0.0)
    s = deepest(contacts, cw, detection, i, 0.0)
    return s >= 0 and contacts.convex[i] == 1 and dot(get3(cw.frame, s, 0), after) < OPPOSITE


@part
def _see_deep(tree, contacts, cw, w, detection, y):
    """watch.deep, where a run begins."""
    evaluate_shapes_at(tree, contacts, cw, w, detection, y, 0.0)
    _look_for_pairs(cw, 0.0)
    for i in range(pair_count(contacts)):
        deep = contacts.thickness[i] > 0.0 and _is_deep(contacts, cw, detection, i)
        detection.deep[i] = 1 if deep else 0


@part
def _something_passed(tree, contacts, cw, w, detection, run, h):
    """NOT_PASSED, or that bodies have passed each other in the second half of a piece; counts.found says which.

    Those that have overlapped from the start may part on any side; then they are watched like all others.
    """
    if begin_detection(tree, contacts, cw, w, detection, run.y_new) * h <= 0.5 * FRACTION * detection.counts[0].least:
        return NOT_PASSED
    _look_for_pairs(cw, 0.5 * h)
    forget_detection(detection)
    for i in range(pair_count(contacts)):
        if contacts.thickness[i] == 0.0:
            continue
        if detection.deep[i] == 1:
            detection.deep[i] = 1 if _is_deep(contacts, cw, detection, i) else 0
            continue
        if not may_meet(contacts, cw, detection, i, 0.5 * h, FRACTION * contacts.thickness[i]):
            continue
        through = passed(tree, contacts, cw, w, detection, run.y_new, i, 0.5 * h)
        if _turned_over(tree, contacts, cw, w, detection, run, i) or through:
            detection.counts[0].found = i
            return DEEP_BEFORE if _is_deep(contacts, cw, detection, i) else PASSED
        evaluate_shapes_at(tree, contacts, cw, w, detection, run.y_new, 0.0)
        put_turning(contacts, cw, detection)
    return NOT_PASSED


@helper
def _keep(detection, memory, problem, k):
    """What a step that is taken again must find as it was."""
    method, counts = memory.method[0], problem.counts[0]
    for i in range(memory.lost.shape[0]):
        detection.lost[k, i] = memory.lost[i]
    for i in range(memory.zdot.shape[0]):
        detection.zdot[k, i] = memory.zdot[i]
    detection.whole[k, 0], detection.whole[k, 1] = method.impacts, counts.steps
    detection.whole[k, 2], detection.whole[k, 3] = counts.unsolved, counts.wrong
    detection.real[k, 0], detection.real[k, 1] = counts.worst, counts.worst_fraction


@helper
def _put_back(detection, memory, problem, k):
    """The same as it was; of points see `point_identity.restore_points`."""
    method, counts = memory.method[0], problem.counts[0]
    for i in range(memory.lost.shape[0]):
        memory.lost[i] = detection.lost[k, i]
    for i in range(memory.zdot.shape[0]):
        memory.zdot[i] = detection.zdot[k, i]
    method.impacts, counts.steps = detection.whole[k, 0], detection.whole[k, 1]
    counts.unsolved, counts.wrong = detection.whole[k, 2], detection.whole[k, 3]
    counts.worst, counts.worst_fraction = detection.real[k, 0], detection.real[k, 1]


@part
def _add_record(detection, run, step_record, fraction, is_first):
    """Means of forces over the pieces; the point by normal forces, the state that is most, the energy lost so far.

    Of the state at which forces are looked at, that of the first piece, with the velocities before the step.
    """
    x, total = run.x_new, detection.record
    contacts = COLUMNS * detection.lost.shape[1]
    for i in range(contacts, x.shape[0]):
        if step_record.places[1] <= i < step_record.places[2]:
            if is_first:
                total[i] = x[i]
        else:
            total[i] += fraction * x[i]
    for first in range(0, contacts, COLUMNS):
        for k in range(3):
            total[first + FORCE + k] += fraction * x[first + FORCE + k]
            total[first + MOMENT + k] += fraction * x[first + MOMENT + k]
            total[first + POINT + k] += fraction * x[first + NORMAL_FORCE] * x[first + POINT + k]
        total[first + NORMAL_FORCE] += fraction * x[first + NORMAL_FORCE]
        total[first + STATE] = max(total[first + STATE], x[first + STATE])
        total[first + LOST] = x[first + LOST]
        for k in range(first + RESIDUALS, first + COLUMNS):
            total[k] = max(total[k], x[k])


@part
def _end_record(detection, run, step_record):
    """The record of the whole step."""
    for i in range(run.x_new.shape[0]):
        run.x_new[i] = detection.record[i]
    if step_record.places[WHOLE] != 0:
        clock, middle = run.clock[0], step_record.places[1]
        run.x_new[middle], run.x_new[middle + 1] = clock.t + 0.5 * clock.h, clock.h
    for first in range(0, COLUMNS * detection.lost.shape[1], COLUMNS):
        force = run.x_new[first + NORMAL_FORCE]
        for k in range(3 if force > 0.0 else 0):
            run.x_new[first + POINT + k] /= force


@helper
def _note(contacts, detection, time):
    """Bodies have passed each other, and shorter pieces did not help."""
    counts = detection.counts[0]
    counts.passed += 1
    if counts.passed == 1:
        i = counts.found
        counts.shape_a, counts.shape_b = contacts.pair_shapes[i, 0], contacts.pair_shapes[i, 1]
        counts.element, counts.thickness = contacts.element[i], contacts.thickness[i]
        counts.time, counts.speed = time, counts.closing


@entry
def substepped_step(address):
    """Entry STEP of `stepping`: `moreau_step`, or several of them."""
    context, run, _, problem, memory, _, step_record = unpack(address, MOREAU_CONTEXT)
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    (detection,) = unpack(memory.detection[0], DETECTION_CONTEXT)
    contacts, cw = unpack(detection.contact, CONTACT_CONTEXT)
    clock, counts, seen = run.clock[0], run.counts[0], detection.counts[0]
    if counts.steps == 0:
        _see_deep(tree, contacts, cw, w, detection, run.y)
        if cw.look[0].full == 1:
            counts.outcome, clock.factor = NEWTON_FAILED, 0.0
            return
    t, whole, done, pieces, most = run.clock[0].t, run.clock[0].h, 0.0, 0, NEVER
    while True:
        left = whole - done
        h = left
        if pieces < MOST_PIECES:
            h = min(_longest(tree, contacts, cw, w, detection, run.y, left), most)
            if cw.look[0].full == 1:
                counts.outcome, clock.factor = NEWTON_FAILED, 0.0
                break
        h = left if h > (1.0 - SHORTEST) * left else max(h, SHORTEST * whole)
        if pieces == 0 and h < left and memory.method[0].impacts > memory.impacts.shape[0] // 2:
            seen.full, counts.outcome, clock.factor = 1, NEWTON_FAILED, 0.0
            return
        if pieces == 0:
            _keep(detection, memory, problem, 0)
        _keep(detection, memory, problem, 1)
        clock.t, clock.h = t + done, h
        call_entry(detection.step, address)
        if counts.outcome != ACCEPTED:
            break
        found = _something_passed(tree, contacts, cw, w, detection, run, h)
        if cw.look[0].full == 1:
            _put_back(detection, memory, problem, 1)
            restore_points(cw, memory, counts.steps)
            counts.outcome, clock.factor = NEWTON_FAILED, 0.0
            break
        if found != NOT_PASSED:
            if found == PASSED and h > 2.0 * SHORTEST * whole and pieces < MOST_PIECES:
                _put_back(detection, memory, problem, 1)
                restore_points(cw, memory, counts.steps)
                most = 0.5 * h
                continue
            _note(contacts, detection, t + done)
        most = NEVER
        if pieces == 0 and h == left:
            return
        if pieces == 0:
            for i in range(run.y.shape[0]):
                detection.begin[i] = run.y[i]
            for i in range(run.x_new.shape[0]):
                detection.record[i] = 0.0
            for i in range(tree.nv):
                detection.dv[i] = 0.0
        _add_record(detection, run, step_record, h / whole, pieces == 0)
        for i in range(tree.nv):
            detection.dv[i] += memory.dv[i]
        pieces += 1
        done += h
        if h == left:
            break
        for i in range(run.y.shape[0]):
            run.y[i] = run.y_new[i]
        counts.steps += 1
        counts.base_steps += 1
    clock.t, clock.h = t, whole
    if pieces == 0:
        return
    for i in range(run.y.shape[0]):
        run.y[i] = detection.begin[i]
    if counts.outcome != ACCEPTED:  # it may be tried again in another way
        _put_back(detection, memory, problem, 0)
        for i in range(pieces + 1):
            forget_points(memory, counts.steps - i)
        return
    _end_record(detection, run, step_record)
    for i in range(tree.nv):
        memory.dv[i] = detection.dv[i]
    seen.cut += 1
    seen.pieces += pieces


def least_thickness(of: ContactSet) -> float:
    """The smallest thickness of pairs that may pass each other, at most [m]."""
    if of.near is None:
        thick = of.contacts.thickness
        return float(np.min(thick[thick > 0.0], initial=NEVER))
    shapes = [each[each > 0.0] for each in (2.0 * of.near.width, of.near.through, MESH_DEPTH * of.near.edge)]
    return float(np.min(np.concatenate(shapes), initial=NEVER))


class Watching:
    """The watch of a run by time stepping."""

    entries = (moreau_start, substepped_step, moreau_polynomial, moreau_shift)

    def __init__(self, of: ContactSet, memory: MoreauMemory, run: Run, tree: Tree):
        self.of, self.contact = of, new_contact_workspace(of)
        sizes = (len(run.y), tree.nv, tree.nz, len(run.x), len(of.names))
        step, own = entry_address(moreau_step), self.contact
        deep = np.zeros(of.contacts.pairs, np.int64) if of.near is None else of.near.deep
        least = least_thickness(of)
        self.detection = new_detection(step, own.address, own.only, least, deep, of.contacts, sizes)
        self.block = np.zeros(WORDS)
        pack(self.block, (self.detection,), DETECTION_CONTEXT)
        memory.detection[0] = address_of(self.block)

    @property
    def counts(self) -> Any:
        """Named numbers, of type `moreau.collision_detection.WATCH`."""
        return self.detection.counts[0]

    @property
    def notes(self) -> tuple[str, ...]:
        """How many steps were cut."""
        if not self.counts.cut:
            return ()
        return (
            f"{int(self.counts.cut)} steps, in which bodies would have passed through others, were cut into "
            f"{int(self.counts.pieces)} shorter ones",
        )

    def take_crowded(self) -> bool:
        """Whether impacts have to be taken out before the step that was given up; not asked for twice."""
        crowded, self.detection.counts[0].full = bool(self.counts.full), 0
        return crowded

    def passed(self, step: float) -> str:
        """Which bodies may have passed each other, and what to do about it; empty if none."""
        if not self.counts.passed:
            return ""
        of, thickness = self.of, float(self.counts.thickness)
        name = of.names[int(self.counts.element)]
        a, b = (of.shape_bodies[int(each)] for each in (self.counts.shape_a, self.counts.shape_b))
        speed = max(float(self.counts.speed), 1e-300)
        return (
            f'contact "{name}": "{a}" and "{b}", together {thickness:.3g} m thick, may have passed through each other '
            f"with {speed:.3g} m/s at t = {float(self.counts.time):.6g} s; take a step of "
            f"{min(0.5 * step, FRACTION * thickness / speed):.1g} s, or an event-driven run, dt.DOPRI5()"
        )
