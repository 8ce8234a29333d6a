"""A ledger as an object, here or at a server: start matches, find them again, import records, audit everything."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from contextlib import closing as ending
from datetime import UTC, datetime
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, Self

from service.audit import audit as audit_evidence
from service.audit.bulk import AuditTerms, audit_all
from service.audit.judge import own_notary
from service.audit.since import check_asked
from service.bots.programs import Programs
from service.errors import UsageError
from service.games.shelf import GAMES, find_game
from service.limits import NUMBER
from service.play.appending import Call
from service.play.commands import OpenMatch
from service.play.ledger import LocalLedger
from service.play.listing import read_status
from service.play.players import read_players
from service.play.workers import chosen_jobs
from service.records import read_evidence
from service.shell.backend.backend import Backend
from service.shell.backend.local import LocalBackend
from service.shell.backend.reader import MatchFilter
from service.store.connect import TIMEOUT, open_store
from service.trust.arbiters import registered_arbiters

from ...audit.bulk import Batch
from ...audit.report import Report
from .match import Match
from .values import GameInfo

if TYPE_CHECKING:
    from service.shell.backend.http import HttpBackend

    from ...research.env import Env

MEMORY: Final = ":memory:"
"""The word for a ledger that is gone when it is closed."""


def open(
    database: str | PathLike[str],
    *,
    create: bool = True,
    read_only: bool = False,
    timeout: float = TIMEOUT,
    programs: bool = False,
) -> "Ledger":
    """The ledger in a file or a database, `:memory:` for one that is gone when it is closed.

    A missing file is made unless `create` is off. What the ledger states is signed with the key of this user, as on the
    command line; what lies in `:memory:` is not signed. With `programs`, players may be programs (`bot:exec:./mine`)
    and Python functions (`bot:module:mybots.clever`): then whoever chooses the players can run any program here.

    >>> with matchledger.open(":memory:") as ledger:
    ...     ledger.start("azul", "Ann", "Ben").status
    'playing'
    """
    with ExitStack() as closing:
        where = fspath(database)
        is_kept = where != MEMORY
        if not is_kept:
            where = str(Path(closing.enter_context(TemporaryDirectory(prefix="matchledger-"))) / "ledger.db")
        store = closing.enter_context(open_store(where, create=create, read_only=read_only, timeout=timeout))
        runs = closing.enter_context(ending(Programs())) if programs else None
        ledger = LocalLedger(store, notary=own_notary() if is_kept else None, programs=runs)
        return Ledger(LocalBackend(ledger), store.where, closing.pop_all(), where)


def connect(url: str, *, tokens: str | PathLike[str] | None = None) -> "Ledger":
    """The ledger of a server, with the same methods as one in a file.

    What you may do there follows from the tokens you have. They are kept in the same file as those of the command line,
    or in the one named by `tokens`; `:memory:` forgets them when the ledger is closed. A request whose answer was lost
    is sent again under the same key, so that it is carried out once.
    """
    from service.shell.backend.http import HttpBackend
    from service.shell.backend.token_file import TokenFile
    from service.shell.client import Client

    with ExitStack() as closing:
        client = closing.enter_context(Client(url))
        if tokens is not None and fspath(tokens) == MEMORY:
            tokens = Path(closing.enter_context(TemporaryDirectory(prefix="matchledger-"))) / "tokens.json"
        file = TokenFile(client.url, None if tokens is None else Path(tokens))
        return Ledger(HttpBackend(client, file), client.url, closing.pop_all())


def games() -> tuple[GameInfo, ...]:
    """Every game there is, with its options and how its moves are written.

    >>> [game.key for game in matchledger.games() if not game.pad_of]
    ['azul', 'master-chocolatier', 'summer-pavilion', 'coloretto']
    """
    return tuple(
        GameInfo(
            game.key, game.title, rules.ruleset, rules.seats, rules.options, dict(game.notation.examples), game.pad_of
        )
        for game, rules in ((game, game.rules) for game in GAMES)
    )


def audit(path: str | PathLike[str], keys: Sequence[str] = ()) -> list[Report]:
    """Every check on every match of a record file; no ledger is needed. With keys, matches must be signed by one."""
    return [audit_evidence(evidence, keys) for evidence in read_evidence(Path(path))]


class Ledger:
    """Every match of one database or server. Made by `open` or `connect`; closed by its owner, best with `with`.

    Threads may share one that was opened here.
    """

    def __init__(self, backend: Backend, where: str, closing: ExitStack, database: str = "") -> None:
        self._backend = backend
        self._where = where
        self._closing = closing
        self._database = database

    def __repr__(self) -> str:
        return f"<Ledger {self._where}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection. The ledger and its matches cannot be used afterwards."""
        self._closing.close()

    def start(
        self,
        game: str,
        *players: str,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        undo: str | None = None,
        chance: str | None = None,
        seed: int | None = None,
        confirm_reveals: bool = False,
        private: bool = False,
        arbiters: Sequence[str] = (),
        dispute_within: int = 0,
        appeal_within: int = 0,
        command: str | None = None,
    ) -> Match:
        """Open a match. Players are names, bots (`bot:greedy`, `bot:search:3`) or bots with a name (`Ada=bot:greedy`).

        Seats beyond the players wait for `Match.join`. Undo is `strict`, `consent` or `free`; chance is `fair`, with a
        seed `seeded`, or `recorded`: then every draw is told with `Match.deal`. Whoever guesses a seed knows its draws.
        A server keeps `private` matches for those who have one of their tokens. The same `command` opens one match.

        >>> ledger.start("coloretto", "Ann", "Ben", "bot:greedy", seed=1).players
        {1: 'Ann', 2: 'Ben', 3: 'greedy'}
        """
        opening = OpenMatch(
            game=game,
            players=list(players),
            seats=seats,
            options=dict(options or {}),
            undo=undo,
            chance=chance,
            seed=seed,
            confirm_reveals=confirm_reveals,
            private=private,
            arbiters=list(arbiters),
            dispute_within=dispute_within,
            appeal_within=appeal_within,
        )
        live = self._backend.open_match(opening, Call(None, command))
        return Match(self._backend, self._backend.replied(live))

    def keep(self, env: "Env", *players: str) -> Match:
        """Write what was played in an environment into the ledger, as the match it was; it is audited first.

        Every seat is named, `bot:greedy` or like a person. An episode that is not over is kept as an abandoned match.

        >>> env = matchledger.Env("coloretto", seats=3)
        >>> while not env.is_over:
        ...     env.step(env.legal()[0])
        >>> ledger.keep(env, "Linear", "Linear", "bot:random").status
        'closed'
        """
        append = env.as_append(read_players(players), datetime.now(UTC))
        return Match(self._backend, self._backend.keep(append))

    def match(self, id: str) -> Match:
        """The match with this id, with the only id that begins so, or the `last` one that moved.

        >>> started = ledger.start("azul", "Ann", "Ben")
        >>> ledger.match("last").id == ledger.match(started.id[:6]).id == started.id
        True
        """
        return Match(self._backend, self._backend.read(id))

    def matches(
        self,
        *,
        game: str | None = None,
        status: str | None = None,
        player: str | None = None,
        parent: str | None = None,
        limit: int | None = None,
    ) -> Iterator[Match]:
        """The matches that fit, the one moved last first, each read when the loop comes to it.

        >>> _ = ledger.start("azul", "Ann", "Zoe")
        >>> [match.players for match in ledger.matches(player="Zoe")]
        [{1: 'Ann', 2: 'Zoe'}]
        """
        wanted = MatchFilter(
            game=find_game(game).key if game is not None else None,
            status=read_status(status),
            player=player,
            parent=parent,
            limit=NUMBER if limit is None else limit,
        )
        return (self.match(id) for id in self._backend.ids(wanted))

    def import_(self, path: str | PathLike[str]) -> list[Match]:
        """Take every match of a record file into the ledger, each whole or not at all, hashes included."""
        found = read_evidence(Path(path))
        return [Match(self._backend, self._backend.import_record(evidence).live) for evidence in found]

    def add_token(self, match: str, token: str) -> list[str]:
        """Keep a token that somebody gave you for a match of a server; gives what it allows, such as `seat 2`."""
        return [str(right) for right in self._at_server().add(match, token)]

    def give_token(self, match: str, role: str, seat: int = 0) -> str:
        """A new token of a match of yours, for somebody else; the one before opens nothing any more."""
        from service.shell.backend.token_file import Right

        return self._at_server().give(match, Right(role, seat))

    def _at_server(self) -> "HttpBackend":
        from service.shell.backend.http import HttpBackend

        if not isinstance(self._backend, HttpBackend):
            raise UsageError("server/none", "A ledger that is opened here has no tokens; connect to a server.")
        return self._backend

    def audit(
        self,
        keys: Sequence[str] = (),
        *,
        jobs: int | None = None,
        cluster: str | None = None,
        since: bool = False,
        full: bool = False,
    ) -> Batch:
        """Every check on every match; `is_clean`, or the reports that are not in `findings`. Not at a server.

        `since` skips matches unchanged since the last clean audit, `full` skips none. If everything is clean, both sign
        that in the journal (`stated`), and the next audit can start from there; without them nothing is written.

        By this process alone, by so many processes, or by the workers of the Dask scheduler at an address (with
        `pip install '.[cluster]'`): those open the database for themselves and must reach it.
        """
        if not isinstance(self._backend, LocalBackend):
            raise UsageError("server/local-only", "All matches are audited where the ledger is, not over a server.")
        check_asked(since=since, full=full, keys=keys, arbiters=())
        notary = self._backend.ledger.notary
        if (since or full) and notary is None:
            raise UsageError("audit/unsigned", f"What lies in {MEMORY} is not signed; no audit of it can be stated.")
        terms = AuditTerms(keys, registered_arbiters(), is_ours=notary is not None)
        processes = chosen_jobs(jobs, cluster, otherwise=1)
        signer = notary if since or full else None
        total = Batch()
        for batch in audit_all(self._database, terms, processes, cluster, notary=signer, since=since):
            total.merge(batch)
        return total
