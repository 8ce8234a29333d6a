"""Explaining, looking rules up, rescoring and bisecting: on every game, and never changing anything."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from events.azul import GameEnded, LineTiled, TilesDrafted
from events.core import Actor, Event
from events.match import MatchClosed, SeatResigned
from projections.core import State
from service.disputes import cases as disputes
from service.errors import IllegalAction, LedgerError, NotFound, Refused, UsageError
from service.games.azul import AZUL
from service.games.azul.rules import DraftTiles
from service.games.core import Action, ranked
from service.games.game import Game
from service.games.shelf import by_ruleset, find_game, on_the_shelf
from service.play.fork import fork
from service.play.history import History, points
from service.play.ledger import LocalLedger
from service.play.matches import act, open_match, resign
from service.play.replay import load
from service.play.simulate import make_plan
from service.play.undo import undo
from service.questions.bisect import bisect
from service.questions.explain import explain
from service.questions.rescore import decisions, rescore
from service.questions.rulebook import find_rule, plain, rulebook, rules_of, search
from tests.conftest import TWO, finish, move
from tests.disputes.people import CLEO, closed_match, envelopes_of, history_of, played
from tests.play.test_matches import refused
from tests.shelf import EVERY_GAME, each_game

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")

# ------------------------------------------------------------------------------------------------------ explain, rules


@each_game
def test_every_event_can_be_explained(game: Game) -> None:
    history = played(game, 2)
    explained = [explain(history, envelope.seq) for envelope in history.envelopes]
    lines = [line for one in explained for line in one.lines]
    assert [(line.rule, line.applied) for line in lines] == [(p.line.rule, p.line.applied) for p in points(history)]
    for line in lines:
        assert line.after == line.before + line.applied
        assert line.sum
    for one in explained:
        assert one.is_visible == (one.before.state != one.after.state)
        assert all(one.rules.values()), f"a rule without a text: {one.rules}"
        for line in one.lines:
            assert line.rule in one.rules
    finals = dict(enumerate(game.projection.scores(explained[0].before.state), start=1))
    finals.update({line.seat: line.after for line in lines})
    assert finals == {place.seat: place.score for place in game.projection.standings(explained[-1].after.state)}


def test_the_arithmetic_of_a_tile_and_of_a_floor_is_spelled_out() -> None:
    history = played(AZUL, 2)
    sums = {line.rule: line.sum for e in history.envelopes for line in explain(history, e.seq).lines if "+" in line.sum}
    assert set(sums) == {"AZ-46", "AZ-50"}
    terms, _, total = sums["AZ-46"].partition(" = ")
    assert sum(int(word) for word in terms.split() if word.isdigit()) == int(total)
    terms, _, total = sums["AZ-50"].removesuffix(", taken off").partition(" = ")
    assert sum(int(word) for word in terms.split(" + ")) == int(total)


def test_an_undone_event_and_a_ruling_are_explained_as_well(ledger: LocalLedger) -> None:
    live = open_match(ledger, "azul", 2, players=TWO, undo="free", chance_mode="seeded", seed=1)
    move(ledger, live)
    seq = live.head.seq
    undo(ledger, live, 1)
    assert explain(live, seq).is_undone
    assert explain(live, seq).is_visible
    closed = closed_match(ledger)
    computed = {place.seat: place.score for place in closed.table.closed.standings}  # type: ignore[union-attr]
    disputes.open_dispute(ledger, closed, 2, "Words")
    disputes.rule(ledger, closed, 1, CLEO, rules=["T-4", "AZ-46"], reason="Because", adjust=[(2, 3, "AZ-46")])
    ruling = explain(closed, closed.head.seq)
    assert not ruling.is_visible
    assert (ruling.lines[0].before, ruling.lines[0].after) == (computed[2], computed[2] + 3)
    assert ruling.rules["T-4"] == ""
    assert ruling.rules["AZ-46"]


def test_an_event_that_is_not_there() -> None:
    history = played(AZUL, 2)
    for seq in (0, -1, len(history.envelopes) + 1):
        with pytest.raises(NotFound):
            explain(history, seq)


@each_game
def test_every_rule_has_a_text_and_is_found_however_it_is_typed(game: Game) -> None:
    for rule in rules_of(game.key).values():
        assert rule.text.strip()
        assert rule.section
        assert f"**{rule.id}**" in rulebook(game.key)
        assert "**" not in plain(rule.text)
        letters, number = rule.id.split("-")
        assert find_rule(f" {letters.lower()}{number} ") == find_rule(f"{letters} {number}") == rule


def test_a_rule_nobody_wrote_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError) as refusal:
        find_rule("AZ-460")
    assert refusal.value.code == "rules/unknown"
    assert "AZ-46" in refusal.value.message
    assert {rule.id for rule in search("floor MARKER")} >= {"AZ-51", "AZ-23"}
    assert search("no such words anywhere") == []


def test_a_drawing_belongs_to_its_rule() -> None:
    assert "row 1    B  Y  R  K  W" in find_rule("AZ-8").text
    assert "row" not in find_rule("AZ-45").text.replace("row run", "")


# -------------------------------------------------------------------------------------------------------------- rescore


def column_bonus_of_eight(state: State, actor: Actor, action: Action) -> list[Event]:
    """Azul in which a complete column brings 8 points instead of 7."""
    events = AZUL.rules.decide(state, actor, action)
    last = events[-1]
    if not isinstance(last, GameEnded):
        return events
    lines = tuple(
        replace(line, requested=8, applied=8) if line.reason == "column-bonus" else line for line in last.scores
    )
    places = sorted(last.standings, key=lambda place: place.seat)
    more = [
        sum(line.applied - 7 for line in lines if (line.seat, line.reason) == (p.seat, "column-bonus")) for p in places
    ]
    standings = ranked([p.score + extra for p, extra in zip(places, more, strict=True)], [p.tiebreak for p in places])
    return [*events[:-1], replace(last, scores=lines, standings=standings)]


def no_floor_on_purpose(state: State, actor: Actor, action: Action) -> list[Event]:
    """Azul in which nobody may throw a whole pick on the floor."""
    if isinstance(action, DraftTiles) and action.line == 0:
        raise IllegalAction("azul/no-floor", "AZ-33", "Nothing goes to the floor on purpose.")
    return AZUL.rules.decide(state, actor, action)


@pytest.fixture
def second_ruleset() -> Iterator[str]:
    """`azul/2-test` on the shelf for as long as the test runs, beside the rulesets Azul has."""
    others = (
        replace(AZUL.rules, ruleset="azul/2-test", decide=column_bonus_of_eight),
        replace(AZUL.rules, ruleset="azul/3-test", decide=no_floor_on_purpose),
    )
    with on_the_shelf(replace(AZUL, other_rules=(*AZUL.other_rules, *others))):
        yield "azul/2-test"


def test_rulesets_are_found_by_name(second_ruleset: str) -> None:
    assert by_ruleset("azul/2").rules is AZUL.rules
    assert by_ruleset("azul/1").rules is AZUL.other_rules[0]
    found = by_ruleset(second_ruleset)
    assert (found.key, found.rules.ruleset, found.projection) == ("azul", second_ruleset, AZUL.projection)
    assert find_game("azul").rules.ruleset == "azul/2", "new matches are played by the first"
    with refused("game/ruleset"):
        by_ruleset("azul/4")


def with_columns(columns: bool) -> Iterator[History]:
    for seed in range(200):
        history = played(AZUL, seed, bots=["greedy"])
        if any(point.line.reason == "column-bonus" for point in points(history)) == columns:
            yield history


def test_another_ruleset_changes_exactly_its_own_lines(second_ruleset: str) -> None:
    for number, history in enumerate(with_columns(True)):
        before = list(history.envelopes)
        rescored = rescore(history, second_ruleset)
        bonuses = [point for point in points(history) if point.line.reason == "column-bonus"]
        assert [(line.seq, line.seat) for line in rescored.lines] == [(p.sheet.seq, p.line.seat) for p in bonuses]
        for line in rescored.lines:
            assert line.was is not None
            assert line.would_be is not None
            assert (line.was.applied, line.would_be.applied) == (7, 8)
        extra = [sum(p.line.seat == seat for p in bonuses) for seat in (1, 2)]
        assert [new - old for old, new in zip(rescored.scores, rescored.scores_would_be, strict=True)] == extra
        assert rescored.is_changed
        assert not rescored.stopped
        assert history.envelopes == before
        if number == 4:
            return


def test_where_no_column_is_complete_nothing_changes(second_ruleset: str) -> None:
    history = next(with_columns(False))
    rescored = rescore(history, second_ruleset)
    assert not rescored.is_changed
    assert rescored.scores == rescored.scores_would_be
    assert list(rescored.standings) == list(rescored.standings_would_be)


def test_a_move_the_other_rules_forbid_stops_the_replay(second_ruleset: str) -> None:
    histories = (played(AZUL, seed, bots=["random"]) for seed in range(9))
    history, seq = next(
        (history, envelope.seq)
        for history in histories
        for envelope in history.envelopes
        if isinstance(envelope.event, TilesDrafted) and envelope.event.line == 0
    )
    rescored = rescore(history, "azul/3-test")
    assert rescored.stopped.startswith(f"event {seq} would not be legal (azul/no-floor, AZ-33)")


def test_matches_with_undone_steps_and_resignations_are_rescored_too(ledger: LocalLedger, second_ruleset: str) -> None:
    live = open_match(ledger, "azul", 2, players=TWO, undo="free", chance_mode="seeded", seed=3)
    move(ledger, live, 7)
    undo(ledger, live, 1, steps=4)
    move(ledger, live, 20, seed=9)
    resign(ledger, live, 1)
    rescored = rescore(live, second_ruleset)
    assert not rescored.is_changed
    assert tuple(rescored.standings) == live.table.closed.standings  # type: ignore[union-attr]


# A match of each ruleset that came to a dead position (AZ-95): azul/1 goes on there, azul/2 ends.

GREY = {"boardSide": "grey"}
DEAD_ROUND, LAST_ROUND = 26, 29


def dead_match(ruleset: str, seed: int = 6649, rounds: int = LAST_ROUND) -> History:
    """A match of two random bots that ends dead, or else after an agreed last round."""
    game = by_ruleset(ruleset)
    plan = make_plan("azul", 2, GREY | {"maxRounds": str(rounds)}, ["random"], 0)
    return history_of(game, envelopes_of(game, plan, seed))


def test_a_game_that_would_have_ended_earlier_says_where_and_how() -> None:
    older, newer = dead_match("azul/1"), dead_match("azul/2")
    rescored = rescore(older, "azul/2")
    end = rescored.earlier_end
    assert end is not None
    assert isinstance(newer.envelope(end.seq + 1).event, GameEnded)
    assert older.envelope(end.seq + 1).event.round == DEAD_ROUND + 1
    assert end.round == DEAD_ROUND
    assert end.sentence.startswith("The game ended: no tile fits any wall any more. Bonuses: Ann +10")
    assert (rescored.is_changed, rescored.goes_on, rescored.stopped) == (True, False, "")
    # The result as stored is that of the whole match; the bonuses are the same lines, whenever they were scored.
    closed = older.envelopes[-1].event
    assert tuple(rescored.standings) == closed.standings
    assert tuple(rescored.standings_would_be) == newer.envelopes[-1].event.standings
    assert {line.was.reason for line in rescored.lines if line.was} == {"floor"}
    assert all(line.seq > end.seq and line.would_be is None for line in rescored.lines)
    assert replace(rescored, lines=[]).is_changed, "an earlier end is a difference even with the same points"


def test_an_end_that_nothing_followed_is_an_earlier_end_as_well() -> None:
    """Abandoned or resigned when the round that ended dead had just been tiled, and no other was dealt."""
    older = dead_match("azul/1")
    seq = rescore(older, "azul/2").earlier_end.seq  # type: ignore[union-attr]
    envelopes = list(older.envelopes[:seq])
    for closing, was in (
        ([MatchClosed("abandoned")], []),
        ([SeatResigned(seat=2), MatchClosed("resigned")], [1, 2]),
    ):
        last = [replace(envelopes[-1], seq=seq + n, event=event) for n, event in enumerate(closing, start=1)]
        rescored = rescore(history_of(older.game, [*envelopes, *last]), "azul/2")
        assert rescored.earlier_end is not None
        assert [place.seat for place in rescored.standings] == was
        assert [(place.seat, place.score) for place in rescored.standings_would_be] == [(2, 17), (1, 10)]
        assert {line.would_be.reason for line in rescored.lines if line.would_be} == {"column-bonus", "colour-bonus"}
        assert {line.seq for line in rescored.lines} == {seq}


def test_a_game_that_would_have_gone_on_has_no_result_there() -> None:
    rescored = rescore(dead_match("azul/2"), "azul/1")
    assert rescored.goes_on
    assert (rescored.earlier_end, rescored.stopped, list(rescored.standings_would_be)) == (None, "", [])
    assert (rescored.is_changed, rescored.is_other_result) == (True, True)
    assert {line.was.reason for line in rescored.lines if line.was} == {"column-bonus", "colour-bonus"}
    assert all(line.would_be is None for line in rescored.lines)


def test_where_no_position_is_dead_both_rulesets_agree() -> None:
    for ruleset, other in (("azul/1", "azul/2"), ("azul/2", "azul/1")):
        for history in (dead_match(ruleset, seed=3), dead_match(ruleset, rounds=DEAD_ROUND)):
            assert not rescore(history, other).is_changed


def test_a_match_that_breaks_its_own_rules_is_not_rescored(second_ruleset: str) -> None:
    history = played(AZUL, 4)
    envelopes = list(history.envelopes)
    seq = next(e.seq for e in envelopes if isinstance(e.event, LineTiled))
    event = envelopes[seq - 1].event
    assert isinstance(event, LineTiled)
    line = replace(event.scores[0], applied=9, requested=9)
    envelopes[seq - 1] = replace(envelopes[seq - 1], event=replace(event, scores=(line,)))
    with pytest.raises(Refused) as refusal:
        rescore(history_of(AZUL, envelopes), second_ruleset)
    assert refusal.value.code == "rescore/unsound"
    with refused("rescore/game"):
        rescore(history, EVERY_GAME[-1].rules.ruleset)


@each_game
def test_decisions_are_recalled_from_events(game: Game) -> None:
    """Decided again from what is recalled, a match comes to the very same events."""
    history = played(game, 3)
    again = [event for decision in decisions(history) for event in decision.events]
    assert again == [e.event for e in history.envelopes if type(e.event) in game.projection.apply]
    rescored = rescore(history, game.rules.ruleset)
    assert not rescored.is_changed


# --------------------------------------------------------------------------------------------------------------- bisect


def test_a_match_is_the_same_as_itself() -> None:
    assert bisect(played(AZUL, 4), played(AZUL, 4)).is_same, "ids and times are left aside"


@each_game
def test_the_first_difference_is_found_wherever_it_is(game: Game) -> None:
    history = played(game, 5)
    for seq in range(2, len(history.envelopes) + 1, 7):
        envelopes = list(history.envelopes)
        envelopes[seq - 1] = replace(envelopes[seq - 1], actor=9)
        divergence = bisect(history, history_of(game, envelopes))
        assert (divergence.seq_a, divergence.seq_b) == (seq, seq)
        assert [difference.path for difference in divergence.fields] == ["actor"]
        shorter = bisect(history, history_of(game, history.envelopes[: seq - 1]))
        assert (shorter.seq_a, shorter.seq_b) == (seq, seq)


def test_a_changed_score_line_is_found_to_the_field() -> None:
    history = played(AZUL, 5)
    envelopes = list(history.envelopes)
    seq = next(e.seq for e in envelopes if isinstance(e.event, LineTiled))
    event = envelopes[seq - 1].event
    assert isinstance(event, LineTiled)
    line = event.scores[0]
    changed = replace(line, applied=line.applied + 1, operands={**line.operands, "row_run": 5})
    envelopes[seq - 1] = replace(envelopes[seq - 1], event=replace(event, scores=(changed,)))
    divergence = bisect(history, history_of(AZUL, envelopes))
    assert (divergence.seq_a, divergence.opening) == (seq, [])
    assert [d.path for d in divergence.fields] == ["scores[0].applied", "scores[0].operands.row_run"]
    assert divergence.line_a is not None
    assert divergence.line_b is not None
    assert (divergence.line_a.seq, divergence.line_b.applied - divergence.line_a.applied) == (seq, 1)


def test_a_fork_is_compared_by_the_play_in_effect(ledger: LocalLedger) -> None:
    parent = open_match(ledger, "azul", 2, players=TWO, undo="free", chance_mode="seeded", seed=3)
    move(ledger, parent, 5)
    undo(ledger, parent, 1, steps=2)
    child = fork(ledger, parent, parent.head.step)
    a, b = parent, child
    divergence = bisect(a, b, in_effect=True)
    assert {difference.path for difference in divergence.opening} >= {"commitment", "chance"}
    assert divergence.seq_a == 0
    assert bisect(a, b).seq_a > 0
    seat = child.game.projection.to_act(child.table.state)[0]
    act(ledger, child, seat, child.game.rules.legal(child.table.state, seat)[0])
    after = bisect(a, child, in_effect=True)
    assert (after.seq_a, after.seq_b) == (len(parent.envelopes) + 1, child.head.seq)


def test_two_games_are_not_compared() -> None:
    with pytest.raises(LedgerError) as refusal:
        bisect(played(EVERY_GAME[0], 1), played(EVERY_GAME[-1], 1))
    assert refusal.value.code == "bisect/games"


def test_looking_changes_nothing(ledger: LocalLedger) -> None:
    live = finish(ledger, open_match(ledger, "azul", 2, players=TWO))
    rows = ledger.store.rows(live.id)
    history = load(ledger, live.id)
    explain(history, 20)
    rescore(history, "azul/1")
    bisect(history, history)
    assert ledger.store.rows(live.id) == rows
