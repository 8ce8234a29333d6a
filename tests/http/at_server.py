"""The program at a server, as users of one have it: each with a token file of their own."""

import sqlite3
from pathlib import Path

from tests.shell.terminal import Matchledger


class AtServer(Matchledger):
    """One user's program on one server."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(folder / "no.db")
        self.where = ["--server", url]
        self.tokens = folder / "tokens.json"
        folder.mkdir(exist_ok=True)
        self.variables = {"MATCHLEDGER_TOKENS": str(self.tokens)}


def copied(database: Path, copy: Path) -> Matchledger:
    """The program at home, on a ledger as the server's stands at this moment."""
    source, target = sqlite3.connect(database), sqlite3.connect(copy)
    try:
        source.backup(target)
    finally:
        source.close()
        target.close()
    copy.chmod(0o600)
    return Matchledger(copy)
