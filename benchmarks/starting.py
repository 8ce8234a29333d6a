"""Starting: `matchledger list` as a person waits for it, against Python that loads Typer and rich and does nothing."""

import os
import pty
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from service.play.ledger import LocalLedger
from service.play.matches import open_match
from service.play.players import NewPlayer
from service.store.connect import open_store

MATCHES = 20
"""As many as a list shows."""
ROUNDS = 7
STEERING = ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "PYTHONDONTWRITEBYTECODE", "TTY_COMPATIBLE")
"""What this process may have been told, and the measured ones are not."""


def measure(folder: Path) -> dict[str, float]:
    """Milliseconds of a list of matches at work, and how many times that of the libraries it is printed with."""
    path = folder / "starting.db"
    with open_store(str(path)) as store:
        ledger = LocalLedger(store)
        for _ in range(MATCHES):
            open_match(ledger, "azul", players=[NewPlayer("Ann"), NewPlayer("Ben")])
    # Bytecode is kept, as it is wherever the program is installed, whatever this process was told about it.
    variables = {name: value for name, value in os.environ.items() if name not in STEERING}
    variables |= {"PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "TERM": "xterm-256color"}

    def busy(words: Sequence[str], *, at_terminal: bool = False) -> float:
        """Seconds a processor is busy with it: what a person waits, if nobody else keeps the machine busy."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        (_run_at_terminal if at_terminal else _run)([sys.executable, *words], variables)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    listing = ("-m", "cli", "--database", str(path), "list")
    others = ("import typer, rich.console, rich.table, rich.text", "import typer, rich", "pass")
    rounds = [
        [busy(listing), busy(listing, at_terminal=True), *(busy(("-c", program)) for program in others)]
        for _ in range(ROUNDS)
    ]
    whole, shown, tables, libraries, bare = map(min, zip(*rounds, strict=True))
    return {
        "start.python_ms": bare * 1000,
        "start.libraries_ms": libraries * 1000,
        "start.list_ms": whole * 1000,
        "start.list_at_terminal_ms": shown * 1000,
        "start.list_vs_libraries": whole / libraries,
        "start.list_at_terminal_vs_libraries": shown / libraries,
        "start.list_vs_libraries_with_tables": whole / tables,
    }


def _run(words: Sequence[str], variables: Mapping[str, str]) -> None:
    subprocess.run(words, env=variables, check=True, stdout=subprocess.DEVNULL)


def _run_at_terminal(words: Sequence[str], variables: Mapping[str, str]) -> None:
    ours, theirs = pty.openpty()
    try:
        with subprocess.Popen(words, env=variables, stdin=theirs, stdout=theirs) as program:
            os.close(theirs)
            with suppress(OSError):  # which says that nobody is left who could write
                while os.read(ours, 1 << 16):
                    pass
    finally:
        os.close(ours)
    assert program.returncode == 0
