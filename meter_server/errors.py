"""Errors whose text is a finished sentence for the person who runs the server."""


class SettingsError(Exception):
    """A setting is missing or wrong. The text names it and says what is allowed."""
