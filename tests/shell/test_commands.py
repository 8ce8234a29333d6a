"""Every command as a person and as a program uses it."""

import json
from pathlib import Path

import pytest

from service.games.game import Game
from service.games.shelf import GAMES, on_the_shelf
from service.store.refusals import REVISIONS
from tests.shelf import each_game, players
from tests.shell.terminal import ESCAPE, TO_THE_END, Matchledger, on_empty_ledger


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    return on_empty_ledger(tmp_path)


class TestHelp:
    """New users are told what there is and how it is used."""

    READING = ("games", "list", "show", "legal", "log", "scores", "replay")
    WRITING = ("new", "join", "rename", "act", "deal", "undo", "redo", "resign", "abandon", "fork")
    COMMANDS = (*READING, *WRITING, "play", "simulate", "arena", "demo", "db")

    def test_all_commands_are_listed_with_the_exit_codes(self, matchledger: Matchledger) -> None:
        text = matchledger("--help")
        for command in self.COMMANDS:
            assert f"│ {command} " in text
        assert "Exit codes: 0 fine, 1 refused, 2 usage or file trouble, 3 damaged." in text

    @pytest.mark.parametrize(
        "command", [*COMMANDS, "db upgrade", "db check", "db where", "db info", "db backup", "db copy"]
    )
    def test_every_command_explains_itself_in_80_columns(self, matchledger: Matchledger, command: str) -> None:
        text = matchledger(*command.split(), "--help")
        assert max(map(len, text.splitlines())) <= 80
        assert matchledger(*command.split(), "-h") == text

    def test_what_answers_has_an_answer_for_programs(self, matchledger: Matchledger) -> None:
        for command in (*self.READING, *self.WRITING, "simulate"):
            assert "--json" in matchledger(command, "--help")

    @pytest.mark.parametrize("command", ["new", "join", "act", "deal", "undo", "fork", "play", "replay", "simulate"])
    def test_what_takes_arguments_shows_examples(self, matchledger: Matchledger, command: str) -> None:
        assert f"matchledger {command} " in matchledger(command, "--help").partition("Examples")[2]

    def test_the_version(self, matchledger: Matchledger) -> None:
        assert matchledger("--version").startswith("matchledger 0.")


