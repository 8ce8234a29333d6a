"""Undo and redo: exactly what each policy allows, and nothing ever lost."""

import json
from collections.abc import Callable
from hashlib import sha256

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from events.match import StepUndone, UndoRequested
from projections.fold import fold
from service.play.appending import Call
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import act, deal, open_match, resign
from service.play.replay import load
from service.play.undo import answer, redo, undo
from service.store.shapes import Appended, CommandKey
from tests.conftest import THREE, TWO, move
from tests.play.test_matches import refused


class TestStrict:
    """One's own last step, nobody else's, and never past something that was shown."""

    def test_own_last_step(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        live = azul(undo="strict")
        before = load(ledger, live.id).table.state
        seat = move(ledger, live)[0]
        undo(ledger, live, seat)
        assert live.table.state == before
        assert isinstance(live.envelopes[-1].event, StepUndone)

    def test_not_another_seats(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        live = azul(undo="strict")
        seat = move(ledger, live)[0]
        with refused("undo/not-yours"):
            undo(ledger, live, 3 - seat)

    def test_not_a_second_step_back(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        live = azul(undo="strict")
        first, second = move(ledger, live, 2)
        with refused("undo/depth"):
            undo(ledger, live, second, steps=2)
        undo(ledger, live, second)
        with refused("undo/not-yours"):
            undo(ledger, live, second)
        undo(ledger, live, first)
        with refused("undo/nothing"):
            undo(ledger, live, first)

    def test_not_past_a_deal(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        live = azul(undo="strict")
        while live.table.state.round == 1:
            seat = move(ledger, live)[0]
        with refused("undo/revealed"):
            undo(ledger, live, seat)

    def test_the_last_pick_before_a_confirmed_deal(self, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", 2, players=TWO, confirm_reveals=True)
        while live.game.projection.to_act(live.table.state):
            seat = move(ledger, live)[0]
        undo(ledger, live, seat)
        assert live.table.state.phase == "draft"
        redo(ledger, live, seat)
        deal(ledger, live)
        with refused("undo/revealed"):
            undo(ledger, live, seat)

    def test_redo_belongs_to_whose_move_it_was(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        live = azul(undo="strict")
        seat = move(ledger, live)[0]
        after = load(ledger, live.id).table.state
        undo(ledger, live, seat)
        with refused("redo/not-yours"):
            redo(ledger, live, 3 - seat)
        redo(ledger, live, seat)
        assert live.table.state == after
        with refused("redo/nothing"):
            redo(ledger, live, seat)


class TestConsent:
    """Ask, and every other seat answers; then any depth."""

    def asked(self, ledger: LocalLedger, steps: int = 4) -> Live:
        live = open_match(ledger, "azul", 3, players=THREE, undo="consent")
        move(ledger, live, 5)
        undo(ledger, live, 1, steps=steps)
        return live

    def test_all_accept(self, ledger: LocalLedger) -> None:
        live = self.asked(ledger)
        assert isinstance(live.envelopes[-1].event, UndoRequested)
        kept = live.timeline.done[:-4]
        answer(ledger, live, 2, True)
        assert len(live.timeline.done) > len(kept)
        with refused("undo/answered"):
            answer(ledger, live, 2, True)
        answer(ledger, live, 3, True)
        assert live.timeline.done == kept
        assert live.table.request is None

    def test_one_declines(self, ledger: LocalLedger) -> None:
        live = self.asked(ledger)
        done = live.timeline.done
        answer(ledger, live, 2, True)
        answer(ledger, live, 3, False)
        assert live.timeline.done == done
        with refused("undo/no-request"):
            answer(ledger, live, 2, True)

    def test_who_may_answer(self, ledger: LocalLedger) -> None:
        live = self.asked(ledger)
        with refused("undo/own-request"):
            answer(ledger, live, 1, True)
        with refused("undo/pending"):
            undo(ledger, live, 2)
        with refused("match/seat"):
            answer(ledger, live, 4, True)

    def test_a_move_makes_the_request_lapse(self, ledger: LocalLedger) -> None:
        live = self.asked(ledger)
        move(ledger, live)
        with refused("undo/no-request"):
            answer(ledger, live, 2, True)
        assert load(ledger, live.id).table.request is None

    def test_past_a_reveal_too(self, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", 2, players=TWO, undo="consent")
        while live.table.state.round == 1:
            move(ledger, live)
        undo(ledger, live, 1, steps=3)
        answer(ledger, live, 2, True)
        assert live.table.state.round == 1


class TestFree:
    """Anybody, any depth."""

    def test_any_depth_and_back_again(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        live = azul(undo="free")
        opening = load(ledger, live.id).table.state
        move(ledger, live, 30)
        after = load(ledger, live.id).table.state
        undo(ledger, live, 2, steps=30)
        assert live.table.state == opening
        with refused("undo/nothing"):
            undo(ledger, live, 1)
        redo(ledger, live, 1, steps=30)
        assert live.table.state == after
        with refused("redo/nothing"):
            redo(ledger, live, 1, steps=1)

    def test_depths_that_make_no_sense(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        live = azul(undo="free")
        move(ledger, live, 2)
        for steps, code in ((0, "undo/steps"), (-1, "undo/steps"), (3, "undo/nothing")):
            with refused(code):
                undo(ledger, live, 1, steps=steps)

    def test_undo_never_rolls_again(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        """DESIGN section 4: draws are counted along the timeline, so the same moves meet the same tiles."""
        live = azul(undo="free")
        while live.table.state.round == 1:
            before = load(ledger, live.id)
            move(ledger, live)
        dealt = live.envelopes[-1].event
        undo(ledger, live, 1)
        assert live.table == before.table
        move(ledger, live)
        assert live.envelopes[-1].event == dealt


REQUESTS: dict[str, Callable[[LocalLedger, Live, int, Call], Appended]] = {
    "undo": lambda ledger, live, seat, call: undo(ledger, live, seat, call=call),
    "redo": lambda ledger, live, seat, call: redo(ledger, live, seat, call=call),
    "answer": lambda ledger, live, seat, call: answer(ledger, live, seat, True, call=call),
}


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
class TestEveryRequest:
    """What undo, redo and answers have in common."""

    def test_not_before_everybody_sits(self, ledger: LocalLedger, request_: Callable[..., object]) -> None:
        live = open_match(ledger, "azul", 2, players=TWO[:1], undo="free")
        with refused("match/not-started"):
            request_(ledger, live, 1, Call())

    @pytest.mark.parametrize("policy", ["free", "consent"])
    def test_not_once_the_match_is_closed(
        self, ledger: LocalLedger, azul: Callable[..., Live], request_: Callable[..., object], policy: str
    ) -> None:
        live = azul(undo=policy)
        move(ledger, live, 2)
        undo(ledger, live, 1)
        resign(ledger, live, 2)
        with refused("match/closed"):
            request_(ledger, live, 2, Call())

    @pytest.mark.parametrize("seat", [-1, 0, 3])
    def test_only_from_a_seat(
        self, ledger: LocalLedger, azul: Callable[..., Live], request_: Callable[..., object], seat: int
    ) -> None:
        live = azul(undo="free")
        move(ledger, live, 2)
        undo(ledger, live, 1)
        with refused("match/seat"):
            request_(ledger, live, seat, Call())


@pytest.mark.parametrize(
    "verb, words", [("undo", ["undo", 2, 1]), ("redo", ["redo", 2, 1]), ("answer", ["answer", 2, True])]
)
def test_a_command_is_stored_with_what_it_asked_for(ledger: LocalLedger, verb: str, words: list[object]) -> None:
    """Fingerprints are stored: with other ones, no command sent before an upgrade could be repeated after it."""
    live = open_match(ledger, "azul", 2, players=TWO, undo="consent" if verb == "answer" else "free")
    move(ledger, live, 3)
    if verb != "undo":
        undo(ledger, live, 1)
    appended = REQUESTS[verb](ledger, live, 2, Call(command="c1"))
    fingerprint = sha256(json.dumps(words, separators=(",", ":")).encode()).digest()
    earlier = ledger.store.earlier(live.id, CommandKey("c1", fingerprint))
    assert earlier is not None
    assert earlier == replace(appended, repeated=True)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.sampled_from(["move", "move", "move", "undo", "redo"]), max_size=40), seed=st.integers(0, 99))
def test_undo_and_redo_against_a_list_of_positions(ledger: LocalLedger, steps: list[str], seed: int) -> None:
    """Promise 6: undo then redo is the identity; a new move drops the redo; no history is lost."""
    live = open_match(ledger, "azul", 2, players=TWO, undo="free", chance_mode="seeded", seed=seed)
    past = [live.table.state]
    future: list[object] = []
    stored = ledger.store.rows(live.id)
    for word in steps:
        if live.table.closed is not None:
            break
        if word == "move":
            move(ledger, live, seed=len(stored))
            past.append(live.table.state)
            future.clear()
        elif word == "undo" and len(past) > 1:
            undo(ledger, live, 1)
            future.append(past.pop())
        elif word == "redo" and future:
            redo(ledger, live, 1)
            past.append(future.pop())
        rows = ledger.store.rows(live.id)
        assert rows[: len(stored)] == stored, "history was lost"
        stored = rows
        assert live.table.state == past[-1]
        assert fold(live.game.projection, load(ledger, live.id).envelopes).state == past[-1]
        assert len(live.timeline.undone) == len(future)


def test_a_new_move_drops_the_redo_and_keeps_the_undone_step_readable(
    ledger: LocalLedger, azul: Callable[..., Live]
) -> None:
    live = azul(undo="free")
    seat = move(ledger, live)[0]
    step = live.head.step
    undo(ledger, live, seat)
    act(ledger, live, seat, live.game.rules.legal(live.table.state, seat)[-1])
    with refused("redo/nothing"):
        redo(ledger, live, seat)
    assert live.step_entries(step), "the undone step is still there"
