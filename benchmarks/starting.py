"""Starting: `matchledger list` as a person waits for it, against Python that loads Typer and rich and does nothing."""

import os
import subprocess
import sys
from pathlib import Path

from benchmarks.clock import best_of
from service.play.ledger import Ledger
from service.play.matches import Player, open_match
from service.store.connect import open_store

MATCHES = 20
"""As many as a list shows."""
ROUNDS = 7


def measure(folder: Path) -> dict[str, float]:
    """Milliseconds of a list of matches at work, and how many times that of the libraries it is printed with."""
    path = folder / "starting.db"
    with open_store(str(path)) as store:
        ledger = Ledger(store)
        for _ in range(MATCHES):
            open_match(ledger, "azul", players=[Player("Ann"), Player("Ben")])
    # Bytecode is kept, as it is wherever the program is installed, whatever this process was told about it.
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    variables |= {"PYTHONPYCACHEPREFIX": str(folder / "bytecode")}

    def run(*words: str) -> None:
        subprocess.run([sys.executable, *words], env=variables, check=True, stdout=subprocess.DEVNULL)

    whole, tables, libraries, bare = best_of(
        ROUNDS,
        lambda: run("-m", "cli", "--database", str(path), "list"),
        lambda: run("-c", "import typer, rich.console, rich.table, rich.text"),
        lambda: run("-c", "import typer, rich"),
        lambda: run("-c", "pass"),
    )
    return {
        "start.python_ms": bare * 1000,
        "start.libraries_ms": libraries * 1000,
        "start.list_ms": whole * 1000,
        "start.list_vs_libraries": whole / libraries,
        "start.list_vs_libraries_with_tables": whole / tables,
    }
