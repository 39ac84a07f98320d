"""What can go wrong with the database, in words; the driver's own errors stay in this room."""


class StorageError(Exception):
    """The database could not do what was asked. The text says what and what to do next."""
