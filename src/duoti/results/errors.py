"""What may be wrong with a file of results."""

from duoti.model.errors import DuotiError


class ResultFileError(DuotiError, OSError):
    """A file of results cannot be read, written or resumed; the text says why, and what to do."""
