"""Adds golden logs: `python -m tests.golden RULESET NAME SEATS SEED [option=value …] [bots=…]`. Never changes one."""

import hashlib
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from service.games.game import Game
from service.games.shelf import by_ruleset, on_the_shelf
from service.play.simulate import as_append, make_plan, playout
from tests.pebbles import PEBBLES

LOGS = Path(__file__).parent / "logs"


def golden(game: Game, seats: int, seed: int, options: dict[str, str], bots: list[str]) -> bytes:
    """A whole simulated match as a log: what it must fold to on the first line, then one envelope a line."""
    plan = make_plan(game.key, seats, options, bots, 0)
    played = playout(game, plan, seed)
    view = json.dumps(game.projection.view(played.state)).encode()
    expected = {"scores": list(game.projection.scores(played.state)), "view": hashlib.sha256(view).hexdigest()}
    append = as_append(game, plan, seed, played, datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC))
    return b"\n".join([json.dumps(expected).encode(), *(row.data for row in append.rows)]) + b"\n"


if __name__ == "__main__":
    ruleset, name, seats, seed, *words = sys.argv[1:]
    with on_the_shelf(PEBBLES):  # the example of docs/adding-a-game.md has logs as well
        game = by_ruleset(ruleset)
    options = dict(word.split("=") for word in words)
    bots = options.pop("bots", "greedy,random").split(",")
    path = LOGS / game.key / f"{name}.jsonl"
    if path.exists():
        sys.exit(f"{path} exists; golden logs are only ever added")
    path.parent.mkdir(parents=True, exist_ok=True)
    with on_the_shelf(PEBBLES):
        path.write_bytes(golden(game, int(seats), int(seed), options, bots))
    print(f"wrote {path}")
