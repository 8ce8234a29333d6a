"""What a ledger keeps beside the events, held to them: the row, the seats, the secret, and the match forked from."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace

from events.chain import link, origin
from events.codec import decode, encode
from events.core import Envelope
from events.match import MatchOpened, SeatTaken
from service.audit import Report, audit
from service.errors import Damaged, Refused
from service.play import chance
from service.play.evidence import from_store
from service.play.fork import fork
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import abandon, join, open_match, resign
from service.play.players import NewPlayer
from service.play.replay import load
from service.play.undo import undo
from service.records import import_evidence, read_evidence, write_jsonl
from service.store.connect import open_store
from tests.conftest import TWO, finish, make_ledger, move
from tests.postgres import PostgresServer, running_server


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with running_server() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "ledger.db")
    running: PostgresServer = request.getfixturevalue("server")
    return running.emptied_database()


@pytest.fixture
def ledger(address: str) -> Iterator[LocalLedger]:
    with open_store(address) as store:
        yield make_ledger(store)


@pytest.fixture
def tamper(address: str) -> Callable[..., None]:
    """Carries out statements behind the ledger's back, its guards taken away; `?` stands for a value."""

    def run(statement: str, *values: object) -> None:
        if address.startswith("postgresql"):
            with psycopg.connect(address, autocommit=True) as server:
                for table in ("event", "signature"):
                    server.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
                server.execute(statement.replace("?", "%s"), values)
                for table in ("event", "signature"):
                    server.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
            return
        file = sqlite3.connect(address, isolation_level=None)
        for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            file.execute(f"DROP TRIGGER {name}")
        file.execute(statement, values)
        file.close()

    return run


def audited(ledger: LocalLedger, match: str) -> Report:
    return audit(from_store(ledger.store, match))


def rewrite(
    ledger: LocalLedger, tamper: Callable[..., None], match: str, change: Callable[[Envelope], Envelope]
) -> None:
    """Change events of a match, every hash and the head made to fit."""
    envelopes = [change(decode(row.data)) for row in ledger.store.rows(match)]
    opened = envelopes[0].event
    assert isinstance(opened, MatchOpened)
    hash_ = origin(match, opened.game, opened.ruleset)
    for envelope in envelopes:
        data = encode(envelope)
        hash_ = link(hash_, data)
        tamper("UPDATE event SET data = ?, hash = ? WHERE match_id = ? AND seq = ?", data, hash_, match, envelope.seq)
    tamper("UPDATE match SET head_hash = ? WHERE id = ?", hash_, match)


# ------------------------------------------------------------------------------------------------------------- the row


@pytest.mark.parametrize(
    "column, value, said",
    [
        ("game", "coloretto", "game is 'coloretto', the events say 'azul'"),
        ("ruleset", "azul/1", "ruleset is 'azul/1', the events say 'azul/2'"),
        ("seats", 4, "seats is 4, the events say 2"),
        ("status", "closed", "status is 'closed', the events say 'playing'"),
        ("undo", "free", "undo is 'free', the events say 'strict'"),
        ("chance", "recorded", "chance is 'recorded', the events say 'fair'"),
        ("parent", "another", "parent is 'another', the events say None"),
        (
            "opened_at",
            "2026-01-02 00:00:00.000001+00:00",
            "opened_at is '2026-01-02T00:00:00.000001+00:00', the events",
        ),
        ("moved_at", "2027-01-02 00:00:00.000000+00:00", "moved_at is '2027-01-02T00:00:00+00:00', the events say '20"),
        ("head_step", 3, "head_step is 3, the events say 6"),
        ("head_seq", 3, "head_seq is 3, the events say "),
        ("head_hash", bytes(32), "head_hash is '00000000"),
    ],
)
def test_a_row_that_says_something_else(
    ledger: LocalLedger, tamper: Callable[..., None], column: str, value: object, said: str
) -> None:
    live = open_match(ledger, "azul", 2, players=TWO)
    move(ledger, live, 2)
    assert audited(ledger, live.id)["row"].why == "12 columns and 2 seats are what the events say"
    tamper(f"UPDATE match SET {column} = ? WHERE id = ?", value, live.id)
    verdict = audited(ledger, live.id)["row"]
    assert (verdict.outcome, verdict.seq) == ("failed", 0)
    assert said in verdict.why


