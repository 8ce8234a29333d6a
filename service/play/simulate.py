"""Simulation: thousands of matches between bots, played in memory, kept in the ledger only on request."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate, pairwise
from random import Random
from threading import local
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.chain import Row
from events.core import LEDGER, Seat, Standing
from events.match import CloseReason, MatchClosed, MatchOpened, MoveForfeited, SeatResigned, SeatTaken
from projections.core import State
from service.bots.core import Bot, Forfeit, Occasion, Outside
from service.bots.kinds import find_bot, kind_of
from service.bots.programs import Cast, welcome
from service.bots.simple import greedy_bot
from service.games.game import Game
from service.games.options import read_options
from service.games.shelf import find_game
from service.play import chance
from service.play.appending import Entry, compose, new_match
from service.play.bots import PATIENCE, forfeited
from service.play.episode import Episode
from service.play.evidence import Evidence
from service.play.history import first_head
from service.play.ledger import new_id
from service.play.matches import resigned_standings
from service.play.notary import Notary, claim_for
from service.play.players import PREFIX, NewPlayer
from service.play.workers import sizes, working
from service.store.connect import open_store
from service.store.shapes import Append, SeatRow
from service.trust.folder import former_keys, load_server_key
from service.trust.statements import Draft

BATCH = 20
"""Matches a worker plays at most before it reports, and which are stored in one transaction when they are kept."""
FEW: Final = 60
"""Matches of bots that answer at once which are played before others have begun and ended."""


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
    forfeits: tuple[MoveForfeited, ...] = ()
    """Moves that bots from outside did not make themselves."""
    absent: tuple[int, ...] = ()
    """Seats whose bots made none of their moves themselves; what others made of them is no victory of theirs."""


class Played(NamedTuple):
    """A whole match in memory: its steps of play and the state they lead to."""

    steps: list[list[Entry]]
    state: State
    actions: int
    resigned: Seat = 0
    """Who gave up; 0 for nobody."""


class SimulationTask(NamedTuple):
    """Some matches of a plan."""

    plan: Plan
    offsets: range
    """Added to the seed of the plan."""
    at: datetime | None
    """When they are played; None when they are not kept."""


class SimulatedBatch(NamedTuple):
    """Some matches that were played."""

    results: list[Result]
    appends: list[Append]
    """What the ledger is to store of them; empty when they are not kept."""

    def __reduce__(self) -> tuple[Callable[..., "SimulatedBatch"], tuple[object, ...]]:
        """As it is sent to another process: sending row by row took a sixth of the time of the match."""
        packed = [(replace(append, rows=()), _pack(append.rows)) for append in self.appends]
        return _unpacked, (self.results, packed)


_pack: Final = msgspec.msgpack.Encoder().encode
_unpack: Final = msgspec.msgpack.Decoder(list[Row]).decode


def _unpacked(results: list[Result], packed: list[tuple[Append, bytes]]) -> SimulatedBatch:
    return SimulatedBatch(results, [replace(append, rows=_unpack(rows)) for append, rows in packed])


def make_plan(key: str, seats: int | None, options: Mapping[str, str], bots: Sequence[str], seed: int) -> Plan:
    """A plan with everything checked: the seats default to the fewest, one bot named plays every seat."""
    plan = unseated_plan(key, seats, options, bots, seed)
    welcome_all(plan, bots)
    return plan


def welcome_all(plan: Plan, bots: Iterable[str]) -> None:
    """Let these bots play; refused where one from outside cannot be started or does not answer."""
    occasion = Occasion(find_game(plan.game), plan.seats, plan.options)
    for name in dict.fromkeys(bots):
        welcome(name, occasion, plan.bots.index(name) + 1 if name in plan.bots else 1)


def unseated_plan(key: str, seats: int | None, options: Mapping[str, str], bots: Sequence[str], seed: int) -> Plan:
    """The same before anybody has tried whether the bots from outside play at all."""
    game = find_game(key)
    for name in bots:
        find_bot(name)
    count = seats if seats is not None else max(len(bots), game.rules.seats[0])
    values = read_options(game.rules, options, count)  # which refuses a table nobody could seat
    everyone = tuple(bots[seat % len(bots)] for seat in range(count)) if bots else ("random",) * count
    return Plan(game.key, count, values, everyone, seed)


def playout(game: Game, plan: Plan, seed: int, bots: Sequence[Bot] | None = None) -> Played:
    """One match between bots, decided by its seed alone; given up without a result when it does not end.

    Bots that are kept open from match to match are handed in.
    """
    episode = Episode(game, plan.seats, plan.options, seed)
    state, to_act, act = episode.state, game.projection.to_act, episode.act
    if bots is None:
        bots = [find_bot(name) for name in plan.bots]
    rng = Random(seed)
    actions = 0
    while (waiting := to_act(state)) and actions < PATIENCE:
        seat = waiting[0]
        try:
            action = bots[seat - 1](game, state, seat, rng)
        except Forfeit as forfeit:
            episode.steps.append([(LEDGER, forfeited(seat, forfeit))])
            if forfeit.follows == "resignation":
                return Played(episode.steps, state, actions, resigned=seat)
            action = greedy_bot(game, state, seat, rng)
        act(seat, action)
        actions += 1
    return Played(episode.steps, state, actions)


def ending(game: Game, played: Played) -> tuple[CloseReason, tuple[Standing, ...]]:
    """Why a match is over, and its result, which is empty when the bots gave it up."""
    if played.resigned:
        return "resigned", resigned_standings(game.rules.rank(played.state), played.resigned)
    standings = tuple(game.projection.standings(played.state))
    return "finished" if standings else "abandoned", standings


def as_append(game: Game, plan: Plan, seed: int, played: Played, at: datetime) -> Append:
    """A simulated match as the ledger stores it, opening and closing included; nothing is stated about it."""
    return written(game, plan.options, [NewPlayer(bot, PREFIX + bot) for bot in plan.bots], seed, played, at)


def written(
    game: Game, options: Mapping[str, str], players: Sequence[NewPlayer], seed: int | None, played: Played, at: datetime
) -> Append:
    """The same for a match of any players, whose draws followed from the seed or, without one, came from outside."""
    secret = None if seed is None else chance.secret_from_seed(seed)
    opened = MatchOpened(
        game=game.key,
        ruleset=game.rules.ruleset,
        seats=len(players),
        options=dict(options),
        undo="free",
        chance="recorded" if secret is None else "seeded",
        commitment="" if secret is None else chance.commitment(secret),
    )
    reason, standings = ending(game, played)
    revealed = "" if seed is None else str(seed)
    closed = MatchClosed(
        reason=reason,
        standings=standings,
        secret="" if secret is None else secret.hex(),
        seed=revealed,
    )
    joined: list[list[Entry]] = [[(seat, SeatTaken(seat=seat))] for seat in range(1, len(players) + 1)]
    steps: list[list[Entry]] = [[(LEDGER, opened)], *joined, *played.steps]
    # A result belongs to the step that led to it; giving up is a step of its own.
    if reason == "finished":
        steps[-1] = [*steps[-1], (LEDGER, closed)]
    else:
        gives_up: list[Entry] = [(seat, SeatResigned(seat))] if (seat := played.resigned) else []
        steps.append([*gives_up, (LEDGER, closed)])
    match = new_id()
    _, rows, head = compose(match, first_head(match, game), steps, at)
    return Append(
        match=match,
        expected=0,
        rows=rows,
        head=head,
        status="closed",
        at=at,
        new=new_match(opened, secret, revealed),
        seats=[SeatRow(seat=seat, name=player.name, kind=player.kind) for seat, player in enumerate(players, start=1)],
    )


def stated(notary: Notary, append: Append) -> Append:
    """The same with what the journal is to say about it: that it was played here, and how it ended."""
    new, head = append.new, append.head
    assert new is not None
    said = Draft("closed", append.match, "hosted", new.game, new.ruleset, head.seq, head.hash.hex())
    return replace(append, entries=notary.entries([said], append.at))


def audited(notary: Notary, append: Append) -> Append:
    """The same for a match that somebody else's program played by our rules: refused where it does not audit clean."""
    evidence = Evidence(append.match, append.match, append.rows, append.head.seq, append.head.hash.hex())
    claim_for(notary, "hosted", evidence)
    return stated(notary, append)


