"""An arena: everybody against everybody, seats swapped, the same draws, by any number of processes."""

from collections import Counter
from pathlib import Path

import pytest

from events.match import MatchClosed
from service.audit.bulk import AuditTerms, audit_all
from service.errors import LedgerError
from service.play.replay import replay_all
from service.research.arena import Contest, encounters, make_contest, meetings, rated
from service.store.connect import open_store


def contest(bots: tuple[str, ...] = ("greedy", "random"), matches: int = 4, seats: int | None = None) -> Contest:
    return make_contest("azul", seats, {}, bots, matches, 7)


def test_every_pair_plays_every_seed_from_both_sides(tmp_path: Path) -> None:
    """So that nobody is luckier: who begins and what is drawn is the same for both."""
    database = str(tmp_path / "ledger.db")
    held = make_contest("azul", None, {}, ("greedy", "random"), 24, 7)
    assert len(list(encounters(held, database=database))) == 24
    with open_store(database) as store:
        played = Counter(
            (closed.seed, tuple(store_seats))
            for live, table in replay_all(store)
            if isinstance(closed := table.closed, MatchClosed)
            for store_seats in [[row.name for row in store.seats(live)]]
        )
    both = (("greedy", "random"), ("random", "greedy"))
    assert played == {(str(seed), seats): 1 for seed in range(7, 19) for seats in both}


def test_kept_matches_audit_clean(tmp_path: Path) -> None:
    database = str(tmp_path / "ledger.db")
    list(encounters(contest(("greedy", "random")), database=database))
    batches = list(audit_all(database, AuditTerms(), 1))
    assert sum(batch.matches for batch in batches) == 4
    assert all(batch.is_clean for batch in batches)


def test_results_do_not_depend_on_the_processes() -> None:
    held = contest(matches=24)
    assert list(encounters(held)) == list(encounters(held, jobs=2))


def test_the_stronger_one_is_rated_so() -> None:
    held = make_contest("azul", None, {}, ("greedy", "random"), 20, 0)
    done = list(encounters(held))
    (met,) = meetings(held, done)
    assert (met.bots, met.matches, met.wins + met.shared + met.losses) == (("greedy", "random"), 20, 20)
    assert met.low < met.score <= met.high
    assert met.score == (met.wins + met.shared / 2) / 20
    best, worst = rated(held, done)
    assert (best.bot, worst.bot) == ("greedy", "random")
    assert best.rating - best.error > worst.rating + worst.error
    assert best.score + worst.score == pytest.approx(1)


def test_at_larger_tables_two_take_turns() -> None:
    held = make_contest("coloretto", 3, {}, ("random", "greedy"), 4, 0)
    assert [plan.bots for both in held.plans for plan in both] == [
        ("random", "greedy", "random"),
        ("greedy", "random", "greedy"),
    ]
    done = list(encounters(held))
    (met,) = meetings(held, done)
    assert met.score < 0.5  # greedy is the second here, and wins
    assert met.points < 0


def test_each_meets_every_other() -> None:
    names = ("greedy", "random", "module:json.loads")
    assert make_contest("azul", None, {}, names, 2, 0).pairs == [
        ("greedy", "random"),
        ("greedy", "module:json.loads"),
        ("random", "module:json.loads"),
    ]


@pytest.mark.parametrize(
    "bots, matches, code",
    [
        ((), 2, "arena/bots"),
        (("greedy",), 2, "arena/bots"),
        (("greedy", "greedy"), 2, "arena/bots"),
        (("greedy", "random"), 3, "arena/matches"),
        (("greedy", "random"), 0, "arena/matches"),
        (("greedy", "clever"), 2, "bot/unknown"),
    ],
)
def test_what_is_no_contest(bots: tuple[str, ...], matches: int, code: str) -> None:
    with pytest.raises(LedgerError) as refusal:
        contest(bots, matches)
    assert refusal.value.code == code
