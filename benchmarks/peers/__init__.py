"""Models of the cases in the form that other packages take."""