def simulate(
    plan: Plan, matches: int, jobs: int = 1, database: str | None = None, cluster: str | None = None
) -> Iterator[Result]:
    """Results in the order of their seeds, played by so many processes or by a cluster; kept if a database is named."""
    if matches < FEW and not any(kind.thinks or kind.is_outside for kind in map(kind_of, plan.bots)):
        jobs = 1
    ends = accumulate(sizes(matches, jobs, BATCH), initial=0)
    for results in carried_out(((plan, range(*batch)) for batch in pairwise(ends)), jobs, database, cluster):
        yield from results


def carried_out(
    batches: Iterable[tuple[Plan, range]], jobs: int = 1, database: str | None = None, cluster: str | None = None
) -> Iterator[list[Result]]:
    """The results of some matches of each plan, in the order of the batches.

    Others only play. Whatever is kept is signed and stored here: they need neither the key nor the database, and a
    batch that a cluster plays twice, because a worker died, is stored once.
    """
    # The clocks of other machines do not decide what is signed here.
    tasks = (SimulationTask(*batch, datetime.now(UTC) if database is not None else None) for batch in batches)
    # Programs that were started on a cluster must not stay there; our own processes end with us.
    work = partial(play_batch, keeps=cluster is None)
    with working(jobs, cluster, is_sharing=True) as crew:
        played = crew.answers(work, tasks, work if cluster is None else None)
        try:
            if database is None:
                for batch in played:
                    yield batch.results
                return
            key = load_server_key()
            # Every step was decided by ourselves, in memory: there is nothing to audit before it is signed.
            notary = Notary(lambda: key, former_keys, lambda evidence, journal: None)
            with open_store(database) as store:
                for group in _together(played):
                    store.append_all([stated(notary, append) for batch in group for append in batch.appends])
                    for batch in group:
                        yield batch.results
        finally:
            _HERE.cast.close()


