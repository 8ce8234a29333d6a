"""Bad input: each refused with a clear message and its exit code, nothing appended, never a traceback."""

import os
import sqlite3
import sys
import tempfile
from pathlib import Path

import pytest

from events.chain import link, origin
from service.games.shelf import GAMES
from tests.shell.terminal import UNTIL_THE_DEAL, Matchledger, on_empty_ledger, run_process

KEYS = ", ".join(game.key for game in GAMES)


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    return on_empty_ledger(tmp_path)


def refused(matchledger: Matchledger, *words: str, exit_code: int, code: str, saying: str = "") -> None:
    """A command is refused, in words on stderr and as one object on stdout, and stores nothing."""
    before = matchledger.rows()
    result = matchledger.run(*words, code=exit_code)
    headings = {1: ("Refused",), 2: ("Not understood", "Out of reach"), 3: ("Damaged",)}[exit_code]
    assert result.stderr.startswith(tuple(f"{heading} ({code}" for heading in headings))
    assert (result.stdout, saying in result.stderr) == ("", True), result.stderr
    answer = matchledger.json(*words, code=exit_code)
    assert list(answer) == ["error"]
    assert answer["error"]["code"] == code
    assert saying in "\n".join(filter(None, (answer["error"]["message"], answer["error"]["hint"])))
    assert matchledger.rows() == before


@pytest.mark.parametrize(
    "words, code, saying",
    [
        ("new chess Ann Ben", "game/unknown", f"'chess' is not a game; choose from: {KEYS}."),
        ("new azu Ann Ben", "game/unknown", "Did you mean 'azul'?"),
        ("simulate chess", "game/unknown", "'chess'"),
        ("list --game chess", "game/unknown", "'chess'"),
        ("list --status finished", "list/status", "'finished' is not a status; choose from: open, playing, closed."),
        ("new azul Ann Ben -o side=grey", "match/option", "'side' is not an option of this game; choose from: b"),
        ("new azul Ann Ben -o boardSide=pink", "match/option-value", "'pink' is not a value of boardSide; choose from"),
        ("new azul Ann Ben -o boardSide", "match/option", "'boardSide' is not an option; write NAME=VALUE"),
        ("new azul Ann Ben -o firstPlayer=seat:3", "match/option-value", "at 2 seats; choose from: random, seat:1 to"),
        ("new azul A B C D E", "match/seats", "5 seats is not possible here; choose from: 2, 3, 4."),
        ("new azul A B --seats 1", "match/seats", "1 seat is not possible here; choose from: 2, 3, 4."),
        ("new azul A B C --seats 2", "match/players", "3 players do not fit 2 seats."),
        ("new azul Ann bot:clever", "bot/unknown", "'clever' is not a bot; choose from: greedy, search:1,"),
        ("new azul Ann  ", "match/name", "'' is not a name"),
        ("new azul Ann Ben --undo never", "match/undo-policy", "'never' is not an undo policy; choose from: strict"),
        ("new azul Ann Ben --chance luck", "match/chance", "'luck' is not a kind of chance; choose from: fair"),
        ("new azul Ann Ben --chance fair --seed 1", "match/seed", "A seed goes with seeded chance"),
        ("simulate azul -b greedy -b random -b greedy -b greedy -b greedy", "match/seats", "choose from: 2, 3, 4"),
    ],
)  # fmt: skip
def test_requests_that_make_no_sense(matchledger: Matchledger, words: str, code: str, saying: str) -> None:
    refused(matchledger, *words.split(" "), exit_code=2, code=code, saying=saying)


def test_moves_that_do_not_read_or_are_not_allowed(matchledger: Matchledger) -> None:
    match = matchledger.new()
    absent = next(c for c in "BYRKW" if f"1{c}1" not in matchledger.moves(match))
    for text, saying in (
        ("1", "expected a colour (B blue, Y yellow, R red, K black, W white) after '1', but the move ends there"),
        (f"1{absent}9", f"expected a pattern line (1–5) or - for the floor after '1{absent}', but found '9'"),
        ("hello", "expected a display (1–9) or C for the centre after '', but found 'hello'"),
    ):
        refused(matchledger, "act", match, text, exit_code=2, code="move/malformed", saying=saying)
    near = matchledger.json("act", match, f"1{absent}1", code=1)["error"]
    assert (near["code"], near["rule"]) == ("azul/colour-absent", "AZ-21")
    listed = near["hint"].removeprefix("Legal and near: ").split()
    assert all(move.startswith("1") for move in listed)
    assert set(listed) < set(matchledger.moves(match))
    some = matchledger.json("act", match, "zzz", code=2)["error"]["hint"]
    assert some.startswith("Legal, for example: ")
    assert f"({len(matchledger.moves(match))} moves in all)" in some


