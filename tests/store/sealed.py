"""Seals to test with: a dictionary without the hundred matches it takes, and all closed matches sealed."""

from functools import cache

from events.block import pack
from events.chain import Row
from service.games.azul import AZUL
from service.play.simulate import as_append, make_plan, playout
from service.store.seals import SAMPLES, trained
from service.store.store import Store
from tests.store.steps import START

KEEP_DICTIONARY = "INSERT INTO dictionary (number, game, data) VALUES (?, ?, ?)"


@cache
def simulated(seed: int) -> tuple[str, list[Row]]:
    """The id and the events of a match of Azul between bots."""
    plan = make_plan("azul", 2, {}, ["random"], 0)
    append = as_append(AZUL, plan, seed, playout(AZUL, plan, seed), START)
    return append.match, list(append.rows)


@cache
def azul_dictionary() -> bytes:
    """A dictionary trained on as many matches of Azul as it takes."""
    played = [simulated(seed) for seed in range(SAMPLES)]
    content = trained([pack(match, [row.data for row in rows]) for match, rows in played])
    assert content is not None
    return content


def keep_dictionary(store: Store, number: int = 1, game: str = "azul") -> None:
    """Let the seals of a game be made with a dictionary."""
    store._database.change(KEEP_DICTIONARY, (number, game, azul_dictionary()))


def seal_all(store: Store) -> list[str]:
    """Seal every closed match; their ids. None of them may be left."""
    done = list(store.sealing().seal())
    assert all(isinstance(one, tuple) for one in done), done
    return [one.match for one in done]
