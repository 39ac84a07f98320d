"""Hands as a person types them at `meter-server correction` and `manual`."""

import click
import pytest
from click.testing import CliRunner

from meter_server.cli.reported import hand_option, shared_option


@click.command()
@hand_option
@shared_option
def echo(hands: tuple[dict[str, object], ...], shared: str) -> None:
    for hand in hands:
        click.echo(f"{hand['seat']} {hand['hand']} {hand['cards']} {hand['folded']}")
    click.echo(f"shared {shared}.")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--hand", "3:full-house"], "3 full-house  False\nshared .\n"),
        (["--hand", "4:fold"], "4 None  True\nshared .\n"),
        (
            ["--hand", "1:asks", "--shared", "10s,Js Qs"],
            "1 None As Ks False\nshared Ts Js Qs.\n",
        ),
        ([], "shared .\n"),
    ],
)
def test_a_hand_is_told_by_name_by_cards_or_as_folded(arguments: list[str], told: str) -> None:
    ended = CliRunner().invoke(echo, arguments)
    assert (ended.exit_code, ended.output) == (0, told)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--hand", "3"], "'3' is not a seat and its hand: write 3:AsKs or 3:flush."),
        (["--hand", "3:"], "'3:' is not a seat and its hand: write 3:AsKs or 3:flush."),
        (["--hand", "x:flush"], "'x:flush' is not a seat and its hand"),
        (["--hand", "3:AsAs"], "As"),
        (["--shared", "1x"], "1x"),
    ],
)
def test_what_is_no_hand_is_refused(arguments: list[str], sentence: str) -> None:
    ended = CliRunner().invoke(echo, arguments)
    assert ended.exit_code == 2
    assert sentence in " ".join(ended.output.split())
