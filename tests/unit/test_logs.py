"""The log: one object per line, with its context, without secrets."""

import json
import logging
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import structlog

from meter_server import logs


@pytest.fixture(autouse=True)
def _restore() -> Iterator[None]:
    """The log belongs to the whole process; give it back as it was."""
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    yield
    root.handlers[:], root.level = before
    logging.captureWarnings(False)
    structlog.reset_defaults()


def _lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_our_lines_and_those_of_libraries_have_one_form(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "json")
    with structlog.contextvars.bound_contextvars(request_id="r-1"):
        structlog.get_logger("ours").info("happened", amount=3)
        logging.getLogger("theirs").warning("odd: %s", "yes")

    ours, theirs = _lines(capsys)
    assert ours["timestamp"].endswith("Z")
    assert ours | {"timestamp": ""} == {
        "event": "happened",
        "amount": 3,
        "level": "info",
        "logger": "ours",
        "request_id": "r-1",
        "timestamp": "",
    }
    assert (theirs["event"], theirs["request_id"]) == ("odd: yes", "r-1")


def test_the_level_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("warning", "json")
    structlog.get_logger("ours").info("too quiet")
    structlog.get_logger("ours").warning("loud enough")
    assert [line["event"] for line in _lines(capsys)] == ["loud enough"]


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_secrets_are_hidden(capsys: pytest.CaptureFixture[str], log_format: str) -> None:
    logs.configure("info", log_format)
    log = structlog.get_logger("ours")
    secret = "s3cret"  # noqa: S105 (to be hidden)
    log.info(f"to postgresql://meter:{secret}@db/meter", redis=f"redis://:{secret}@cache")
    log.info("asked", Authorization=secret, api_token=secret, supervisor_pin=secret)
    try:
        _fail(secret)
    except ValueError:
        log.exception("failed")

    written = capsys.readouterr().err
    assert secret not in written
    assert "postgresql://meter:[hidden]@db/meter" in written
    assert "ValueError" in written


def _fail(secret: str) -> None:
    raise ValueError(f"postgresql://meter:{secret}@db")


def test_a_log_that_cannot_be_written_breaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    full = Path("/dev/full").open("w", buffering=1, encoding="utf-8")  # noqa: SIM115 (closed below)
    try:
        with pytest.raises(OSError, match="No space left"):
            print("anything", file=full)
        monkeypatch.setattr("sys.stderr", full)
        logs.configure("info", "json")
        log = structlog.get_logger("ours")
        log.info("happened")
        try:
            _fail("s3cret")
        except ValueError:
            log.exception("failed")
    finally:
        with suppress(OSError):  # what is left in it cannot be written either
            full.close()


def test_a_line_that_cannot_be_made_is_told_and_breaks_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure("info", "json")
    round_: list[object] = []
    round_.append(round_)
    structlog.get_logger("ours").info("happened", value=round_)
    line = json.loads(capsys.readouterr().err)
    assert line["event"] == "a line of the log cannot be written"
    assert (line["of"], line["level"]) == ("happened", "info")


def test_warnings_are_log_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logs.configure("info", "json")
        warnings.warn("mind the gap", stacklevel=1)
        logging.captureWarnings(False)
    [line] = _lines(capsys)
    assert "mind the gap" in line["event"]
