"""The stories of tests/scenarios/devices, played against a real server over real sockets."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from meter_server.contract import signatures
from meter_server.contract.device import enrolment
from meter_server.contract.device.errors import Refused
from meter_server.contract.device.identity import Folder, Identity, key_name
from meter_server.contract.device.link import Json, ask
from table_agent.link import Answered, Link
from tests.integration.devices.floor import gates, open_table, unique
from tests.integration.devices.stories import Events, Line, Story, all_stories
from tests.integration.office import PIN, Answer, Client, Office

MEANINGS: dict[tuple[int, object], str] = {
    (HTTPStatus.UNAUTHORIZED, "device-kept-out"): "kept out",
    (HTTPStatus.UNAUTHORIZED, "not-signed"): "not signed",
    (HTTPStatus.CONFLICT, "forked"): "fork",
    (HTTPStatus.FORBIDDEN, None): "forbidden",
}

events = Events()
STORIES = all_stories()


@dataclass
class Terminal:
    """A machine that holds keys; a copy of it holds the same ones."""

    folder: Path
    keys: list[Ed25519PrivateKey] = field(default_factory=list)
    identity: Identity | None = None
    noted: str = ""

    @property
    def who(self) -> Identity:
        assert self.identity is not None
        return self.identity

    def link(self, key: Ed25519PrivateKey | None = None) -> Link:
        return Link(self.who, key or self.keys[-1])


@dataclass
class Playing:
    office: Office
    folder: Path
    names: dict[str, str]
    terminals: dict[str, Terminal] = field(default_factory=dict)
    proposals: dict[str, str] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    sent: dict[tuple[str, int, int], Json] = field(default_factory=dict)
    last_request: tuple[bytes, dict[str, str]] | None = None

    def name(self, word: str) -> str:
        return self.names.get(word, word)

    def terminal(self, name: str) -> Terminal:
        return self.terminals.setdefault(name, Terminal(self.folder / name))

    def person(self, who: str) -> Client:
        if who == "colleague":
            return self.office.colleague("area-manager")
        return self.office.of_role(who)

    @property
    def server(self) -> str:
        return f"http://127.0.0.1:{self.office.port}"


@pytest.mark.parametrize("story", STORIES, ids=lambda story: f"{story.file}: {story.title}")
def test_story(office: Office, tmp_path: Path, story: Story) -> None:
    names = {letter: unique(letter.lower()) for letter in ("D", "E", "G")}
    playing = Playing(office, tmp_path, {**names, "T": open_table(office)})
    for line in story.lines:
        events.play(playing, line)


def test_there_are_stories_of_every_kind() -> None:
    assert {story.file for story in STORIES} == {"enrolment", "keys", "numbers"}
    assert all(story.lines for story in STORIES)


def _told(answer: Answer, done: str) -> str:
    """What a person hears."""
    return done if answer.status < 300 else f"refused {answer.json()['kind']}"


def _heard(request: Callable[[], str]) -> str:
    """What a device hears; the status must be the one of its kind."""
    try:
        return request()
    except Refused as refused:
        kind = refused.problem.get("kind")
        meaning = (refused.status, kind)
        if meaning == (HTTPStatus.CONFLICT, "gap"):
            return f"gap {refused.problem['last_number']}"
        return MEANINGS.get(meaning, f"refused {kind}")


@events.say("{who} proposes {device} (?:at {table}|as gateway)")
def propose(story: Playing, who: str, device: str, table: str | None) -> str:
    body = {
        "device": story.name(device),
        "kind": "gateway" if table is None else "agent",
        "table": None if table is None else story.name(table),
    }
    proposed = story.person(who).post("/v1/devices", body)
    if proposed.status == 202:
        story.proposals[device] = proposed.json()["id"]
    return _told(proposed, "proposed")


@events.say("{who} confirms {device}")
def confirm(story: Playing, who: str, device: str) -> str:
    answer = story.person(who).post(f"/v1/proposals/{story.proposals[device]}/confirmation")
    if answer.status == 200:
        story.codes[device] = answer.json()["once"]["code"]
    return _told(answer, "code")


@events.say("{who} revokes {device}")
def revoke(story: Playing, who: str, device: str) -> str:
    path = f"/v1/devices/{story.name(device)}/revocation"
    answer = story.person(who).post(path, {"reason": "Left in the bar"})
    return _told(answer, answer.json().get("state", ""))


@events.say("{terminal} notes the code")
def note(story: Playing, terminal: str) -> None:
    story.terminal(terminal).noted = story.codes["D"]


@events.say("{terminal} enrols as {device}")
def enrol_once(story: Playing, terminal: str, device: str) -> str:
    return _enrol(story, terminal, device, story.codes.get(device) or story.codes["D"])


@events.say("{terminal} enrols as {device} with a wrong code")
def enrol_wrongly(story: Playing, terminal: str, device: str) -> str:
    return _enrol(story, terminal, device, "ABCDEFGHJK")


@events.say("{terminal} enrols as {device} with the noted code")
def enrol_late(story: Playing, terminal: str, device: str) -> str:
    return _enrol(story, terminal, device, story.terminal(terminal).noted)


def _enrol(story: Playing, terminal: str, device: str, code: str) -> str:
    """With the agent's own code."""
    machine, name = story.terminal(terminal), story.name(device)
    folder = Folder(machine.folder, "table-agent")

    def enrolled() -> str:
        if device == "G":
            key = folder.new_key()
            told = _show_code(story, name, code, key, key)
            machine.identity = Identity(
                story.server, name, 1, "none", told["server_key"], key_name(key)
            )
            machine.keys.append(key)
            return f"epoch {told['device']['epoch']}"
        machine.identity = enrolment.enrol(folder, story.server, name, code, at_table=True)
        machine.keys.append(folder.private_key(machine.identity.key))
        return f"epoch {machine.identity.epoch}"

    return _heard(enrolled)


