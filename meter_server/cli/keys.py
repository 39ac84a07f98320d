"""``meter-server keys``: the installation's own signing key."""

import os
from pathlib import Path

import click

from meter_server.cli.output import Refusal
from meter_server.contract.signing_keys import new_signing_key, read_signing_key


@click.group()
def keys() -> None:
    """Create and show the key that signs receipts."""


@keys.command()
@click.argument("origin")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def create(origin: str, file: Path) -> None:
    """Create the signing key of the installation ORIGIN in a new FILE.

    ORIGIN is a host and a path, for example casino.example/prize-meter; it stands in every receipt.
    """
    try:
        key = new_signing_key(origin)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except ValueError as error:
        raise Refusal(str(error)) from None
    except FileExistsError:
        raise Refusal(f"{file} exists already, and a key is never overwritten.") from None
    except OSError as error:
        raise Refusal(f"Cannot write {file} ({error.strerror}): choose another file.") from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        opened.write(key + "\n")
        opened.flush()
        os.fsync(opened.fileno())
    click.echo(f"Keep a copy of {file} in a safe place, and set METER_SERVER_SIGNING_KEY_FILE.")
    click.echo(f"Give auditors the public key: {read_signing_key(key).verifier}")


@keys.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def show(file: Path) -> None:
    """Show the public half of the key in FILE."""
    try:
        click.echo(str(read_signing_key(file.read_text(encoding="utf-8")).verifier))
    except ValueError as error:
        raise Refusal(f"The key in {file} cannot be used: {error}.") from None
