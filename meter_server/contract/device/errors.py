"""What went wrong, in one sentence that says what to do."""


class DeviceError(Exception):
    """Shown to a person as it is."""


class Refused(DeviceError):  # noqa: N818 - an answer
    """The server heard us and said no."""

    def __init__(
        self, status: int, problem: dict[str, object], retry_after_seconds: int = 0
    ) -> None:
        super().__init__(str(problem.get("detail") or f"The server answered {status}."))
        self.status = status
        self.problem = problem
        self.retry_after_seconds = retry_after_seconds
        """What the server asks for before the next try."""


class NotReached(DeviceError):  # noqa: N818 - as above
    """Nobody knows whether the server heard us: send the same again."""
