"""Everything that can be set. ``docs/settings.md`` is written from the descriptions here."""

import os
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from meter_server.domain.money import MICROS_PER_CENT, MICROS_PER_DOLLAR, parse_dollars
from meter_server.domain.rulebook.readings import Scope, SplitBasis
from meter_server.errors import SettingsError

PREFIX = "METER_SERVER_"
SECRETS_DIRECTORY = "METER_SERVER_SECRETS_DIRECTORY"
PAYABLE_UNIT_DOLLARS_MAX = 100
"""Every prize is paid up to a whole unit: a slip of the keyboard must not give a fortune away."""
TERMS_NOTICE_HOURS_MAX = 8760


class ReadingSettings(BaseSettings):
    """How the installation reads the rules where they leave a choice: all that needs no server."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True)

    split_basis: SplitBasis = Field(
        default=SplitBasis.FORMULA,
        description="Whether simultaneous winners share by the formula or by the percentages as "
        "printed (A-2).",
    )
    payable_unit_dollars: str = Field(
        default="0.01",
        description="Prizes are paid up to the next multiple of it: whole cents, at most "
        f"{PAYABLE_UNIT_DOLLARS_MAX} dollars (A-8).",
    )
    scope: Scope = Field(
        default=Scope.CASINO,
        description="Whether systems have different costs and one option in the whole casino or "
        "in each rule book (A-31).",
    )
    terms_notice_hours: int = Field(
        default=24,
        ge=1,
        le=TERMS_NOTICE_HOURS_MAX,
        description="How long a notice stands before an option, seed or cost changes (A-36).",
    )

    @field_validator("payable_unit_dollars")
    @classmethod
    def _is_payable(cls, amount: str) -> str:
        try:
            micros = parse_dollars(amount)
        except ValueError:
            micros = 0
        most = PAYABLE_UNIT_DOLLARS_MAX * MICROS_PER_DOLLAR
        if not 0 < micros <= most or micros % MICROS_PER_CENT:
            raise ValueError(
                f"it must be dollars in whole cents, from 0.01 to {PAYABLE_UNIT_DOLLARS_MAX}"
            )
        return amount


class Settings(ReadingSettings):
    """What the operator decides. Read once, when a program starts."""

    database_url: SecretStr = Field(
        validation_alias="DATABASE_URL",
        description="Where PostgreSQL is: `postgresql://user:password@host:port/database`.",
    )
    database_owner_url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_OWNER_URL",
        description="The same database as the user who owns it, for `meter-server migrate` alone; "
        "without it, `DATABASE_URL` migrates too.",
    )
    redis_url: SecretStr = Field(
        validation_alias="REDIS_URL",
        description="Where Redis is: `redis://:password@host:port/0` (`rediss://` for TLS).",
    )
    host: str = Field(
        default="127.0.0.1",
        min_length=1,
        description="The address the web server listens on.",
    )
    port: int = Field(
        default=8470, ge=1, le=65535, description="The port the web server listens on."
    )
    processes: int = Field(
        default=1,
        ge=1,
        le=64,
        description="How many web server processes share the port.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The least important kind of log line that is written."
    )
    log_format: Literal["json", "console"] = Field(
        default="json", description="One JSON object per line for programs, or text for people."
    )
    database_connections_min: int = Field(
        default=1,
        ge=1,
        le=1000,
        description="Database connections each process keeps open.",
    )
    database_connections_max: int = Field(
        default=10,
        ge=1,
        le=1000,
        description="Database connections each process opens at most.",
    )
    database_wait_seconds: int = Field(
        default=2,
        ge=1,
        le=60,
        description="How long a request waits for a database connection before it is refused.",
    )
    session_idle_minutes: int = Field(
        default=15,
        ge=1,
        le=1440,
        description="After how long without a request a person is signed out of the back office.",
    )
    session_hours_max: int = Field(
        default=12,
        ge=1,
        le=24,
        description="After how long a person signs in again, however busy.",
    )
    insecure_cookies: bool = Field(
        default=False,
        description="Let browsers send the session without TLS; only for a look on this machine.",
    )
    trusted_proxies: str = Field(
        default="",
        description="Addresses or networks of the proxies in front, with commas between: of their "
        "requests, `X-Forwarded-For` says whose they are. Empty: nobody is believed.",
        examples=["10.0.0.5, 10.1.0.0/16"],
    )
    card_key: SecretStr | None = Field(
        default=None,
        min_length=32,
        description="A long random text with which the numbers of staff cards are made "
        "unreadable; without it people type their staff number at a console. "
        "A new one makes every card unknown.",
    )
    signing_key_file: Path | None = Field(
        default=None,
        description="The file with the key that signs receipts, as `meter-server keys create` "
        "writes it; without it table agents cannot be answered.",
    )
    checkpoint_folder: Path | None = Field(
        default=None,
        description="Where the log of checkpoints is kept, outside the database and best on "
        "another disk; without it `checkpoints` in the data folder of whoever runs the server "
        "(`$XDG_DATA_HOME/prize-meter` or `~/.local/share/prize-meter`).",
    )
    displays_confirmed_by_hand: bool = Field(
        default=False,
        description="`false` says that signs report for themselves, and a table without a report "
        "for 30 seconds takes no new wagers (SGN-1); `true` that staff see to it that every "
        "table's display shows its meter, and report one that does not: for tables whose displays "
        "are not screens of this system.",
    )
    displays_kept_days: int = Field(
        default=2_557,
        ge=90,
        le=36_525,
        description="For how many days it is kept which screen showed which value; seven years "
        "unless the house wants otherwise. What showed a notice is kept for good.",
    )
    amounts_before_determination: bool = Field(
        default=True,
        description="Whether signs show the amount of a royal or straight flush while it is still "
        "being verified; if not, from its determination on.",
    )
    worker_threads: int = Field(
        default=4, ge=1, le=64, description="How many tasks a worker runs at the same time."
    )
    worker_metrics_port: int = Field(
        default=8471,
        ge=1,
        le=65535,
        description="The port on which a worker answers `/metrics`, at the same address.",
    )
    task_redelivery_seconds: int = Field(
        default=300,
        ge=1,
        le=86400,
        description="When the task of a worker that died is given to another worker; "
        "longer than any task takes.",
    )

    @field_validator("database_url", "database_owner_url")
    @classmethod
    def _is_postgresql(cls, url: SecretStr | None) -> SecretStr | None:
        return url and _require_scheme(url, "postgresql://", "postgres://")

    @field_validator("redis_url")
    @classmethod
    def _is_redis(cls, url: SecretStr) -> SecretStr:
        return _require_scheme(url, "redis://", "rediss://", "unix://")

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, text: str) -> str:
        for part in filter(str.strip, text.split(",")):
            try:
                ip_network(part.strip())
            except ValueError:
                raise ValueError(
                    f"'{part.strip()}' is neither an address nor a network: write 10.0.0.5 or "
                    "10.1.0.0/16"
                ) from None
        return text

    @model_validator(mode="after")
    def _min_within_max(self) -> "Settings":
        if self.database_connections_min > self.database_connections_max:
            raise ValueError(
                f"{PREFIX}DATABASE_CONNECTIONS_MIN is {self.database_connections_min}, but may not "
                f"be more than {PREFIX}DATABASE_CONNECTIONS_MAX, {self.database_connections_max}"
            )
        return self


def load() -> Settings:
    """Read the settings from the environment and the secrets directory, or say what is wrong."""
    return _loaded(Settings)


def load_readings() -> ReadingSettings:
    """Read those alone that choose readings, for whoever has no server at hand."""
    return _loaded(ReadingSettings)


Chosen = TypeVar("Chosen", bound=ReadingSettings)


def _loaded(kind: type[Chosen]) -> Chosen:
    _refuse_unknown_names()
    try:
        return kind(_secrets_dir=_secrets_directory())  # type: ignore[call-arg]  # not a field
    except ValidationError as error:
        raise SettingsError(" ".join(_sentence(detail) for detail in error.errors())) from None


def names() -> list[str]:
    """Every field, the readings last."""
    return sorted(Settings.model_fields, key=ReadingSettings.model_fields.__contains__)


def set_in(loaded: ReadingSettings, name: str) -> str | None:
    """Where a value comes from; None for the default."""
    if name not in loaded.model_fields_set:
        return None
    # As pydantic reads them, whatever their case.
    is_in_environment = variable(name) in map(str.upper, os.environ)
    return "the environment" if is_in_environment else "the secrets directory"


def variable(name: str) -> str:
    """Give the environment variable that sets a field."""
    alias = Settings.model_fields[name].validation_alias
    return alias if isinstance(alias, str) else PREFIX + name.upper()


def is_secret(field: FieldInfo) -> bool:
    """Tell whether the value of a field may be shown."""
    return field.annotation in {SecretStr, SecretStr | None}


def _require_scheme(url: SecretStr, *schemes: str) -> SecretStr:
    if not url.get_secret_value().startswith(schemes):
        raise ValueError(f"it must begin with {' or '.join(schemes)}")
    return url


def _secrets_directory() -> str | None:
    directory = os.environ.get(SECRETS_DIRECTORY)
    if directory is not None and not Path(directory).is_dir():
        raise SettingsError(f"{SECRETS_DIRECTORY} is '{directory}', which is not a directory.")
    return directory


def _refuse_unknown_names() -> None:
    """A misspelt setting would silently leave its default in force."""
    known = [*map(variable, Settings.model_fields), SECRETS_DIRECTORY]
    for name in os.environ:
        if name.startswith(PREFIX) and name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f"; did you mean {close[0]}?" if close else ": see docs/settings.md."
            raise SettingsError(f"{name} is not a setting{hint}")


def _sentence(detail: ErrorDetails) -> str:
    if not detail["loc"]:
        return _reason(detail) + "."
    name = _field_name(str(detail["loc"][0]))
    if detail["type"] == "missing":
        return f"{variable(name)} is not set. {Settings.model_fields[name].description}"
    shown = "wrong" if is_secret(Settings.model_fields[name]) else f"'{detail['input']}'"
    return f"{variable(name)} is {shown}: {_reason(detail)}."


def _field_name(location: str) -> str:
    """Pydantic names a field by its alias where it has one."""
    return next(name for name in Settings.model_fields if location in {name, variable(name)})


def _reason(detail: ErrorDetails) -> str:
    context: dict[str, Any] = detail.get("ctx", {})
    if isinstance(context.get("error"), ValueError):
        return str(context["error"])
    return detail["msg"].replace("Input", "it", 1)