def test_moves_at_the_wrong_moment(matchledger: Matchledger) -> None:
    match = matchledger.new()
    move = matchledger.moves(match)[0]
    act = ("act", match, move)
    refused(matchledger, *act, "--seat", "2", exit_code=1, code="azul/turn", saying="To move: Ann (seat 1).")
    refused(matchledger, *act, "--seat", "7", exit_code=1, code="match/seat", saying="no seat 7; choose 1–2")
    refused(
        matchledger, "act", match, "3@2", exit_code=1, code="azul/phase", saying="Nothing can be tiled in the draft"
    )
    refused(matchledger, "deal", match, exit_code=1, code="match/nothing-to-deal", saying="To move: Ann;")
    refused(matchledger, "undo", match, exit_code=1, code="undo/nothing", saying="nothing to undo")
    refused(matchledger, "redo", match, exit_code=1, code="redo/nothing", saying="nothing to redo")
    refused(matchledger, "undo", match, "--accept", exit_code=1, code="undo/no-request", saying="Nobody has asked")
    matchledger.play(match)
    stale = "You looked at event 4; match"
    for words in (act, ("undo", match), ("redo", match), ("deal", match)):
        refused(matchledger, *words, "--expect", "4", exit_code=1, code="store/stale-head", saying=stale)


def test_a_stale_look_explains_an_illegal_move(matchledger: Matchledger) -> None:
    match = matchledger.new()
    move = matchledger.play(match)[0]
    refused(matchledger, "act", match, move, "--expect", "4", exit_code=1, code="store/stale-head")
    refused(matchledger, "act", match, "zzz", "--expect", "4", exit_code=1, code="store/stale-head")


@pytest.mark.parametrize("players, seats", [("Ann Ben", "seat 1, seat 2"), ("A B C", "seat 1, seat 2, seat 3")])
@pytest.mark.parametrize("said", ["0", "4", "5", "seat 5", "999"])
def test_a_lot_that_falls_on_nobody(matchledger: Matchledger, players: str, seats: str, said: str) -> None:
    """It is named as it was said, and as seats, not as pieces."""
    matchledger("new", "azul", *players.split(), "--chance", "recorded")
    number = said.removeprefix("seat ")
    saying = f"The starting seat cannot be {number}; choose from: {seats}.\nSuch as: "
    refused(matchledger, "deal", "last", said, exit_code=1, code="azul/start-pool", saying=saying)
    assert matchledger("deal", "last", "2").startswith("The lot fell on ")


def test_a_deal_of_what_is_not_in_the_bag(matchledger: Matchledger) -> None:
    matchledger("new", "azul", "Ann", "Ben", "--chance", "recorded")
    matchledger("deal", "last", "1")
    matchledger("deal", "last", *["BBBB"] * 5)
    matchledger.play("last", UNTIL_THE_DEAL)
    saying = "Piece 3 of the deal cannot be blue: none is left."
    deal = ("YYBY", "RRRR", "KKKK", "WWWW", "YYYY")
    refused(matchledger, "deal", "last", *deal, exit_code=1, code="azul/deal-pool", saying=saying)


def test_a_table_that_waits(matchledger: Matchledger) -> None:
    match = matchledger("new", "azul", "Ann", "--quiet").strip()
    for words in (["act", match, "1B1"], ["legal", match], ["deal", match], ["undo", match], ["play", match]):
        if words[0] == "play":
            assert "match/not-started" in matchledger(*words, code=1)
        else:
            refused(matchledger, *words, exit_code=1, code="match/not-started", saying="Seat 2 is still free; `join`")
    refused(
        matchledger, "join", match, "Ben", "--seat", "1", exit_code=1, code="match/seat-taken", saying="free seats: 2"
    )
    matchledger("join", match, "Ben")
    refused(matchledger, "join", match, "Cleo", exit_code=1, code="match/full", saying="All 2 seats")


