"""Forks: a new match from any step of another, with its provenance, and never a look into the future."""

from collections.abc import Callable

import msgspec
import pytest

from events.match import MatchOpened
from service.audit import audit
from service.errors import UsageError
from service.games.core import Outcome
from service.play.evidence import Evidence, from_store
from service.play.fork import fork
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import abandon, act, deal, open_match
from service.play.replay import load
from service.play.undo import undo
from service.store.columns import sound
from tests.audit.matches import envelopes_of
from tests.audit.test_verdicts import failed, find, with_event
from tests.conftest import TWO, finish, move
from tests.play.test_matches import DEAL, refused


def test_a_fork_continues_from_the_step_and_leaves_the_parent_alone(
    ledger: LocalLedger, azul: Callable[..., Live]
) -> None:
    parent = azul()
    move(ledger, parent, 8)
    rows = ledger.store.rows(parent.id)
    step = parent.head.step - 3
    child = fork(ledger, parent, step)
    then = parent.at(f"s{step}")
    assert child.table.state == then.table.state
    origin = child.table.opened.parent
    assert origin is not None
    assert (origin.match, origin.step, origin.draws) == (parent.id, step, 2)
    assert origin.hash == rows[then.envelopes[-1].seq - 1].hash.hex()
    move(ledger, child, 4)
    assert ledger.store.rows(parent.id) == rows
    assert [row.id for row in sound(ledger.store.matches(parent=parent.id))] == [child.id]
    assert load(ledger, child.id).table == child.table