@pytest.mark.parametrize(
    "statement, said",
    [
        ("DELETE FROM seat WHERE seat = 2", "names are kept for seats 1, the events say 1, 2"),
        ("UPDATE seat SET seat = 3 WHERE seat = 2", "names are kept for seats 1, 3, the events say 1, 2"),
        ("DELETE FROM seat", "names are kept for seats none, the events say 1, 2"),
    ],
)
def test_seats_that_nobody_took(ledger: LocalLedger, tamper: Callable[..., None], statement: str, said: str) -> None:
    live = open_match(ledger, "azul", 2, players=TWO)
    tamper(statement)
    assert said in audited(ledger, live.id)["row"].why


@pytest.mark.parametrize("column", ["game", "ruleset"])
def test_a_match_that_opened_as_another_is_not_played_on(
    ledger: LocalLedger, tamper: Callable[..., None], column: str
) -> None:
    live = open_match(ledger, "azul", 2, players=TWO)
    tamper(f"UPDATE match SET {column} = 'other' WHERE id = ?", live.id)
    with pytest.raises(Damaged, match=f"Match {live.id}: the cell match.{column} holds 'other', but event 1 opened"):
        load(ledger, live.id)


def test_rows_of_honest_matches(ledger: LocalLedger, tmp_path: Path) -> None:
    """Whatever a match went through: seats taken one by one, undo, resignation, a name forgotten, an import."""
    lives = [open_match(ledger, "coloretto", 3), open_match(ledger, "azul", 2, players=TWO, undo="free")]
    for name in ("Ann", "Ben"):
        join(ledger, lives[0], NewPlayer(name), None)
        assert audited(ledger, lives[0].id).findings == []
    move(ledger, lives[1], 3)
    undo(ledger, lives[1], 1)
    lives.append(open_match(ledger, "azul", 2, players=TWO))
    ledger.store.rename(lives[2].id, 1, "")
    resign(ledger, lives[2], 1)
    lives.append(open_match(ledger, "azul", 2, players=TWO))
    abandon(ledger, lives[3])
    for live in lives:
        assert audited(ledger, live.id).findings == []
    with open_store(str(tmp_path / "other.db")) as store:
        other = make_ledger(store)
        for live in lives:
            (tmp_path / "match.jsonl").write_bytes(write_jsonl(from_store(ledger.store, live.id)))
            import_evidence(other, read_evidence(tmp_path / "match.jsonl")[0])
            assert audited(other, live.id).findings == []


def test_a_file_has_no_row(ledger: LocalLedger) -> None:
    live = open_match(ledger, "azul", 2, players=TWO)
    report = audit(replace(from_store(ledger.store, live.id), stored=None))
    assert not {"row", "parent"} & {verdict.check for verdict in report.verdicts}


# ---------------------------------------------------------------------------------------------------------- the secret

SECRETS = [
    ("secret = ?", bytes(32), "is not the one that event 1 committed to"),
    ("secret = ?", b"", "is not the one that event 1 committed to"),
    ("seed = ?", "8", "does not come from its seed"),
    ("seed = ?", " 7", "does not come from its seed"),
    ("seed = ?", "x" * 5000, "does not come from its seed"),
    ("seed = ?", "", "no seed is kept with its secret, though its chance is seeded"),
]


