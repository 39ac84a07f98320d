"""Settings: what is allowed, and a sentence for everything else."""

from pathlib import Path

import pytest

from meter_server import bootstrap, settings, settings_page
from meter_server.domain.rulebook.readings import DEFAULT_READINGS, Readings, Scope, SplitBasis
from meter_server.errors import SettingsError

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is required, whatever the shell that runs the tests has set."""
    for name in (*map(settings.variable, settings.Settings.model_fields),):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv(settings.SECRETS_DIRECTORY, raising=False)
    monkeypatch.setenv("DATABASE_URL", "postgresql://meter:a-secret@db.example/meter")
    monkeypatch.setenv("REDIS_URL", "redis://:another-secret@cache.example/0")


def test_defaults() -> None:
    loaded = settings.load()
    assert (loaded.host, loaded.port) == ("127.0.0.1", 8470)


def test_secrets_are_not_shown() -> None:
    shown = f"{settings.load()!r} {settings.load()}"
    assert "a-secret" not in shown
    assert "another-secret" not in shown


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        (
            "METER_SERVER_PORT",
            "70000",
            "METER_SERVER_PORT is '70000': it should be less than or equal to 65535.",
        ),
        (
            "METER_SERVER_PORT",
            "high",
            (
                "METER_SERVER_PORT is 'high': it should be a valid integer, "
                "unable to parse string as an integer."
            ),
        ),
        (
            "METER_SERVER_TRUSTED_PROXIES",
            "10.0.0.5, proxy.example",
            (
                "METER_SERVER_TRUSTED_PROXIES is '10.0.0.5, proxy.example': 'proxy.example' is "
                "neither an address nor a network: write 10.0.0.5 or 10.1.0.0/16."
            ),
        ),
        (
            "METER_SERVER_LOG_FORMAT",
            "xml",
            "METER_SERVER_LOG_FORMAT is 'xml': it should be 'json' or 'console'.",
        ),
        (
            "METER_SERVER_DATABASE_CONNECTIONS_MIN",
            "11",
            (
                "METER_SERVER_DATABASE_CONNECTIONS_MIN is 11, but may not be more than "
                "METER_SERVER_DATABASE_CONNECTIONS_MAX, 10."
            ),
        ),
        (
            "METER_SERVER_SPLIT_BASIS",
            "exact",
            "METER_SERVER_SPLIT_BASIS is 'exact': it should be 'formula' or 'printed'.",
        ),
        (
            "METER_SERVER_SCOPE",
            "floor",
            "METER_SERVER_SCOPE is 'floor': it should be 'casino' or 'book'.",
        ),
        *(
            (
                "METER_SERVER_PAYABLE_UNIT_DOLLARS",
                wrong,
                (
                    f"METER_SERVER_PAYABLE_UNIT_DOLLARS is '{wrong}': it must be dollars in whole "
                    "cents, from 0.01 to 100."
                ),
            )
            for wrong in ("0", "0.001", "100.01", "-1", "a cent", "")
        ),
        (
            "METER_SERVER_TERMS_NOTICE_HOURS",
            "0",
            ("METER_SERVER_TERMS_NOTICE_HOURS is '0': it should be greater than or equal to 1."),
        ),
        (
            "DATABASE_URL",
            "mysql://meter:a-secret@db/meter",
            "DATABASE_URL is wrong: it must begin with postgresql:// or postgres://.",
        ),
        (
            "REDIS_URL",
            "http://:a-secret@cache",
            "REDIS_URL is wrong: it must begin with redis:// or rediss:// or unix://.",
        ),
        (
            "METER_SERVER_PROT",
            "80",
            "METER_SERVER_PROT is not a setting; did you mean METER_SERVER_PORT?",
        ),
        (
            "METER_SERVER_SECRETS_DIRECTORY",
            "/nowhere",
            "METER_SERVER_SECRETS_DIRECTORY is '/nowhere', which is not a directory.",
        ),
    ],
)
def test_a_wrong_setting_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as refused:
        settings.load()
    assert str(refused.value) == sentence


def test_without_a_setting_the_rules_are_read_as_the_rulebook_reads_them() -> None:
    assert bootstrap.readings(settings.load()) == DEFAULT_READINGS


def test_the_rules_are_read_as_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METER_SERVER_SPLIT_BASIS", "printed")
    monkeypatch.setenv("METER_SERVER_PAYABLE_UNIT_DOLLARS", "100")
    monkeypatch.setenv("METER_SERVER_SCOPE", "book")
    monkeypatch.setenv("METER_SERVER_TERMS_NOTICE_HOURS", "48")
    assert bootstrap.readings(settings.load()) == Readings(
        split_basis=SplitBasis.PRINTED,
        payable_unit_micros=100_000_000,
        scope=Scope.BOOK,
        terms_notice_us=48 * 3_600_000_000,
    )


def test_a_missing_setting_says_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL")
    with pytest.raises(SettingsError, match=r"^DATABASE_URL is not set\. Where PostgreSQL is: "):
        settings.load()


def test_secrets_can_come_from_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "DATABASE_URL").write_text("postgresql://from/a-file\n")
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.setenv(settings.SECRETS_DIRECTORY, str(tmp_path))
    assert settings.load().database_url.get_secret_value() == "postgresql://from/a-file"


def test_the_environment_wins_over_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "DATABASE_URL").write_text("postgresql://from/a-file")
    monkeypatch.setenv(settings.SECRETS_DIRECTORY, str(tmp_path))
    assert "db.example" in settings.load().database_url.get_secret_value()


def test_every_setting_is_described() -> None:
    undescribed = [
        name for name, field in settings.Settings.model_fields.items() if not field.description
    ]
    assert undescribed == []


def test_the_page_is_what_the_code_says() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert page == settings_page.render(), (
        "Run 'meter-server settings --write-page docs/settings.md'."
    )
