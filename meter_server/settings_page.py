"""Writes ``docs/settings.md`` from the settings themselves."""

from pydantic.fields import FieldInfo

from meter_server.settings import SECRETS_DIRECTORY, Settings, is_secret, names, variable

_PAGE = """\
# Settings

`meter-server` reads its settings once, when it starts, from environment variables.
`meter-server settings` shows those in force. A wrong value, or a name that begins with
`METER_SERVER_` and is none of these, ends the program with a sentence and exit code 2.

Secrets need not be in the environment: set `{secrets}` to a directory, and each file in it gives
the variable of its name (`DATABASE_URL`). The directories of Docker secrets and of systemd's
`LoadCredential=` have this form. A variable that is also set in the environment wins.

| variable | default | allowed | what it does |
|---|---|---|---|
{rows}

This page is written by `meter-server settings --write-page docs/settings.md`.
"""


def render() -> str:
    """Give the whole page."""
    rows = "\n".join(_row(name, Settings.model_fields[name]) for name in names())
    return _PAGE.format(secrets=SECRETS_DIRECTORY, rows=rows)


def _row(name: str, field: FieldInfo) -> str:
    default = "none" if field.default is None else f"`{field.default}`"
    default = "required" if field.is_required() else default
    allowed = "secret" if is_secret(field) else _allowed(name)
    return f"| `{variable(name)}` | {default} | {allowed} | {field.description} |"


def _allowed(name: str) -> str:
    schema = Settings.model_json_schema(by_alias=False)
    rule = schema["properties"][name]
    if "$ref" in rule:
        rule = schema["$defs"][rule["$ref"].rpartition("/")[2]]
    if "enum" in rule:
        return ", ".join(f"`{choice}`" for choice in rule["enum"])
    if rule.get("type") == "boolean":
        return "`true`, `false`"
    if rule.get("type") == "integer":
        return f"{rule['minimum']} to {rule['maximum']}"
    return "text"