def test_a_fork_from_a_step_that_was_undone_later(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    parent = azul(undo="free")
    move(ledger, parent, 3)
    step, state = parent.head.step, parent.table.state
    undo(ledger, parent, 1, steps=2)
    assert fork(ledger, parent, step).table.state == state
    assert fork(ledger, parent, parent.head.step).table.state == parent.table.state


def test_steps_taken_over_can_be_undone_in_the_fork(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    parent = azul()
    move(ledger, parent, 5)
    child = fork(ledger, parent, parent.head.step)
    undo(ledger, child, 1, steps=5)
    assert child.table.state == parent.at("s4").table.state


def test_the_opening_deal_a_fork_took_over_can_be_undone_and_is_then_dealt_anew(
    ledger: LocalLedger, azul: Callable[..., Live]
) -> None:
    """In a match of its own the opening deal would only come back the same; a fork has another secret."""
    parent = azul(undo="free")
    move(ledger, parent, 5)
    with refused("undo/nothing"):
        undo(ledger, parent, 1, steps=6)
    child = fork(ledger, parent, parent.head.step)
    undo(ledger, child, 1, steps=6)
    assert child.table.state.phase == "start"
    deal(ledger, child)
    assert child.table.state.phase == "draft"
    assert child.table.state.displays != parent.at("s4").table.state.displays


def test_the_same_draws_only_from_a_closed_match(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    parent = azul()
    move(ledger, parent, 3)
    with refused("fork/future"):
        fork(ledger, parent, 5, chance_mode="same-draws")
    finish(ledger, parent)
    child = fork(ledger, parent, 5, chance_mode="same-draws")
    assert child.table.opened.commitment == parent.table.opened.commitment
    for envelope in parent.envelopes:
        seat = envelope.actor
        if envelope.step > 5 and envelope.event.__class__.__name__ == "TilesDrafted" and isinstance(seat, int):
            event = envelope.event
            moves = child.game.rules.legal(child.table.state, seat)
            wanted = (event.source, event.colour, event.line)  # type: ignore[attr-defined]
            same = next(a for a in moves if (a.source, a.colour, a.line) == wanted)  # type: ignore[attr-defined]
            act(ledger, child, seat, same)
    assert child.table.closed is not None
    assert child.table.closed.standings == parent.table.closed.standings  # type: ignore[union-attr]


def played_like(ledger: LocalLedger, child: Live, parent: Live) -> Live:
    """The fork with every later move of its parent made again, as far as the same tiles lie there."""
    origin = child.opened.parent
    assert origin is not None
    for step in parent.timeline.done:
        seat = parent.actor_of(step)
        if step > origin.step and isinstance(seat, int) and child.table.closed is None:
            own = [entry.event for entry in parent.step_entries(step) if entry.actor == seat]
            act(ledger, child, seat, parent.game.notation.recall(parent.table.state, own))
    return child


def test_the_same_draws_of_the_same_draws_are_those_of_the_origin(
    ledger: LocalLedger, azul: Callable[..., Live]
) -> None:
    """However often draws are repeated, they are bound to the match their secret was made for."""
    first = finish(ledger, azul())
    second = played_like(ledger, fork(ledger, first, 5, chance_mode="same-draws"), first)
    third = played_like(ledger, fork(ledger, second, 5, chance_mode="same-draws"), second)
    fourth = played_like(ledger, fork(ledger, third, 5, chance_mode="same-draws"), third)
    for child, parent, origin in ((second, first, ""), (third, second, first.id), (fourth, third, first.id)):
        assert child.opened.parent is not None
        assert (child.opened.parent.match, child.opened.parent.origin) == (parent.id, origin)
        assert child.opened.derivation == 2
        assert [e.event for e in child.envelopes if e.event.by_chance] == [
            e.event for e in first.envelopes if e.event.by_chance
        ]
        assert audit(from_store(ledger.store, child.id)).findings == []


def test_the_same_draws_of_a_resampled_fork_are_bound_to_that_fork(
    ledger: LocalLedger, azul: Callable[..., Live]
) -> None:
    parent = azul()
    move(ledger, parent, 5)
    resampled = finish(ledger, fork(ledger, parent, parent.head.step))
    again = played_like(
        ledger, fork(ledger, resampled, resampled.timeline.done[1], chance_mode="same-draws"), resampled
    )
    assert again.opened.parent is not None
    assert (again.opened.parent.match, again.opened.parent.origin) == (resampled.id, "")
    assert again.table.state == resampled.table.state
    assert audit(from_store(ledger.store, again.id)).findings == []


@pytest.mark.parametrize("mode", ["same-draws", "resample", "recorded"])
def test_a_fork_of_a_seeded_match_draws_as_its_secret_does(
    ledger: LocalLedger, azul: Callable[..., Live], mode: str
) -> None:
    child = fork(ledger, finish(ledger, azul(seed=7)), 5, chance_mode=mode)
    assert child.opened.derivation == {"same-draws": 1, "resample": 2, "recorded": 1}[mode]


def test_an_origin_that_is_not_the_secrets_is_found_out(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    parent = finish(ledger, azul())
    resampled = from_store(ledger.store, finish(ledger, fork(ledger, parent, 5)).id)
    repeated = from_store(ledger.store, finish(ledger, fork(ledger, parent, 5, chance_mode="same-draws")).id)
    for evidence, named in ((resampled, 1), (repeated, 0)):
        _, event = find(evidence, MatchOpened)
        assert isinstance(event, MatchOpened)
        assert event.parent is not None
        claim = msgspec.structs.replace(event, parent=msgspec.structs.replace(event.parent, origin="elsewhere"))
        report = audit(with_event(evidence, 1, claim))
        assert failed(report) == {"draws": named or first_own_draw(evidence)}
        if named:
            why = "It repeats no draws, yet names 'elsewhere' as the match they are from."
            assert report["draws"].why == why


def first_own_draw(evidence: Evidence) -> int:
    """The first draw of a fork that it did not take over."""
    envelopes = envelopes_of(evidence)
    return next(n for n, e in enumerate(envelopes, start=1) if e.event.by_chance and e.at != envelopes[0].at)


def test_resampled_draws_differ(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    parent = azul()
    while parent.table.state.round == 1:
        before = parent.head.step
        move(ledger, parent)
    children = [fork(ledger, parent, before) for _ in range(2)]
    deals = set()
    for child in children:
        move(ledger, child)
        deals.add(child.envelopes[-1].event)
    assert len({str(deal) for deal in deals}) == 2


def test_a_recorded_fork_waits_for_outcomes(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    parent = azul()
    child = fork(ledger, parent, 4, chance_mode="recorded")
    while child.game.projection.to_act(child.table.state):
        move(ledger, child)
    deal(ledger, child, DEAL)
    assert child.table.state.round == 2


def test_what_cannot_be_forked(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    live = open_match(ledger, "azul", 2, players=TWO[:1])
    with refused("fork/not-started"):
        fork(ledger, live, 1)
    parent = azul()
    with refused("replay/step"):
        fork(ledger, parent, 99)
    with pytest.raises(UsageError, match=r"'again' is not .*resample, same-draws, recorded"):
        fork(ledger, parent, 4, chance_mode="again")
    finish(ledger, parent)
    with refused("fork/closed"):
        fork(ledger, parent, parent.head.step)


def test_a_recorded_match_has_no_draws_to_repeat(ledger: LocalLedger) -> None:
    live = open_match(ledger, "azul", 2, players=TWO, chance_mode="recorded", undo="free")
    deal(ledger, live, Outcome((0,)))
    deal(ledger, live, DEAL)
    step = live.head.step
    abandon(ledger, live)
    with refused("fork/recorded"):
        fork(ledger, live, step, chance_mode="same-draws")
