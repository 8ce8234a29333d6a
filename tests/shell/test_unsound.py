"""Events that chain and were never decided: whatever they fold to, every command answers, and blames the event."""

import re
import sqlite3
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random

import pytest

from events.chain import link, origin
from events.codec import decode
from events.match import MatchOpened
from service.play.ledger import LocalLedger
from service.play.matches import open_match
from service.store.connect import open_store
from tests.conftest import finish, make_ledger
from tests.shelf import EVERY_GAME, players
from tests.shell.test_cells import ABOUT_ALL, ABOUT_ONE, Spoiled

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")

KIND = re.compile(rb'"event":\{"type":"([^"]+)"')
NUMBER = re.compile(rb"(?<=[:\[,])-?\d+(?=[,}\]])")
FIELD = re.compile(rb'"(\w+)":[^"]*$')
"""The name that a number stands behind, if it is the last one before it."""
MOMENT = re.compile(rb'(?<="at":")[^"]+')
NUMBERS = [b"-1", b"0", b"7", b"99", b"1000000"]
TIMES = [b"0001-01-01T00:00:00+14:00", b"9999-12-31T23:59:59-14:00", b"2026-01-02T00:00:00", b"1970-01-01T00:00:00Z"]
MOMENTS = 8
"""Of so many events another moment is made up."""
SHARE = 4
"""Every fourth command is tried on each change: all of them in every game, on many fields."""


def changes(datas: list[bytes], rng: Random) -> Iterator[tuple[int, bytes]]:
    """An event with another number, once for each field of each kind of event; and some with another moment."""
    fields: dict[tuple[bytes, bytes], list[tuple[int, re.Match[bytes]]]] = {}
    for index, data in enumerate(datas[1:], start=1):
        kind = KIND.search(data)
        assert kind is not None
        for number in NUMBER.finditer(data, kind.end()):
            field = FIELD.search(data, kind.end(), number.start())
            fields.setdefault((kind[1], field[1] if field else b""), []).append((index, number))
    moments = [(index, MOMENT.search(datas[index])) for index in rng.sample(range(1, len(datas)), MOMENTS)]
    values = cycle(NUMBERS)
    for index, place, value in [
        *((*rng.choice(places), next(values)) for places in fields.values()),
        *((index, moment, rng.choice(TIMES)) for index, moment in moments),
    ]:
        assert place is not None
        yield index, datas[index][: place.start()] + value + datas[index][place.end() :]


def rechained(match: str, datas: list[bytes]) -> list[tuple[bytes, bytes, str, int]]:
    """The events with hashes made to fit, as a statement takes them."""
    opened = decode(datas[0]).event
    assert isinstance(opened, MatchOpened)
    hash_ = origin(match, opened.game, opened.ruleset)
    rows = []
    for seq, data in enumerate(datas, start=1):
        hash_ = link(hash_, data)
        rows.append((data, hash_, match, seq))
    return rows


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.key)
def test_numbers_that_no_rule_decided(game: object, tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    key, seats = game.key, game.rules.seats[0]  # type: ignore[attr-defined]
    with open_store(str(path)) as store:
        plain = make_ledger(store)
        ids = iter(["bad", "fine1"])
        ledger = LocalLedger(store, plain.clock, plain.new_secret, lambda: next(ids))
        for _ in range(2):
            finish(ledger, open_match(ledger, key, seats, players=players(seats)), seed=1)
        datas = [row.data for row in store.rows("bad")]
    file = sqlite3.connect(path, isolation_level=None)
    for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        file.execute(f"DROP TRIGGER {name}")
    spoiled, rng = Spoiled(str(path), tmp_path), Random(key)
    looking = [line for line in ABOUT_ONE if not line.startswith(("fork", "act", "dispute open", "rename", "abandon"))]
    for turn, (index, changed) in enumerate(changes(datas, rng)):
        rows = rechained("bad", [*datas[:index], changed, *datas[index + 1 :]])
        file.execute("BEGIN")
        file.executemany("UPDATE event SET data = ?, hash = ? WHERE match_id = ? AND seq = ?", rows)
        file.execute("UPDATE match SET head_hash = ? WHERE id = 'bad'", (rows[-1][1],))
        file.execute("COMMIT")
        for line in looking[turn % SHARE :: SHARE]:
            spoiled.say(line, "bad")
        if turn % 10 == 0:
            for line in ABOUT_ALL:
                spoiled.say(line)
    file.close()