@pytest.mark.parametrize("change, value, said", SECRETS)
def test_a_secret_that_was_not_committed_to(
    ledger: LocalLedger, tamper: Callable[..., None], change: str, value: object, said: str
) -> None:
    """Nothing is drawn from it, nothing is closed with it, the audit names it, and nobody shows it."""
    live = open_match(ledger, "azul", 2, players=TWO, seed=7)
    tamper(f"UPDATE secret SET {change} WHERE match_id = ?", value, live.id)
    before = ledger.store.rows(live.id)
    for attempt in (move, lambda ledger, live: resign(ledger, live, 1), abandon):
        with pytest.raises(Damaged, match=said) as told:
            attempt(ledger, load(ledger, live.id))
        assert (told.value.code, told.value.match) == ("ledger/secret", live.id)
        assert chance.secret_from_seed(7).hex() not in told.value.message
    assert ledger.store.rows(live.id) == before
    verdict = audited(ledger, live.id)["draws"]
    assert (verdict.outcome, verdict.seq) == ("failed", 1)
    assert said in verdict.why


def test_a_secret_for_a_match_that_needs_none(ledger: LocalLedger, tamper: Callable[..., None]) -> None:
    live = open_match(ledger, "azul", 2, players=TWO, chance_mode="recorded")
    tamper("INSERT INTO secret VALUES (?, ?, '')", live.id, bytes(32))
    assert "its draws come from outside" in audited(ledger, live.id)["draws"].why


def test_the_last_seat_is_not_dealt_from_another_secret(ledger: LocalLedger, tamper: Callable[..., None]) -> None:
    live = open_match(ledger, "azul", 2, players=TWO[:1])
    tamper("UPDATE secret SET secret = ? WHERE match_id = ?", bytes(32), live.id)
    with pytest.raises(Damaged, match="is not the one that event 1 committed to"):
        join(ledger, live, TWO[1])
    assert len(ledger.store.rows(live.id)) == 2


def test_evidence_never_holds_the_secret(ledger: LocalLedger) -> None:
    live = open_match(ledger, "azul", 2, players=TWO, seed=7)
    kept = ledger.store.secret(live.id)
    assert kept is not None
    told = repr(from_store(ledger.store, live.id))
    assert repr(kept[0]) not in told
    assert kept[0].hex() not in told


# ---------------------------------------------------------------------------------------------------------- the parent


@pytest.fixture
def family(ledger: LocalLedger) -> tuple[Live, Live]:
    """A match with something undone in it, and a fork of it that was played on."""
    players = [NewPlayer("Ann", nonce="a's share"), NewPlayer("Ben", nonce="b's share")]
    parent = open_match(ledger, "azul", 2, players=players, undo="free")
    move(ledger, parent, 6)
    undo(ledger, parent, 1, steps=2)
    move(ledger, parent, 2, seed=5)
    child = fork(ledger, parent, parent.head.step - 1)
    finish(ledger, child)
    return parent, child


def in_the_opening(**changes: object) -> Callable[[Envelope], Envelope]:
    """Changes what the fork says of its parent, or of the match."""

    def change(envelope: Envelope) -> Envelope:
        event = envelope.event
        if not isinstance(event, MatchOpened):
            return envelope
        assert event.parent is not None
        of_parent = {name: value for name, value in changes.items() if name in ("step", "hash", "draws")}
        others = {name: value for name, value in changes.items() if name not in of_parent}
        return replace(envelope, event=replace(event, parent=replace(event.parent, **of_parent), **others))

    return change


def test_a_fork_beside_its_parent(ledger: LocalLedger, family: Sequence[Live]) -> None:
    parent, child = family
    verdict = audited(ledger, child.id)["parent"]
    where = f"as they stand in effect after step {parent.head.step - 1} of match {parent.id}"
    assert (verdict.outcome, verdict.why.partition(", ")[2]) == ("passed", where)
    assert "parent" not in {verdict.check for verdict in audited(ledger, parent.id).verdicts}
    finish(ledger, parent)  # whatever happens to the parent later is none of the fork's business
    assert audited(ledger, child.id)["parent"].outcome == "passed"