class TestLooking:
    """Reading commands, for people and with --json for programs."""

    def test_games(self, matchledger: Matchledger) -> None:
        text = matchledger("games")
        listed = matchledger.json("games")
        assert [game["key"] for game in listed] == [game.key for game in GAMES]
        for game in listed:
            assert f"{game['key']}  {game['title']}, {game['seats'][0]}–{game['seats'][-1]} seats" in text
            assert all(option["default"] and option["help"] for option in game["options"])
            assert all(f"  {move['move']} " in text for move in game["moves"])
            assert all(f"matches opened under {older} are" in text for older in game["other_rulesets"])
        assert listed[0]["other_rulesets"] == ["azul/1"]
        assert max(map(len, text.splitlines())) <= 80

    def test_list_with_filters(self, matchledger: Matchledger) -> None:
        assert "No matches yet. Open one with: matchledger new" in matchledger("list")
        assert matchledger.json("list") == []
        playing = matchledger.new()
        waiting = matchledger("new", "azul", "Cleo", "--quiet").strip()
        closed = matchledger("new", "azul", "bot:random", "bot:random", "--quiet").strip()
        fork = matchledger.json("fork", playing)["match"]

        def listed(*filters: str) -> list[str]:
            return [match["id"] for match in matchledger.json("list", *filters)]

        assert listed() == [fork, closed, waiting, playing]
        assert listed("--status", "open") == [waiting]
        assert listed("--status", "closed") == [closed]
        assert listed("--player", "Ann") == [fork, playing]
        assert listed("--parent", playing[:6]) == [fork]
        some = matchledger.run("list", "--game", "azul", "--limit", "2", "--json")  # which says that there are more
        assert [match["id"] for match in json.loads(some.stdout)] == [fork, closed]
        assert some.stderr
        assert f"fork of {playing}" in matchledger("list")
        assert matchledger("list", "--player", "Nobody") == "No match fits these filters.\n"

    def test_names_are_no_markup(self, matchledger: Matchledger) -> None:
        matchledger("new", "azul", "[red]Ann", ":smile:", "--quiet")
        assert "[red]Ann, :smile:" in matchledger("list")

    def test_show_now_and_then(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        before = matchledger.json("show", match)
        matchledger.play(match, 3)
        assert "Ben to move" in matchledger("show", match)
        now = matchledger.json("show", match)
        assert (now["head"], now["step"], now["status"]) == (before["head"] + 3, before["step"] + 3, "playing")
        assert matchledger.json("show", match, "--at", f"s{before['step']}") == before
        assert matchledger.json("show", match, "--at", str(before["head"])) == before
        assert now["players"][0] == {"seat": 1, "name": "Ann", "bot": False}

    def test_legal_moves_fit_the_screen_and_can_be_played(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        text = matchledger("legal", match)
        moves = matchledger.json("legal", match)
        assert list(moves) == ["1"]
        assert text.startswith(f"Ann (seat 1): {len(moves['1'])} legal moves\n")
        assert [word for word in text.split() if word in moves["1"]] == moves["1"]
        assert "  Take 1 red from display 1 to:\n    1R1  line 1     1R2  line 2" in text
        assert max(map(len, text.splitlines())) <= 80
        assert "To move: Ann (seat 1)." in matchledger("legal", match, "--seat", "2")

    def test_log_marks_what_was_undone(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        matchledger.play(match)
        matchledger("undo", match)
        lines = matchledger("log", match).splitlines()
        assert [line[10] for line in lines] == [" "] * 4 + ["✗", " "]
        assert lines[-1].endswith("Step 5 was undone.")
        log = matchledger.json("log", match)
        assert [entry["seq"] for entry in log] == list(range(1, 7))
        assert log[-1]["event"] == {"type": "match.step_undone", "step": 5}

    def test_scores_sum_up(self, matchledger: Matchledger) -> None:
        match = matchledger.new("-o", "maxRounds=2")
        assert matchledger("scores", match) == "No points yet.\nAnn 0   Ben 0\n"
        matchledger.play(match, TO_THE_END)
        final = matchledger.json("show", match)["scores"]
        sheet = matchledger.json("scores", match)
        assert [sum(line["applied"] for line in sheet if line["seat"] == seat) for seat in (1, 2)] == final
        text = matchledger("scores", match)
        assert text.endswith(f"\nAnn {final[0]}   Ben {final[1]}\n")
        assert all(line["rule"] in text for line in sheet)

    def test_replay_printed(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        matchledger.play(match, 2)
        matchledger("undo", match)
        text = matchledger("replay", match)
        assert [f"Step {step} of 7" in text for step in range(1, 9)] == [True] * 7 + [False]
        assert "Step 6 of 7  (1 event, undone later)" in text
        assert "Step 5 of 7  (1 event)" in text
        part = matchledger("replay", match, "--from", "5", "--to", "6", "--delay", "0.001")
        assert [f"Step {step} " in part for step in (4, 5, 6, 7)] == [False, True, True, False]
        views = matchledger.json("replay", match, "--from", "4", "--to", "5")
        assert views == [matchledger.json("show", match, "--at", f"s{step}") for step in (4, 5)]


class TestOpening:
    """From a game's name to a table that is set up."""

    def test_two_people(self, matchledger: Matchledger) -> None:
        text = matchledger("new", "azul", "Ann", "Ben")
        assert ": Azul, strict undo, fair chance.\n" in text
        assert "▶ Ann" in text or "▶ Ben" in text
        view = matchledger.json("new", "azul", "Ann", "Ben", "--seed", "7", "--undo", "consent", "-o", "boardSide=grey")
        assert (view["chance"], view["undo"], view["options"]["boardSide"]) == ("seeded", "consent", "grey")

    def test_bots_of_a_kind_are_told_apart_when_they_join_one_by_one(self, matchledger: Matchledger) -> None:
        match = matchledger("new", "azul", "Ann", "--seats", "3", "--quiet").strip()
        matchledger("join", match, "bot:greedy")
        matchledger("join", match, "bot:greedy")
        assert [player["name"] for player in matchledger.json("show", match)["players"]] == [
            "Ann",
            "greedy",
            "greedy 2",
        ]

    def test_bots_alone_play_at_once(self, matchledger: Matchledger) -> None:
        text = matchledger("new", "azul", "Ada=bot:greedy", "bot:random", "bot:random")
        assert " is finished: Azul, " in text
        assert "1. " in text
        view = matchledger.json("show", "last")
        assert [(player["name"], player["bot"]) for player in view["players"]] == [
            ("Ada", True), ("random 1", True), ("random 2", True),
        ]  # fmt: skip
        assert view["status"] == "closed"

    def test_free_seats_wait(self, matchledger: Matchledger) -> None:
        match = matchledger("new", "azul", "Ann", "--seats", "3", "--quiet").strip()
        assert f"Seats are free: matchledger join {match} NAME" in matchledger("show", match)
        assert "Cleo took seat 3 and added a nonce" in matchledger(
            "join", match, "Cleo", "--seat", "3", "--nonce", "luck"
        )
        text = matchledger("join", match, "bot:random")
        assert text.startswith("random took seat 2.\n")
        assert "Round 1 was dealt" in text
        assert matchledger.json("show", match)["status"] == "playing"

    def test_a_name_is_changed_and_forgotten(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        log = matchledger.json("log", match)
        assert matchledger("rename", match, "1", "Anna") == f"Seat 1 of match {match} is now called Anna.\n"
        assert "Anna took seat 1." in matchledger("log", match)
        players = matchledger.json("rename", match, "1", "--forget")["players"]
        assert players[0]["name"] == "Seat 1"
        assert "Ann" not in matchledger("log", match)
        assert "Seat 1, Ben" in matchledger("list")
        assert matchledger.json("log", match) == log

    @each_game
    def test_every_game_is_opened_shown_and_played(self, matchledger: Matchledger, game: Game) -> None:
        people = [player.name for player in players(game.rules.seats[0])]
        with on_the_shelf(game):
            matchledger("new", game.key, *people, "--undo", "free")
            matchledger.play("last")
            for command in ("show", "legal", "log", "scores"):
                assert ESCAPE not in matchledger(command, "last")
                matchledger.json(command, "last")
            assert "was undone: " in matchledger("undo", "last")
            assert "was redone: " in matchledger("redo", "last")
            assert "abandoned" in matchledger("abandon", "last")
            matchledger("fork", "last")


class TestEnding:
    """Matches that end early, and what can be done with those that have ended."""

    def test_resigning(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        text = matchledger("resign", match, "--seat", "1")
        assert text.startswith("Ann resigned.\nBen won (Ben 0, Ann 0).")
        assert text.endswith("The match is closed (resigned).\n1. Ben  0\n2. Ann  0\n")
        assert f"Match {match} is closed (resigned)" in matchledger("legal", match)
        assert matchledger.json("legal", match) == {}

    def test_abandoning(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        closed = matchledger.json("abandon", match)["closed"]
        assert (closed["reason"], closed.get("standings")) == ("abandoned", None)
        assert "abandoned without a result" in matchledger("show", match)

    def test_a_fork_of_a_closed_match_goes_on_before_its_end(self, matchledger: Matchledger) -> None:
        matchledger("new", "azul", "bot:greedy", "bot:greedy", "--seed", "1", "--quiet")
        parent = matchledger.json("show", "last")
        fork = matchledger.json("fork", "last")
        assert fork["parent"]["step"] == parent["step"] - 1
        assert (fork["status"], fork["undo"]) == ("playing", "free")
        same = matchledger.json("fork", parent["match"], "--chance", "same-draws", "--step", "8")
        assert same["state"] == matchledger.json("show", parent["match"], "--at", "s8")["state"]
        text = matchledger("fork", parent["match"], "--step", "8")
        assert f" continues {parent['match']} from step 8.\n" in text


class TestSimulating:
    def test_a_summary_for_people_and_programs(self, matchledger: Matchledger) -> None:
        run = ("simulate", "azul", "-n", "12", "-b", "greedy", "-b", "random", "--seed", "5", "-j", "1")
        text = matchledger(*run)
        assert text.startswith("12 matches of Azul, 2 seats, seeds 5–16\n")
        assert max(map(len, text.splitlines())) <= 80
        found = matchledger.json(*run)
        assert [result["seed"] for result in found["results"]] == list(range(5, 17))
        assert sum(seat["win_rate"] for seat in found["seats"]) == pytest.approx(1)
        assert found["seats"][0]["wins"] == 12
        assert matchledger.json("list") == []

    def test_one_match_kept(self, matchledger: Matchledger) -> None:
        text = matchledger("simulate", "azul", "-n", "1", "--save")
        assert text.startswith("1 match of Azul, 2 seats, seed 0\n")
        assert "Kept in the ledger" in text
        assert [match["status"] for match in matchledger.json("list")] == ["closed"]


class TestDatabase:
    def test_where(self, matchledger: Matchledger, tmp_path: Path) -> None:
        assert matchledger("db", "where").splitlines()[0] == str(matchledger.database)
        missing = Matchledger(tmp_path / "not" / "yet.db")
        assert missing("db", "where").splitlines()[0] == str(missing.database)
        assert "no ledger yet" in missing("db", "where")
        answer = missing.json("db", "where")
        assert (answer["database"], answer["exists"]) == (str(missing.database), False)
        assert not missing.database.parent.exists()

    def test_upgrade_and_check(self, tmp_path: Path) -> None:
        matchledger = Matchledger(tmp_path / "new.db")
        assert matchledger("db", "upgrade") == f"The ledger is at revision {REVISIONS[-1]} now; it was made.\n"
        assert matchledger("db", "upgrade") == f"The ledger is at revision {REVISIONS[-1]} already.\n"
        assert matchledger("db", "check") == "Tables, triggers and constraints are as this version expects them.\n"
        assert matchledger.json("db", "check") == {"differences": []}
        with matchledger.tampering() as file:
            file.execute("ALTER TABLE match ADD COLUMN extra TEXT")
        assert "extra" in matchledger("db", "check", code=1)
        assert len(matchledger.json("db", "check", code=1)["differences"]) == 1


def test_the_demo_shows_every_game_and_a_refusal(matchledger: Matchledger) -> None:
    result = matchledger.run("demo")
    for game in [game for game in GAMES if not game.pad_of]:
        assert f"$ matchledger new {game.key} " in result.stdout
    for word in ("scores last", "undo last", "redo last", "fork ", "show "):
        assert f"$ matchledger {word}" in result.stdout
    assert "Refused (" in result.stderr
    assert matchledger.json("list") == []
