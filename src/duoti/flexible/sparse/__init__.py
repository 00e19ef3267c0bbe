"""Sparse factorisation and eigenvalues of large structures."""
