"""Matches between bots by the thousand: played in memory, kept in the ledger only on request."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from random import Random
from typing import NamedTuple

from msgspec import Struct

from events.core import CHANCE, LEDGER
from events.match import MatchClosed, MatchOpened, SeatTaken
from projections.core import State
from service.games.game import Game
from service.games.options import read_options
from service.games.shelf import find_game
from service.play import chance
from service.play.appending import Entry, compose, new_match
from service.play.bots import PATIENCE, Bot, find_bot
from service.play.history import first_head
from service.play.ledger import new_id
from service.play.notary import Notary
from service.play.workers import workers
from service.store.connect import open_store
from service.store.shapes import Append, SeatRow
from service.trust.folder import former_keys, load_server_key
from service.trust.statements import Draft

BATCH = 20
"""Matches a worker plays before it reports, and writes in one transaction when they are kept."""


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
            events = decide(state, CHANCE, chance.answer(secret, context, draws, wanted))
            entries += [(CHANCE, event) for event in events]
            draws += 1
        else:
            if entries:  # there is nothing to set up where everything was agreed in the options
                steps.append(entries)
            to_act = projection.to_act(state)
            if not to_act or actions == PATIENCE:
                return Played(steps, state, actions)
            seat = to_act[0]
            events = decide(state, seat, bots[seat - 1](game, state, seat, rng))
            entries = [(seat, event) for event in events]
            actions += 1
        for event in events:
            apply[type(event)](state, event)


def as_append(game: Game, plan: Plan, seed: int, played: Played, at: datetime, notary: Notary | None = None) -> Append:
    """A simulated match as the ledger stores it, opening and closing included."""
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
    said = Draft("closed", match, "hosted", game.key, game.rules.ruleset, head.seq, head.hash.hex())
    return Append(
        match=match,
        expected=0,
        rows=rows,
        head=head,
        status="closed",
        at=at,
        new=new_match(opened, secret, str(seed)),
        seats=[SeatRow(seat=seat, name=plan.bots[seat - 1], kind=f"bot:{plan.bots[seat - 1]}") for seat in seats],
        entries=notary.entries([said], at) if notary is not None else None,
    )


def simulate(plan: Plan, matches: int, jobs: int = 1, database: str | None = None) -> Iterator[Result]:
    """Results in the order of their seeds, played by so many processes; kept in the database if one is named."""
    batches = [range(first, min(first + BATCH, matches)) for first in range(0, matches, BATCH)]
    if jobs == 1:
        for batch in batches:
            yield from run_batch(plan, batch, database)
        return
    with workers(jobs) as pool:
        waiting = iter(batches)
        # A few batches in flight per process keep every core busy without queueing the whole run.
        flying = [pool.submit(run_batch, plan, batch, database) for batch in islice(waiting, jobs * 2)]
        while flying:
            yield from flying.pop(0).result()
            flying += [pool.submit(run_batch, plan, batch, database) for batch in islice(waiting, 1)]


def run_batch(plan: Plan, batch: range, database: str | None) -> list[Result]:
    """Play some matches of the plan and, if they are kept, append them all in one transaction."""
    game = find_game(plan.game)
    results: list[Result] = []
    appends: list[Append] = []
    # Every step was decided right here, in memory: there is nothing to audit before it is signed.
    key = load_server_key() if database is not None else None
    notary = Notary(lambda: key, former_keys, lambda evidence, journal: None) if key is not None else None
    for offset in batch:
        seed = plan.seed + offset
        played = playout(game, plan, seed)
        standings = game.projection.standings(played.state)
        winners = tuple(sorted(place.seat for place in standings if place.rank == 1))
        scores = tuple(game.projection.scores(played.state))
        results.append(Result(seed, scores, winners, played.actions, sum(map(len, played.steps))))
        if database is not None:
            appends.append(as_append(game, plan, seed, played, datetime.now(UTC), notary))
    if database is not None:
        with open_store(database) as store:
            store.append_all(appends)
    return results
