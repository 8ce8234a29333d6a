"""Paper against ledger: every mistake we know is found in its round and on its line, and no cause is made up."""

from collections import defaultdict
from functools import cache

import pytest

from service.errors import UsageError
from service.games.azul import AZUL
from service.games.game import Game
from service.games.shelf import find_game
from service.play.history import History, ScoredPoint, points, rounds
from service.questions.claims import Comparison, compare, compare_totals
from service.questions.findings import verdict
from service.questions.paper import END, Paper, PaperRow, read_claims, read_paper
from tests.disputes.people import played
from tests.pebbles import PEBBLES
from tests.shelf import each_game

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")


@cache
def match(key: str, seed: int = 5) -> History:
    return played(find_game(key), seed)


def row_of(history: History, point: ScoredPoint) -> int:
    """The row of a paper that a point belongs to: its round, or the last one."""
    return END if point.is_end or not history.game.has_rounds else max(point.sheet.round, 1)


def is_gain(history: History, point: ScoredPoint) -> bool:
    """Whether a point was made in play: what one starts with is no gain."""
    return point.sheet.round > 0 or not history.game.has_rounds


def paper_of(history: History, wrong: dict[int, int] | None = None, gains: bool = False) -> Paper:
    """What somebody would write who gets these lines (by their place in the sheet) wrong and all others right."""
    totals: defaultdict[int, int] = defaultdict(int)
    gained: defaultdict[tuple[int, int], int] = defaultdict(int)
    rows: dict[int, dict[int, int]] = {}
    seats = range(1, history.opened.seats + 1)
    sheet = list(points(history))
    for round_ in [*range(1, rounds(history) + 1), END]:
        for place, point in enumerate(sheet):
            if row_of(history, point) == round_:
                worth = (wrong or {}).get(place, point.line.applied)
                totals[point.line.seat] += worth
                gained[round_, point.line.seat] += worth * is_gain(history, point)
        rows[round_] = {seat: gained[round_, seat] if gains else totals[seat] for seat in seats}
    return Paper(gains, [PaperRow(round_, numbers) for round_, numbers in rows.items()])


@each_game
@pytest.mark.parametrize("gains", [False, True])
def test_a_paper_without_mistakes_agrees(game: Game, gains: bool) -> None:
    history = match(game.key)
    comparison = compare(history, paper_of(history, gains=gains))
    assert comparison.agrees
    assert comparison.compared == (rounds(history) + 1) * history.opened.seats
    totals = {place.seat: place.score for place in history.game.projection.standings(state_of(history))}
    assert comparison.totals == totals
    assert compare_totals(history, totals).agrees


def state_of(history: History) -> object:
    return history.table_after(len(history.envelopes)).state


def slips_of(history: History, point: ScoredPoint) -> dict[str, int]:
    """Every way to get this line wrong that we know of."""
    worth = point.line.applied
    ways = {"the line was left out": 0, "the line was counted twice": 2 * worth}
    slips = history.game.projection.slips.get(point.line.reason)
    ways.update({slip.cause: slip.points for slip in (slips(point.line, point.before) if slips else ())})
    return {cause: written for cause, written in ways.items() if written != worth}


@each_game
@pytest.mark.parametrize("gains", [False, True])
def test_every_slip_is_found_in_its_round_on_its_line(game: Game, gains: bool) -> None:
    history = match(game.key)
    for place, point in enumerate(points(history)):
        if gains and not is_gain(history, point):
            continue
        slips = slips_of(history, point)
        assert slips or not point.line.applied, "whatever is worth something can be left out"
        for cause, written in slips.items():
            comparison = compare(history, paper_of(history, {place: written}, gains))
            first = comparison.findings[0]
            assert (first.seat, first.round) == (point.line.seat, row_of(history, point))
            assert first.difference == written - point.line.applied
            assert (point.sheet.seq, cause) in {(found.seq, found.words) for found in first.causes}
            assert len(comparison.findings) == 1, "one mistake parts them once"


