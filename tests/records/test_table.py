"""Table records: no hashes, no times, deals and moves only; every line is checked and the first wrong one named."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from service.errors import Refused
from service.play.evidence import from_store
from service.play.ledger import LocalLedger
from service.play.matches import act, deal, open_match
from service.play.players import NewPlayer
from service.records import import_evidence, read_evidence, write_text
from service.records.problems import BadRecord
from tests.records.histories import raw_lines, reread

HEAD = '[Game "azul"]\n[Seat 1 "Ann"]\n[Seat 2 "Ben"]\n'
GREY = HEAD + "[Options boardSide=grey]\n1\nBYRK BYRK BYRK BYRK BYRK\n1B1\n2B1\n5B-\n4B-\n3B-\nCY-\nCR-\nCK-\n"
"""Both seats have a line to tile."""
A_DAY = datetime(2026, 1, 1, tzinfo=UTC)
DEALT = HEAD + "deal 1\ndeal BBBB YYYY RRRR KKKK WWWW\n"


def wrong(text: str, folder: Path) -> BadRecord:
    with pytest.raises(BadRecord) as refusal:
        reread(text, folder)
    return refusal.value


def test_the_example_is_the_match_entered_by_hand(examples: Path, ledger: LocalLedger, tmp_path: Path) -> None:
    """The file and the same entries made one by one give the same facts."""
    (evidence,) = read_evidence(examples / "azul-table.mlr", new_id=lambda: "table")
    live = import_evidence(ledger, evidence)
    opened = live.table.opened
    assert (opened.chance, opened.undo, opened.options["maxRounds"]) == ("recorded", "free", "2")
    assert live.envelopes[0].at == datetime(2026, 1, 31, tzinfo=UTC)
    assert [place.score for place in live.table.closed.standings] == [10, 6]  # type: ignore[union-attr]
    byhand = open_match(
        ledger, "azul", 2, players=[NewPlayer("Ann"), NewPlayer("Ben")], options={"maxRounds": "2"}, undo="free",
        chance_mode="recorded",
    )  # fmt: skip
    for text in [
        "1",
        "RKKB WBBK WWWR KYKY KRRB",
        "4Y2",
        "5B1",
        "3R1",
        "2B2",
        "1K3",
        "CW4",
        "CK4",
        "CR3",
        "CB5",
        "YKYB RKKY WRYY KYYB YBWB",
        "5Y1",
        "4K1",
        "1Y2",
        "2K2",
        "CB3",
        "CK3",
        "CY4",
        "3Y4",
        "CR5",
        "CW-",
    ]:
        request = byhand.game.rules.request(byhand.table.state)
        if request:
            deal(ledger, byhand, byhand.game.notation.read_outcome(text, byhand.table.state, request))
        else:
            seat = byhand.game.projection.to_act(byhand.table.state)[0]
            act(ledger, byhand, seat, byhand.game.notation.read(text))
    assert [(e.step, e.actor, e.event) for e in live.envelopes] == [
        (e.step, e.actor, e.event) for e in byhand.envelopes
    ]


def test_an_imported_table_record_is_a_record_like_any_other(
    examples: Path, ledger: LocalLedger, tmp_path: Path
) -> None:
    (evidence,) = read_evidence(examples / "azul-table.mlr")
    live = import_evidence(ledger, evidence)
    text = write_text(from_store(ledger.store, live.id))
    assert raw_lines(text) == []
    assert '[Place "the kitchen"]' in text
    assert "; Ann drew the longest straw" in text
    read = reread(text, tmp_path)
    assert read.remarks == []
    assert write_text(read) == text


def test_an_unfinished_one_goes_on(ledger: LocalLedger, tmp_path: Path) -> None:
    live = import_evidence(ledger, reread(DEALT + "1B1\n", tmp_path))
    assert live.table.status == "playing"
    act(ledger, live, 2, live.game.notation.read("2Y2"))


def test_the_same_record_is_the_same_match(examples: Path, ledger: LocalLedger) -> None:
    lives = [import_evidence(ledger, read_evidence(examples / "azul-table.mlr")[0]) for _ in range(2)]
    assert lives[0].id == lives[1].id
    assert ledger.store.count() == 1


@pytest.mark.parametrize("times", ["", "@+60"], ids=["undated", "with times of its own"])
def test_so_is_one_without_a_date_which_is_of_its_first_import(ledger: LocalLedger, tmp_path: Path, times: str) -> None:
    """Blank space is no difference either, and what the ledger gives back is what it has."""
    first = import_evidence(ledger, reread(DEALT + f"1B1 {times}\n", tmp_path, clock=lambda: A_DAY))
    later = reread("\n" + DEALT + f"\n  1B1   {times}\n\n", tmp_path, clock=lambda: A_DAY + timedelta(days=1))
    again = import_evidence(ledger, later)
    assert (again.id, again.hashes) == (first.id, first.hashes)
    assert again.envelopes[0].at == A_DAY
    act(ledger, again, 2, again.game.notation.read("2Y2"))
    with pytest.raises(Refused, match="the ledger goes on from where the record stops") as refusal:
        import_evidence(ledger, later)
    assert refusal.value.code == "record/other-history"


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(DEALT + "1B2\n", id="a move"),
        pytest.param(DEALT.replace("Ann", "Cleo") + "1B1\n", id="a name"),
        pytest.param(DEALT + "1B1 ; a slip of the pen\n", id="a remark"),
        pytest.param(DEALT + "1B1 {=1}\n", id="a number"),
        pytest.param('[Date "2026-01-31"]\n' + DEALT + "1B1\n", id="a date"),
    ],
)
def test_another_word_makes_another_match(ledger: LocalLedger, tmp_path: Path, other: str) -> None:
    one = import_evidence(ledger, reread(DEALT + "1B1\n", tmp_path))
    assert import_evidence(ledger, reread(other, tmp_path)).id != one.id


def test_without_a_date_it_is_now(tmp_path: Path) -> None:
    moment = datetime(2026, 5, 6, 7, 8, 9, 10, tzinfo=UTC)
    evidence = reread(DEALT, tmp_path, clock=lambda: moment, new_id=lambda: "x")
    assert b"2026-05-06T07:08:09.000010Z" in evidence.rows[0].data


def test_moves_taken_back_are_passed_over(tmp_path: Path) -> None:
    plain = reread(DEALT + "1B1\n2Y2\n", tmp_path, new_id=lambda: "x", clock=lambda: datetime(2026, 1, 1, tzinfo=UTC))
    marked = reread(
        DEALT + "1. 1B1\n2x. 2Y1\n2. 2Y2\n",
        tmp_path, new_id=lambda: "x", clock=lambda: datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip
    assert plain.rows == marked.rows


@pytest.mark.parametrize(
    "text, line, code, said, hint",
    [
        (DEALT + "1X3", 6, "move/malformed", "found '1X3'", "Ann (seat 1), nearest first: 1B3"),
        (DEALT + "1B3\n\n; quiet\n1B3", 9, "azul/source-empty", "AZ-21", "Ben (seat 2), nearest first: "),
        (DEALT + "1B3\nAnn 2Y3", 7, "azul/turn", "It is seat 2's turn", "Ben (seat 2), nearest first: 2Y3"),
        (DEALT + "1R3", 6, "azul/colour-absent", "holds no red, only blue", "1B3"),
        (DEALT + "pass", 6, "azul/pass", "Passing is not possible", "for example: 1B"),
        (DEALT + "1B1 {Zoe +1}", 6, "record/points", "'Zoe' is not a player of this match", ""),
        (DEALT + "1B1 {Ann lots}", 6, "record/points", "cannot be read as points", ""),
        (DEALT + "deal BBBB", 6, "record/step", "nothing is to be drawn", ""),
        (HEAD + "1B1", 4, "move/malformed", "'1B1': the starting seat comes first", "for example: deal "),
        (HEAD + "deal 3", 4, "azul/start-pool", "", "for example: deal "),
        (HEAD + "1\ndeal BBBB YYYY", 5, "move/malformed", "this deal needs 5", "for example: deal "),
        (HEAD + "1\ndeal BBBX YYYY RRRR KKKK WWWW", 5, "move/malformed", "expected a colour", "for example: deal "),
        (HEAD + "1\nBBBB BBBB BBBB BBBB BBBB", 5, "", "", ""),
        (GREY + "1@1", 15, "record/step", "it does not say whose move it is", "Ann (seat 1), nearest first: 1@1"),
        (GREY + "Ben 1@9", 15, "move/malformed", "found 'Ben 1@9'", "Ben (seat 2), nearest first: 1@1"),
        (GREY + "2: 1@1\n2@1", 16, "azul/line-incomplete", "Line 2 is not complete", "Ann (seat 1), nearest first: 1@"),
        (DEALT + "undo 5", 6, "record/table", "'undo 5' does not belong in a table record", ""),
        (DEALT + "resigns", 6, "record/who", "does not say who", ""),
        (DEALT + "Ann resigns\n2Y2", 7, "record/over", "the match is over", ""),
        (DEALT + '!6 #00 {"match":"x"}', 6, "record/raw", "no raw events", ""),
        (DEALT + "1B1 @+soon", 6, "move/malformed", "found '1B1 @+soon'", "1B1"),
        (DEALT + "[Count 3]\n1B1", 7, "record/after-end", "after the end", ""),
        (
            '[Result "Ann 3, Zoe 1"]\n' + DEALT + "Ann resigns",
            1,
            "record/result",
            "'Zoe' is not a player of this match",
            "",
        ),
        ('[Result "Ann won"]\n' + DEALT + "Ann resigns", 1, "record/result", "cannot be read as a result", ""),
        (DEALT + "1B1 {Ann +9 =9}\n1B3", 7, "azul/source-empty", "AZ-21", "Ben (seat 2), nearest first: "),
        ('[Game "chess"]\n1. e4', 1, "game/unknown", "'chess' is not a game; choose from: azul", ""),
        ('[Ruleset "azul/9"]\n1. e4', 1, "game/ruleset", "'azul/9'", ""),
        ('[Seat 1 "Ann"]\n[Seat 2 "Ben"]\n1B1', 1, "record/game", "names no game", ""),
        ('[Game "azul"]\n1B1', 1, "match/seats", "0 seats is not possible", ""),
        ('[Game "azul"]\n[Seats "two"]\n1B1', 2, "record/options", "'two' is not a number of seats", ""),
        (HEAD + '[Options "boardSide=pink"]\n1', 4, "match/option-value", "'pink'", ""),
        (HEAD + '[Options "boardSide"]\n1', 4, "record/options", "'boardSide' is not NAME=VALUE", ""),
        (HEAD + '[Date "yesterday"]\n1', 4, "record/time", "'yesterday' is not a date", ""),
        (HEAD + "[Options\n1", 4, "record/tag", "is not a tag", ""),
        ('[Matchledger "2"]\n' + HEAD, 1, "record/version", "version '2'", ""),
    ],
)
def test_the_first_wrong_line_is_named(text: str, line: int, code: str, said: str, hint: str, tmp_path: Path) -> None:
    if not code:
        reread(text, tmp_path)  # the table's limits are the bag's: twenty blue tiles can be dealt
        return
    problem = wrong(text, tmp_path)
    assert (problem.line, problem.code) == (line, code), problem.message
    assert f"line {line}: " in problem.message
    assert said in problem.message
    assert hint in problem.hint


def test_near_misses_are_few(tmp_path: Path) -> None:
    assert len(wrong(DEALT + "5W9", tmp_path).hint.split(":")[-1].split()) == 6


def test_the_rules_of_today_decide_unless_others_are_named(ledger: LocalLedger, tmp_path: Path) -> None:
    today = import_evidence(ledger, reread(DEALT + "1B1\n", tmp_path))
    older = import_evidence(ledger, reread('[Ruleset "azul/1"]\n' + DEALT + "1B1\n", tmp_path))
    assert [live.game.rules.ruleset for live in (today, older)] == ["azul/2", "azul/1"]


def test_a_resignation_and_an_abandoned_match(ledger: LocalLedger, tmp_path: Path) -> None:
    resigned = import_evidence(ledger, reread(DEALT + "1B1\nBen resigns\n", tmp_path))
    assert resigned.table.closed is not None
    assert [place.seat for place in resigned.table.closed.standings] == [1, 2]
    abandoned = import_evidence(ledger, reread(DEALT + "1B1\nabandoned\n", tmp_path))
    assert abandoned.table.closed is not None
    assert abandoned.table.closed.reason == "abandoned"


def test_an_export_without_its_hashes_is_a_table_record(examples: Path, tmp_path: Path) -> None:
    """Deals that shared a step with a move become steps of their own; the score is the same."""
    (evidence,) = read_evidence(examples / "azul-table.mlr", new_id=lambda: "x")
    text = "\n".join(
        line.split(" #")[0] for line in write_text(evidence).splitlines() if not line.startswith(("[Match ", "[Head"))
    )
    again = reread(text, tmp_path, new_id=lambda: "x")
    assert [row.data for row in again.rows] == [row.data for row in evidence.rows]
