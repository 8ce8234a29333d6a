"""A ledger as an object: open one, start matches, find them again, import records, audit everything."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from contextlib import closing as ending
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from service.audit import audit as audit_evidence
from service.audit.bulk import AuditTerms, audit_all
from service.audit.judge import own_notary
from service.audit.since import check_asked
from service.bots.programs import Programs
from service.errors import Damaged, UsageError
from service.games.shelf import GAMES, find_game
from service.play import ledger as rooms
from service.play import matches, moves, replay
from service.play.listing import read_status
from service.play.players import read_players
from service.play.simulate import audited
from service.play.workers import chosen_jobs
from service.records import import_evidence, read_evidence
from service.store.connect import TIMEOUT, open_store
from service.trust.arbiters import registered_arbiters

from ...audit.bulk import Batch
from ...audit.report import Report
from .match import Match
from .values import GameInfo

if TYPE_CHECKING:
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
    and Python functions (`bot:module:mybots.clever`): whoever names the players then runs whatever he likes here.

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
        ledger = rooms.LocalLedger(store, notary=own_notary() if is_kept else None, programs=runs)
        return Ledger(ledger, where, closing.pop_all())


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
    """Every match of one database. Made by `open`; threads may share it; closed by its owner, best with `with`."""

    def __init__(self, ledger: rooms.LocalLedger, database: str, closing: ExitStack) -> None:
        self._ledger = ledger
        self._database = database
        self._closing = closing

    def __repr__(self) -> str:
        return f"<Ledger {self._ledger.store.where}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
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
        arbiters: Sequence[str] = (),
        dispute_within: int = 0,
        appeal_within: int = 0,
    ) -> Match:
        """Open a match. Players are names, bots (`bot:greedy`, `bot:search:3`) or bots with a name (`Ada=bot:greedy`).

        Seats beyond the players wait for `Match.join`. Undo is `strict`, `consent` or `free`; chance is `fair`, with a
        seed `seeded`, or `recorded`: then every draw is told with `Match.deal`. Whoever guesses a seed knows its draws.

        >>> ledger.start("coloretto", "Ann", "Ben", "bot:greedy", seed=1).players
        {1: 'Ann', 2: 'Ben', 3: 'greedy'}
        """
        live = matches.open_match(
            self._ledger,
            game,
            seats,
            options=options,
            undo=undo,
            chance_mode=chance,
            seed=seed,
            confirm_reveals=confirm_reveals,
            players=read_players(players),
            arbiters=arbiters,
            dispute_within=dispute_within,
            appeal_within=appeal_within,
        )
        return Match(self._ledger, moves.replied(self._ledger, live))

    def keep(self, env: "Env", *players: str) -> Match:
        """Write what was played in an environment into the ledger, as the match it was; it is audited first.

        Every seat is named, `bot:greedy` or like a person. An episode that is not over is kept as an abandoned match.

        >>> env = matchledger.Env("coloretto", seats=3)
        >>> while not env.is_over:
        ...     env.step(env.legal()[0])
        >>> ledger.keep(env, "Linear", "Linear", "bot:random").status
        'closed'
        """
        append = env.as_append(read_players(players), self._ledger.clock())
        notary = self._ledger.notary
        self._ledger.store.append(append if notary is None else audited(notary, append))
        return self.match(append.match)

    def match(self, id: str) -> Match:
        """The match with this id, with the only id that begins so, or the `last` one that moved.

        >>> started = ledger.start("azul", "Ann", "Ben")
        >>> ledger.match("last").id == ledger.match(started.id[:6]).id == started.id
        True
        """
        return Match(self._ledger, replay.load(self._ledger, id))

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
        store = self._ledger.store
        rows = store.matches(
            game=find_game(game).key if game is not None else None,
            status=read_status(status),
            player=player,
            parent=store.find(parent).id if parent is not None else None,
            limit=limit,
        )
        return (self.match(row.match if isinstance(row, Damaged) else row.id) for row in rows)

    def import_(self, path: str | PathLike[str]) -> list[Match]:
        """Take every match of a record file into the ledger, each whole or not at all, hashes included."""
        found = read_evidence(Path(path), clock=self._ledger.clock)
        return [Match(self._ledger, import_evidence(self._ledger, evidence)) for evidence in found]

    def audit(
        self,
        keys: Sequence[str] = (),
        *,
        jobs: int | None = None,
        cluster: str | None = None,
        since: bool = False,
        full: bool = False,
    ) -> Batch:
        """Every check on every match; `is_clean`, or the reports that are not in `findings`.

        `since` passes over what stands as the last clean audit found it, `full` over nothing. If everything is clean,
        both sign that in the journal (`stated`) for the next one to rest on; without them nothing is written.

        By this process alone, by so many processes, or by the workers of the Dask scheduler at an address (with
        `pip install '.[cluster]'`): those open the database for themselves and must reach it.
        """
        check_asked(since=since, full=full, keys=keys, arbiters=())
        notary = self._ledger.notary
        if (since or full) and notary is None:
            raise UsageError("audit/unsigned", f"What lies in {MEMORY} is not signed; no audit of it can be stated.")
        terms = AuditTerms(keys, registered_arbiters(), is_ours=notary is not None)
        processes = chosen_jobs(jobs, cluster, otherwise=1)
        signer = notary if since or full else None
        total = Batch()
        for batch in audit_all(self._database, terms, processes, cluster, notary=signer, since=since):
            total.merge(batch)
        return total
