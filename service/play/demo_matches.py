"""Demo matches: one of every game, played by bots, for an empty ledger."""

from typing import Final

from service.games.shelf import known_games
from service.play.simulate import make_plan, simulate
from service.store.columns import sound
from service.store.store import Store

_BOTS: Final = {"Ada": "greedy", "Bruno": "greedy"}
_SEED: Final = 7


def put_demo_matches(store: Store, database: str) -> None:
    """Put a finished match of every game into an empty ledger, the same ones each time; else nothing."""
    if store.matches(limit=1):
        return
    played = [game for game in known_games() if not game.pad_of]
    for seed, game in enumerate(
        reversed(played), start=_SEED
    ):  # the first of the shelf is moved last, and listed first
        plan = make_plan(game.key, max(len(_BOTS), game.rules.seats[0]), {}, list(_BOTS.values()), seed)
        list(simulate(plan, 1, database=database))
    for row in sound(store.matches()):
        for seat, name in enumerate(_BOTS, start=1):
            store.rename(row.id, seat, name)
