"""Pictures and films."""
