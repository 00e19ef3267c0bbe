"""Many runs of one model with other numbers and initial values."""
