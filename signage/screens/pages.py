"""The pages of the screens."""

from flask import Blueprint, render_template

from signage.gateway.hub import Hub
from signage.settings import Settings


def pages(hub: Hub, settings: Settings) -> Blueprint:
    made = Blueprint("screens", __name__, static_folder="static", template_folder="templates")

    @made.get("/")
    def index() -> str:
        return render_template("index.html", floor=hub.floor, language=settings.language)

    return made