@events.say("{terminal} enrols as {device} with the key of {other}")
def enrol_with_a_stolen_public_key(story: Playing, terminal: str, device: str, other: str) -> str:
    """Whoever knows a public key only cannot prove to hold the private one."""
    del terminal
    shown, held = story.terminal(other).keys[-1], Ed25519PrivateKey.generate()
    return _heard(
        lambda: str(_show_code(story, story.name(device), story.codes[device], shown, held))
    )


@events.say("{terminal} enrols as {device} with its old key")
def enrol_with_an_old_key(story: Playing, terminal: str, device: str) -> str:
    key = story.terminal(terminal).keys[-1]
    return _heard(lambda: str(_show_code(story, story.name(device), story.codes[device], key, key)))


def _show_code(
    story: Playing, name: str, code: str, shown: Ed25519PrivateKey, held: Ed25519PrivateKey
) -> Json:
    public = enrolment.public_text(shown)
    proof = signatures.prove(held, signatures.ENROLMENT, name, code, public)
    body = {"device": name, "code": code, "public_key": public, "proof": proof}
    return ask(story.server, "POST", "/v1/enrolments", json.dumps(body).encode(), {})


@events.say("{terminal} is enrolled as {device} at T")
def is_enrolled(story: Playing, terminal: str, device: str) -> None:
    assert propose(story, "area-manager", device, "T") == "proposed"
    assert confirm(story, "colleague", device) == "code"
    assert _enrol(story, terminal, device, story.codes[device]) == "epoch 1"


@events.say("{copy} is a copy of {terminal}")
def is_a_copy(story: Playing, copy: str, terminal: str) -> None:
    original = story.terminal(terminal)
    shutil.copytree(original.folder, story.folder / copy)
    story.terminals[copy] = replace(original, folder=story.folder / copy, keys=list(original.keys))


@events.say("{terminal} makes a key for {device}")
def makes_a_key(story: Playing, terminal: str, device: str) -> None:
    story.terminals[terminal] = Terminal(
        story.folder / terminal,
        [Ed25519PrivateKey.generate()],
        story.terminals["tablet"].who,
    )
    assert story.terminal(terminal).who.device == story.name(device)


@events.say(r"{terminal} sends (?P<words>\d[\w ]*?)(?P<old> with its old key)?")
def send(story: Playing, terminal: str, words: str, old: str | None) -> str:
    """``1 2``, ``2 changed``, ``1 then 2 changed``, ``1 of nobody``."""
    machine = story.terminal(terminal)
    key = machine.keys[-2] if old else machine.keys[-1]
    table = story.names["T"]
    messages = []
    for number, changed, nobody in _numbers(words):
        told = (machine.who.device, machine.who.epoch, number)
        if changed:
            messages.append(gates(number, table, "display"))
        else:
            actor = {"actor": "nobody-here"} if nobody else {}
            messages.append(story.sent.setdefault(told, gates(number, table, **actor)))

    def answered() -> str:
        _sign_on(machine.link(key))
        return " ".join(
            _answer(one.answer, one.replayed) for one in _send(story, machine, key, messages)
        )

    return _heard(answered)


def _numbers(words: str) -> list[tuple[int, bool, bool]]:
    found: list[tuple[int, bool, bool]] = []
    for word in words.split():
        if word.isdigit():
            found.append((int(word), False, False))
        elif word == "changed":
            found.append((found.pop()[0], True, False))
        elif word == "nobody":
            found.append((found.pop()[0], False, True))
    return found


def _sign_on(link: Link) -> None:
    link.post("/v1/sign-on", {"number": "1001", "pin": PIN})


