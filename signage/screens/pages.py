"""The pages of the screens."""

import json
from functools import cache
from pathlib import Path
from typing import get_args
from urllib.parse import quote

from flask import (
    Blueprint,
    Response,
    abort,
    g,
    render_template,
    request,
    send_file,
    send_from_directory,
)

from meter_server.contract import look
from meter_server.contract.displays import Layout, Role, Screen
from signage.gateway.hub import Hub
from signage.settings import Language, Settings, Theme

_TEXT = Path(__file__).parent / "static" / "text"


def pages(hub: Hub, settings: Settings) -> Blueprint:
    made = Blueprint("screens", __name__, static_folder="static", template_folder="templates")

    @made.get("/")
    def own() -> str:
        """What this screen is for, or the code by which it is told."""
        screen: Screen | None = g.screen
        if screen is None:
            return render_template("pair.html", **_looks(settings))
        return _shown(screen.role, "/v1/stream", screen.role.model_dump_json())

    @made.get("/screens")
    def index() -> str:
        """For staff: every view, to look at without being a screen of the house."""
        return render_template("index.html", floor=hub.floor, **_looks(settings))

    @made.get("/sign/<table>")
    def sign(table: str) -> str:
        """The value recorded, the limits, the option and its pay table (SGN-1, SGN-5, SGN-6)."""
        role = Role.model_construct(layout="sign", table=table)
        return _shown(role, f"/v1/stream?table={quote(table, safe='')}")

    @made.get("/board")
    def board() -> str:
        """One or several meters (SGN-2)."""
        layout: Layout = "rotating" if "rotate" in request.args else "side-by-side"
        meters = quote(request.args.get("meters", ""), safe=",")
        return _shown(Role(layout=layout), f"/v1/stream?meters={meters}")

    def _shown(role: Role, stream: str, paired_as: str | None = None) -> str:
        page = "sign.html" if role.layout == "sign" else "board.html"
        return render_template(
            page,
            table=role.table,
            rotating=role.layout == "rotating",
            stream=stream,
            role=paired_as,
            **_looks(settings),
        )

    @made.get("/look/<filename>")
    def shared_look(filename: str) -> Response:
        return send_from_directory(look.FOLDER, filename)

    @made.get("/house.css")
    def house() -> Response:
        """The operator's own colour, above the themes'."""
        rule = f":root[data-theme] {{ --jackpot: {settings.accent}; }}" if settings.accent else ""
        return Response(rule, content_type="text/css; charset=utf-8")

    @made.get("/logo")
    def logo() -> Response:
        if settings.logo_file is None:
            abort(404)
        return send_file(settings.logo_file.absolute())

    return made


def _looks(settings: Settings) -> dict[str, object]:
    """How this screen looks: as it asks, or else as the house is set."""
    language = _one_of(get_args(Language), request.args.get("lang"), settings.language)
    return {
        "language": language,
        "theme": _one_of(get_args(Theme), request.args.get("theme"), settings.theme),
        "words": words(language),
        "has_logo": settings.logo_file is not None,
        "time_zone": settings.time_zone or "",
    }


@cache
def words(language: str) -> dict[str, str]:
    read: dict[str, str] = json.loads((_TEXT / f"{language}.json").read_text(encoding="utf-8"))
    return read


def _one_of(choices: tuple[str, ...], asked: str | None, otherwise: str) -> str:
    return asked if asked in choices else otherwise
