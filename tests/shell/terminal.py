"""The command line as tests use it: in this process, as a process of its own, and at a terminal."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pexpect
from typer.testing import CliRunner, Result

from cli import app
from service.audit.judge import own_notary
from service.play.ledger import LocalLedger
from service.play.moves import legal_moves, move, replied
from service.play.replay import load
from service.store.connect import open_store

ROOT = Path(__file__).parents[2]
ESCAPE = "\x1b"
UNTIL_THE_DEAL = TO_THE_END = 1000
"""More moves than there are: play stops by itself when nobody can act."""
_OURS = (
    "NO_COLOR",
    "FORCE_COLOR",
    "COLUMNS",
    "LINES",
    "MATCHLEDGER_DATABASE",
    "MATCHLEDGER_SERVER",
    "PYTHONIOENCODING",
    "TTY_COMPATIBLE",
)
Completed = subprocess.CompletedProcess[str]


class Matchledger:
    """The program on one database."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.where = ["--database", str(database)]
        """Which ledger, as the command line is told."""
        self.variables: dict[str, str] = {}

    def __call__(self, *words: str, code: int = 0) -> str:
        """What a command prints in this process, both streams together."""
        return self.run(*words, code=code).output

    def run(self, *words: str, code: int = 0, stdin: str | None = None) -> Result:
        """Run a command in this process; it ends with this exit code and never with an exception."""
        result = self.run_any(*words, stdin=stdin)
        assert result.exit_code == code, result.output
        return result

    def run_any(self, *words: str, stdin: str | None = None) -> Result:
        """Run a command in this process; it ends with any exit code, but never with an exception."""
        env = {**dict.fromkeys(_OURS), "COLUMNS": "80", **self.variables}
        result = CliRunner(env=env).invoke(app, [*self.where, *words], input=stdin, prog_name="matchledger")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    def json(self, *words: str, code: int = 0) -> Any:
        """What a command says to programs: one value, and nothing beside it."""
        result = self.run(*words, "--json", code=code)
        assert result.stderr == ""
        return json.loads(result.stdout)

    def new(self, *words: str) -> str:
        """Open a match of Azul between Ann and Ben in which Ann starts; its id."""
        fixed = ("--seed", "3", "-o", "firstPlayer=seat:1", "--quiet")
        return self("new", "azul", "Ann", "Ben", *fixed, *words).strip()

    def moves(self, match: str) -> list[str]:
        """The legal moves of whoever's turn it is."""
        by_seat: dict[str, list[str]] = self.json("legal", match)
        return next(iter(by_seat.values()))

    def play(self, match: str, times: int = 1) -> list[str]:
        """Make the first legal moves, bots replying, until nobody can act; their notation."""
        made: list[str] = []
        with open_store(str(self.database)) as store:
            ledger = LocalLedger(store, notary=own_notary())
            live = load(ledger, match)
            while len(made) < times and (seats := live.game.projection.to_act(live.table.state)):
                made.append(next(iter(legal_moves(live, seats[0]))))
                move(ledger, live, seats[0], made[-1])
                live = replied(ledger, live)
        return made

    def process(self, *words: str, **variables: str) -> Completed:
        """Run a command as a process of its own."""
        return run_process([sys.executable, "-m", "cli", *self.where, *words], **self.variables, **variables)

    @contextmanager
    def at_terminal(
        self, *words: str, lines: int = 50, columns: int = 80, **variables: str
    ) -> Iterator["pexpect.spawn[str]"]:
        """A command at a terminal of 80 columns; whoever uses it sees it end."""
        program = [sys.executable, "-m", "cli", *self.where, *words]
        child = at_terminal(program, lines, columns, **{**self.variables, **variables})
        try:
            yield child
        finally:
            child.close(force=True)

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Everything that is stored, table by table."""
        with self.tampering() as file:
            tables = [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            return {table: sorted(file.execute(f"SELECT * FROM {table}").fetchall(), key=repr) for table in tables}

    @contextmanager
    def tampering(self, *, guards: bool = True) -> Iterator[sqlite3.Connection]:
        """The file in somebody's hands, with or without the triggers that guard it."""
        file = sqlite3.connect(self.database)
        try:
            if not guards:
                for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                    file.execute(f"DROP TRIGGER {name}")
            yield file
            file.commit()
        finally:
            file.close()


def on_empty_ledger(folder: Path) -> Matchledger:
    """The program on a ledger without matches."""
    database = folder / "ledger.db"
    database.touch(mode=0o600)
    database.write_bytes(_empty_ledger())
    return Matchledger(database)


@cache
def _empty_ledger() -> bytes:
    """A migrated file; made once, because migrating takes longer than most tests."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.db"
        open_store(str(path)).close()
        return path.read_bytes()


def environment(**variables: str) -> dict[str, str]:
    """This process's variables without those that steer our output, and with some more."""
    kept = {name: value for name, value in os.environ.items() if name not in _OURS}
    return {**kept, "PYTHONUTF8": "1", **variables}


def run_process(words: list[str], **variables: str) -> Completed:
    """Run a program in the project's folder and gather what it prints."""
    return subprocess.run(
        words,
        cwd=ROOT,
        env=environment(**{"COLUMNS": "80", **variables}),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )


def at_terminal(words: list[str], lines: int = 50, columns: int = 80, **variables: str) -> "pexpect.spawn[str]":
    """Start a program in the project's folder at a terminal."""
    return pexpect.spawn(
        words[0],
        words[1:],
        cwd=str(ROOT),
        env=environment(**{"TERM": "xterm-256color", **variables}),
        encoding="utf-8",
        dimensions=(lines, columns),
        timeout=30,
    )


def finish(child: "pexpect.spawn[str]") -> tuple[str, int]:
    """What a program still says until it ends, and its exit code."""
    child.expect(pexpect.EOF)
    child.wait()
    return str(child.before), int(child.exitstatus if child.exitstatus is not None else -child.signalstatus)


def plain(text: str) -> str:
    """Text as a person sees it, without escape codes."""
    return re.sub(r"\x1b(\[[0-9;?]*[a-zA-Z]|[=>])", "", text).replace("\r\n", "\n")
