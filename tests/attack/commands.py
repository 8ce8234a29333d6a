"""Every command of the program, asked about whatever lies in a database: a result or a refusal, and nothing else."""

from pathlib import Path
from random import Random
from typing import Final

from typer.testing import CliRunner

from cli import app

LOOKING: Final = (
    "list", "list --json", "list --status playing", "show {match}", "show {match} --json", "show {match} --at s2", "log {match}",
    "scores {match}", "legal {match}", "replay {match}", "export {match}", "export {match} --format jsonl",
    "export --all {folder}", "audit {match}", "audit {match} --json", "audit {match} --html {folder}.html", "audit --all -j1",
    "audit --all -j1 --json", "receipt {match}", "explain {match} 1", "explain {match} 3", "bisect {match} last",
    "rescore --all --ruleset azul/1", "dispute list", "dispute show {match}", "key show", "db check", "db status",
    "fork {match}", "undo {match} --seat 1", "resign {match} --seat 1", "abandon {match}", "rename {match} 1 Zoe", "join {match} Zoe",
)  # fmt: skip
"""What is asked; some of it writes, where it is let."""
CODES: Final = range(4)


def ask(database: str, match: str, command: str, folder: Path) -> str:
    """Run a command in this process; what is wrong with how it ended, or nothing."""
    words = [word.format(match=match, folder=folder) for word in command.split()]
    result = CliRunner().invoke(app, ["--database", database, *words], prog_name="matchledger")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return "" if result.exit_code in CODES else f"exit code {result.exit_code}: {result.output}"


def ask_some(database: str, match: str, folder: Path, rng: Random, most: int) -> str:
    """Some commands by lot; what is wrong with the first that did not end well."""
    for command in rng.sample(LOOKING, most):
        if wrong := ask(database, match, command, folder):
            return f"{command}: {wrong}"
    return ""
