"""Every command through every door: the same outcome, the same refusal, and its call honoured.

The reference is `service.handle` itself. A door that forgets a command is named in a sentence.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, Protocol

import httpx
import msgspec
import pytest
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
from tests.disputes.people import CLEO, private_key
from tests.http.serving import Service, serving
from tests.shell.terminal import Matchledger, on_empty_ledger

COMMANDS: Final[tuple[type[Command], ...]] = (c.OpenMatch, c.Fork, *handle.HANDLERS)
ONLY_AT_THE_KEYBOARD: Final = {c.Enter: "over a network a seat enters for itself, one action at a time (`Act`)"}
OPENING: Final = c.OpenMatch(
    game="azul",
    players=["Ann", "Ben"],
    options={"firstPlayer": "seat:1"},
    undo="free",
    seed=7,
    arbiters=[CLEO.key.public],
)


class Sent(NamedTuple):
    """A command and the seat it is for, where it is for one."""

    command: Command
    seat: int | None = None


class Case(NamedTuple):
    """What is done before a command, the command, and one like it that is refused at the same point."""

    do: Sent
    refused: Sent | None = None
    before: tuple[Sent, ...] = ()
    opening: c.OpenMatch = OPENING


_OVER = Sent(c.Resign(), 2)
_MOVE, _DISPUTE = Sent(c.Act(move="2R2"), 1), Sent(c.OpenDispute(words="Too few", claim=5), 1)
_RULING: Final[dict[str, Any]] = {"rules": ["AZ-46"], "reason": "Counted again"}
_RULED = Sent(c.RuleDispute(number=1, adjustments=[c.Adjustment(seat=1, points=3)], **_RULING))
_APPEALED = Sent(c.Appeal(number=1, words="Not so"), 2)
_DECIDED = Sent(c.DecideAppeal(number=1, upheld=True, **_RULING))

CASES: Final = (
    Case(Sent(c.Fork(step=4)), Sent(c.Fork(step=99)), (_MOVE,)),
    Case(
        Sent(c.Join(name="Ben", nonce="mine")),
        Sent(c.Join(name="Ben", seat=1)),
        opening=replace(OPENING, players=["Ann"], seats=2),
    ),
    Case(Sent(c.Rename(seat=2, name="Benjamin")), Sent(c.Rename(seat=9, name="Eve"))),
    Case(_MOVE, Sent(c.Act(move="CB1"), 1)),
    Case(
        Sent(c.Deal(outcome="BBBB YYYY RRRR KKKK WWWW")),
        Sent(c.Deal(outcome="BBBB YYYY")),
        opening=replace(OPENING, chance="recorded", seed=None),
    ),
    Case(Sent(c.Undo(steps=1), 1), Sent(c.Undo(steps=50), 1), (_MOVE,)),
    Case(Sent(c.Redo(steps=1), 1), Sent(c.Redo(steps=50), 1), (_MOVE, Sent(c.Undo(steps=1), 1))),
    Case(
        Sent(c.AnswerUndo(accepts=True), 2),
        Sent(c.AnswerUndo(accepts=True), 1),
        (_MOVE, Sent(c.Undo(steps=1), 1)),
        replace(OPENING, undo="consent"),
    ),
    Case(
        Sent(c.AnswerUndo(accepts=False), 2),
        Sent(c.AnswerUndo(accepts=False), 1),
        (_MOVE, Sent(c.Undo(steps=1), 1)),
        replace(OPENING, undo="consent"),
    ),
    Case(_OVER),
    Case(Sent(c.Abandon())),
    Case(_DISPUTE, Sent(c.OpenDispute(words="Too few", event=999), 1)),
    Case(Sent(c.Withdraw(number=1), 1), Sent(c.Withdraw(number=1), 2), (_DISPUTE,)),
    Case(_RULED, Sent(c.RuleDispute(number=9, **_RULING)), (_OVER, _DISPUTE)),
    Case(_APPEALED, Sent(c.Appeal(number=9, words="Not so"), 2), (_OVER, _DISPUTE, _RULED)),
    Case(_DECIDED, Sent(c.DecideAppeal(number=9, upheld=True, **_RULING)), (_OVER, _DISPUTE, _RULED, _APPEALED)),
    Case(Sent(c.Finalise()), None, (_OVER, _DISPUTE, _RULED)),
)


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


# ------------------------------------------------------------------------------------------------------------ the doors


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


# ------------------------------------------------------------------------------------------------------------- fixtures


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cleo's private key."""
    file = tmp_path_factory.mktemp("keys") / "cleo.pem"
    file.write_bytes(private_key("Cleo").private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    file.chmod(0o600)
    return file


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service on a ledger of its own."""
    folder = tmp_path_factory.mktemp("service")
    with serving(str(on_empty_ledger(folder).database), folder) as found:
        yield found


@pytest.fixture
def reference(tmp_path: Path, key: Path) -> Iterator[Reference]:
    """The handlers on a ledger of their own."""
    (tmp_path / "reference").mkdir()
    found = Reference(on_empty_ledger(tmp_path / "reference").database, key)
    yield found
    found.store.close()


DOORS: Final[dict[str, type[CommandLine | Http | Facade]]] = {
    "command line": CommandLine,
    "HTTP": Http,
    "facade here": Facade,
    "facade at a server": Facade,
}


@pytest.fixture(params=DOORS)
def door(request: pytest.FixtureRequest, tmp_path: Path, key: Path, service: Service) -> Iterator[Door]:
    """Each of the doors, on a ledger of its own or at the service."""
    tokens = tmp_path / "tokens.json"

    def at_service(match: str) -> Live:
        with Client(service.url) as client:
            return HttpReader(client, TokenFile(client.url, tokens)).read(match)

    if request.param == "HTTP":
        yield Http(service, key, at_service)
    elif request.param == "facade at a server":
        with matchledger.connect(service.url, tokens=tokens) as ledger:
            yield Facade(ledger, key, at_service)
    else:
        program = on_empty_ledger(tmp_path)
        with open_store(str(program.database)) as store, matchledger.open(program.database) as ledger:
            local = LocalLedger(store)
            is_python = request.param == "facade here"
            made = Facade if is_python else CommandLine
            yield made(ledger if is_python else program, key, lambda match: load(local, match))  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------------------------------- tests


def prepared(door: Door, case: Case) -> str:
    """A match in which everything was done that comes before the command."""
    match = door.open(case.opening)
    for sent in case.before:
        door.send(match, sent)
    return match


def facts(door: Door, match: str, case: Case, after: int) -> list[Any]:
    """What was added to a match and who sits there, without what is different in every match."""
    live = door.read(match)
    said = [(entry.actor, msgspec.to_builtins(entry.event)) for entry in live.envelopes[after:]]
    for _, event in said:
        for own in ("signature", "parent", "commitment", "secret"):
            event.pop(own, None)
    return [said, {seat: row.name for seat, row in live.seats.items()}]


def refusal_of(door: Door, match: str, sent: Sent, call: Call = Call()) -> str:  # noqa: B008
    """The code with which a command is refused."""
    with pytest.raises(Refusal) as refused:
        door.send(match, sent, call)
    return str(refused.value)


@pytest.mark.parametrize("case", CASES, ids=lambda case: type(case.do.command).__name__)
def test_a_command_does_the_same_through_every_door(door: Door, reference: Reference, case: Case) -> None:
    match, known = prepared(door, case), prepared(reference, case)
    head = door.read(match).head.seq
    assert head == reference.read(known).head.seq
    if case.refused is not None:
        assert refusal_of(door, match, case.refused) == refusal_of(reference, known, case.refused)
    assert refusal_of(door, match, case.do, Call(expected=head - 1)) == "store/stale-head"
    assert door.read(match).head.seq == head, "a refusal adds nothing"

    once = Call(expected=head, command=f"{match} once")
    done, wanted = door.send(match, case.do, once), reference.send(known, case.do, once)
    after = 1 if isinstance(case.do.command, c.Fork) else head
    assert facts(door, done, case, after) == facts(reference, wanted, case, after)

    is_open = door.read(done).head.seq
    assert door.send(match, case.do, once) == done
    assert door.read(done).head.seq == is_open, "sent again under its id, it is carried out once"
    if case.refused is not None:
        assert refusal_of(door, match, case.refused, Call(command=once.command)) == "store/command-reused"


def test_a_match_is_opened_once_under_one_id(door: Door) -> None:
    first = door.open(OPENING, "one opening and no other")
    assert door.open(OPENING, "one opening and no other") == first


@pytest.mark.parametrize("name", DOORS)
def test_no_door_lacks_a_command(name: str) -> None:
    lacking = [
        f"`{command.__name__}` cannot be sent through the {name}: give it a place there, or a reason here"
        for command in COMMANDS
        if command not in DOORS[name].knows and (name == "command line" or command not in ONLY_AT_THE_KEYBOARD)
    ]
    assert not lacking, "; ".join(lacking)


def test_every_command_has_a_case() -> None:
    tried = {type(case.do.command) for case in CASES} | {c.OpenMatch, *ONLY_AT_THE_KEYBOARD}
    assert tried == set(COMMANDS)


def test_every_value_is_handled() -> None:
    values = {kind for kind in vars(c).values() if isinstance(kind, type) and issubclass(kind, Command)} - {Command}
    assert values == set(COMMANDS)


BUTTONS: Final[dict[type[Command], Sequence[str]]] = {
    c.OpenMatch: ["/matches"],
    c.Fork: ["fork"],
    c.Join: ["join"],
    c.Act: ["actions"],
    c.Deal: ["deal"],
    c.Undo: ["undo"],
    c.Redo: ["redo"],
    c.AnswerUndo: ["undo/accept", "undo/decline"],
    c.Resign: ["resign"],
    c.OpenDispute: ["disputes"],
    c.Withdraw: ["withdraw"],
    c.Appeal: ["appeal"],
    c.RuleDispute: ["ruling"],
    c.DecideAppeal: ["decision"],
    c.Finalise: ["final"],
}
"""Where the button of a command sends it, as the pages say it. tests/web presses them."""


def test_a_button_sends_where_the_table_of_routes_says() -> None:
    web = Path(__file__).parents[1] / "service" / "shell" / "web"
    pages = "\n".join(file.read_text() for file in web.rglob("*") if file.suffix in (".js", ".py", ".html"))
    for command, places in BUTTONS.items():
        paths = [row.path for row in COMMAND_ROUTES if row.command is command]
        for place in places:
            assert any(path.endswith(place) for path in paths), f"no route of {command.__name__} ends with {place}"
            assert re.search(rf"[\"'`/]{place}[\"'`?]", pages), f"no page sends {command.__name__} to …/{place}"
