"""Reading back: prefixes, streams, and histories that were changed, cut or no longer read."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from events.chain import link, origin
from projections.fold import fold
from service.errors import Damaged
from service.games.game import Game
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import open_match
from service.play.players import NewPlayer
from service.play.replay import load, replay_all
from service.play.undo import redo, undo
from tests.conftest import finish, move
from tests.play.test_matches import refused
from tests.shelf import EVERY_GAME, people

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")


@contextmanager
def tampering(ledger: LocalLedger, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A connection of somebody with the file in hand, who has removed the guards."""
    connection = sqlite3.connect(tmp_path / "ledger.db")
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    yield connection
    connection.commit()
    connection.close()


def test_as_it_stood_after_an_event_or_a_step(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    live = azul()
    tables = {live.head.step: live.table}
    for _ in range(6):
        move(ledger, live)
        tables[live.head.step] = live.table
    for step, table in tables.items():
        then = live.at(f"s{step}")
        assert then.table == table
        assert live.at(str(then.envelopes[-1].seq)).table == table
    with refused("replay/event"):
        live.at("999")
    with refused("replay/step"):
        live.at("s0")
    for place in ("x", "s", "-1", "1.5", "٣"):
        with refused("replay/place"):
            live.at(place)


def test_every_prefix_of_a_stored_match_folds(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    """Promise 1, with undo and redo in the log and cuts in the middle of steps."""
    live = azul(undo="free")
    for _ in range(12):
        move(ledger, live, 3)
        undo(ledger, live, 1, steps=2)
        redo(ledger, live, 1)
    finish(ledger, live)
    for length in range(1, len(live.envelopes) + 1):
        fold(live.game.projection, live.envelopes[:length])


def test_the_whole_store_as_a_stream(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    lives = [azul(), finish(ledger, azul()), azul(undo="free")]
    move(ledger, lives[0], 3)
    assert dict(replay_all(ledger.store)) == {live.id: live.table for live in lives}


DAMAGES = {
    "changed": "UPDATE event SET data = replace(data, '\"taken\":1', '\"taken\":2') WHERE seq = 6",
    "removed": "DELETE FROM event WHERE seq = 6",
    "hash": "UPDATE event SET hash = zeroblob(32) WHERE seq = 6",
    "truncated": "DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)",
    "swapped": "UPDATE event SET seq = CASE seq WHEN 6 THEN 1006 ELSE 1007 END WHERE seq IN (6, 7);"
    "UPDATE event SET seq = CASE seq WHEN 1006 THEN 7 ELSE 6 END WHERE seq > 1000",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_history_is_refused(
    ledger: LocalLedger, azul: Callable[..., Live], tmp_path: Path, damage: str
) -> None:
    live = azul(chance_mode="seeded", seed=3)
    move(ledger, live, 5)
    before = ledger.store.rows(live.id)
    with tampering(ledger, tmp_path) as connection:
        connection.executescript(DAMAGES[damage])
    assert ledger.store.rows(live.id) != before, "nothing was damaged"
    with pytest.raises(Damaged) as error:
        load(ledger, live.id)
    assert error.value.match == live.id
    assert error.value.seq == (len(before) - 1 if damage == "truncated" else 6)
    assert error.value.exit_code == 3


def test_an_event_that_no_longer_reads_is_named(ledger: LocalLedger, azul: Callable[..., Live], tmp_path: Path) -> None:
    """Bytes nobody changed, written by something this version does not know: match, event and tag are named."""
    live = azul()
    rows = ledger.store.rows(live.id)
    hash_ = origin(live.id, "azul", live.table.opened.ruleset)
    with tampering(ledger, tmp_path) as connection:
        for row in rows:
            data = row.data.replace(b"azul.displays_filled", b"azul.displays_heaped")
            hash_ = link(hash_, data)
            connection.execute("UPDATE event SET data = ?, hash = ? WHERE seq = ?", (data, hash_, row.seq))
        connection.execute("UPDATE match SET head_hash = ?", (hash_,))
    for attempt in (lambda: load(ledger, live.id), lambda: list(replay_all(ledger.store))):
        with pytest.raises(Damaged) as error:
            attempt()
        assert (error.value.match, error.value.seq, error.value.tag) == (live.id, len(rows), "azul.displays_heaped")


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.key)
def test_a_match_in_hand_has_the_table_its_events_fold_to_after_every_step(ledger: LocalLedger, game: Game) -> None:
    live = open_match(ledger, game.key, players=[NewPlayer(name) for name in people(game, 3)], undo="free")
    for number in range(24):
        if live.table.closed is not None:
            break
        (seat,) = move(ledger, live, seed=number)
        assert live.folded == fold(game.projection, live.envelopes)
        if number % 4 == 3:
            for change_the_past in (undo, redo, undo):
                change_the_past(ledger, live, seat)
                assert live.folded == fold(game.projection, live.envelopes)


def test_a_ruleset_this_program_does_not_have_is_named(
    ledger: LocalLedger, azul: Callable[..., Live], tmp_path: Path
) -> None:
    """A ledger of a newer version: its matches are refused by name, not mistaken for a typing error."""
    live = azul()
    hash_ = origin(live.id, "azul", "azul/9")
    with tampering(ledger, tmp_path) as connection:
        for row in ledger.store.rows(live.id):
            data = row.data.replace(b'"ruleset":"azul/2"', b'"ruleset":"azul/9"')
            assert data != row.data or row.seq > 1
            hash_ = link(hash_, data)
            connection.execute("UPDATE event SET data = ?, hash = ? WHERE seq = ?", (data, hash_, row.seq))
        connection.execute("UPDATE match SET ruleset = 'azul/9', head_hash = ?", (hash_,))
    with refused("game/ruleset") as refusal:
        load(ledger, live.id)
    assert refusal.value.exit_code == 1
    assert "'azul/9'" in refusal.value.message
