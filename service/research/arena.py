"""The arena: bots play each other with swapped seats and the same draws for both, and get ratings."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Final, NamedTuple

from msgspec import Struct

from events.core import Seat
from events.match import ForfeitReason
from service.errors import UsageError
from service.play.simulate import Plan, Result, carried_out, unseated_plan, welcome_all
from service.research.ratings import Pair, Rating, interval, ratings

BATCH: Final = 10
"""Matches that are handed out together."""


class Contest(Struct, frozen=True):
    """Who meets whom, and how often."""

    game: str
    seats: int
    options: Mapping[str, str]
    bots: tuple[str, ...]
    matches: int
    """Of each pair; half of them with seats swapped and the same seeds."""
    seed: int
    plans: tuple[tuple[Plan, Plan], ...]
    """For each pair, in order, its plan and the one with seats swapped."""

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Everybody against everybody."""
        return list(combinations(self.bots, 2))


class Encounter(NamedTuple):
    """One match of a contest, as the first of its pair sees it."""

    pair: tuple[str, str]
    share: float
    """Of the victory: 1, 0, between them where it was shared, and half of it where the match was given up."""
    points: float
    """How far it was ahead."""
    forfeits: tuple[tuple[str, ForfeitReason], ...]
    """By which bot, and why."""


class Meeting(Struct, frozen=True):
    """How two bots did against each other, as the first of them sees it."""

    bots: tuple[str, str]
    matches: int
    wins: int
    shared: int
    """Victories shared, and matches without a result."""
    losses: int
    score: float
    """The share of the victories."""
    low: float
    high: float
    """Between these the score truly lies, in 95 of 100 cases."""
    points: float
    """How far it was ahead on average."""


class Rated(Struct, frozen=True):
    """How strong a bot is beside the others."""

    bot: str
    rating: float
    error: float
    """Half of the interval that holds the true rating in 95 of 100 cases."""
    score: float
    """Its share of the victories."""
    matches: int
    forfeits: dict[ForfeitReason, int]
    """Moves it did not make itself, by the reason."""


def make_contest(
    key: str, seats: int | None, options: Mapping[str, str], bots: Sequence[str], matches: int, seed: int
) -> Contest:
    """A contest with everything checked. At tables of more than two, the bots of a pair take turns around the table."""
    if len(bots) < 2 or len(set(bots)) < len(bots):
        listed = ", ".join(bots) or "none"
        raise UsageError("arena/bots", f"An arena needs two bots or more, each named once, not {listed}.")
    if matches < 2 or matches % 2:
        raise UsageError(
            "arena/matches", f"Seats are swapped, so each pair plays an even number of matches, not {matches}."
        )
    plans = tuple(
        (unseated_plan(key, seats, options, (one, other), seed), unseated_plan(key, seats, options, (other, one), seed))
        for one, other in combinations(bots, 2)
    )
    first = plans[0][0]
    welcome_all(first, bots)
    return Contest(first.game, first.seats, first.options, tuple(bots), matches, seed, plans)


def encounters(
    contest: Contest, jobs: int = 1, database: str | None = None, cluster: str | None = None
) -> Iterator[Encounter]:
    """Every match, pair by pair, played by so many processes or by a cluster; kept if a database is named."""
    half = contest.matches // 2
    seeds = [range(first, min(first + BATCH, half)) for first in range(0, half, BATCH)]
    batches = [(plan, some) for both in contest.plans for some in seeds for plan in both]
    done = carried_out(batches, jobs, database, cluster)
    for (plan, _), results in zip(batches, done, strict=True):
        for result in results:
            yield _encounter(contest, plan, result)


def _encounter(contest: Contest, plan: Plan, result: Result) -> Encounter:
    one, other = sorted(set(plan.bots), key=contest.bots.index)
    seats: dict[str, list[Seat]] = {one: [], other: []}
    for seat, bot in enumerate(plan.bots, start=1):
        seats[bot].append(seat)
    won = sum(seat in seats[one] for seat in result.winners)
    share = won / len(result.winners) if result.winners else 0.5
    mine, theirs = (fmean(result.scores[seat - 1] for seat in seats[bot]) for bot in (one, other))
    forfeits = tuple((plan.bots[forfeit.seat - 1], forfeit.why) for forfeit in result.forfeits)
    return Encounter((one, other), share, mine - theirs, forfeits)


def meetings(contest: Contest, done: Iterable[Encounter]) -> list[Meeting]:
    """What the matches of each pair come to."""
    by_pair: dict[tuple[str, str], list[Encounter]] = {pair: [] for pair in contest.pairs}
    for encounter in done:
        by_pair[encounter.pair].append(encounter)
    return [_meeting(pair, own) for pair, own in by_pair.items()]


def _meeting(pair: tuple[str, str], done: Sequence[Encounter]) -> Meeting:
    score, matches = sum(encounter.share for encounter in done), len(done)
    low, high = interval(score, matches)
    wins, losses = (sum(encounter.share == share for encounter in done) for share in (1, 0))
    ahead = fmean(encounter.points for encounter in done)
    return Meeting(pair, matches, wins, matches - wins - losses, losses, score / matches, low, high, ahead)


def rated(contest: Contest, done: Sequence[Encounter]) -> list[Rated]:
    """The bots by their ratings, the strongest first."""
    place = {bot: number for number, bot in enumerate(contest.bots)}
    pairs = [
        Pair(place[one], place[other], met.score * met.matches, met.matches)
        for met in meetings(contest, done)
        for one, other in [met.bots]
    ]
    found = zip(contest.bots, ratings(len(contest.bots), pairs), strict=True)
    return sorted((_rated(bot, rating, done) for bot, rating in found), key=lambda one: -one.rating)


def _rated(bot: str, rating: Rating, done: Sequence[Encounter]) -> Rated:
    shares = [one.share if one.pair[0] == bot else 1 - one.share for one in done if bot in one.pair]
    forfeits = Counter(why for one in done for who, why in one.forfeits if who == bot)
    return Rated(bot, rating.value, rating.error, fmean(shares), len(shares), dict(forfeits))