@each_game
def test_every_cause_named_makes_the_difference_exactly(game: Game) -> None:
    history = match(game.key, 6)
    truth = compare_totals(history, {}).totals
    most = 2 * max(abs(point.line.applied) for point in points(history))  # as far off as a line left out or doubled
    for off in range(-most, most + 1):
        comparison = compare_totals(history, {1: truth[1] + off})
        if not off:
            assert comparison.agrees
            continue
        finding = comparison.findings[0]
        assert (finding.paper, finding.ledger, finding.difference) == (truth[1] + off, truth[1], off)
        lines = {line.seq: line for line in finding.lines}
        for cause in finding.causes:
            assert cause.written - cause.points == off
            if cause.seq:
                assert cause.seq in lines
        if not finding.causes:
            assert verdict(finding) == "No single line explains it."


def azul(*rows: str) -> Comparison:
    history = match("azul")
    return compare(history, read_paper("\n".join(rows), 2, history.names))


def test_words_for_the_causes_people_meet() -> None:
    history = match("azul")
    sheet = list(points(history))
    both = next(i for i, p in enumerate(sheet) if min(p.line.operands.get(k, 0) for k in ("row_run", "column_run")) > 1)
    runs = sheet[both].line.operands
    floor = next(i for i, p in enumerate(sheet) if p.line.reason == "floor")
    cases = {
        f"the column run of {runs['column_run']} was missed": {both: runs["row_run"]},
        f"the row run of {runs['row_run']} was missed": {both: runs["column_run"]},
        "the tile was counted once, though it belongs to both runs": {
            both: sum(runs[k] for k in ("row_run", "column_run")) - 1
        },
        "the line was left out": {floor: 0},
        "the loss was added instead of taken off": {floor: -sheet[floor].line.applied},
    }
    for cause, wrong in cases.items():
        causes = compare(history, paper_of(history, wrong)).findings[0].causes
        assert cause in [found.words for found in causes]


def test_a_marker_that_was_not_counted_and_a_floor_that_was_not_stopped() -> None:
    """Both need a certain floor, so matches are looked through until one has it."""
    seen: set[str] = set()
    for seed in range(40):
        history = played(AZUL, seed, bots=["random"])
        for place, point in enumerate(points(history)):
            if point.line.reason != "floor":
                continue
            for cause, written in slips_of(history, point).items():
                if "marker" in cause:
                    causes = compare(history, paper_of(history, {place: written})).findings[0].causes
                    assert cause in [found.words for found in causes]
                    seen.add("marker")
            if point.line.requested != point.line.applied:
                causes = compare(history, paper_of(history, {place: point.line.requested})).findings[0].causes
                assert any("not stopped" in found.words for found in causes)
                seen.add("stopped")
        if seen == {"marker", "stopped"}:
            return
    raise AssertionError(f"only found {seen}")


def test_end_bonuses_nobody_added() -> None:
    for seed in range(20):
        history = played(AZUL, seed, bots=["greedy"])
        bonuses = [p.line.applied for p in points(history) if p.is_end and p.line.seat == 1]
        if len(bonuses) > 1 and sum(bonuses) > 10:
            truth = compare_totals(history, {}).totals[1]
            causes = compare_totals(history, {1: truth - sum(bonuses)}).findings[0].causes
            assert any("end of the game" in cause.words for cause in causes)
            return
    raise AssertionError("no match with two bonuses")


def test_a_line_written_to_the_other_player() -> None:
    history = match("azul")
    sheet = list(points(history))
    place, point = next((i, p) for i, p in enumerate(sheet) if p.line.seat == 1 and p.line.applied > 3)
    paper = paper_of(history, {place: 0})
    rows = [
        PaperRow(
            row.round,
            {
                1: row.numbers[1],
                2: row.numbers[2] + point.line.applied * (row.round == END or row.round >= point.sheet.round),
            },
        )
        for row in paper.rows
    ]
    first, second = compare(history, Paper(False, rows)).findings
    assert (first.causes[0].seq, first.causes[0].words) == (point.sheet.seq, "the line was written to Ben instead")
    assert (point.sheet.seq, "Ann's line was written to Ben") in [(cause.seq, cause.words) for cause in second.causes]


