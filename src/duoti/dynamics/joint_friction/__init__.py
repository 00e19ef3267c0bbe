"""Friction and stops in joints: forces that depend on the motion that they allow."""
