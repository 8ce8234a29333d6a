"""Loading one match as every command does, its chain checked and its table folded, against reading its rows alone."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.clock import best_of
from events.chain import link
from events.codec import decode
from service.games.game import Game
from service.play.ledger import LocalLedger
from service.play.replay import load
from service.store.connect import open_store

LOADED = 200


def load_each(ledger: LocalLedger, ids: Sequence[str]) -> None:
    """Load these matches, one after the other."""
    for match in ids:
        load(ledger, match)


def measure(folder: Path, game: Game) -> dict[str, float]:
    """How much longer it takes than to decode and link the rows; of the ledger that replaying has filled."""
    with open_store(str(folder / f"{game.key}.db")) as store:
        ledger, ids = LocalLedger(store), next(store.ids(LOADED))
        rows = [[row.data for row in store.rows(match)] for match in ids]

        def decode_and_link() -> None:
            for match in rows:
                hash_ = b""
                for data in match:
                    decode(data)
                    hash_ = link(hash_, data)

        alone, whole = best_of(5, decode_and_link, lambda: load_each(ledger, ids))
    return {f"{game.key}.load_vs_decode_and_link": whole / alone, f"{game.key}.load_ms": 1000 * whole / len(ids)}
