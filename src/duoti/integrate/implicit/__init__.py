"""Implicit methods: Radau IIA, generalised-alpha, IDA, Rosenbrock."""