def test_the_first_round_comes_first_and_later_mistakes_are_told_apart() -> None:
    history = match("azul")
    sheet = list(points(history))
    early = next(i for i, p in enumerate(sheet) if p.line.seat == 2 and p.sheet.round == 2)
    late = next(i for i, p in enumerate(sheet) if p.line.seat == 1 and p.sheet.round == 4)
    comparison = compare(history, paper_of(history, {late: 99, early: 0}))
    assert [(found.round, found.seat) for found in comparison.findings] == [(2, 2), (4, 1)]
    assert verdict(comparison.findings[1]) == "No single line explains it."


def test_several_equal_causes_are_not_called_likely() -> None:
    history = match("azul")
    truth = compare_totals(history, {}).totals[1]
    texts = {off: verdict(compare_totals(history, {1: truth + off}).findings[0]) for off in (-1, -2, -3, -4)}
    assert any(text.startswith("Each of these explains it exactly: event") for text in texts.values()), texts


def test_papers_as_people_write_them() -> None:
    history = match("azul")
    truth = paper_of(history)
    first, second = truth.rows[0].numbers[1], truth.rows[0].numbers[2]
    for text in (
        f"round,Ann,Ben\n1,{first},{second}",
        f"\ufeffRound;ben;ANN\n# a remark\n\nround 1; {second} ;{first}",
        f"round\t2\t1\nR1\t\t{first}",
        f"gain,seat 1,seat 2\n1,+{first},{second}",
    ):
        assert compare(history, read_paper(text, 2, history.names)).agrees
    last = truth.rows[-1].numbers
    assert azul("round,Ann,Ben", f"{rounds(history)},{last[1]},{last[2]}").agrees, "the last round with all bonuses"
    before = truth.rows[-2].numbers
    assert azul("round,Ann,Ben", f"{rounds(history)},{before[1]},{before[2]}", f"end,{last[1]},{last[2]}").agrees


@pytest.mark.parametrize(
    "text, code",
    [
        ("", "paper/empty"),
        ("round,Ann,Ben", "paper/empty"),
        ("points,Ann,Ben\n1,2,3", "paper/heading"),
        ("round,Ann,Cleo\n1,2,3", "paper/seat"),
        ("round,Ann,1\n1,2,3", "paper/seat"),
        ("round,Ann\n1,2,3", "paper/row"),
        ("round,Ann\n1,two", "paper/number"),
        ("round,Ann\nfirst,2", "paper/round"),
        ("round,Ann\n0,2", "paper/round"),
        ("round,Ann\n1,2\n1,3", "paper/round"),
        ("round,Ann\n99,2", "paper/round"),
    ],
)
def test_papers_that_make_no_sense(text: str, code: str) -> None:
    history = match("azul")
    with pytest.raises(UsageError) as refusal:
        compare(history, read_paper(text, 2, history.names))
    assert refusal.value.code == code


def test_a_game_without_rounds_has_a_paper_of_one_row() -> None:
    history = match(PEBBLES.key)
    total = compare_totals(history, {}).totals[1]
    for heading in ("round", "total", "gain"):
        assert compare(history, read_paper(f"{heading},Ann\nend,{total}", history.opened.seats, history.names)).agrees
        wrong = compare(history, read_paper(f"{heading},Ann\nend,{total + 1}", history.opened.seats, history.names))
        assert [(found.seat, found.round, found.difference) for found in wrong.findings] == [(1, END, 1)]
    with pytest.raises(UsageError) as refusal:
        compare(history, read_paper("round,Ann\n1,3\nend,9", history.opened.seats, history.names))
    assert refusal.value.code == "paper/round"
    assert refusal.value.message == "The paper has a round 1; Pebbles has none, only `end`."


def test_claims_by_seat_and_by_name() -> None:
    names = match("azul").names
    assert read_claims(["1=54", "ben=47"], 2, names) == {1: 54, 2: 47}
    for words, code in (
        (["54"], "claim/form"),
        (["3=1"], "claim/seat"),
        (["1=x"], "claim/total"),
        (["1=1", "Ann=2"], "claim/seat"),
    ):
        with pytest.raises(UsageError) as refusal:
            read_claims(words, 2, names)
        assert refusal.value.code == code
