"""Matches with everything a history can hold, made by the use cases themselves and decided by a seed."""

from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

from events.chain import Row, origin
from events.core import Envelope
from events.match import ForfeitReason, MatchOpened
from service.bots.core import Forfeit
from service.errors import Refused
from service.play import chance
from service.play.appending import Entry, compose
from service.play.evidence import Evidence
from service.play.fork import fork
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import abandon, act, deal, join, open_match, resign
from service.play.players import NewPlayer
from service.play.undo import answer, redo, undo
from service.records import read_evidence
from service.store.shapes import Head
from tests.audit.matches import fail
from tests.shelf import Shape

NAMES = ("Ann", 'Ben "the 2nd"; & Co', "Cléo #1", "", "1: Eve {x}")


FAILURES: Final[tuple[ForfeitReason, ...]] = ("died", "late", "nonsense", "illegal")


def wander(ledger: LocalLedger, shape: Shape, seed: int, steps: int = 30) -> Live:
    """A match full of detours: nonces, waiting deals, undo of every policy, redo, forks, resignations."""
    rng = Random(seed)
    live = _open(ledger, shape, rng)
    for _ in range(steps):
        if live.table.closed is not None:
            break
        live = _detour(ledger, live, rng)
        _play(ledger, live, rng)
    if live.table.closed is None and rng.random() < 0.6:
        if rng.random() < 0.5:
            abandon(ledger, live)
        else:
            resign(ledger, live, rng.randint(1, shape.seats))
    return live


def _open(ledger: LocalLedger, shape: Shape, rng: Random) -> Live:
    mode = rng.choice(["fair", "seeded", "recorded"])
    seated = [
        NewPlayer(NAMES[seat], kind=rng.choice(["person", "bot:greedy"]), nonce=rng.choice(["", 'n "o"; & #1 @+1']))
        for seat in range(shape.seats)
    ]
    early = rng.choice([0, shape.seats])
    live = open_match(
        ledger,
        shape.game.key,
        shape.seats,
        options=shape.options,
        undo=rng.choice(["strict", "consent", "free"]),
        chance_mode=mode,
        seed=rng.randrange(1 << 40) if mode == "seeded" else None,
        confirm_reveals=rng.random() < 0.5,
        players=seated[:early],
    )
    for seat in range(early + 1, shape.seats + 1):
        join(ledger, live, seated[seat - 1], seat)
    return live


def _detour(ledger: LocalLedger, live: Live, rng: Random) -> Live:
    seat = rng.randint(1, live.table.opened.seats)
    with suppress(Refused):  # most detours are refused most of the time; that is what makes it wander
        match rng.randrange(8):
            case 0 | 1:
                undo(ledger, live, seat, rng.randint(1, 3))
                redo(ledger, live, seat)
            case 2 if live.timeline.undone:
                redo(ledger, live, seat)
            case 3:
                answer(ledger, live, seat, rng.random() < 0.8)
            case 5 if live.game.projection.to_act(live.table.state) and rng.random() < 0.5:
                fail(ledger, live, Forfeit(rng.choice(FAILURES), "greedy", rng.choice(["", 'n "o"; & {#1} @+1'])), rng)
            case 4 if rng.random() < 0.2:
                return fork(ledger, live, live.head.step, chance_mode=rng.choice(["resample", "recorded"]))
    if live.table.request is not None and rng.random() < 0.7:
        for other in range(1, live.table.opened.seats + 1):
            with suppress(Refused):
                answer(ledger, live, other, rng.random() < 0.8)
    return live


def _play(ledger: LocalLedger, live: Live, rng: Random) -> None:
    request = live.game.rules.request(live.table.state)
    if request is not None:
        drawn = chance.answer(rng.randbytes(32), b"", 0, request)
        deal(ledger, live, drawn if live.table.opened.chance == "recorded" else None)
    elif seats := live.game.projection.to_act(live.table.state):
        seat = rng.choice(list(seats))
        act(ledger, live, seat, rng.choice(list(live.game.rules.legal(live.table.state, seat))))


def reread(evidence_text: str | bytes, folder: Path, **keywords: object) -> Evidence:
    """The one match in this text, read from a file."""
    path = folder / "record"
    path.write_bytes(evidence_text if isinstance(evidence_text, bytes) else evidence_text.encode())
    (evidence,) = read_evidence(path, **keywords)  # type: ignore[arg-type]
    return evidence


def raw_lines(text: str) -> list[str]:
    """The lines that stand as raw events."""
    return [line for line in text.splitlines() if line.startswith("!")]


def as_evidence(match: str, envelopes: list[Envelope]) -> Evidence:
    """Envelopes with a chain that holds, whatever they say."""
    opened = envelopes[0].event
    assert isinstance(opened, MatchOpened)
    steps: dict[int, list[Entry]] = {}
    for envelope in envelopes:
        steps.setdefault(envelope.step, []).append((envelope.actor, envelope.event))
    start = Head(0, 0, origin(match, opened.game, opened.ruleset))
    _, rows, head = compose(match, start, list(steps.values()), envelopes[0].at)
    return Evidence(source=match, match=match, rows=rows, count=head.seq, head=head.hash.hex())


def of_rows(evidence: Evidence, rows: list[Row], **changes: object) -> Evidence:
    """The same evidence with other rows."""
    fields = {name: getattr(evidence, name) for name in evidence.__struct_fields__}
    return Evidence(**{**fields, "rows": rows, **changes})
