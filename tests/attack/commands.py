"""Every command of the program, asked about whatever lies in a database: a result or a refusal, and nothing else."""

from pathlib import Path
from random import Random
from typing import Final

from typer.testing import CliRunner

from cli import app

COMMANDS: Final = (
    "list", "list --json", "list --status playing", "show {match}", "show {match} --json", "show {match} --at s2",
    "log {match}", "scores {match}", "legal {match}", "replay {match}", "export {match}",
    "export {match} --format jsonl", "export --all {folder}", "audit {match}", "audit {match} --json",
    "audit {match} --html {folder}.html", "audit --all -j1", "audit --all -j1 --json", "receipt {match}",
    "explain {match} 1", "explain {match} 3", "bisect {match} last", "rescore --all --ruleset azul/1", "dispute list",
    "dispute show {match}", "key show", "db check", "db status", "fork {match}", "undo {match} --seat 1",
    "resign {match} --seat 1", "abandon {match}", "rename {match} 1 Zoe", "join {match} Zoe",
)  # fmt: skip
"""What is asked; some of it writes, where it is let."""
CODES: Final = range(4)
"""How every command ends: fine, refused, not understood, damaged."""


def exit_code(database: str, match: str, command: str, folder: Path) -> int:
    """Run a command in this process and say how it ended; raises what broke it, if anything did."""
    folder.mkdir(exist_ok=True)
    words = [word.format(match=match, folder=folder) for word in command.split()]
    result = CliRunner().invoke(app, ["--database", database, *words], prog_name="matchledger")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in CODES, f"{command}: exit code {result.exit_code}: {result.output}"
    return result.exit_code


def ask_some(database: str, match: str, folder: Path, rng: Random, most: int) -> None:
    """Some commands by lot; raises what broke one, if anything did."""
    for command in rng.sample(COMMANDS, most):
        exit_code(database, match, command, folder)