def _together(batches: Iterable[SimulatedBatch]) -> Iterator[list[SimulatedBatch]]:
    """Batches that are stored in one transaction, because a commit takes as long as playing several matches."""
    group: list[SimulatedBatch] = []
    for batch in batches:
        group.append(batch)
        if sum(len(one.results) for one in group) >= BATCH:
            yield group
            group = []
    if group:
        yield group


class _Here(local):
    """The bots a thread keeps from batch to batch."""

    def __init__(self) -> None:
        self.cast = Cast()


_HERE: Final = _Here()


def play_batch(task: SimulationTask, keeps: bool = True) -> SimulatedBatch:
    """Play some matches of a plan and, if they are kept, write down what the ledger is to store.

    Bots from outside stay open for the next batch, unless they are not to be kept.
    """
    plan = task.plan
    game = find_game(plan.game)
    results: list[Result] = []
    appends: list[Append] = []
    bots = _HERE.cast.seated(plan.bots)
    guests = [(seat, bot) for seat, bot in enumerate(bots, start=1) if isinstance(bot, Outside)]
    for offset in task.offsets:
        seed = plan.seed + offset
        for seat, bot in guests:
            bot.begin(Occasion(game, plan.seats, plan.options), seat)
        played = playout(game, plan, seed, bots)
        reason, standings = ending(game, played)
        for _, bot in guests:
            bot.end(reason, standings)
        forfeits = _forfeits(played) if guests else ()
        absent = _absent(played, forfeits) if forfeits else ()
        scores = tuple(game.projection.scores(played.state))
        events = sum(map(len, played.steps))
        results.append(Result(seed, scores, _winners(standings, absent), played.actions, events, forfeits, absent))
        if task.at is not None:
            appends.append(as_append(game, plan, seed, played, task.at))
    if not keeps:
        _HERE.cast.close()
    return SimulatedBatch(results, appends)


def _winners(standings: Sequence[Standing], absent: Collection[Seat]) -> tuple[Seat, ...]:
    """The best of those who played; nobody, where the bots gave the match up."""
    present = [place for place in standings if place.seat not in absent]
    best = min((place.rank for place in present), default=0)
    return tuple(sorted(place.seat for place in present if place.rank == best))


def _absent(played: Played, forfeits: Iterable[MoveForfeited]) -> tuple[Seat, ...]:
    """The seats that forfeited as many moves as they made."""
    made = Counter(step[0][0] for step in played.steps)
    made[played.resigned] += bool(played.resigned)
    return tuple(sorted(seat for seat, times in Counter(fact.seat for fact in forfeits).items() if times == made[seat]))


def _forfeits(played: Played) -> tuple[MoveForfeited, ...]:
    return tuple(event for step in played.steps for _, event in step if isinstance(event, MoveForfeited))
