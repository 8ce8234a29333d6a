"""Every class of tampering, tried on whole matches, with or without a chain made to fit again."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

import msgspec

from events.chain import Row
from events.codec import Undecodable, decode, encode
from events.core import Envelope
from service.audit import Report, audit
from service.play.evidence import Evidence
from tests.audit.matches import envelopes_of, rehashed, renumbered, restepped
from tests.signing import KEY, STRANGER, sign_head

Path = tuple[str | int, ...]


class Mutation(NamedTuple):
    """One way to tamper with a match."""

    kind: str
    what: str
    """The exact thing that was done, for a failing test to say."""
    seq: int
    """The first event that is not as it was."""
    is_rehashed: bool
    make: Callable[[], Evidence]
    """The tampered match; made only when it is wanted."""


class Judged(NamedTuple):
    """What the audit made of it."""

    mutation: Mutation
    report: Report
    by_meaning: int
    """The first event that any check but the chain and the signature names; 0 when they see nothing."""

    @property
    def is_caught(self) -> bool:
        return not self.report.is_clean

    @property
    def named(self) -> str:
        """How well the meaning alone, without chain and signature, led to the event."""
        if not self.by_meaning:
            return "unseen"
        if self.by_meaning == self.mutation.seq:
            return "exactly"
        return "later" if self.by_meaning > self.mutation.seq else "earlier"


def judge(mutation: Mutation) -> Judged:
    """Audit a tampered match as somebody would who knows the key."""
    report = audit(mutation.make(), [KEY.public])
    seqs = [verdict.seq for verdict in report.findings if verdict.check not in ("chain", "signature") and verdict.seq]
    return Judged(mutation, report, min(seqs, default=0))


def mutations(evidence: Evidence, other: Evidence, rng: Random, per_kind: int | None = None) -> Iterator[Mutation]:
    """Every class of tampering on one match; `other` is another match of the same game to take events from."""
    places = range(1, evidence.count + 1)
    for place_by_place in (_changes, _drops, _inserts, _duplicates, _swaps, _truncations):
        some = places if per_kind is None else sorted(rng.sample(places, min(evidence.count, 3 * per_kind)))
        yield from _sample(list(place_by_place(evidence, other, rng, some)), rng, per_kind)
    for source in (_seats, _deals, _scores, _results, _signatures, _splices):
        yield from _sample(list(source(evidence, other, rng)), rng, per_kind)


def _sample(found: list[Mutation], rng: Random, most: int | None) -> list[Mutation]:
    return found if most is None or len(found) <= most else rng.sample(found, most)


def _both(kind: str, what: str, seq: int, evidence: Evidence, datas: list[bytes]) -> Iterator[Mutation]:
    """With the hashes as they were stored, and with every hash made to fit."""
    hashes = [row.hash for row in evidence.rows] + [b"\0" * 32] * max(0, len(datas) - len(evidence.rows))

    def with_old_hashes() -> Evidence:
        rows = [Row(number, data, hashes[number - 1]) for number, data in enumerate(datas, start=1)]
        return rehashed(evidence, datas, rows=rows, head=evidence.head)

    yield Mutation(kind, what, seq, False, with_old_hashes)
    yield Mutation(kind, what, seq, True, partial(rehashed, evidence, datas))


def _datas(evidence: Evidence) -> list[bytes]:
    return [row.data for row in evidence.rows]


# --------------------------------------------------------------------------------------------------- changes of a field


def _changes(evidence: Evidence, other: Evidence, rng: Random, places: Sequence[int]) -> Iterator[Mutation]:
    datas = _datas(evidence)
    for seq in places:
        data = datas[seq - 1]
        value = json.loads(data)
        for path, leaf in _leaves(value):
            if path[-1] == "type":
                continue
            for changed in _altered(leaf, rng):
                mutated = _canonical(_with(value, path, changed))
                if mutated != data:
                    where = ".".join(map(str, path))
                    what = f"event {seq}: {where} from {leaf!r} to {changed!r}"
                    changed_datas = [*datas[: seq - 1], mutated, *datas[seq:]]
                    yield from _both(f"change {_field(path)}", what, seq, evidence, changed_datas)


def _field(path: Path) -> str:
    return ".".join(str(part) for part in path if isinstance(part, str))


def _leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _leaves(part, (*path, key))
    elif isinstance(value, list):
        if value:
            yield path, value
        for index, part in enumerate(value):
            yield from _leaves(part, (*path, index))
    else:
        yield path, value


def _altered(leaf: Any, rng: Random) -> list[Any]:
    if isinstance(leaf, bool):
        return [not leaf]
    if isinstance(leaf, int):
        return [leaf + 1, leaf - 1 if rng.random() < 0.5 else leaf + rng.choice([7, -9, 10**12])]
    if isinstance(leaf, str):
        swapped = "".join(rng.sample(leaf, len(leaf)))
        return [swapped if swapped != leaf else leaf + "x"]
    if isinstance(leaf, list):
        return [leaf[:-1], leaf[::-1], [*leaf, leaf[0]]]
    return ["x"]


def _with(value: Any, path: Path, leaf: Any) -> Any:
    if not path:
        return leaf
    changed: Any = dict(value) if isinstance(value, dict) else list(value)
    changed[path[0]] = _with(value[path[0]], path[1:], leaf)
    return changed


def _canonical(value: Any) -> bytes:
    """As a skilled forger writes it: canonical if it reads at all."""
    data = msgspec.json.encode(value)
    try:
        return encode(decode(data))
    except Undecodable:
        return data


# ------------------------------------------------------------------------------------------------- events as a whole


def _drops(evidence: Evidence, other: Evidence, rng: Random, places: Sequence[int]) -> Iterator[Mutation]:
    envelopes, rows = envelopes_of(evidence), list(evidence.rows)
    for seq in (place for place in places if place < len(rows)):
        left = [*rows[: seq - 1], *rows[seq:]]
        as_it_was = {"count": evidence.count, "head": evidence.head}
        yield Mutation("drop", f"row {seq}", seq, False, partial(rehashed, evidence, [], rows=left, **as_it_was))
        kept = [*envelopes[: seq - 1], *envelopes[seq:]]
        yield Mutation("drop", f"event {seq}, renumbered", seq, True, partial(rehashed, evidence, renumbered(kept)))
        yield Mutation(
            "drop", f"event {seq}, steps renumbered", seq, True, partial(rehashed, evidence, restepped(kept))
        )


def _inserts(evidence: Evidence, other: Evidence, rng: Random, places: Sequence[int]) -> Iterator[Mutation]:
    envelopes, pool = envelopes_of(evidence), envelopes_of(other)[1:]
    for seq in (place for place in places if place > 1):
        stray, before = rng.choice(pool), envelopes[seq - 2]
        stranger = Envelope(evidence.match, seq, before.step, before.at, stray.actor, stray.event)
        if stranger.event == envelopes[seq - 1].event:
            continue
        datas = renumbered([*envelopes[: seq - 1], stranger, *envelopes[seq - 1 :]])
        yield from _both("insert", f"{stray.event} before event {seq}", seq, evidence, datas)
        own = Envelope(evidence.match, seq, 10_000, before.at, stray.actor, stray.event)
        datas = restepped([*envelopes[: seq - 1], own, *envelopes[seq - 1 :]])
        yield Mutation(
            "insert", f"a step with {stray.event} before {seq}", seq, True, partial(rehashed, evidence, datas)
        )


def _duplicates(evidence: Evidence, other: Evidence, rng: Random, places: Sequence[int]) -> Iterator[Mutation]:
    envelopes = envelopes_of(evidence)
    for seq in places:
        datas = renumbered([*envelopes[:seq], envelopes[seq - 1], *envelopes[seq:]])
        yield from _both("duplicate", f"event {seq}", seq + 1, evidence, datas)


def _swaps(evidence: Evidence, other: Evidence, rng: Random, places: Sequence[int]) -> Iterator[Mutation]:
    envelopes = envelopes_of(evidence)
    for seq in (place for place in places if place < len(envelopes)):
        one, two = envelopes[seq - 1], envelopes[seq]
        if one.event == two.event and one.actor == two.actor:
            continue
        # The contents trade places; step and time stay where they were, as a careful forger would have it.
        first = Envelope(one.match, one.seq, one.step, one.at, two.actor, two.event)
        second = Envelope(two.match, two.seq, two.step, two.at, one.actor, one.event)
        datas = renumbered([*envelopes[: seq - 1], first, second, *envelopes[seq + 1 :]])
        yield from _both("swap", f"events {seq} and {seq + 1}", seq, evidence, datas)


def _truncations(evidence: Evidence, other: Evidence, rng: Random, places: Sequence[int]) -> Iterator[Mutation]:
    datas = _datas(evidence)
    for length in (place for place in places if place < len(datas)):
        rows = list(evidence.rows[:length])
        cut = partial(rehashed, evidence, [], rows=rows, count=evidence.count, head=evidence.head)
        yield Mutation("truncate", f"to {length}, head as it was", length + 1, False, cut)
        yield Mutation(
            "truncate", f"to {length}, head moved", length + 1, True, partial(rehashed, evidence, datas[:length])
        )


def _seats(evidence: Evidence, other: Evidence, rng: Random) -> Iterator[Mutation]:
    """Two players trade places in every event, or in one."""
    values = [json.loads(data) for data in _datas(evidence)]
    names = {"seat", "actor", "next", "starter", "first"}

    def traded(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: traded(part, name) for name, part in value.items()}
        if isinstance(value, list):
            return [traded(part, key) for part in value]
        return {1: 2, 2: 1}.get(value, value) if key in names and isinstance(value, int) else value

    everywhere = [_canonical(traded(value)) for value in values]
    first = next((seq for seq, (a, b) in enumerate(zip(everywhere, _datas(evidence), strict=True), 1) if a != b), 0)
    if first:
        yield from _both("reorder seats", "1 and 2 everywhere", first, evidence, everywhere)
    for seq in range(1, len(values) + 1):
        if everywhere[seq - 1] != evidence.rows[seq - 1].data:
            datas = [*_datas(evidence)[: seq - 1], everywhere[seq - 1], *_datas(evidence)[seq:]]
            yield from _both("reorder seats", f"1 and 2 in event {seq}", seq, evidence, datas)


# ------------------------------------------------------------------------------- what a cheat would be interested in


def _deals(evidence: Evidence, other: Evidence, rng: Random) -> Iterator[Mutation]:
    """Two pieces of what chance drew trade places, or one becomes another."""
    datas = _datas(evidence)
    for seq, envelope in enumerate(envelopes_of(evidence), start=1):
        if not envelope.event.by_chance:
            continue
        value = json.loads(datas[seq - 1])
        numbers = [
            (path, leaf)
            for path, leaf in _leaves(value)
            if path[0] == "event" and isinstance(leaf, int) and path[1] not in ("round", "starter", "next", "scores")
        ]
        for path, leaf in rng.sample(numbers, min(4, len(numbers))):
            others = [value for _, value in numbers if value != leaf] or [leaf + 1]
            mutated = _canonical(_with(value, path, rng.choice(others)))
            yield from _both("alter a deal", f"event {seq}: {path}", seq, evidence, _replaced(datas, seq, mutated))
        pairs = [(one, two) for one in numbers for two in numbers if one[1] < two[1]]
        if pairs:
            (one, first), (two, second) = rng.choice(pairs)
            mutated = _canonical(_with(_with(value, one, second), two, first))
            what = f"event {seq}: {one} and {two} traded"
            yield from _both("alter a deal", what, seq, evidence, _replaced(datas, seq, mutated))


def _scores(evidence: Evidence, other: Evidence, rng: Random) -> Iterator[Mutation]:
    """More points than were made, in one line, with whatever was due said to be as much."""
    datas = _datas(evidence)
    for seq, data in enumerate(datas, start=1):
        value = json.loads(data)
        for index, line in enumerate(value["event"].get("scores", ())):
            for points in (1, -1, rng.randint(2, 9)):
                richer = {**line, "applied": line["applied"] + points, "requested": line["requested"] + points}
                mutated = _canonical(_with(value, ("event", "scores", index), richer))
                what = f"event {seq}, line {index}: {points:+}"
                yield from _both("alter a score line", what, seq, evidence, _replaced(datas, seq, mutated))


def _results(evidence: Evidence, other: Evidence, rng: Random) -> Iterator[Mutation]:
    """Another winner: in the closing, in the fact that ended the game, or in both."""
    datas, both, first = _datas(evidence), _datas(evidence), 0
    for seq, data in enumerate(datas, start=1):
        value = json.loads(data)
        places = value["event"].get("standings")
        if not places:
            continue
        first = first or seq
        for what, changed in (
            ("ranks turned around", [{**place, "rank": len(places) + 1 - place["rank"]} for place in places]),
            ("one point more", [{**places[0], "score": places[0]["score"] + 1}, *places[1:]]),
            ("a tie-break more", [*places[:-1], {**places[-1], "tiebreak": places[-1].get("tiebreak", 0) + 1}]),
            ("somebody left out", places[:-1]),
        ):
            mutated = _canonical(_with(value, ("event", "standings"), changed))
            if mutated != data:
                yield from _both(
                    "alter the result", f"event {seq}: {what}", seq, evidence, _replaced(datas, seq, mutated)
                )
        richer = [{**place, "score": place["score"] + 3} for place in places]
        both[seq - 1] = _canonical(_with(value, ("event", "standings"), richer))
    if first:
        yield from _both("alter the result", "three points more, everywhere", first, evidence, both)


def _replaced(datas: list[bytes], seq: int, data: bytes) -> list[bytes]:
    return [*datas[: seq - 1], data, *datas[seq:]]


# ----------------------------------------------------------------------------------------------- signatures and splices


def _signatures(evidence: Evidence, other: Evidence, rng: Random) -> Iterator[Mutation]:
    """Signatures that are somebody else's, of something else, or of nothing."""
    good = sign_head(KEY, evidence.match, evidence.count, evidence.head)
    datas = _datas(evidence)
    flipped = good.signature[:10] + ("0" if good.signature[10] != "0" else "1") + good.signature[11:]
    for what, signature in (
        ("by a stranger", sign_head(STRANGER, evidence.match, evidence.count, evidence.head)),
        ("one digit changed", msgspec.structs.replace(good, signature=flipped)),
        ("cut off", msgspec.structs.replace(good, signature=good.signature[:-2])),
        ("no hexadecimal", msgspec.structs.replace(good, signature="not a signature")),
        ("a stranger's under our key", msgspec.structs.replace(
            sign_head(STRANGER, evidence.match, evidence.count, evidence.head), key=KEY.public)),
        ("of another match", sign_head(KEY, other.match, other.count, other.head)),
        ("of another head", sign_head(KEY, evidence.match, evidence.count, other.head)),
        ("of more events", sign_head(KEY, evidence.match, evidence.count + 1, evidence.head)),
        ("of no events", sign_head(KEY, evidence.match, 0, evidence.head)),
        ("of minus one", sign_head(KEY, evidence.match, -1, evidence.head)),
    ):  # fmt: skip
        yield Mutation(
            "replace the signature", what, 0, True, partial(rehashed, evidence, datas, signatures=[signature])
        )


