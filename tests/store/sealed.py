"""Seals to test with: a dictionary without the hundred matches it takes, and all closed matches sealed."""

from collections.abc import Sequence
from functools import cache
from itertools import groupby

import msgspec
import zstandard

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


@cache
def old_azul_dictionary() -> bytes:
    """The same as older versions trained it, on blocks of steps."""
    content = trained([block_of_steps(simulated(seed)[1]) for seed in range(SAMPLES)])
    assert content is not None
    return content


def block_of_steps(rows: Sequence[Row]) -> bytes:
    """A match as older versions packed it (events/block.py)."""
    envelopes = [msgspec.json.decode(row.data) for row in rows]
    steps = [list(group) for _, group in groupby(envelopes, key=lambda envelope: envelope["step"])]
    told = [[step[0]["at"], [one["actor"] for one in step], [one["event"] for one in step]] for step in steps]
    return msgspec.json.encode(told)


def old_seal(rows: Sequence[Row], *, has_dictionary: bool) -> bytes:
    """The same as they sealed it."""
    dictionary = zstandard.ZstdCompressionDict(old_azul_dictionary()) if has_dictionary else None
    return zstandard.ZstdCompressor(dict_data=dictionary).compress(block_of_steps(rows))


def keep_dictionary(store: Store, number: int = 1, game: str = "azul", *, is_old: bool = False) -> None:
    """Let the seals of a game be made with a dictionary."""
    content = old_azul_dictionary() if is_old else azul_dictionary()
    store._database.change(KEEP_DICTIONARY, (number, game, content))


def seal_all(store: Store) -> list[str]:
    """Seal every closed match; their ids. None of them may be left."""
    done = list(store.sealing().seal())
    assert all(isinstance(one, tuple) for one in done), done
    return [one.match for one in done]
