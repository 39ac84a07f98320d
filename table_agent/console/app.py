"""The console's own small server, for the browser on the same tablet and nobody else."""

from http import HTTPStatus

from flask import Flask, Response, jsonify, render_template, request, send_from_directory

from meter_server.contract import look
from meter_server.contract.device.errors import DeviceError
from table_agent.agent import Agent, Declined

BODY_BYTES_MAX = 16 * 1024


def create_app(agent: Agent, port: int) -> Flask:
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = BODY_BYTES_MAX
    app.config["TRUSTED_HOSTS"] = ["127.0.0.1", "localhost"]
    own = {f"http://127.0.0.1:{port}", f"http://localhost:{port}"}

    @app.get("/")
    def page() -> str:
        return render_template("console.html")

    @app.get("/look/<filename>")
    def shared_look(filename: str) -> Response:
        return send_from_directory(look.FOLDER, filename)

    @app.get("/state")
    def state() -> Response:
        """Everything the page draws (docs/agent.md)."""
        return jsonify(agent.shown())

    @app.post("/taps")
    def tap() -> tuple[Response, HTTPStatus]:
        """One touch; the answer is the state after it, with why it was declined if it was."""
        if request.headers.get("Origin", request.host_url.rstrip("/")) not in own:
            return jsonify(declined="Another page cannot tap here."), HTTPStatus.FORBIDDEN
        if request.mimetype != "application/json":
            return jsonify(declined="A tap is JSON."), HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        try:
            agent.tap(request.get_data())
        except Declined as declined:
            return _declined(agent, declined, _needs(declined)), HTTPStatus.CONFLICT
        except DeviceError as error:
            return _declined(agent, error, None), HTTPStatus.CONFLICT
        return jsonify(state=agent.shown()), HTTPStatus.OK

    @app.get("/approvals/<int:approval>")
    def approval(approval: int) -> Response:
        """What became of what was asked of a supervisor; asked while a sheet waits for it."""
        try:
            return jsonify(agent.approval(approval))
        except DeviceError as error:
            return jsonify(state="unknown", by=None, sentence=str(error))

    @app.after_request
    def harden(response: Response) -> Response:
        response.headers["Cache-Control"] = "no-store"
        response.headers["Content-Security-Policy"] = "default-src 'self'; frame-ancestors 'none'"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response

    return app


def _needs(declined: Declined) -> dict[str, str] | None:
    if declined.needs is None or declined.action is None:
        return None
    rank = declined.needs
    return {"key": rank.key, "title": rank.title, "action": declined.action.value}


def _declined(agent: Agent, error: DeviceError, needs: object) -> Response:
    return jsonify(declined=str(error), needs=needs, state=agent.shown())