def test_chance_is_not_told_what_to_draw(matchledger: Matchledger) -> None:
    match = matchledger.new("--confirm-reveals")
    matchledger.play(match, UNTIL_THE_DEAL)
    refused(matchledger, "deal", match, "anything", exit_code=1, code="match/outcome", saying="Chance is seeded here")
    refused(matchledger, "act", match, "1B1", exit_code=1, code="match/awaiting-chance", saying="use `deal`")


def test_a_closed_match_stays_as_it_is(matchledger: Matchledger) -> None:
    match = matchledger.new()
    matchledger.play(match)
    matchledger("resign", match, "--seat", "1")
    closed = "is closed (resigned); fork it to play on."
    for words in (
        ["act", match, "1B1"], ["deal", match], ["undo", match], ["redo", match], ["resign", match, "--seat", "2"],
        ["abandon", match], ["join", match, "Cleo"], ["undo", match, "--accept"],
    ):  # fmt: skip
        refused(matchledger, *words, exit_code=1, code="match/closed", saying=closed)
    assert closed in matchledger("play", match, code=1)
    last = str(matchledger.json("show", match)["step"])
    refused(matchledger, "fork", match, "--step", last, exit_code=1, code="fork/closed", saying="fork from before step")


def test_places_and_matches_that_are_not_there(matchledger: Matchledger) -> None:
    match, other = matchledger.new(), matchledger.new()
    refused(
        matchledger, "show", match, "--at", "99", exit_code=1, code="replay/event", saying="no event 99; choose 1–4"
    )
    refused(matchledger, "log", match, "--at", "s99", exit_code=1, code="replay/step", saying="choose s1–s4")
    refused(
        matchledger, "scores", match, "--at", "end", exit_code=2, code="replay/place", saying="'end' is not a place"
    )
    refused(matchledger, "replay", match, "--to", "9", exit_code=1, code="replay/step", saying="it has steps 1–4")
    refused(matchledger, "replay", match, "--from", "3", "--to", "2", exit_code=1, code="replay/step")
    refused(matchledger, "fork", match, "--step", "9", exit_code=1, code="replay/step", saying="choose s1–s4")
    refused(matchledger, "fork", match, "--chance", "luck", exit_code=2, code="fork/chance", saying="resample")
    refused(matchledger, "fork", match, "--chance", "same-draws", exit_code=1, code="fork/future", saying="still on")
    refused(matchledger, "legal", match, "--seat", "3", exit_code=1, code="match/seat", saying="choose 1–2")
    refused(matchledger, "show", "zzzz", exit_code=1, code="match/unknown", saying="No match 'zzzz'")
    refused(
        matchledger, "rename", match, "5", "Eve", exit_code=1, code="match/seat-unknown", saying="taken seats: 1, 2"
    )
    refused(matchledger, "rename", match, "1", "a\nb", exit_code=2, code="match/name", saying="printable")
    refused(matchledger, "rename", match, "1", exit_code=2, code="match/name", saying="a new name or --forget")
    refused(matchledger, "undo", match, "--accept", "--decline", exit_code=2, code="undo/answer", saying="exclude")
    assert f"Games to begin: {KEYS}" in matchledger("play", "zzzz", code=1)
    assert "'zzzz' is not a game" in matchledger("play", "zzzz", "Ann", code=2)
    with matchledger.tampering(guards=False) as file:
        file.execute("PRAGMA foreign_keys = OFF")
        file.execute("UPDATE match SET id = 'same1' WHERE id = ?", (match,))
        file.execute("UPDATE match SET id = 'same2' WHERE id = ?", (other,))
    refused(matchledger, "show", "same", exit_code=1, code="match/ambiguous", saying="same1, same2")


