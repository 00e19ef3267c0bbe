"""Islands: trees of bodies that touch each other. What happens in one does not concern any other."""

from __future__ import annotations

from duoti.kernel import helper, part


@helper
def root_of(group, t):
    """The tree that stands for the island of a tree."""
    while group[t] != t:
        group[t] = group[group[t]]
        t = group[t]
    return t


@helper
def tree_of_block(problem, matrix, c):
    """A tree that a block acts on."""
    if problem.paths.counts[0].active == 1:
        return matrix.dof_tree[problem.paths.rates[c, 0]]
    return problem.place[c, 4] if problem.place[c, 1] > 0 else problem.place[c, 5]


@helper
def island_of(problem, matrix, c):
    """The island of a block."""
    return root_of(matrix.group, tree_of_block(problem, matrix, c))


@part
def find_islands(problem, matrix):
    """matrix.group: trees that blocks join are one."""
    group, along = matrix.group, problem.paths.counts[0].active == 1
    for t in range(group.shape[0]):
        group[t] = t
    for c in range(0 if along else problem.counts[0].points):
        if problem.place[c, 1] > 0 and problem.place[c, 3] > 0:
            group[root_of(group, problem.place[c, 4])] = root_of(group, problem.place[c, 5])


@part
def find_touching(problem, matrix):
    """matrix.touching: islands in which two bodies press on each other that can both move. Needs `find_islands`."""
    along = problem.paths.counts[0].active == 1
    for t in range(matrix.touching.shape[0]):
        matrix.touching[t] = 0
    for c in range(0 if along else problem.counts[0].points):
        if problem.p[c, 0] > 0.0 and problem.place[c, 1] > 0 and problem.place[c, 3] > 0:
            matrix.touching[root_of(matrix.group, problem.place[c, 4])] = 1


@helper
def touches(problem, matrix, c):
    """Whether bodies press on each other in the island of a block."""
    return matrix.touching[island_of(problem, matrix, c)] == 1
