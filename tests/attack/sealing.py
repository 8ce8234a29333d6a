"""Seals put in the place of events, which have no hashes of their own: other events, other words for them, no block."""

from collections.abc import Iterator, Sequence
from random import Random

import msgspec
import zstandard

from events.block import pack
from events.codec import Undecodable
from service.play.evidence import Evidence
from tests.attack.forging import about, with_events
from tests.attack.hand import Tables, column
from tests.attack.rewriting import mutated
from tests.attack.scene import Attack, Scene


def sealed_over(scene: Scene, rng: Random) -> Iterator[Attack]:
    """A closed match under a seal that does not hold what happened; the head as it was, or made to fit."""
    while True:
        name = rng.choice([name for name in scene.evidence if _is_closed(scene, name)])
        evidence = scene.evidence[name]
        for what, forged, block in (_events_changed(scene, name, rng), _words_changed(evidence, rng)):
            if block is not None:
                tables = _sealed(with_events(scene.tables, forged, fits=rng.random() < 0.5), forged, block)
                yield Attack("sealed", f"{evidence.match}: {what}", tables, evidence.match)
        yield Attack("sealed", f"{evidence.match}: bytes", _spoiled(scene.tables, evidence, rng), evidence.match)


def _is_closed(scene: Scene, name: str) -> bool:
    (row,) = about("match", scene.tables["match"], scene.evidence[name].match)
    return bool(row[column("match", "status")] == "closed")


def _events_changed(scene: Scene, name: str, rng: Random) -> tuple[str, Evidence, bytes | None]:
    evidence = scene.evidence[name]
    mutation = rng.choice([one for fits in (True, False) for one in mutated(scene, name, rng, fits=fits)])
    forged = mutation.make()
    data = [row.data for row in forged.rows]
    is_other = data != [row.data for row in evidence.rows]  # a hash or a number alone is under no seal
    return f"{mutation.kind}: {mutation.what}"[:200], forged, _block(evidence.match, data) if is_other else None


def _words_changed(evidence: Evidence, rng: Random) -> tuple[str, Evidence, bytes | None]:
    """The same events in other bytes, which lead to another head, though they mean the same."""
    columns = msgspec.msgpack.decode(pack(evidence.match, [row.data for row in evidence.rows]))
    place = rng.choice([place for place, event in enumerate(columns[2]) if len(event) > 1])
    columns[2][place] = dict(reversed(columns[2][place].items()))
    return f"event {place + 1} in another order", evidence, msgspec.msgpack.encode(columns)


def _block(match: str, data: Sequence[bytes]) -> bytes:
    try:
        return pack(match, data)
    except (Undecodable, TypeError):
        return b"[" + b",".join(data) + b"]"


def _sealed(tables: Tables, evidence: Evidence, block: bytes, events: int | None = None) -> Tables:
    """The events of a match under a seal of this block instead of as rows."""
    rest = [record for record in tables["event"] if record[0] != evidence.match]
    count = len(evidence.rows) if events is None else events
    seal = (evidence.match, count, None, zstandard.ZstdCompressor().compress(block))
    return {**tables, "event": rest, "seal": [*tables["seal"], seal]}


def _spoiled(tables: Tables, evidence: Evidence, rng: Random) -> Tables:
    """An honest seal with a byte changed, cut off, or counted wrongly."""
    block = pack(evidence.match, [row.data for row in evidence.rows])
    place = rng.randrange(1, len(block))
    match rng.randrange(3):
        case 0:
            block = block[:place] + bytes([block[place] ^ 1 << rng.randrange(8)]) + block[place + 1 :]
        case 1:
            block = block[:place]
        case _:
            return _sealed(tables, evidence, block, len(evidence.rows) + rng.choice([1, -1]))
    return _sealed(tables, evidence, block)
