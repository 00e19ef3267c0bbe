"""Parameter studies: many runs of a model, their measures as one labelled data set."""
