"""Linear systems: small motions about a state."""
