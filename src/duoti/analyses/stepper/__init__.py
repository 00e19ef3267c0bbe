"""Stepping a model by hand, and what is made of it: inputs, readers, environments for reinforcement learning."""
