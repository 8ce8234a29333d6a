"""One run of the command line: the ledger it works on, and the arguments that look the same everywhere."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from msgspec import Struct, field

from service.errors import Unavailable, UsageError
from service.files import data_folder, is_path
from service.shell.commands.completion import complete_game, complete_game_or_match, complete_match, complete_seat
from service.store.connect import TIMEOUT, open_store
from service.store.shapes import LAST

if TYPE_CHECKING:  # a command loads what it uses: all of it takes longer than most commands to run
    from service.play.history import History
    from service.play.ledger import LocalLedger
    from service.shell.backend.backend import Backend
    from service.shell.backend.http import HttpBackend
    from service.shell.backend.reader import MatchReader
    from service.store.store import Store


class Session(Struct):
    """What one invocation works on, and how long it waits for others who work on it."""

    database: str
    is_named: bool
    timeout: float = TIMEOUT
    as_json: bool = False
    server: str = ""
    """The server it works at instead; empty for a ledger on this machine."""
    named: list[str] = field(default_factory=list)
    """The matches and record files it is about, as they were typed."""


def session_of(context: typer.Context) -> Session:
    """The session of this invocation."""
    session = context.find_object(Session)
    assert session is not None
    return session


@contextmanager
def _opened(context: typer.Context, *, creates: bool = False) -> Iterator["Store"]:
    """The store. A file that was named and is missing is made only by the commands that begin something."""
    session = session_of(context)
    if session.server:
        raise UsageError("server/local-only", f"This is done where the ledger is, not from here over {session.server}.")
    try:
        is_own = not session.is_named  # and nobody can have mistyped it
        store = open_store(session.database, create=creates or is_own, timeout=session.timeout)
    except Unavailable as refusal:
        if refusal.code == "store/missing" and not creates:
            refusal.hint = "`new`, `play`, `record` and `import` make a ledger; --database names another."
        raise
    with store:
        yield store


@contextmanager
def open_ledger(context: typer.Context, *, creates: bool = False) -> Iterator["LocalLedger"]:
    """The ledger, which signs what it states, for somebody at this machine."""
    with _opened(context, creates=creates) as store:
        from service.audit.judge import own_notary
        from service.bots.programs import Programs
        from service.play.ledger import LocalLedger

        with closing(Programs()) as programs:
            yield LocalLedger(store, notary=own_notary(), programs=programs)


@contextmanager
def open_reader(context: typer.Context) -> Iterator["MatchReader"]:
    """Where the matches are, for commands that only look: at the server that was named, or else in the ledger."""
    if session_of(context).server:
        with open_server(context) as backend:
            yield backend
    else:
        with _opened(context) as store:
            from service.play.ledger import LocalLedger
            from service.shell.backend.reader import LocalReader

            yield LocalReader(LocalLedger(store))


@contextmanager
def open_backend(context: typer.Context, *, creates: bool = False) -> Iterator["Backend"]:
    """Where the matches are: at the server that was named, or else in the ledger."""
    from service.shell.backend.local import LocalBackend

    if session_of(context).server:
        with open_server(context) as backend:
            yield backend
    else:
        with open_ledger(context, creates=creates) as ledger:
            yield LocalBackend(ledger)


@contextmanager
def open_server(context: typer.Context) -> Iterator["HttpBackend"]:
    """The server that was named."""
    from service.shell.backend.http import HttpBackend
    from service.shell.backend.token_file import TokenFile
    from service.shell.client import Client

    server = session_of(context).server
    if not server:
        raise UsageError("server/none", "This is about a server; name it with --server or MATCHLEDGER_SERVER.")
    with Client(server) as client:
        yield HttpBackend(client, TokenFile(client.url))


def load_match(context: typer.Context, source: str, at: str | None = None) -> "History":
    """A match to look at, as it stands or as it stood: one of the ledger, or the only one of a record file here."""
    if is_record(source):
        history = _read_record(source, is_quiet=session_of(context).as_json)
    else:
        with open_reader(context) as backend:
            history = backend.read(source)
    return history.at(at) if at is not None else history


def _read_record(file: str, is_quiet: bool) -> "History":
    """The only match of a record file, with a word of warning where it contradicts itself: it is evidence as it is."""
    from service.play.history import of_evidence  # records take the rules of every game, which takes long to load
    from service.records import read_evidence
    from service.shell.terminal.paint import say

    found = read_evidence(file)
    if len(found) != 1:
        listed = ", ".join(evidence.match for evidence in found)
        raise UsageError("record/which", f"{file!r} holds {len(found)} matches: {listed}; give a file with one.")
    (evidence,) = found
    if (evidence.is_broken or evidence.remarks) and not is_quiet:
        say(f"This record contradicts itself or the rules; see: matchledger audit {file}", "bad", stderr=True)
    return of_evidence(evidence)


def default_database() -> str:
    """Where the ledger of this user is, if nobody says otherwise."""
    return str(data_folder() / "ledger.db")


def _json_asked(context: typer.Context, value: bool) -> bool:
    session_of(context).as_json = value
    return value


def named(context: typer.Context, word: str | None) -> str | None:
    """Remember that the command is about this match or record."""
    if word is not None and not context.resilient_parsing:  # which is a shell that completes a line
        session_of(context).named.append(word)
    return word


def _needed_at_home(context: typer.Context, seat: str | None) -> str | None:
    """Refuse to guess who speaks; only at a server may it follow from the tokens one has."""
    if seat is None and not (context.resilient_parsing or session_of(context).server):
        raise UsageError("usage", "Missing option '--seat'.")
    return seat


def is_record(word: str) -> bool:
    """Whether a word names a record file rather than a match."""
    return word != LAST and is_path(word)


def match_argument(metavar: str, help_: str) -> Any:
    """An argument that names a match; the command is about it."""
    return typer.Argument(metavar=metavar, help=help_, callback=named, autocompletion=complete_match)


def game_or_match_argument(help_: str) -> Any:
    """An argument that names a game to begin or a match to go on with."""
    return typer.Argument(metavar="GAME|MATCH", help=help_, autocompletion=complete_game_or_match)


Match = Annotated[str, match_argument("MATCH", "A match id, the first letters of one, or `last`.")]
Source = Annotated[str, match_argument("MATCH|FILE", "A match id, the first letters of one, `last`, or a record file.")]
Game = Annotated[str, typer.Argument(metavar="GAME", help="A game; see `games`.", autocompletion=complete_game)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.", callback=_json_asked)]
# An option is called like the parameter that takes it, unless it says another name.
SEAT: Final = "SEAT|NAME"
Seat = Annotated[
    str | None,
    typer.Option(
        metavar=SEAT,
        help="The seat that acts, by name or number; needed only when several seats may act.",
        autocompletion=complete_seat,
    ),
]
Speaker = Annotated[
    str | None,
    typer.Option(
        metavar=SEAT,
        help="Your seat, by name or number; at a server not needed if you have one seat only.",
        callback=_needed_at_home,
        autocompletion=complete_seat,
    ),
]
At = Annotated[
    str | None, typer.Option(help="The match as it was after an event, such as 57, or after a step, such as s12.")
]
Expect = Annotated[int | None, typer.Option(help="Refuse the command if the match has later events than this one.")]
CommandId = Annotated[
    str | None, typer.Option(help="A text of your own; the same command with the same text is carried out only once.")
]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; see `games`.")
]
Seed = Annotated[
    int | None, typer.Option(help="Seeded chance: the same seed gives the same draws; whoever guesses it knows them.")
]

Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, help="How many processes; by default as many as there are cores.")
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Use the workers of a Dask scheduler (tcp://HOST:8786); for an audit, they must reach the database.",
    ),
]
ALL_CORES: Final = os.cpu_count() or 1


PLAY, LOOK, QUESTIONS, RECORDS, AUDIT, MORE, OPERATE = (
    "Play", "Look", "Questions", "Records", "Audit and disputes", "More", "Operate",
)  # fmt: skip
"""The panels of `--help`."""


def examples(*lines: str) -> str:
    """Examples below the help of a command."""
    return "[dim]Examples[/dim]\n" + "\n".join(f"matchledger {line}" for line in lines)
