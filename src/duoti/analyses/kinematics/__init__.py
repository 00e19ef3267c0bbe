"""Motions by constraints alone, and the forces that a prescribed motion needs."""