def _splices(evidence: Evidence, other: Evidence, rng: Random) -> Iterator[Mutation]:
    """The beginning of one match and the end of another."""
    mine, theirs = envelopes_of(evidence), envelopes_of(other)
    for cut in rng.sample(range(2, len(mine)), min(12, len(mine) - 2)):
        place = min(cut, len(theirs) - 1)
        tail = theirs[place:]
        strangers = (n for n, e in enumerate(tail, cut + 1) if n > len(mine) or not _is_in_place(e, mine[n - 1]))
        first = next(strangers, 0)
        if not first:
            continue
        if all(_same(a, b) for a, b in zip(mine[1:cut], theirs[1:cut], strict=True)):
            first = 1  # nothing but the opening is ours: it is the one that does not fit
        yield Mutation("splice", f"{cut} of ours, names left", min(first, cut + 1), True,
                       partial(rehashed, evidence, renumbered([*mine[:cut], *tail])))  # fmt: skip
        renamed = [Envelope(evidence.match, e.seq, e.step, e.at, e.actor, e.event) for e in tail]
        yield Mutation("splice", f"{cut} of ours, renamed", first, True,
                       partial(rehashed, evidence, restepped([*mine[:cut], *renamed])))  # fmt: skip


def _same(one: Envelope, two: Envelope) -> bool:
    return (one.actor, one.event) == (two.actor, two.event)


def _is_in_place(one: Envelope, two: Envelope) -> bool:
    return _same(one, two) and one.at == two.at
