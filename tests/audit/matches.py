"""Whole matches to audit: simulated ones of every shape, and stories with everything that can happen in a match."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from msgspec.structs import replace

from events.chain import Row, link, origin
from events.codec import decode, encode
from events.core import Envelope
from events.match import MatchOpened
from service.bots.core import Forfeit
from service.games.shelf import find_game
from service.play import chance
from service.play.bots import forfeit_move
from service.play.evidence import Evidence, from_store
from service.play.fork import fork
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import abandon, act, deal, open_match, resign
from service.play.players import NewPlayer
from service.play.replay import load
from service.play.simulate import as_append, make_plan, playout
from service.play.undo import answer, redo, undo
from service.store.connect import open_store
from service.trust.keys import Key
from tests import shelf
from tests.conftest import make_ledger
from tests.shelf import Shape
from tests.signing import KEY, STARTED, notary_of, sign_head

TO_THE_END: Final = 10_000
"""More moves than there are: play stops by itself when the match is closed."""


def players(seats: int) -> list[NewPlayer]:
    """People who all add a nonce to the draws."""
    return [player._replace(nonce=f"{player.name}'s share") for player in shelf.players(seats)]


def signed(evidence: Evidence, key: Key = KEY) -> Evidence:
    """The evidence with its head signed."""
    return Evidence(
        source=evidence.source,
        match=evidence.match,
        rows=evidence.rows,
        count=evidence.count,
        head=evidence.head,
        names=evidence.names,
        signatures=[sign_head(key, evidence.match, evidence.count, evidence.head)],
    )


def simulated(shape: Shape, seed: int) -> Evidence:
    """A whole match between random bots, signed."""
    plan = make_plan(shape.game.key, shape.seats, shape.options, ["random"], 0)
    append = as_append(shape.game, plan, seed, playout(shape.game, plan, seed), STARTED)
    return signed(Evidence(append.match, append.match, append.rows, append.head.seq, append.head.hash.hex()))


def envelopes_of(evidence: Evidence) -> list[Envelope]:
    """The events as they read."""
    return [decode(row.data) for row in evidence.rows]


def rehashed(evidence: Evidence, datas: Sequence[bytes], **changes: object) -> Evidence:
    """Evidence with these bytes, every hash and the head made to fit, and the signatures left as they were."""
    opened = decode(evidence.rows[0].data).event
    assert isinstance(opened, MatchOpened)
    if datas:
        try:
            first = decode(datas[0]).event
        except ValueError:
            first = opened
        opened = first if isinstance(first, MatchOpened) else opened
    hash_ = origin(evidence.match, opened.game, opened.ruleset)
    rows = []
    for seq, data in enumerate(datas, start=1):
        hash_ = link(hash_, data)
        rows.append(Row(seq, data, hash_))
    fields = {
        "source": evidence.source,
        "match": evidence.match,
        "rows": rows,
        "count": len(rows),
        "head": hash_.hex(),
        "names": evidence.names,
        "signatures": evidence.signatures,
    }
    return Evidence(**{**fields, **changes})  # type: ignore[arg-type]


def renumbered(envelopes: Sequence[Envelope]) -> list[bytes]:
    """The bytes of these events with their numbers made dense again."""
    return [
        encode(Envelope(envelope.match, seq, envelope.step, envelope.at, envelope.actor, envelope.event))
        for seq, envelope in enumerate(envelopes, start=1)
    ]


def restepped(envelopes: Sequence[Envelope]) -> list[bytes]:
    """As `renumbered`, with the steps dense as well."""
    result, step, last = [], 0, None
    for seq, envelope in enumerate(envelopes, start=1):
        if envelope.step != last:
            step, last = step + 1, envelope.step
        result.append(encode(Envelope(envelope.match, seq, step, envelope.at, envelope.actor, envelope.event)))
    return result


# -------------------------------------------------------------------------------------------------------------- stories


@contextmanager
def signing_ledger() -> Iterator[LocalLedger]:
    """A ledger that signs, in a folder of its own."""
    with TemporaryDirectory(prefix="matchledger-audit-") as folder, open_store(str(Path(folder) / "l.db")) as store:
        plain = make_ledger(store)
        yield LocalLedger(store, plain.clock, plain.new_secret, plain.new_id, notary_of())


def play(ledger: LocalLedger, live: Live, moves: int, rng: Random) -> None:
    """So many random moves, or as many as there are, with deals where they are waited for."""
    for _ in range(moves):
        while live.table.closed is None and (request := live.game.rules.request(live.table.state)) is not None:
            is_recorded = live.table.opened.chance == "recorded"
            deal(ledger, live, chance.answer(rng.randbytes(32), b"", 0, request) if is_recorded else None)
        if live.table.closed is not None:
            return
        seat = rng.choice(list(live.game.projection.to_act(live.table.state)))
        act(ledger, live, seat, rng.choice(list(live.game.rules.legal(live.table.state, seat))))


def last_actor(live: Live) -> int:
    """The seat that moved last."""
    seats = [live.actor_of(step) for step in live.timeline.done]
    return next(seat for seat in reversed(seats) if isinstance(seat, int))


def opened(ledger: LocalLedger, shape: Shape, **keywords: object) -> Live:
    """A full table of the shape."""
    seated = players(shape.seats)
    return open_match(ledger, shape.game.key, shape.seats, options=shape.options, players=seated, **keywords)  # type: ignore[arg-type]


@cache
def usual_length(game: str, seats: int, options: tuple[tuple[str, str], ...]) -> int:
    """How many actions a match of random bots takes."""
    plan = make_plan(game, seats, dict(options), ["random"], 0)
    return playout(find_game(game), plan, 0).actions


def under_way(ledger: LocalLedger, shape: Shape, moves: int, rng: Random, **keywords: object) -> Live:
    """A match after so many moves, or a third of what one usually takes, and not over; luck may take several tries."""
    usual = usual_length(shape.game.key, shape.seats, tuple(shape.options.items()))
    while True:
        live = opened(ledger, shape, **keywords)
        play(ledger, live, min(moves, usual // 3), rng)
        if live.table.closed is None:
            return live


def some_steps(live: Live, most: int, rng: Random) -> int:
    """How many steps to take back: up to so many, and never the first, which may be chance's alone."""
    return rng.randint(1, min(most, len(live.timeline.done) - 1))


