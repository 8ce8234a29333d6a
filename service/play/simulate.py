"""Matches between bots by the thousand: played in memory, kept in the ledger only on request."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate, pairwise
from random import Random
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.chain import Row
from events.core import CHANCE, LEDGER, Actor
from events.match import MatchClosed, MatchOpened, SeatTaken
from projections.core import State
from service.bots.core import Bot
from service.bots.kinds import find_bot
from service.games.game import Game
from service.games.options import read_options
from service.games.shelf import find_game
from service.play import chance
from service.play.appending import Entry, compose, new_match
from service.play.bots import PATIENCE
from service.play.history import first_head
from service.play.ledger import new_id
from service.play.notary import Notary
from service.play.workers import sizes, working
from service.store.connect import open_store
from service.store.shapes import Append, SeatRow
from service.trust.folder import former_keys, load_server_key
from service.trust.statements import Draft

BATCH = 20
"""Matches a worker plays at most before it reports, and which are stored in one transaction when they are kept."""


class Plan(Struct, frozen=True):
    """What to simulate. The whole run follows from the seed: match i is played with seed + i."""

    game: str
    seats: int
    options: Mapping[str, str]
    bots: tuple[str, ...]
    """One bot for each seat."""
    seed: int


class Result(NamedTuple):
    """How one simulated match went."""

    seed: int
    scores: tuple[int, ...]
    """By seat."""
    winners: tuple[int, ...]
    """Empty when the bots gave the match up."""
    actions: int
    events: int


class Played(NamedTuple):
    """A whole match in memory: its steps of play and the state they lead to."""

    steps: list[list[Entry]]
    state: State
    actions: int


class Task(NamedTuple):
    """Some matches of a plan."""

    offsets: range
    """Added to the seed of the plan."""
    at: datetime | None
    """When they are played; None when they are not kept."""


class Batch(NamedTuple):
    """Some matches that were played."""

    results: list[Result]
    appends: list[Append]
    """What the ledger is to store of them; empty when they are not kept."""

    def __reduce__(self) -> tuple[Callable[..., "Batch"], tuple[object, ...]]:
        """As it travels to another process: row by row that took a sixth of the time that the match did."""
        packed = [(replace(append, rows=()), _pack(append.rows)) for append in self.appends]
        return _unpacked, (self.results, packed)


_pack: Final = msgspec.msgpack.Encoder().encode
_unpack: Final = msgspec.msgpack.Decoder(list[Row]).decode


def _unpacked(results: list[Result], packed: list[tuple[Append, bytes]]) -> Batch:
    return Batch(results, [replace(append, rows=_unpack(rows)) for append, rows in packed])


def make_plan(key: str, seats: int | None, options: Mapping[str, str], bots: Sequence[str], seed: int) -> Plan:
    """A plan with everything checked: the seats default to the fewest, one bot named plays every seat."""
    game = find_game(key)
    for name in bots:
        find_bot(name)
    count = seats if seats is not None else max(len(bots), game.rules.seats[0])
    values = read_options(game.rules, options, count)  # which refuses a table nobody could seat
    everyone = tuple(bots[seat % len(bots)] for seat in range(count)) if bots else ("random",) * count
    return Plan(game.key, count, values, everyone, seed)


def playout(game: Game, plan: Plan, seed: int) -> Played:
    """One match between bots, decided by its seed alone; given up without a result when it does not end."""
    projection, rules = game.projection, game.rules
    apply, request, decide = projection.apply, rules.request, rules.decide
    state = projection.initial(plan.seats, plan.options)
    secret = chance.secret_from_seed(seed)
    context = chance.entropy_of([""] * plan.seats)
    bots: list[Bot] = [find_bot(name) for name in plan.bots]
    rng = Random(seed)
    steps: list[list[Entry]] = []
    entries: list[Entry] = []
    draws = actions = 0
    while True:
        wanted = request(state)
        if wanted is not None:
            actor: Actor = CHANCE
            events = decide(state, CHANCE, chance.answer(secret, context, draws, wanted))
            draws += 1
        else:
            if entries:  # there is nothing to set up where everything was agreed in the options
                steps.append(entries)
            to_act = projection.to_act(state)
            if not to_act or actions == PATIENCE:
                return Played(steps, state, actions)
            actor = seat = to_act[0]
            events = decide(state, seat, bots[seat - 1](game, state, seat, rng))
            entries = []
            actions += 1
        for event in events:
            apply[type(event)](state, event)
            entries.append((actor, event))


def as_append(game: Game, plan: Plan, seed: int, played: Played, at: datetime) -> Append:
    """A simulated match as the ledger stores it, opening and closing included; nothing is stated about it."""
    secret = chance.secret_from_seed(seed)
    opened = MatchOpened(
        game=game.key,
        ruleset=game.rules.ruleset,
        seats=plan.seats,
        options=dict(plan.options),
        undo="free",
        chance="seeded",
        commitment=chance.commitment(secret),
    )
    standings = tuple(game.projection.standings(played.state))
    closed = MatchClosed(
        reason="finished" if standings else "abandoned",
        standings=standings,
        secret=secret.hex(),
        seed=str(seed),
    )
    seats = range(1, plan.seats + 1)
    joined: list[list[Entry]] = [[(seat, SeatTaken(seat=seat))] for seat in seats]
    steps: list[list[Entry]] = [[(LEDGER, opened)], *joined, *played.steps[:-1], [*played.steps[-1], (LEDGER, closed)]]
    match = new_id()
    _, rows, head = compose(match, first_head(match, game), steps, at)
    return Append(
        match=match,
        expected=0,
        rows=rows,
        head=head,
        status="closed",
        at=at,
        new=new_match(opened, secret, str(seed)),
        seats=[SeatRow(seat=seat, name=plan.bots[seat - 1], kind=f"bot:{plan.bots[seat - 1]}") for seat in seats],
    )


def stated(notary: Notary, append: Append) -> Append:
    """The same with what the journal is to say about it: that it was played here, and how it ended."""
    new, head = append.new, append.head
    assert new is not None
    said = Draft("closed", append.match, "hosted", new.game, new.ruleset, head.seq, head.hash.hex())
    return replace(append, entries=notary.entries([said], append.at))


def simulate(
    plan: Plan, matches: int, jobs: int = 1, database: str | None = None, cluster: str | None = None
) -> Iterator[Result]:
    """Results in the order of their seeds, played by so many processes or by a cluster; kept if a database is named.

    Others only play. Whatever is kept is signed and stored here: they need neither the key nor the database, and a
    batch that a cluster plays twice, because a worker died, is stored once.
    """
    ends = accumulate(sizes(matches, jobs, BATCH), initial=0)
    # The clocks of other machines have no say in what is signed here.
    tasks = (Task(range(*ends), datetime.now(UTC) if database is not None else None) for ends in pairwise(ends))
    work = partial(play_batch, plan)
    with working(jobs, cluster, is_sharing=True) as crew:
        played = crew.answers(work, tasks, work if cluster is None else None)
        if database is None:
            for batch in played:
                yield from batch.results
            return
        key = load_server_key()
        # Every step was decided by ourselves, in memory: there is nothing to audit before it is signed.
        notary = Notary(lambda: key, former_keys, lambda evidence, journal: None)
        with open_store(database) as store:
            for group in _together(played):
                store.append_all([stated(notary, append) for batch in group for append in batch.appends])
                yield from (result for batch in group for result in batch.results)


def _together(batches: Iterable[Batch]) -> Iterator[list[Batch]]:
    """Batches that are stored in one transaction, because a commit takes as long as playing several matches."""
    group: list[Batch] = []
    for batch in batches:
        group.append(batch)
        if sum(len(one.results) for one in group) >= BATCH:
            yield group
            group = []
    if group:
        yield group


def play_batch(plan: Plan, task: Task) -> Batch:
    """Play some matches of the plan and, if they are kept, write down what the ledger is to store."""
    game = find_game(plan.game)
    results: list[Result] = []
    appends: list[Append] = []
    for offset in task.offsets:
        seed = plan.seed + offset
        played = playout(game, plan, seed)
        standings = game.projection.standings(played.state)
        winners = tuple(sorted(place.seat for place in standings if place.rank == 1))
        scores = tuple(game.projection.scores(played.state))
        results.append(Result(seed, scores, winners, played.actions, sum(map(len, played.steps))))
        if task.at is not None:
            appends.append(as_append(game, plan, seed, played, task.at))
    return Batch(results, appends)
