"""Whether a run can be believed, and why it ended."""