def _free(ledger: LocalLedger, shape: Shape, rng: Random) -> Iterator[Live]:
    live = opened(ledger, shape, undo="free")
    for _ in range(6):
        play(ledger, live, rng.randint(1, 8), rng)
        if live.table.closed is not None:
            break
        if len(live.timeline.done) > 1:
            undo(ledger, live, 1, steps=some_steps(live, 5, rng))
        if live.timeline.undone and rng.random() < 0.5:
            redo(ledger, live, 1, steps=rng.randint(1, len(live.timeline.undone)))
    play(ledger, live, TO_THE_END, rng)
    yield live


def _strict(ledger: LocalLedger, shape: Shape, rng: Random) -> Iterator[Live]:
    live = opened(ledger, shape, undo="strict", confirm_reveals=True)
    for _ in range(12):
        play(ledger, live, 1, rng)
        if live.table.closed is not None or not live.timeline.done:
            continue
        step = live.timeline.done[-1]
        seat = live.actor_of(step)
        if isinstance(seat, int) and not any(entry.event.reveals for entry in live.step_entries(step)):
            undo(ledger, live, seat)
            if rng.random() < 0.5:
                redo(ledger, live, seat)
    yield live
    play(ledger, live, TO_THE_END, rng)
    yield live


def _consent(ledger: LocalLedger, shape: Shape, rng: Random) -> Iterator[Live]:
    live = under_way(ledger, shape, 6, rng, undo="consent")
    for accepts in (True, False, True):
        asking = rng.randint(1, shape.seats)
        undo(ledger, live, asking, steps=some_steps(live, 3, rng))
        for seat in range(1, shape.seats + 1):
            if seat != asking and live.table.request is not None:
                answer(ledger, live, seat, accepts or seat % 2 == 1)
        play(ledger, live, 6, rng)
        if live.table.closed is not None:
            break
    if live.timeline.undone:
        actor = live.actor_of(live.timeline.undone[-1])
        redo(ledger, live, actor if isinstance(actor, int) else 1)
    play(ledger, live, TO_THE_END, rng)
    yield live


