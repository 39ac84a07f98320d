"""Everything that can be set for a gateway; ``docs/signage.md`` lists it."""

import os
import re
from difflib import get_close_matches
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from meter_server.contract.device.identity import default_folder

PROGRAM = "signage"
PREFIX = "SIGNAGE_"

Language = Literal["en", "zh-Hans", "vi"]
Theme = Literal["dark", "light", "contrast"]


class SettingsError(Exception):
    """What is wrong with a setting, in a sentence."""


class Settings(BaseSettings):
    """What the operator decides. Read once, when the gateway starts."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True)

    redis_url: SecretStr | None = Field(
        default=None,
        validation_alias="REDIS_URL",
        description="Where the server's Redis is; without it the gateway asks the server itself.",
    )
    host: str = Field(default="127.0.0.1", description="The address screens reach it at.")
    port: int = Field(default=8480, ge=1, le=65535, description="The port for screens.")
    folder: Path = Field(
        default_factory=lambda: default_folder(PROGRAM),
        description="Where `signage enrol` keeps the gateway's key.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The least important kind of log line that is written."
    )
    language: Language = Field(default="en", description="Of screens that ask for no other.")
    theme: Theme = Field(default="dark", description="Of screens that ask for no other.")
    accent: str | None = Field(
        default=None, description="The house's own colour for the jackpot, such as `#f0c463`."
    )
    logo_file: Path | None = Field(
        default=None, description="The house's logo, an SVG, PNG or WebP file."
    )
    time_zone: str | None = Field(
        default=None, description="Of the clock on signs; without it each screen's own."
    )

    @field_validator("accent")
    @classmethod
    def _is_colour(cls, colour: str | None) -> str | None:
        if colour is not None and not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
            raise ValueError("it must be a colour such as #f0c463")
        return colour

    @field_validator("logo_file")
    @classmethod
    def _is_picture(cls, file: Path | None) -> Path | None:
        if file is not None and not (file.is_file() and file.suffix in {".svg", ".png", ".webp"}):
            raise ValueError("it must be an SVG, PNG or WebP file that exists")
        return file

    @field_validator("time_zone")
    @classmethod
    def _is_time_zone(cls, name: str | None) -> str | None:
        try:
            return name and ZoneInfo(name).key
        except (ZoneInfoNotFoundError, ValueError):
            raise ValueError("it must be a time zone such as Australia/Melbourne") from None


def load() -> Settings:
    """Read the settings from the environment, or say what is wrong."""
    known = [variable(name) for name in Settings.model_fields]
    for name in os.environ:
        if name.startswith(PREFIX) and name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f"; did you mean {close[0]}?" if close else ": see docs/signage.md."
            raise SettingsError(f"{name} is not a setting{hint}")
    try:
        return Settings()
    except ValidationError as error:
        detail = error.errors()[0]
        reason = detail["msg"].removeprefix("Value error, ").replace("Input", "it", 1)
        name = str(detail["loc"][0])
        name = name if name in known else variable(name)
        raise SettingsError(f"{name} is '{detail['input']}': {reason}.") from None


def variable(name: str) -> str:
    """The environment variable that sets a field."""
    alias = Settings.model_fields[name].validation_alias
    return alias if isinstance(alias, str) else PREFIX + name.upper()
