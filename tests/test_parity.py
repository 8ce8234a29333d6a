"""Every command through every door: the same outcome, the same refusal, and its call honoured.

The reference is `service.handle` itself. A door that forgets a command is named in a sentence. The buttons of the pages
are pressed in `tests/web/test_parity.py`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from service.play import commands as c
from service.play.appending import Call
from service.play.commands import Command
from service.play.ledger import LocalLedger
from service.play.replay import load
from service.shell import python as matchledger
from service.store.connect import open_store
from tests.doors import COMMANDS, CommandLine, Door, Facade, Http, Reference, key_file, reader_of
from tests.http.serving import Service, serving
from tests.parity import CASES, OPENING, Case, facts, prepared, refusal_of
from tests.shell.terminal import on_empty_ledger

ONLY_AT_THE_KEYBOARD: Final = {c.Enter: "over a network a seat enters for itself, one action at a time (`Act`)"}


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cleo's private key."""
    return key_file(tmp_path_factory.mktemp("keys"))


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
    at_service = reader_of(service, tokens)
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
    assert facts(door, done, after) == facts(reference, wanted, after)

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
