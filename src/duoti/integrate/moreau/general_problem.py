"""The general way to solve the contacts of a step of Moreau and Jean's method: compiled when a system needs it."""

from __future__ import annotations

from duoti.contact.collide.arrays import CONTACT_CONTEXT
from duoti.contact.solve.block_matrix import arrange, take_everything, tree_masses
from duoti.contact.solve.positions import correct_positions
from duoti.contact.solve.sparse_newton import set_impulses
from duoti.dynamics.loops.factors import factor_tree
from duoti.integrate.moreau.branch_problem import IMPULSES, JOINT, LEAVE, ROWS, SOLVE, TASK
from duoti.integrate.moreau.contact_problem import by_iterations, general_rows, joint_rows, leave_paths, mass_again
from duoti.integrate.moreau.step import MOREAU_CONTEXT, slow_speed
from duoti.kernel import entry, unpack
from duoti.system.context import REAL_CONTEXT


@entry
def general_contacts(address):
    """Do the task that stands in memory.general."""
    context, run, contact, problem, memory, matrix, _ = unpack(address, MOREAU_CONTEXT)
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    contacts, cw = unpack(contact, CONTACT_CONTEXT)
    v, h, task = run.y[tree.nq : tree.nq + tree.nv], run.clock[0].h, memory.general[TASK]
    if task == ROWS:
        if memory.implicit[0] != 0:
            pass  # the matrix is there
        elif closures.rows == 0:
            tree_masses(tree, contacts, w.M, matrix)
            factor_tree(tree, w.M)
        else:
            mass_again(tree, w, memory.M)
            tree_masses(tree, contacts, memory.M, matrix)
        general_rows(tree, closures, contacts, cw, w, problem, memory, matrix, v, h, run.counts[0].steps)
    elif task == JOINT:
        joint_rows(tree, closures, contacts, w, problem, memory, matrix, problem.counts[0].joint)
    elif task == LEAVE:
        leave_paths(tree, closures, contacts, cw, w, problem, memory, matrix, v)
    elif task == IMPULSES:
        take_everything(problem, matrix, problem.counts[0].blocks)
        set_impulses(contacts, problem, matrix, v, memory.dv)
    elif task == SOLVE:
        method = memory.method[0]
        size, tolerance = method.measure, method.tolerance * method.measure
        problem.counts[0].residual = by_iterations(closures, contacts, w, problem, memory, matrix, v, size, tolerance)
    else:
        sparse = 1 if arrange(contacts, problem, matrix) >= 0 else 0
        correct_positions(closures, contacts, w, problem, matrix, problem.x, h, slow_speed(tree, h), sparse)
