"""Why the demo cannot run, as one sentence that says what to do."""


class CannotRunError(Exception):
    """Shown to the person as it is, without a traceback."""
