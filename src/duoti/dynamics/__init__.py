"""Dynamics of trees: kinematics, recursions, force elements, energies, reactions. Kernels on the arrays of `system`."""
