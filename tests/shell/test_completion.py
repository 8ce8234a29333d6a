"""What a shell offers while somebody types a command."""

import sys
from pathlib import Path

import pytest

from tests.shell.terminal import Matchledger, on_empty_ledger, run_process

PROGRAM = [sys.executable, "-c", "import cli; cli.app(prog_name='matchledger')"]


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    """The program on a ledger without matches."""
    return on_empty_ledger(tmp_path)


def offered(line: str, database: Path, shell: str = "fish") -> list[str]:
    """What a shell is told about a line; nothing is ever said beside it."""
    variables = {
        "bash": {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)},
        "zsh": {"_TYPER_COMPLETE_ARGS": line},
        "fish": {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }[shell]
    variables |= {"_MATCHLEDGER_COMPLETE": f"complete_{shell}", "MATCHLEDGER_DATABASE": str(database)}
    done = run_process(PROGRAM, **variables)
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout.strip("\n").split("\n")


def test_matches_with_who_plays_them(matchledger: Matchledger) -> None:
    match = matchledger.new()
    whole = f"{match}\tazul: Ann, Ben"
    assert offered(f"matchledger show {match[:3]}", matchledger.database) == [whole]
    last = "last\tthe match that moved last"
    assert offered("matchledger show ", matchledger.database) == [whole, last]
    assert match in offered("matchledger audit ", matchledger.database, "bash")
    assert f'"{match}":"azul' in offered("matchledger dispute show ", matchledger.database, "zsh")[0]


def test_players_games_commands_and_options(matchledger: Matchledger) -> None:
    match = matchledger.new()
    assert offered(f"matchledger act {match} --seat b", matchledger.database) == ["ben\tseat 2"]
    assert offered(f"matchledger rename {match} ", matchledger.database) == ["Ann\tseat 1", "Ben\tseat 2"]
    assert offered("matchledger new Su", matchledger.database, "bash") == ["Summer-pavilion", "Summer-pavilion-pad"]
    assert match in offered("matchledger play ", matchledger.database, "bash")
    assert offered("matchledger li", matchledger.database, "bash") == ["list"]
    assert "--seat" in offered(f"matchledger act {match} --s", matchledger.database, "bash")


def test_bots(matchledger: Matchledger) -> None:
    levels = [f"search:{level}" for level in range(1, 6)]
    told = [line.split("\t")[0] for line in offered("matchledger simulate azul -b s", matchledger.database)]
    assert told == levels
    told = [line.split("\t")[0] for line in offered("matchledger new azul Ann bot:", matchledger.database)]
    assert told == ["bot:greedy", *(f"bot:{level}" for level in levels), "bot:random"]


@pytest.mark.parametrize("line", ["show ", "act last --seat ", "play last --seat ", "resign nothing --seat A"])
def test_trouble_is_silent_and_nothing_is_made(tmp_path: Path, line: str) -> None:
    missing = tmp_path / "no" / "folder" / "ledger.db"
    assert offered(f"matchledger {line}", missing) == [""]
    broken = tmp_path / "broken.db"
    broken.write_text("This is no database.")
    assert offered(f"matchledger {line}", broken) == [""]
    assert [path.name for path in tmp_path.iterdir()] == ["broken.db"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell(matchledger: Matchledger, shell: str) -> None:
    # With this Typer asks nobody but us which shell it is; under a test there may be none.
    shown = matchledger.process("--show-completion", shell, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert "_MATCHLEDGER_COMPLETE" in shown.stdout