def _recorded(ledger: LocalLedger, shape: Shape, rng: Random) -> Iterator[Live]:
    live = under_way(ledger, shape, 12, rng, chance_mode="recorded", undo="free")
    undo(ledger, live, 1, steps=some_steps(live, 2, rng))
    yield live
    play(ledger, live, TO_THE_END, rng)
    yield live


def _forks(ledger: LocalLedger, shape: Shape, rng: Random) -> Iterator[Live]:
    parent = under_way(ledger, shape, 14, rng, chance_mode="seeded", seed=rng.randrange(1 << 40), undo="free")
    undo(ledger, parent, 1, steps=some_steps(parent, 2, rng))
    child = fork(ledger, parent, parent.head.step)
    play(ledger, child, 3, rng)
    if child.table.closed is None:
        undo(ledger, child, 1, steps=min(5, len(child.timeline.done) - 1))
    play(ledger, child, TO_THE_END, rng)
    yield child
    grandchild = fork(ledger, child, child.timeline.done[len(child.timeline.done) // 2], chance_mode="same-draws")
    play(ledger, grandchild, TO_THE_END, rng)
    yield grandchild
    resign(ledger, parent, 1)
    yield parent
    middle = len(parent.timeline.done) // 2
    again = fork(ledger, load(ledger, parent.id), parent.timeline.done[middle - 1], chance_mode="same-draws")
    play(ledger, again, TO_THE_END, rng)
    yield again
    by_hand = fork(ledger, load(ledger, parent.id), parent.timeline.done[middle], chance_mode="recorded")
    play(ledger, by_hand, 6, rng)
    yield by_hand
    if by_hand.table.closed is None:
        back = fork(ledger, by_hand, by_hand.head.step, chance_mode="resample")
        play(ledger, back, TO_THE_END, rng)
        yield back


def _early_ends(ledger: LocalLedger, shape: Shape, rng: Random) -> Iterator[Live]:
    live = under_way(ledger, shape, 9, rng)
    resign(ledger, live, last_actor(live))
    yield live
    live = under_way(ledger, shape, 4, rng)
    abandon(ledger, live)
    yield live
    live = open_match(ledger, shape.game.key, shape.seats, options=shape.options, players=players(1))
    yield live
    abandon(ledger, live)
    yield live


def _forfeits(ledger: LocalLedger, shape: Shape, rng: Random) -> Iterator[Live]:
    live = under_way(ledger, shape, 2, rng, undo="free")
    fail(ledger, live, Forfeit("late", "greedy", "more than 5 s"), rng)
    undo(ledger, live, last_actor(live))
    fail(ledger, live, Forfeit("died", "greedy"), rng)
    redone = live.timeline.done
    undo(ledger, live, last_actor(live))
    redo(ledger, live, last_actor(live))
    assert live.timeline.done == redone
    yield live
    fail(ledger, live, Forfeit("illegal", "resignation", '{"index":99}'), rng)
    yield live


def fail(ledger: LocalLedger, live: Live, forfeit: Forfeit, rng: Random) -> None:
    """Let whoever's turn it is forfeit the move, as a program does."""
    forfeit_move(ledger, live, live.game.projection.to_act(live.table.state)[0], forfeit, rng)


STORIES: tuple[Callable[[LocalLedger, Shape, Random], Iterator[Live]], ...] = (
    _free,
    _strict,
    _consent,
    _recorded,
    _forks,
    _early_ends,
    _forfeits,
)


def stories(shape: Shape, seed: int) -> Iterator[tuple[str, Evidence]]:
    """Matches in which much happens besides play, as a ledger has them; of those still open the end is not signed."""
    with signing_ledger() as ledger:
        for tell in STORIES:
            for number, live in enumerate(tell(ledger, shape, Random(f"{shape.id} {seed}"))):
                evidence = from_store(ledger.store, live.id)
                # As an export carries it: what the ledger stated goes with the match.
                said = replace(evidence, signatures=evidence.stated, entries=())
                yield f"{tell.__name__.strip('_')}-{number}", said
