"""The doors a command can come through, each a way to send it and to see what became of it.

The reference among them is no door at all: the handlers of `service.handle`.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, Protocol

import httpx
import msgspec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from msgspec.structs import replace

from service import handle
from service.audit.judge import own_notary
from service.errors import LedgerError
from service.play import commands as c
from service.play.appending import Call
from service.play.commands import Command
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.replay import load
from service.shell import python as matchledger
from service.shell.backend.http_reader import HttpReader
from service.shell.backend.token_file import TokenFile
from service.shell.client import Client
from service.shell.command_routes import COMMAND_ROUTES, route_of
from service.store.connect import open_store
from service.trust.arbiters import read_arbiter
from tests.disputes.people import private_key
from tests.http.serving import Service
from tests.shell.terminal import Matchledger

COMMANDS: Final[tuple[type[Command], ...]] = (c.OpenMatch, c.Fork, *handle.HANDLERS)


class Sent(NamedTuple):
    """A command and the seat it is for, where it is for one."""

    command: Command
    seat: int | None = None


class Door(Protocol):
    """A way to send commands, and to see what became of them."""

    knows: ClassVar[dict[type[Command], Any]]

    def open(self, opening: c.OpenMatch, command_id: str | None = None) -> str:
        """Open a match; its id."""
        ...

    def send(self, match: str, sent: Sent, call: Call = Call()) -> str:  # noqa: B008
        """Send a command; the id of the match it was carried out in, or opened. Raises Refusal."""
        ...

    def read(self, match: str) -> Live:
        """The match as it stands."""
        ...


class Refusal(Exception):
    """What a door answers when it refuses; its message is the code."""


def key_file(folder: Path) -> Path:
    """A file with Cleo's private key."""
    file = folder / "cleo.pem"
    file.write_bytes(private_key("Cleo").private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    file.chmod(0o600)
    return file


def reader_of(service: Service, tokens: Path) -> Callable[[str], Live]:
    """Reads matches of a service, with the tokens of a file."""

    def read(match: str) -> Live:
        with Client(service.url) as client:
            return HttpReader(client, TokenFile(client.url, tokens)).read(match)

    return read


class Reference:
    """No door at all: the handlers."""

    knows: ClassVar[dict[type[Command], Any]] = dict.fromkeys(COMMANDS, True)

    def __init__(self, database: Path, key: Path) -> None:
        self.store = open_store(str(database))
        self.ledger = LocalLedger(self.store, notary=own_notary())
        self.key = key

    def open(self, opening: c.OpenMatch, command_id: str | None = None) -> str:
        return handle.open_match(self.ledger, opening, Call(None, command_id)).id

    def send(self, match: str, sent: Sent, call: Call = Call()) -> str:  # noqa: B008
        live = self.read(match)
        call = replace(call, seat=sent.seat, arbiter=read_arbiter(self.key, "Cleo"))
        try:
            if isinstance(sent.command, c.Fork):
                return handle.fork(self.ledger, live, sent.command, call).id
            return handle.handle(self.ledger, live, sent.command, call).match
        except LedgerError as refusal:
            raise Refusal(refusal.code) from refusal

    def read(self, match: str) -> Live:
        return load(self.ledger, match)


class CommandLine:
    """`matchledger …` on a ledger of its own."""

    knows: ClassVar[dict[type[Command], Any]] = {
        c.OpenMatch: lambda o: ["new", o.game, *o.players],
        c.Fork: lambda o: ["fork", "{match}", "--step", str(o.step)],
        c.Join: lambda o: ["join", "{match}", o.name, "--nonce", o.nonce, *(["--seat", str(o.seat)] if o.seat else [])],
        c.Rename: lambda o: ["rename", "{match}", str(o.seat), o.name],
        c.Act: lambda o: ["act", "{match}", o.move],
        c.Enter: lambda o: ["pad"],
        c.Deal: lambda o: ["deal", "{match}", *o.outcome.split()],
        c.Undo: lambda o: ["undo", "{match}", "-n", str(o.steps)],
        c.Redo: lambda o: ["redo", "{match}", "-n", str(o.steps)],
        c.AnswerUndo: lambda o: ["undo", "{match}", "--accept" if o.accepts else "--decline"],
        c.Resign: lambda o: ["resign", "{match}"],
        c.Abandon: lambda o: ["abandon", "{match}"],
        c.OpenDispute: lambda o: ["dispute", "open", "{match}", o.words, *_disputed(o)],
        c.Withdraw: lambda o: ["dispute", "withdraw", "{match}", str(o.number)],
        c.Appeal: lambda o: ["dispute", "appeal", "{match}", str(o.number), o.words],
        c.RuleDispute: lambda o: ["dispute", "rule", "{match}", str(o.number), *_ruling(o)],
        c.DecideAppeal: lambda o: ["dispute", "decide", "{match}", str(o.number), "--uphold", *_ruling(o)],
        c.Finalise: lambda o: ["dispute", "final", "{match}", "--key", "{key}", "--as", "Cleo"],
    }

    def __init__(self, program: Matchledger, key: Path, store: Callable[[str], Live]) -> None:
        self.program, self.key, self.read = program, key, store

    def open(self, opening: c.OpenMatch, command_id: str | None = None) -> str:
        words = [*self.knows[c.OpenMatch](opening), "--quiet"]
        words += ["--chance", "recorded"] if opening.seed is None else ["--seed", str(opening.seed)]
        words += ["--undo", opening.undo or "strict", "-o", f"firstPlayer={opening.options['firstPlayer']}"]
        words += ["--arbiter", opening.arbiters[0], *(["--seats", str(opening.seats)] if opening.seats else [])]
        return self.program(*words, *(["--command-id", command_id] if command_id else [])).strip()

    def send(self, match: str, sent: Sent, call: Call = Call()) -> str:  # noqa: B008
        words = [word.format(match=match, key=self.key) for word in self.knows[type(sent.command)](sent.command)]
        words += ["--seat", str(sent.seat)] if sent.seat is not None else []
        words += ["--expect", str(call.expected)] if call.expected is not None else []
        words += ["--command-id", call.command] if call.command is not None else []
        done = self.program.run_any(*words, "--json")
        if done.exit_code:
            raise Refusal(json.loads(done.stderr or done.stdout)["error"]["code"])
        return str(json.loads(done.stdout)["match"])


def _disputed(command: c.OpenDispute) -> list[str]:
    claim = ["--claim", f"1={command.claim}"] if command.claim is not None else []
    return [*claim, *(["--event", str(command.event)] if command.event else [])]


def _ruling(command: c.RuleDispute | c.DecideAppeal) -> list[str]:
    adjusted = [word for one in command.adjustments for word in ("--adjust", f"{one.seat}={one.points:+d}")]
    return ["--rule", command.rules[0], "--reason", command.reason, *adjusted, "--key", "{key}", "--as", "Cleo"]


class Http:
    """Plain requests to a service, with the tokens of whoever opened the match."""

    knows: ClassVar[dict[type[Command], Any]] = dict.fromkeys((row.command for row in COMMAND_ROUTES), True)

    def __init__(self, service: Service, key: Path, read: Callable[[str], Live]) -> None:
        self.service, self.key, self.read = service, key, read
        self.tokens: dict[str, Any] = {}

    def open(self, opening: c.OpenMatch, command_id: str | None = None) -> str:
        headers = {"Idempotency-Key": command_id.rjust(16, "-")} if command_id else {}
        answer = httpx.post(f"{self.service.api}/matches", content=msgspec.json.encode(opening), headers=headers)
        opened = answer.raise_for_status().json()
        self.tokens[opened["match"]["match"]] = opened["tokens"]
        return str(opened["match"]["match"])

    def send(self, match: str, sent: Sent, call: Call = Call()) -> str:  # noqa: B008
        row, tokens = route_of(sent.command), self.tokens[match]
        in_url = {*row.in_path, *row.fixed}
        body = {name: value for name, value in msgspec.to_builtins(sent.command).items() if name not in in_url}
        token = tokens["seats"].get(str(sent.seat), "") if row.roles == ("seat",) else tokens["host"]
        if row.roles == ("arbiter",):  # signed as a program would that knows nothing of ours but the documents
            token, live = tokens["arbiter"], self.read(match)
            body |= _signature(live, sent.command, self.key)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        if call.expected is not None:
            live = self.read(match)
            headers["If-Match"] = f'"{call.expected}-{live.hashes[call.expected - 1].hex()[:16]}"'
        elif row.roles == ("arbiter",):
            headers["If-Match"] = f'"{live.head.seq}-{live.head.hash.hex()[:16]}"'
        if call.command is not None:
            headers["Idempotency-Key"] = call.command.rjust(16, "-")
        content = json.dumps(body) if row.body is not None else ""
        answer = httpx.request(
            row.method, self.service.api + row.url(match, sent.command), content=content, headers=headers
        )
        said = answer.json()
        if not answer.is_success:
            raise Refusal(said["code"])
        if "tokens" in said:
            self.tokens[said["match"]["match"]] = said["tokens"]
            return str(said["match"]["match"])
        return str(said["match"])


def _signature(live: Live, command: Command, key: Path) -> dict[str, str]:
    from service.shell.backend.http import _signed_by

    return _signed_by(live, Call(arbiter=read_arbiter(key, "Cleo")), command)


class Facade:
    """Python, on a ledger here or at a server."""

    knows: ClassVar[dict[type[Command], Any]] = {
        c.OpenMatch: lambda ledger, o, command: ledger.start(
            o.game,
            *o.players,
            seats=o.seats,
            options=o.options,
            undo=o.undo,
            seed=o.seed,
            chance=o.chance,
            arbiters=o.arbiters,
            command=command,
        ),
        c.Fork: lambda match, o, seat, key, **guards: match.fork(o.step, **guards),
        c.Join: lambda match, o, seat, key, **guards: match.join(o.name, o.seat, nonce=o.nonce, **guards),
        c.Rename: lambda match, o, seat, key, **guards: match.rename(o.seat, o.name, **guards),
        c.Act: lambda match, o, seat, key, **guards: match.play(o.move, seat, **guards),
        c.Deal: lambda match, o, seat, key, **guards: match.deal(o.outcome, **guards),
        c.Undo: lambda match, o, seat, key, **guards: match.undo(o.steps, seat, **guards),
        c.Redo: lambda match, o, seat, key, **guards: match.redo(o.steps, seat, **guards),
        c.AnswerUndo: lambda match, o, seat, key, **guards: (match.accept if o.accepts else match.decline)(
            seat, **guards
        ),
        c.Resign: lambda match, o, seat, key, **guards: match.resign(seat, **guards),
        c.Abandon: lambda match, o, seat, key, **guards: match.abandon(**guards),
        c.OpenDispute: lambda match, o, seat, key, **guards: match.open_dispute(
            o.words, seat, event=o.event, claim=o.claim, **guards
        ),
        c.Withdraw: lambda match, o, seat, key, **guards: match.withdraw(o.number, seat, **guards),
        c.Appeal: lambda match, o, seat, key, **guards: match.appeal(o.number, o.words, seat, **guards),
        c.RuleDispute: lambda match, o, seat, key, **guards: match.rule(
            o.number, adjust={one.seat: one.points for one in o.adjustments}, **_signing(o, key), **guards
        ),
        c.DecideAppeal: lambda match, o, seat, key, **guards: match.decide_appeal(
            o.number, upheld=o.upheld, **_signing(o, key), **guards
        ),
        c.Finalise: lambda match, o, seat, key, **guards: match.finalise(key=key, sign_as="Cleo", **guards),
    }

    def __init__(self, ledger: matchledger.Ledger, key: Path, read: Callable[[str], Live]) -> None:
        self.ledger, self.key, self.read = ledger, key, read

    def open(self, opening: c.OpenMatch, command_id: str | None = None) -> str:
        return str(self.knows[c.OpenMatch](self.ledger, opening, command_id).id)

    def send(self, match: str, sent: Sent, call: Call = Call()) -> str:  # noqa: B008
        in_hand = self.ledger.match(match)
        guards = {"expect": call.expected, "command": call.command}
        try:
            done = self.knows[type(sent.command)](in_hand, sent.command, sent.seat, self.key, **guards)
        except LedgerError as refusal:
            raise Refusal(refusal.code) from refusal
        return done.id if isinstance(done, matchledger.Match) else in_hand.id


def _signing(command: c.RuleDispute | c.DecideAppeal, key: Path) -> dict[str, Any]:
    return {"rules": command.rules, "reason": command.reason, "key": key, "sign_as": "Cleo"}