@pytest.mark.parametrize(
    "change, said",
    [
        (in_the_opening(hash="00" * 32), "It names hash '0000"),
        (in_the_opening(draws=1), "It says that 1 draws were taken over; there are 2."),
        (in_the_opening(options={}), "It was opened with options {}, the match it was forked from has {"),
        (in_the_opening(step=5), "It names hash"),
    ],
)
def test_a_fork_that_tells_its_origin_wrongly(
    ledger: LocalLedger,
    tamper: Callable[..., None],
    family: Sequence[Live],
    change: Callable[[Envelope], Envelope],
    said: str,
) -> None:
    rewrite(ledger, tamper, family[1].id, change)
    verdict = audited(ledger, family[1].id)["parent"]
    assert (verdict.outcome, verdict.seq) == ("failed", 1)
    assert said in verdict.why


def test_a_fork_with_another_past(ledger: LocalLedger, tamper: Callable[..., None], family: Sequence[Live]) -> None:
    """Both histories hold by themselves: an event of play, and a nonce, that the parent never had."""
    _, child = family
    drafted = next(e.seq for e in child.envelopes if type(e.event).__name__ == "TilesDrafted")

    def with_another_line(envelope: Envelope) -> Envelope:
        if envelope.seq != drafted:
            return envelope
        return replace(envelope, event=replace(envelope.event, line=0))

    rewrite(ledger, tamper, child.id, with_another_line)
    verdict = audited(ledger, child.id)["parent"]
    assert (verdict.outcome, verdict.seq) == ("failed", drafted)
    assert "It is not what was taken over: line: " in verdict.why

    def with_another_nonce(envelope: Envelope) -> Envelope:
        is_first = isinstance(envelope.event, SeatTaken) and envelope.event.seat == 1
        return replace(envelope, event=SeatTaken(seat=1, nonce="mine")) if is_first else envelope

    rewrite(ledger, tamper, child.id, with_another_nonce)
    verdict = audited(ledger, child.id)["parent"]
    assert (
        verdict.seq,
        "Seat 1 has nonce 'mine', the match it was forked from has nonce \"a's share\"" in verdict.why,
    ) == (
        2,
        True,
    )


@pytest.mark.parametrize("left", [2, 5])
def test_a_fork_cut_off_within_what_it_took_over(
    ledger: LocalLedger, tamper: Callable[..., None], family: Sequence[Live], left: int
) -> None:
    """The first event that is missing is named, as wherever something was cut off."""
    tamper("DELETE FROM event WHERE match_id = ? AND seq > ?", family[1].id, left)
    verdict = audited(ledger, family[1].id)["parent"]
    assert (verdict.outcome, verdict.seq) == ("failed", left + 1)
    assert "events of play were to be taken over" in verdict.why


def test_a_parent_that_is_not_here_or_not_far_enough(
    ledger: LocalLedger, tamper: Callable[..., None], family: Sequence[Live], tmp_path: Path
) -> None:
    parent, child = family
    step = parent.head.step - 1
    (tmp_path / "child.jsonl").write_bytes(write_jsonl(from_store(ledger.store, child.id)))
    with open_store(str(tmp_path / "other.db")) as store:
        other = make_ledger(store)
        import_evidence(other, read_evidence(tmp_path / "child.jsonl")[0])
        verdict = audited(other, child.id)["parent"]
        assert (verdict.outcome, verdict.why) == (
            "skipped",
            f"match {parent.id}, which it was forked from, is not in this ledger",
        )
        assert audited(other, child.id).findings == []
    tamper("DELETE FROM event WHERE match_id = ? AND seq > 8", parent.id)
    verdict = audited(ledger, child.id)["parent"]
    assert (verdict.outcome, verdict.why.endswith(f" here, before step {step}")) == ("skipped", True)


def test_a_parent_that_does_not_read(ledger: LocalLedger, tamper: Callable[..., None], family: Sequence[Live]) -> None:
    parent, child = family
    tamper("UPDATE event SET data = ? WHERE match_id = ? AND seq = 5", b"junk", parent.id)
    verdict = audited(ledger, child.id)["parent"]
    assert (verdict.outcome, "cannot be read up to step" in verdict.why) == ("skipped", True)
    with pytest.raises((Damaged, Refused)):
        fork(ledger, load(ledger, parent.id), 5)