@pytest.mark.parametrize(
    "words, saying",
    [
        (["show"], "Missing argument 'MATCH|FILE'"),
        (["act", "last"], "Missing argument 'MOVE'"),
        (["resign", "last"], "Missing option '--seat'"),
        (["show", "last", "--colour"], "No such option: --colour"),
        (["lsit"], "No such command 'lsit'. Did you mean 'list'?"),
        (["simulate", "azul", "-n", "0"], "'-n' / '--matches'"),
        (["undo", "last", "-n", "0"], "'--steps' / '-n'"),
        (["replay", "last", "--from", "0"], "'--from'"),
        (["new", "azul", "Ann", "Ben", "--seed", "x"], "'--seed'"),
        (["new", "azul", "Ann", "\udcff"], "is not text in this terminal's encoding"),
    ],
)
def test_typers_own_refusals_are_usage(matchledger: Matchledger, words: list[str], saying: str) -> None:
    result = matchledger.run(*words, code=2)
    assert (result.stdout, saying in " ".join(result.stderr.split())) == ("", True)
    assert saying in matchledger.json(*words, code=2)["error"]["message"]


class TestDatabase:
    """A database that is missing, busy, too new, out of reach or something else."""

    READ, WRITE = ("list",), ("new", "azul", "Ann", "Ben")

    def test_missing(self, tmp_path: Path) -> None:
        matchledger = Matchledger(tmp_path / "none.db")
        for words in (self.READ, ("show", "last"), ("act", "last", "1B1"), ("join", "last", "Ann"), ("play", "last")):
            text = matchledger(*words, code=2)
            assert f"Refused (store/missing): There is no ledger at '{matchledger.database}'." in text
            assert "`new`, `play`, `record` and `import` make a ledger" in text
        assert "store/missing" in matchledger("db", "check", code=2)
        assert not matchledger.database.exists()
        assert matchledger.json(*self.READ, code=2)["error"]["code"] == "store/missing"
        matchledger(*self.WRITE)
        assert len(matchledger.json(*self.READ)) == 1

    def test_a_refused_opening_makes_no_file(self, tmp_path: Path) -> None:
        matchledger = Matchledger(tmp_path / "none.db")
        for words in (
            "new chess Ann",
            "new azul Ann bot:no",
            "new azul A B -o x",
            "list --status x",
            "simulate chess --save",
        ):
            matchledger(*words.split(), code=2)
        assert not matchledger.database.exists()

    def test_locked(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        move = matchledger.moves(match)[0]
        before = matchledger.rows()
        other = sqlite3.connect(matchledger.database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        done = matchledger.process("--timeout", "0.05", "act", match, move)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"Refused (store/locked): '{matchledger.database}' is locked by another process")
        done = matchledger.process("--timeout", "0.05", "show", match)
        assert (done.returncode, done.stderr) == (0, "")
        other.close()
        assert matchledger.rows() == before
        matchledger("act", match, move)

    def test_newer(self, matchledger: Matchledger) -> None:
        with matchledger.tampering() as file:
            file.execute("UPDATE alembic_version SET version_num = '9999_future'")
        for words in (self.READ, self.WRITE, ("show", "last")):
            refused(matchledger, *words, exit_code=1, code="store/newer", saying="'9999_future'")
        assert "store/newer" in matchledger("db", "upgrade", code=1)

    @pytest.mark.parametrize("kind", ["text", "folder", "other"])
    def test_something_else(self, tmp_path: Path, kind: str) -> None:
        path = tmp_path / "thing"
        if kind == "folder":
            path.mkdir()
        elif kind == "text":
            path.write_text("Dear diary, " * 200)
        else:
            file = sqlite3.connect(path)
            file.execute("CREATE TABLE customer (name TEXT)")
            file.close()
        matchledger = Matchledger(path)
        for words in (self.READ, self.WRITE, ("show", "last"), ("db", "upgrade")):
            text = matchledger(*words, code=2)
            assert f"Refused (store/not-a-ledger): '{path}' is not a ledger" in text

    def test_an_address_nobody_knows(self, tmp_path: Path) -> None:
        matchledger = Matchledger(tmp_path)
        words = ("--database", "mysql://ann:hunter2@host/db", "list")
        text = matchledger(*words, code=2)
        assert "'mysql://' is not a database the ledger can live in" in text
        assert "hunter2" not in text

    @pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
    def test_read_only(self) -> None:
        program = """
import contextlib, io, os, sys
import cli
# Everything is loaded while we may still read it; the move is refused.
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    for words in (["show", "last"], ["legal", "last"], ["act", "last", "nonsense"]):
        cli.app(["--database", sys.argv[1], *words], standalone_mode=False)
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
cli.app(["--database", *sys.argv[1:]], prog_name="matchledger")
"""
        with tempfile.TemporaryDirectory() as folder:  # outside pytest's folders, which nobody else may enter
            matchledger = on_empty_ledger(Path(folder))
            match = matchledger.new()
            move = matchledger.moves(match)[0]
            before = matchledger.rows()
            matchledger.database.chmod(0o444)
            os.chmod(folder, 0o555)
            run = [sys.executable, "-B", "-c", program, str(matchledger.database)]
            looked = run_process([*run, "show", match])
            acted = run_process([*run, "act", match, move])
            os.chmod(folder, 0o755)
            assert matchledger.rows() == before
        assert (looked.returncode, looked.stderr, "Ann to move" in looked.stdout) == (0, "", True)
        assert (acted.returncode, acted.stdout) == (1, "")
        assert acted.stderr.startswith("Refused (store/read-only): ")


@pytest.mark.parametrize(
    "words", ["new azul Ann Ben", "play azul", "import -", "record azul A B", "simulate azul --save"]
)
def test_a_mistyped_path_makes_no_folders(tmp_path: Path, words: str) -> None:
    matchledger = Matchledger(tmp_path / "no" / "such" / "ledger.db")
    text = " ".join(matchledger(*words.split(), code=2).split())
    assert "(store/missing): There is no folder" in text
    assert list(tmp_path.iterdir()) == []


class TestDamage:
    """Stored data that was changed or no longer reads: exit code 3, with the place named."""

    COMMANDS = (("show",), ("log",), ("legal",), ("scores",), ("replay",), ("act", "1B1"), ("undo",), ("fork",))

    def damaged(self, matchledger: Matchledger, match: str, code: str, seq: int, tag: str) -> None:
        for command, *more in self.COMMANDS:
            refused(matchledger, command, match, *more, exit_code=3, code=code, saying=f"Match {match}: event {seq}")
            error = matchledger.json(command, match, *more, code=3)["error"]
            assert (error["match"], error["seq"], error["tag"]) == (match, seq, tag)
        done = matchledger.process("show", match)
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr.startswith(f"Damaged ({code}): Match {match}: event {seq}")

    def test_a_broken_chain(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        matchledger.play(match, 2)
        with matchledger.tampering(guards=False) as file:
            data = file.execute("SELECT data FROM event WHERE seq = 5").fetchone()[0].replace(b'"seat":1', b'"seat":2')
            file.execute("UPDATE event SET data = ? WHERE seq = 5", (data,))
        self.damaged(matchledger, match, "ledger/chain", 5, "?")

    def test_an_event_nobody_knows(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        hash_ = origin(match, "azul", "azul/2")
        with matchledger.tampering(guards=False) as file:
            for seq, stored in file.execute("SELECT seq, data FROM event ORDER BY seq").fetchall():
                data = stored.replace(b"azul.displays_filled", b"azul.displays_heaped")
                hash_ = link(hash_, data)
                file.execute("UPDATE event SET data = ?, hash = ? WHERE seq = ?", (data, hash_, seq))
            file.execute("UPDATE match SET head_hash = ?", (hash_,))
        assert "'azul.displays_heaped'" in matchledger("show", match, code=3)
        self.damaged(matchledger, match, "ledger/unreadable", 4, "azul.displays_heaped")
        (found,) = matchledger.json("list", code=3)
        assert (found["id"], "'azul.displays_heaped'" in found["damaged"]) == (match, True)


def test_one_is_one(matchledger: Matchledger, tmp_path: Path) -> None:
    """One cell, one display, one event: no message counts them as if they were several."""
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("nonsense\n", encoding="utf-8")
    assert "Line 1 has 1 cell, 'nonsense'" in " ".join(matchledger("pad", "azul", "--csv", str(sheet), code=2).split())
    matchledger("new", "azul", "Ann", "Ben", "--chance", "recorded", "-o", "firstPlayer=seat:1", "--quiet")
    assert "'BBRY' fills 1 display; this deal needs 5" in " ".join(matchledger("deal", "last", "BBRY", code=2).split())
    match = matchledger.new("--undo", "free")
    matchledger("receipt", match)
    matchledger.play(match)
    assert "; event 5 is not signed" in " ".join(matchledger("audit", match).split())
