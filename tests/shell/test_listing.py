"""`list`, `games` and `help`, and what it takes to load them."""

import json
import re
import sys
from pathlib import Path

import pytest

from cli import COMMANDS, app
from service.errors import Damaged
from service.games.game import Game
from service.games.shelf import GAMES
from service.questions.rulebook import rules_of
from service.shell.commands.session import AUDIT, LOOK, MORE, OPERATE, PLAY, QUESTIONS, RECORDS
from service.shell.terminal.games import id_ranges
from tests.shell.terminal import TO_THE_END, Matchledger, at_terminal, finish, on_empty_ledger, run_process

HEAVY = (
    "alembic",
    "concurrent.futures",
    "cryptography",
    "email",
    "greenlet",
    "httpx",
    "importlib.metadata",
    "litestar",
    "logging",
    "projections.coloretto",
    "projections.summer_pavilion",
    "psycopg",
    "pydantic",
    "rich",
    "secrets",
    "service.audit",
    "service.games.azul_pad",
    "service.games.coloretto",
    "service.games.master_chocolatier",
    "service.games.summer_pavilion",
    "service.play.notary",
    "service.records",
    "service.shell.answers",
    "service.trust",
    "sqlalchemy",
    "sqlmodel",
    "tempfile",
    "uvicorn",
)
"""What a list of plain words from a file has no use for: other games than it lists, above all, and rich."""


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    """The program on a ledger without matches."""
    return on_empty_ledger(tmp_path)


def state(matchledger: Matchledger, match: str) -> str:
    """How the list says a match stands."""
    line = next(line for line in matchledger("list").splitlines() if line.startswith(match))
    return re.split(" {2,}", line)[3].strip()


@pytest.fixture(scope="module")
def long_list(tmp_path_factory: pytest.TempPathFactory) -> Matchledger:
    """The program on a ledger with one match more than a list shows."""
    program = on_empty_ledger(tmp_path_factory.mktemp("many"))
    program("simulate", "azul", "-n", "21", "-b", "random", "-b", "random", "--save", "-j", "1")
    return program


