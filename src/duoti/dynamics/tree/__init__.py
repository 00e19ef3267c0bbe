"""Recursions along a tree: kinematics, inverse and forward dynamics, mass matrix, energies."""
