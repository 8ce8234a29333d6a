"""Starting: `matchledger list` as a person waits for it, against Python that loads Typer and rich and does nothing."""

import os
import resource
import subprocess
import sys
from pathlib import Path

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

    def busy(*words: str) -> float:
        """Seconds a processor is busy with it: what a person waits, if nobody else keeps the machine busy."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], env=variables, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    programs = (
        ("-m", "cli", "--database", str(path), "list"),
        ("-c", "import typer, rich.console, rich.table, rich.text"),
        ("-c", "import typer, rich"),
        ("-c", "pass"),
    )
    rounds = [[busy(*words) for words in programs] for _ in range(ROUNDS)]
    whole, tables, libraries, bare = map(min, zip(*rounds, strict=True))
    return {
        "start.python_ms": bare * 1000,
        "start.libraries_ms": libraries * 1000,
        "start.list_ms": whole * 1000,
        "start.list_vs_libraries": whole / libraries,
        "start.list_vs_libraries_with_tables": whole / tables,
    }