def _send(
    story: Playing, machine: Terminal, key: Ed25519PrivateKey, messages: list[Json]
) -> list[Answered]:
    body = {"device": machine.who.device, "epoch": machine.who.epoch, "messages": messages}
    data = json.dumps(body).encode()
    headers = signatures.signature_headers(key, "POST", "/v1/messages", data, datetime.now(UTC))
    story.last_request = data, headers
    return machine.link(key).send(messages)


def _answer(answer: Json, replayed: bool) -> str:
    if replayed:
        return "replayed"
    return str(answer["kind"]) if answer["answer"] == "refused" else "accepted"


@events.say("the network repeats the last request")
def repeat(story: Playing) -> str:
    assert story.last_request is not None
    body, headers = story.last_request
    told = ask(story.server, "POST", "/v1/messages", body, headers)
    return " ".join(_answer(one["answer"], one["replayed"]) for one in told["answers"])


@events.say("{terminal} takes a new key")
def take_a_new_key(story: Playing, terminal: str) -> str:
    machine, folder = (
        story.terminal(terminal),
        Folder(story.terminal(terminal).folder, "table-agent"),
    )

    def taken() -> str:
        folder.keep(machine.who)
        enrolment.rotate(folder)
        machine.identity = folder.identity()
        machine.keys.append(folder.private_key(machine.identity.key))
        return "key"

    if not machine.folder.exists():  # a stranger who made a key
        return _heard(lambda: _bring(machine, machine.keys[-1], machine.keys[-1]))
    return _heard(taken)


@events.say("{terminal} takes the key of {other}")
def take_the_key_of(story: Playing, terminal: str, other: str) -> str:
    machine = story.terminal(terminal)
    return _heard(lambda: _bring(machine, story.terminal(other).keys[-1], machine.keys[-1]))


@events.say("{terminal} takes its old key")
def take_an_old_key(story: Playing, terminal: str) -> str:
    machine = story.terminal(terminal)
    return _heard(lambda: _bring(machine, machine.keys[-2], machine.keys[-2]))


def _bring(machine: Terminal, shown: Ed25519PrivateKey, held: Ed25519PrivateKey) -> str:
    who, public = machine.who, enrolment.public_text(shown)
    facts = (signatures.ROTATION, who.device, str(who.epoch), who.key, public)
    body = {"public_key": public, "proof": signatures.prove(held, *facts)}
    machine.link().post("/v1/device/keys", body)
    return "key"


@events.say("{terminal} asks for its status")
def ask_status(story: Playing, terminal: str) -> str:
    return _heard(lambda: str(story.terminal(terminal).link().get("/v1/device/status")))


@events.say(r"{amount} {unit} pass")
def pass_time(story: Playing, amount: str, unit: str) -> None:
    """Everything with an end was begun so much earlier: the server's clock is not ours to move."""
    devices = [story.names[letter] for letter in ("D", "E", "G")]
    with psycopg.connect(story.office.database_url) as connection:
        for table, column in (
            ("enrolment", "expires_at"),
            ("device_key", "valid_from"),
            ("device_key", "valid_to"),
        ):
            connection.execute(
                f"UPDATE {table} SET {column} = {column} - %s::interval"  # noqa: S608
                " WHERE device_id = ANY (%s)".encode(),
                (f"{amount} {unit}", devices),
            )


@events.say("the alarm names {device}")
def alarm(story: Playing, device: str) -> None:
    with psycopg.connect(story.office.database_url) as connection:
        found = connection.execute(
            "SELECT after ->> 'state', after ->> 'reason' FROM audit_trail"
            " WHERE tag = 'console:device:freeze' AND subject = %s AND device = %s",
            (story.name(device), story.name(device)),
        ).fetchall()
    assert found == [("frozen", "it sent two messages under one number")]


@events.say("{device} has recorded {number}")
def has_recorded(story: Playing, device: str, number: str) -> None:
    with psycopg.connect(story.office.database_url) as connection:
        found = connection.execute(
            "SELECT last_number, (SELECT count(*) FROM message WHERE key LIKE %s)"
            " FROM device_number WHERE device_id = %s",
            (f"device:{story.name(device)}:%", story.name(device)),
        ).fetchall()
    assert found == [(int(number), int(number))]


def test_another_answer_than_the_expected_one_is_noticed() -> None:
    """Without this, stories that always pass would go unnoticed."""
    heard = Events()
    heard.say("{who} asks")(lambda _story, who: f"{who} heard")
    heard.play(None, Line("x:1", "tablet asks", "tablet heard"))
    for line in (Line("x:1", "tablet asks", "silence"), Line("x:2", "tablet sleeps", None)):
        with pytest.raises(AssertionError, match=line.place):
            heard.play(None, line)