class TestHowMany:
    """A list that leaves matches out says so, to programs too."""

    @pytest.mark.parametrize("limit, shown", [((), 20), (("--limit", "5"), 5), (("--limit", "20"), 20)])
    def test_matches_left_out_are_told_of(self, long_list: Matchledger, limit: tuple[str, ...], shown: int) -> None:
        for_people, for_programs = long_list.run("list", *limit), long_list.run("list", *limit, "--json")
        assert len(for_people.stdout.splitlines()) - 1 == len(json.loads(for_programs.stdout)) == shown
        assert for_people.stderr == f"{shown} of 21 matches; --limit 21 shows all.\n"
        assert json.loads(for_programs.stderr) == {"listed": shown, "total": 21}

    def test_matches_that_are_too_many_to_count_are_told_of(
        self, long_list: Matchledger, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("service.store.filters._COUNTED", 20)
        assert long_list.run("list").stderr == "20 matches, and there are more; --limit N shows N, --all shows all.\n"
        assert json.loads(long_list.run("list", "--json").stderr) == {"listed": 20, "total": None}

    def test_only_matches_that_fit_the_filters_are_counted(self, long_list: Matchledger) -> None:
        closed = long_list.run("list", "--status", "closed", "--game", "azul", "--limit", "3")
        assert closed.stderr == "3 of 21 matches; --limit 21 shows all.\n"
        assert long_list.run("list", "--status", "open").stderr == ""

    @pytest.mark.parametrize("words", [("--all",), ("--limit", "21"), ("--limit", "1000"), ("--player", "nobody")])
    def test_a_whole_list_says_nothing_more(self, long_list: Matchledger, words: tuple[str, ...]) -> None:
        assert long_list.run("list", *words).stderr == ""
        assert len(long_list.json("list", *words)) == (0 if "nobody" in words else 21)

    def test_all_and_a_limit_are_refused_together(self, long_list: Matchledger) -> None:
        assert "Give either --all or --limit 3, not both." in long_list("list", "--all", "--limit", "3", code=2)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_ids_of_rules_are_told_by_number_and_not_as_they_stand_in_the_book(game: Game) -> None:
    known = list(rules_of(game.key))
    told = id_ranges(known)
    for letters in {one.rstrip("0123456789") for one in known}:
        numbers = [int(one.removeprefix(letters)) for one in known if one.rstrip("0123456789") == letters]
        assert f"{letters}{min(numbers)} to {letters}{max(numbers)}" in told


def test_a_game_in_full_tells_the_first_and_the_last_of_its_rules(matchledger: Matchledger) -> None:
    told = " ".join(matchledger("games", "azul").split())
    assert "103 rules, AZ-1 to AZ-95 and AZ-D1 to AZ-D8 from docs/rules/azul.md" in told
    assert "AZ-1 to AZ-95 and AZ-D1 to AZ-D8" in matchledger("rules")


class TestHowMatchesStand:
    """The state of every match, for people and for programs."""

    def test_whose_turn_it_is(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        assert state(matchledger, match) == "Ann to move"
        matchledger.play(match)
        assert state(matchledger, match) == "Ben to move"
        (listed,) = matchledger.json("list")
        assert (listed["turn"], listed["awaits"], listed["ended"], listed["standings"]) == ([2], "", "", [])

    def test_who_is_waited_for(self, matchledger: Matchledger) -> None:
        waiting = matchledger("new", "azul", "Ann", "--seats", "2", "--quiet").strip()
        assert state(matchledger, waiting) == "waits for 1 player"
        dealing = matchledger("new", "azul", "Ann", "Ben", "--chance", "recorded", "--quiet").strip()
        assert state(matchledger, dealing) == "waits for the starting seat"
        assert matchledger.json("list")[0]["awaits"] == "starting seat"

    def test_how_it_ended(self, matchledger: Matchledger) -> None:
        abandoned, resigned, finished = matchledger.new(), matchledger.new(), matchledger.new("-o", "maxRounds=1")
        matchledger("abandon", abandoned)
        matchledger("resign", resigned, "--seat", "Ann")
        matchledger.play(finished, TO_THE_END)
        result = matchledger.json("show", finished)["closed"]["standings"]
        assert state(matchledger, abandoned) == "abandoned"
        assert state(matchledger, resigned) == "Ben won 0–0 (resigned)"
        first, second = result
        assert f"{first['score']}–{second['score']}".replace("-", "−") in state(matchledger, finished)
        ended = {listed["id"]: (listed["ended"], listed["standings"]) for listed in matchledger.json("list")}
        assert ended == {
            abandoned: ("abandoned", []),
            resigned: ("resigned", [{"seat": 2, "rank": 1, "score": 0}, {"seat": 1, "rank": 2, "score": 0}]),
            finished: ("finished", result),
        }

    def test_a_ruling_counts(self, matchledger: Matchledger) -> None:
        key = matchledger.json("key", "arbiter", "judy")
        match = matchledger.new("--arbiter", key["public"])
        matchledger("resign", match, "--seat", "Ann")
        matchledger("dispute", "open", match, "Too few", "--seat", "Ben")
        matchledger(
            *("dispute", "rule", match, "1", "--key", key["file"]),
            *("--rule", "AZ-46", "--reason", "So it is", "--adjust", "Ben=+7"),
        )
        assert state(matchledger, match) == "Ben won 7–0 (resigned)"

    def test_it_fits_eighty_columns(self, matchledger: Matchledger) -> None:
        matchledger("new", "master-chocolatier", "Anneliese", "Bartholomew", "Clementine", "Dorothea", "--quiet")
        assert max(map(len, matchledger("list").splitlines())) <= 80

    def test_a_damaged_match_stands_among_the_others(self, matchledger: Matchledger) -> None:
        sound, damaged = matchledger.new(), matchledger.new()
        with matchledger.tampering(guards=False) as file:
            file.execute("UPDATE event SET data = X'7B7D' WHERE seq = 3 AND match_id = ?", [damaged])
        text = matchledger("list", code=Damaged.exit_code)
        assert "Ann to move" in next(line for line in text.splitlines() if line.startswith(sound))
        assert "damaged" in next(line for line in text.splitlines() if line.startswith(damaged))
        by_id = {listed["id"]: listed for listed in matchledger.json("list", code=Damaged.exit_code)}
        assert "event 3" in by_id[damaged]["damaged"]


class TestGames:
    """Games by any of their names."""

    @pytest.mark.parametrize("name", ["mc", "Chocolatier", "MASTER-chocolatier", "Azul: Master Chocolatier"])
    def test_a_game_by_another_name(self, matchledger: Matchledger, name: str) -> None:
        match = matchledger("new", name, "Ann", "Ben", "--quiet").strip()
        assert [listed["id"] for listed in matchledger.json("list", "--game", name)] == [match]
        assert matchledger.json("show", match)["game"] == "master-chocolatier"
        assert "Azul: Master Chocolatier, 2 seats" in matchledger("simulate", name, "-n", "1")
        assert matchledger.json("games", name)["key"] == "master-chocolatier"
        assert matchledger.json("rules", name)[0]["id"] == "MC-1"
        with matchledger.at_terminal("pad", name, "Ann", "Ben") as child:
            child.expect("Chocolatier pad, match")

    def test_the_nearest_is_named(self, matchledger: Matchledger) -> None:
        assert "Did you mean 'pavilion'?" in matchledger("games", "Pavillon", code=2)
        assert "Did you mean 'azul'?" in matchledger("new", "AZUL!l", "Ann", "Ben", code=2)

    def test_one_game_in_full(self, matchledger: Matchledger) -> None:
        text = matchledger("games", "sp")
        for said in (
            "summer-pavilion",
            "firstPlayer",
            "Also called: sp",
            "matchledger pad summer-pavilion",
            "SP-1 to ",
        ):
            assert said in text
        assert "coloretto" not in text
        assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("words", [[], ["list"], ["dispute"], ["dispute", "open"]])
def test_help_is_a_command_too(matchledger: Matchledger, words: list[str]) -> None:
    assert matchledger("help", *words) == matchledger(*words, "--help")


def test_commands_are_listed_as_people_meet_them(matchledger: Matchledger) -> None:
    """Playing comes first and operating last, and no command stands outside the panels."""
    text = matchledger("--help")
    panels = re.findall(r"^╭─ (.+?) ─+╮$", text, re.MULTILINE)
    assert panels == ["Options", PLAY, LOOK, QUESTIONS, RECORDS, AUDIT, MORE, OPERATE]
    listed = re.findall(r"^│ (\w+) ", text.partition(f"╭─ {PLAY} ")[2], re.MULTILINE)
    assert listed == [name for names in COMMANDS.values() for name in names]
    assert listed[0] == "play"


def test_help_for_what_there_is_not(matchledger: Matchledger) -> None:
    assert "No such command 'castle'" in matchledger("help", "castle", code=2)


def test_every_command_is_mounted_from_the_module_that_has_it() -> None:
    """The table of cli.py names each command once, and leaves none of a module out."""
    from importlib import import_module

    from typer.main import get_group

    for room, names in COMMANDS.items():
        group = get_group(import_module(f"service.shell.commands.{room}").app)
        assert sorted([group.name] if group.name else group.commands) == sorted(names)
    rooms = {path.stem for path in Path("service/shell/commands").glob("*.py") if "typer.Typer(" in path.read_text()}
    assert rooms == set(COMMANDS)
    assert app.info.cls is not None


@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_list_loads_nothing_it_has_no_use_for(matchledger: Matchledger, is_terminal: bool) -> None:
    matchledger.new()
    loaded = f"import sys, cli; cli.app({[*matchledger.where, 'list']}, standalone_mode=False); print(*sys.modules)"
    words = [sys.executable, "-c", loaded]
    shown = finish(at_terminal(words))[0] if is_terminal else run_process(words).stdout
    assert "Ann to move" in shown
    modules = set(shown.splitlines()[-1].split())
    assert {"service.play.listing", "service.games.azul"} <= modules
    assert sorted(modules & set(HEAVY)) == []


def test_the_program_looks_for_garbage_only_in_what_came_after_it_was_loaded(matchledger: Matchledger) -> None:
    """Started as a program it collects nothing while it loads, and something when the command is at work."""
    started = f"""
import atexit, gc, runpy, sys
atexit.register(lambda: print(gc.isenabled(), gc.get_freeze_count() > 10_000))
sys.argv[1:] = {[*matchledger.where, "list"]}
runpy.run_module("cli", run_name="__main__")
"""
    assert run_process([sys.executable, "-c", started]).stdout.splitlines()[-1] == "True True"
    imported = "import gc, cli; print(gc.isenabled(), gc.get_freeze_count())"
    assert run_process([sys.executable, "-c", imported]).stdout == "True 0\n", "whoever only imports it is left alone"


@pytest.mark.parametrize(
    "words, said",
    [
        (["list", "--limit", "0"], "greater than or equal to 1"),
        (["list", "--limit", "many"], "valid integer"),
        (["list", "--limit", "99999999999999999999"], "No match"),
        (["--timeout", "soon", "list"], "valid number"),
        (["list", "--limit", "007"], "No match"),
    ],
)
def test_what_is_not_plain_is_judged_by_typer(matchledger: Matchledger, words: list[str], said: str) -> None:
    assert said in matchledger.run_any(*words).output
