"""A match folded as it grows is at every fact what a fold of all of them is, and no step is gone through twice."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from events.codec import Fact
from events.core import Event
from events.match import MatchOpened, SeatTaken, StepRedone, StepUndone, UndoRequested
from projections.core import Projection
from projections.fold import fold
from projections.running import KEPT, TANGLES, Running, Tangled
from projections.timeline import Steps, resolve
from tests.pebbles import PEBBLES
from tests.pebbles.events import DiceChosen, DiceThrown, HandSpilled

OPENED = MatchOpened("pebbles", "pebbles/1", 2, {"bowl": "40", "dice": "2"}, "free", "recorded")
OPENING: Fact[Event] = Fact(1, OPENED)

seats = st.integers(1, 2)
events = st.one_of(
    st.builds(DiceChosen, seat=seats, dice=seats),
    st.builds(DiceThrown, seat=seats, faces=st.just((2, 3)), taken=st.integers(0, 6)),
    st.builds(HandSpilled, seat=seats, pebbles=st.integers(0, 6), next=seats),
    st.builds(SeatTaken, seat=seats),
    st.builds(UndoRequested, seat=seats, step=st.integers(1, 12)),
    st.builds(StepUndone, step=st.integers(1, 12)),
    st.builds(StepRedone, step=st.integers(1, 12)),
)
facts = st.lists(st.builds(Fact, step=st.integers(1, 12), event=events), max_size=30)


@given(facts)
@settings(max_examples=300)
def test_it_is_a_fold_of_all_facts_whatever_their_order(given_facts: list[Fact[Event]]) -> None:
    running, steps = Running(PEBBLES.projection, OPENED), Steps()
    running.add(OPENING)
    steps.add(OPENING)
    for number, fact in enumerate(given_facts, start=1):
        running.add(fact)
        steps.add(fact)
        assert running.table == fold(PEBBLES.projection, [OPENING, *given_facts[:number]])
        assert steps.timeline == resolve([OPENING, *given_facts[:number]])


@given(st.lists(st.sampled_from(["play", "undo", "redo"]), max_size=60))
def test_it_is_a_fold_of_all_facts_of_an_orderly_match(words: list[str]) -> None:
    running, known = Running(PEBBLES.projection, OPENED), [OPENING]
    running.add(OPENING)
    for step, word in enumerate(words, start=2):
        done, undone = resolve(known)
        if word == "undo" and done:
            known.append(Fact(step, StepUndone(done[-1])))
        elif word == "redo" and undone:
            known.append(Fact(step, StepRedone(undone[-1])))
        else:
            known.append(Fact(step, DiceThrown(1 + step % 2, (2,), step)))
        running.add(known[-1])
        assert running.table == fold(PEBBLES.projection, known)


def counting(counted: Counter[str]) -> Projection:
    """Pebbles with its handlers counted."""

    def counts(handler: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
        def handle(state: Any, event: Any) -> None:
            counted["applied"] += 1
            handler(state, event)

        return handle

    projection = PEBBLES.projection
    return replace(projection, apply={kind: counts(handler) for kind, handler in projection.apply.items()})


def test_taking_back_and_playing_again_costs_what_it_takes_back() -> None:
    counted: Counter[str] = Counter()
    running = Running(counting(counted), OPENED)
    for step in range(1, 101):
        running.add(Fact(step, DiceThrown(1, (2,), 1)))
    for step in range(101, 20_101, 2):
        running.add(Fact(step, StepUndone(100)))
        running.add(Fact(step + 1, StepRedone(100)))
    assert counted["applied"] == 2 * 100 + 10_000


def test_going_back_all_the_way_goes_through_the_match_a_few_times() -> None:
    counted: Counter[str] = Counter()
    running = Running(counting(counted), OPENED)
    length = 4 * KEPT
    for step in range(1, length + 1):
        running.add(Fact(step, DiceThrown(1, (2,), 1)))
    for step in range(length, 0, -1):
        running.add(Fact(2 * length, StepUndone(step)))
    assert running.table.state == PEBBLES.projection.initial(2, OPENED.options)
    assert counted["applied"] == 2 * length + 3 * KEPT + 2 * KEPT + KEPT


def test_undo_out_of_order_is_followed_for_a_while_and_then_no_more() -> None:
    running = Running(PEBBLES.projection, OPENED)
    running.add(OPENING)
    for step in range(1, 2 * TANGLES + 1):
        running.add(Fact(step, DiceThrown(1, (2,), 1)))
    for step in range(1, TANGLES + 1):
        running.add(Fact(1_000, StepUndone(step)))
    with pytest.raises(Tangled, match="100 times"):
        running.add(Fact(1_000, StepUndone(TANGLES + 1)))
