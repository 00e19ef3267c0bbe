"""Derivatives by the parameters of a model."""
