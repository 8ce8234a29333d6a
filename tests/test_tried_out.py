"""A game that is not on the shelf: tried out with everything there is, from the first move to the audit's page."""

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from cli import app
from events.codec import Undecodable, decode, decode_facts, event_types
from service.errors import UsageError
from service.games.azul import AZUL
from service.games.shelf import GAMES, by_ruleset, find_game, known_games, on_the_shelf, rulesets
from tests.golden import LOGS
from tests.nettles import NETTLES
from tests.pebbles import PEBBLES
from tests.shell.terminal import TO_THE_END, Matchledger, on_empty_ledger

ROW = (LOGS / "pebbles" / "plain-3p.jsonl").read_bytes().splitlines()[-2]
"""The end of a match of Pebbles."""


# ------------------------------------------------------------------------------------------------ on the shelf and off


def test_nobody_knows_the_game_but_in_the_context() -> None:
    assert known_games() == tuple(GAMES)
    with on_the_shelf(PEBBLES):
        assert known_games() == (*GAMES, PEBBLES)
        assert find_game("pebbles") is by_ruleset("pebbles/1") is PEBBLES
        assert type(decode(ROW).event) is type(decode_facts([ROW])[0].event) is PEBBLES.events[-1]
        assert set(PEBBLES.events) < set(event_types())
    assert known_games() == tuple(GAMES)
    assert "pebbles/1" not in rulesets()
    with pytest.raises(UsageError, match="'pebbles' is not a game"):
        find_game("pebbles")
    for read in (decode, lambda row: decode_facts([row])):
        with pytest.raises(Undecodable) as error:
            read(ROW)
        assert error.value.tag == "pebbles.game_ended"


def test_the_shelf_is_as_it_was_whatever_happens_inside() -> None:
    before = event_types()
    with suppress(ZeroDivisionError), on_the_shelf(PEBBLES), on_the_shelf(AZUL):
        assert known_games()[-1] is PEBBLES
        raise ZeroDivisionError
    assert (known_games(), event_types()) == (tuple(GAMES), before)


def test_a_game_of_the_same_key_stands_in() -> None:
    """A change to a game can be tried out as well as a new one."""
    other = replace(AZUL, title="Azul, changed")
    with on_the_shelf(other):
        assert [game.key for game in known_games()] == [game.key for game in GAMES]
        assert find_game("azul") is other
    assert find_game("azul") is AZUL


# ------------------------------------------------------------------------------------------------- by hand, on the line

FROM_THE_START = ("--seed", "8", "--undo", "free", "--quiet")


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    return on_empty_ledger(tmp_path)


@pytest.fixture
def match(matchledger: Matchledger) -> str:
    """Ann, Ben and Cleo at a fresh table."""
    with on_the_shelf(PEBBLES):
        return matchledger("new", "pebbles", "Ann", "Ben", "Cleo", *FROM_THE_START).strip()


@pytest.fixture
def finished(matchledger: Matchledger) -> str:
    """A match between three bots."""
    with on_the_shelf(PEBBLES):
        return matchledger("new", "pebbles", "Ada=bot:greedy", "bot:random", "bot:greedy", "--quiet").strip()


def test_the_game_and_its_options_are_listed(matchledger: Matchledger) -> None:
    with on_the_shelf(PEBBLES):
        text = matchledger("games").partition("pebbles  ")[2]
        listed = matchledger.json("games")[-1]
        rules = matchledger("rules", "pe5")
    assert text.startswith("Pebbles, 3–5 seats (pebbles/1)\n")
    assert "30 | 40 (4–5 seats) | 50 (5" in text
    bowl = listed["options"][0]
    assert bowl["choices"] == ["30", "40", "50"]
    assert bowl["choices_by_seats"] == {"3": ["30"], "4": ["30", "40"], "5": ["30", "40", "50"]}
    assert "If no die shows a 1" in rules


def test_a_game_without_options_says_so(matchledger: Matchledger) -> None:
    with on_the_shelf(NETTLES):
        text = matchledger("games", "nettles")
        listed = matchledger.json("games")[-1]
        refused = matchledger("new", "nettles", "Ann", "Ben", "Cleo", "-o", "deck=9", code=2)
        matchledger("new", "nettles", "Ann", "Ben", "Cleo")
        opening = matchledger("log", "last")
    assert "There is nothing to agree on: this game has no options.\n" in text
    assert "option  " not in text
    assert listed["options"] == []
    assert "'deck' is not an option of this game; it has none." in " ".join(refused.split())
    assert re.search(r"Nettle \d+ was turned over\.", opening), "chance opens the match"


