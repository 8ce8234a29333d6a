"""The facade: matches as objects, with the promises of the use cases behind them."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.games.game import Game
from service.shell import python as matchledger
from service.shell.python.match import Format
from service.trust.folder import SERVER_FILE, key_folder_at
from tests.shelf import each_game, people

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")

ROOT = Path(__file__).parents[2]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@each_game
def test_a_move_is_the_same_in_notation_and_as_a_value(database: Path, game: Game) -> None:
    with matchledger.open(database) as ledger:
        one, other = (ledger.start(game.key, *people(game), seed=7) for _ in range(2))
        for _ in range(8):
            if one.is_over:
                break
            seat = one.turn[0]
            assert one.legal(seat) == other.legal(seat)
            assert one.play(one.legal(seat)[0], seat) == other.play(other.actions(seat)[0], seat)
        assert one.table == other.table
        assert str(one) == str(other)
        assert one._repr_html_().startswith("<style>")


def test_a_match_of_bots_is_over_at_once_and_can_be_asked_everything(database: Path) -> None:
    with matchledger.open(database) as ledger:
        match = ledger.start("azul", "Ada=bot:greedy", "bot:random", seed=1)
        assert (match.is_over, match.ending, match.turn, match.legal(), match.awaits) == (True, "finished", (), [], "")
        assert {place.seat: place.score for place in match.result} == match.scores
        assert {line.seat: line.total for line in match.score_sheet()} == match.scores
        assert len(match.story()) == len(match.history) == match.event
        assert [position.step for position in match.replay()] == list(range(1, match.step + 1))
        before = match.at(match.event - 1)
        assert not isinstance(before, matchledger.Match)
        assert (before.is_over, before.ending, before.result) == (False, "", ())
        with pytest.raises(matchledger.Refused, match="is closed"):
            match.play("2B3")


def test_somebody_else_moved_the_match_on(database: Path) -> None:
    with matchledger.open(database) as ledger, matchledger.open(database, create=False) as other:
        match = ledger.start("azul", "Ann", "Ben", seed=7)
        other.match(match.id).play("2R2")
        with pytest.raises(matchledger.Conflict):
            match.play("1B1")
        assert match.turn == (1,)
        match.refresh()
        assert match.turn == (2,)
        match.play("CK1")


def test_a_command_sent_again_is_carried_out_once(database: Path) -> None:
    with matchledger.open(database) as ledger:
        match = ledger.start("azul", "Ann", "bot:greedy", seed=7, undo="free", options={"firstPlayer": "seat:1"})
        first = match.play("2R2", command="one")
        assert len(first) == 2, "a bot has replied"
        again = match.play("2R2", command="one")
        assert again == first[:1]
        assert match.undo(command="two") == match.undo(command="two")
        assert match.redo(command="three") == match.redo(command="three")
        assert match.turn == (1,)


def test_undo_is_asked_for_and_answered(database: Path) -> None:
    with matchledger.open(database) as ledger:
        match = ledger.start("azul", "Ann", "Ben", "Cleo", seed=7, undo="consent")
        seat = match.turn[0]
        match.play(match.legal()[0])
        others = [other for other in match.players if other != seat]
        match.undo()
        assert match.undo_asked_by == seat
        match.accept(others[0])
        assert match.turn != (seat,)
        match.accept(others[1])
        assert match.turn == (seat,)
        assert match.undo_asked_by is None
        match.redo()
        match.undo()
        match.decline(others[0])
        assert match.turn != (seat,)
        assert match.undo_asked_by is None


def test_seats_wait_for_players_and_reveals_for_a_deal(database: Path) -> None:
    with matchledger.open(database) as ledger:
        match = ledger.start("coloretto", "Ann", seats=3, confirm_reveals=True, options={"firstPlayer": "seat:1"})
        assert (match.status, match.turn, match.legal(), match.awaits) == ("open", (), [], "")
        match.join("bot:random", 3, nonce="any text")
        match.join("Ben")
        assert match.players == {1: "Ann", 2: "Ben", 3: "random"}
        match.play("D")
        assert (match.turn, match.legal(), match.awaits) == ((), [], "card")
        assert match.deal()[0].startswith("It was ")
        assert (match.turn, match.awaits) == ((1,), "")
        match.abandon()
        assert (match.status, match.ending, match.result) == ("closed", "abandoned", ())


def test_who_resigned_in_the_middle_leaves_nobody_to_move(database: Path) -> None:
    with matchledger.open(database) as ledger:
        match = ledger.start("azul", "Ann", "Ben", seed=7)
        assert match.resign(1)[0] == "Ann resigned."
        assert (match.ending, match.turn, match.legal(), match.actions()) == ("resigned", (), [], [])
        assert [place.player for place in match.result] == ["Ben", "Ann"]


def test_a_fork_goes_on_and_its_parent_stays(database: Path) -> None:
    with matchledger.open(database) as ledger:
        match = ledger.start("azul", "bot:random", "bot:random", seed=1)
        events = match.event
        fork = match.fork()
        assert (fork.status, fork.scores) == ("playing", match.at(f"s{match.step - 1}").scores)
        fork.play(fork.actions()[0])
        match.refresh()
        assert match.event == events
        assert [found.id for found in ledger.matches(parent=match.id)] == [fork.id]


def test_matches_are_found_by_what_is_known_of_them(database: Path) -> None:
    with matchledger.open(database) as ledger:
        azul = ledger.start("azul", "Ann", "Ben")
        coloretto = ledger.start("coloretto", "bot:random", "bot:random")
        assert [match.id for match in ledger.matches()] == [coloretto.id, azul.id]
        assert [match.id for match in ledger.matches(game="azul")] == [azul.id]
        assert [match.id for match in ledger.matches(status="closed")] == [coloretto.id]
        assert [match.id for match in ledger.matches(player="Ben", limit=1)] == [azul.id]
        with pytest.raises(matchledger.UsageError, match="'azur' is not a game"):
            ledger.matches(game="azur")
        with pytest.raises(matchledger.NotFound):
            ledger.match("zzzz")


@pytest.mark.parametrize("format", ["text", "jsonl"])
def test_a_record_goes_out_and_comes_back_whole(database: Path, tmp_path: Path, format: Format) -> None:
    path = tmp_path / "record"
    with matchledger.open(database) as ledger:
        match = ledger.start("azul", "bot:greedy", "bot:random", seed=1)
        record = match.export(path, format=format)
    with matchledger.open(":memory:") as other:
        for _ in range(2):  # a second time is harmless
            [copy] = other.import_(path)
            assert (copy.id, copy.table) == (match.id, match.table)
        assert copy.export(format=format) == record
    assert path.read_text(encoding="utf-8") == record


def test_a_format_nobody_knows_is_refused(database: Path) -> None:
    with matchledger.open(database) as ledger:
        match = ledger.start("azul", "Ann", "Ben")
        with pytest.raises(matchledger.UsageError, match="'pgn' is not a format of records; choose from: text, jsonl"):
            match.export(format="pgn")  # type: ignore[arg-type]


def test_audits_find_what_was_changed(database: Path, tmp_path: Path) -> None:
    with matchledger.open(database) as ledger:
        match = ledger.start("azul", "bot:random", "bot:random", seed=1)
        ledger.start("azul", "Ann", "Ben")
        assert match.audit().is_clean
        assert str(ledger.audit()) == "2 matches: all clean."
    _change_an_event(database, match.id)
    with matchledger.open(database) as ledger:
        found = ledger.audit()
        assert (found.is_clean, found.matches, [report.match for report in found.findings]) == (False, 2, [match.id])
        assert str(found) == "2 matches: 1 not clean."
        with pytest.raises(matchledger.Damaged):
            ledger.match(match.id)
    assert "\n✗ chain      event 7: " in str(found.findings[0])
    assert str(found.findings[0]).endswith("First bad event: 7.")


def _change_an_event(database: Path, match: str) -> None:
    """By somebody with a hand in the file, who has to get past our triggers first."""
    connection = sqlite3.connect(database)
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(
        "UPDATE event SET data = CAST(replace(data, '2', '3') AS BLOB) WHERE match_id = ? AND seq = 7", (match,)
    )
    connection.commit()
    connection.close()


def test_a_file_is_audited_without_a_ledger() -> None:
    [report] = matchledger.audit(ROOT / "docs" / "examples" / "azul.mlr")
    assert report.is_clean
    assert str(report).startswith(f"{report.source}  {report.events} events\n✓ format")


def test_closed_matches_are_signed_unless_nobody_keeps_them(tmp_path: Path) -> None:
    def outcome(database: str | Path) -> str:
        with matchledger.open(database) as ledger:
            return ledger.start("azul", "bot:random", "bot:random").audit()["signature"].outcome

    with key_folder_at(tmp_path / "keys"):
        assert outcome(":memory:") == "skipped"
        assert not any((tmp_path / "keys").iterdir()), "a ledger nobody keeps makes no keys"
        assert outcome(tmp_path / "signed.db") == "passed"
        assert (tmp_path / "keys" / SERVER_FILE).exists()


def test_what_lies_in_memory_is_gone_afterwards() -> None:
    with matchledger.open(":memory:") as ledger:
        folder = Path(ledger._database).parent
        ledger.start("azul", "Ann", "Ben")
        assert folder.exists()
    assert not folder.exists()


def test_a_ledger_is_made_only_when_it_may_be(database: Path) -> None:
    for keywords in ({"create": False}, {"read_only": True}):
        with pytest.raises(matchledger.Unavailable):
            matchledger.open(database, **keywords)
        assert not database.exists()
    with matchledger.open(database) as ledger:
        ledger.start("azul", "Ann", "Ben")
    with matchledger.open(database, read_only=True) as ledger:
        assert ledger.match("last").players == {1: "Ann", 2: "Ben"}
        with pytest.raises(matchledger.Unavailable):
            ledger.start("azul", "Ann", "Ben")
    assert str(database) in repr(ledger)


def test_a_ledger_is_audited_since_the_last_clean_audit(database: Path) -> None:
    with matchledger.open(database) as ledger:
        ledger.start("azul", "bot:greedy", "bot:random", seed=1)
        first, second = ledger.audit(since=True), ledger.audit(since=True)
        assert (first.matches, first.unchanged, second.matches, second.unchanged) == (1, 0, 0, 1)
        assert second.rests_on == first.stated is not None
        assert ledger.audit(full=True).matches == 1
        assert ledger.audit().stated is None
        with pytest.raises(matchledger.UsageError, match="choose one"):
            ledger.audit(since=True, full=True)
    with matchledger.open(":memory:") as ledger, pytest.raises(matchledger.UsageError, match="not signed"):
        ledger.audit(since=True)


class TestPrograms:
    """Players may be programs where the ledger was told so, and not otherwise."""

    @pytest.fixture(autouse=True)
    def own_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        (tmp_path / "mybots.py").write_text("def first(question):\n    return 0\n")
        monkeypatch.chdir(tmp_path)
        with key_folder_at(tmp_path / "keys"):
            yield

    def test_whoever_names_the_players_runs_nothing(self, database: Path) -> None:
        with matchledger.open(database) as ledger:
            with pytest.raises(matchledger.LedgerError) as refusal:
                ledger.start("azul", "Ann", "bot:module:mybots.first")
            assert refusal.value.code == "bot/outside"
            match = ledger.start("azul", "Ann", seats=2)
            with pytest.raises(matchledger.LedgerError) as refusal:
                match.join("bot:exec:ls")
            assert refusal.value.code == "bot/outside"

    def test_they_play_where_that_was_said(self, database: Path) -> None:
        with matchledger.open(database, programs=True) as ledger:
            match = ledger.start("azul", "Ada=bot:module:mybots.first", "bot:greedy", seed=1)
            assert match.is_over
            assert match.audit().is_clean
            assert not any("forfeited" in told for told in match.story())
            match = ledger.start("azul", "Ann", "bot:module:mybots.first", options={"firstPlayer": "seat:1"})
            assert any(told.startswith("module:mybots.first took") for told in match.play(match.legal()[0]))
