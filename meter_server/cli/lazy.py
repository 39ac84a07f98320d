"""A command group that imports a command only when it is called."""

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

import click


class LazyCommand(NamedTuple):
    """Where a command lives and the line that ``--help`` shows for it."""

    location: str  # "package.module:function"
    summary: str


class LazyGroup(click.Group):
    """Lists its commands from a table, so that ``--help`` stays fast however many there are."""

    def __init__(self, *, lazy_commands: Mapping[str, LazyCommand], help: str) -> None:  # noqa: A002 (click's name)
        super().__init__(help=help)
        self.lazy_commands = lazy_commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Keep the order of the table: it follows the working day, not the alphabet."""
        del ctx
        return list(self.lazy_commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of one command."""
        del ctx
        if cmd_name not in self.lazy_commands:
            return None
        module, _, function = self.lazy_commands[cmd_name].location.partition(":")
        command = getattr(import_module(module), function)
        assert isinstance(command, click.Command)  # noqa: S101 (a wrong table is a bug)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list from the table; click's own way would import every command."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, lazy.summary) for name, lazy in self.lazy_commands.items()])