def test_what_a_table_cannot_agree_on_is_refused(matchledger: Matchledger) -> None:
    with on_the_shelf(PEBBLES):
        refused = matchledger("new", "pebbles", "Ann", "Ben", "Cleo", "-o", "bowl=40", code=2)
        assert "'40' is not a value of bowl at 3 seats; choose from: 30." in " ".join(refused.split())
        matchledger("new", "pebbles", "Ann", "Ben", "Cleo", "Dora", "-o", "bowl=40")
        too_few = matchledger("new", "pebbles", "Ann", "Ben", "--seats", "2", code=2)
    assert "2 seats is not possible here; choose from: 3, 4, 5." in too_few


def test_moves_undo_and_forks(matchledger: Matchledger, match: str) -> None:
    with on_the_shelf(PEBBLES):
        assert "Refused (pebbles/empty-hand, PE-8)" in matchledger("act", match, "keep", code=1)
        told = matchledger("act", match, "throw 2", "--brief")
        assert re.match(r"Ann picked up 2 dice\.\nThe throw was \d and \d", told)
        after = matchledger.json("show", match)["state"]
        matchledger("undo", match)
        assert matchledger.json("show", match)["state"]["turn"] == 1
        matchledger("redo", match)
        assert matchledger.json("show", match)["state"] == after
        matchledger("undo", match)
        assert matchledger("act", match, "T2", "--brief") == told, "undo never rolls again"
        fork = matchledger.json("fork", match)
        assert fork["state"] == after
        matchledger.play(fork["match"], TO_THE_END)
        assert matchledger.json("show", fork["match"])["status"] == "closed"
        assert "Clean" in matchledger("audit", fork["match"])


def test_bots_take_the_seats_a_game_needs(matchledger: Matchledger) -> None:
    with on_the_shelf(PEBBLES):
        words = ["--database", str(matchledger.database), "play", "pebbles"]
        played = CliRunner().invoke(app, words, input="T2\nquit\n")
        assert (played.exit_code, played.exception) == (0, None)
        players = matchledger.json("show", "last")["players"]
    assert [(player["name"], player["bot"]) for player in players] == [
        ("Player", False), ("greedy 1", True), ("greedy 2", True),
    ]  # fmt: skip
    assert "Player picked up 2 dice." in played.output


def test_dice_thrown_at_a_real_table(matchledger: Matchledger) -> None:
    with on_the_shelf(PEBBLES):
        matchledger("new", "pebbles", "Ann", "Ben", "Cleo", "--chance", "recorded", "--quiet")
        assert "The throw is awaited" in matchledger("act", "last", "T3")
        assert "The throw has 3 results, not 2." in matchledger("deal", "last", "64", code=1)
        assert "expected what a die shows (1–6)" in matchledger("deal", "last", "647", code=2)
        assert "The throw was 6, 6 and 4: Ann took 16 pebbles." in matchledger("deal", "last", "6 6 4")
        assert "1 draw entered by hand" in matchledger("audit", "last")


@pytest.mark.parametrize("kind", ["text", "jsonl"])
def test_records_go_out_and_come_back(matchledger: Matchledger, finished: str, tmp_path: Path, kind: str) -> None:
    file, again, elsewhere = tmp_path / "record", tmp_path / "again", tmp_path / "elsewhere"
    elsewhere.mkdir()
    other = on_empty_ledger(elsewhere)
    with on_the_shelf(PEBBLES):
        matchledger("export", finished, "--format", kind, "-o", str(file))
        other("import", str(file))
        assert other.json("log", finished) == matchledger.json("log", finished)
        other("export", finished, "--format", kind, "-o", str(again))
        assert again.read_bytes() == file.read_bytes(), "the same events, and so the same hashes and signatures"
        assert "Clean." in other("audit", finished)


def test_the_page_and_the_score_sheet_know_no_rounds(matchledger: Matchledger, finished: str, tmp_path: Path) -> None:
    page = tmp_path / "audit.html"
    with on_the_shelf(PEBBLES):
        assert "Clean." in matchledger("audit", finished, "--html", str(page))
        heading = matchledger("scores", finished).splitlines()[0]
    assert heading.split() == ["event", "who", "points", "total", "rule", "reason"]
    assert "<h3>Play</h3>" in page.read_text(encoding="utf-8")
    assert "round" not in re.sub(r"<style>.*?</style>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_tampering_is_named(matchledger: Matchledger, finished: str, tmp_path: Path) -> None:
    with on_the_shelf(PEBBLES):
        file = tmp_path / "record.jsonl"
        matchledger("export", finished, "--format", "jsonl", "-o", str(file))
        thrown = next(e for e in matchledger.json("log", finished) if e["event"].get("taken", 0) > 1)
        taken = thrown["event"]["taken"]
        lines = file.read_text(encoding="utf-8").splitlines()
        lines[thrown["seq"]] = lines[thrown["seq"]].replace(f'"taken":{taken}', f'"taken":{taken - 1}')
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        report = json.loads(matchledger.run("audit", str(file), "--json", code=1).stdout)
    assert report["first"] == thrown["seq"]
    failed = {verdict["check"] for verdict in report["verdicts"] if verdict["outcome"] == "failed"}
    assert {"chain", "facts"} <= failed
