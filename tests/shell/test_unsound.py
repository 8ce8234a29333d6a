"""Events that chain and were never decided: whatever they fold to, every command answers, and blames the event."""

import re
import sqlite3
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

NUMBER = re.compile(rb"(?<=[:\[,])-?\d+(?=[,}\]])")
MOMENT = re.compile(rb'(?<="at":")[^"]+')
NUMBERS = [b"-1", b"0", b"7", b"99", b"1000000"]
TIMES = [b"0001-01-01T00:00:00+14:00", b"9999-12-31T23:59:59-14:00", b"2026-01-02T00:00:00", b"1970-01-01T00:00:00Z"]
PLACES = 60
"""Numbers and moments that are changed in each game."""


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
    for turn in range(PLACES):
        index = rng.randrange(1, len(datas))
        if turn % 4 == 0:
            place, values = MOMENT.search(datas[index]), TIMES
        else:
            numbers = list(NUMBER.finditer(datas[index], datas[index].index(b'"event"')))
            place, values = (rng.choice(numbers) if numbers else None), NUMBERS
        if place is None:
            continue
        changed = datas[index][: place.start()] + rng.choice(values) + datas[index][place.end() :]
        rows = rechained("bad", [*datas[:index], changed, *datas[index + 1 :]])
        file.execute("BEGIN")
        file.executemany("UPDATE event SET data = ?, hash = ? WHERE match_id = ? AND seq = ?", rows)
        file.execute("UPDATE match SET head_hash = ? WHERE id = 'bad'", (rows[-1][1],))
        file.execute("COMMIT")
        for line in looking[turn % 3 :: 3]:
            spoiled.say(line, "bad")
        if turn % 10 == 0:
            for line in ABOUT_ALL:
                spoiled.say(line)
    file.close()
