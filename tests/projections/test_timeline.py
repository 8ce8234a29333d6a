"""The timeline as values: which steps are in effect after a story of moves, undoing and redoing."""

import pytest

from events.azul import StartDrawn
from events.codec import Fact
from events.core import Event
from events.dispute import DisputeWithdrawn
from events.match import SeatTaken, StepRedone, StepUndone
from projections.timeline import Timeline, effective, is_play, resolve


def told(story: str) -> list[Fact[Event]]:
    """`4 5 -5 +5 d`: steps of play, step 5 undone and redone, and a fact about the match."""
    facts: list[Fact[Event]] = [Fact(1, SeatTaken(seat=1))]
    for word in story.split():
        step = facts[-1].step + 1
        if word[0] == "-":
            facts.append(Fact(step, StepUndone(step=int(word[1:]))))
        elif word[0] == "+":
            facts.append(Fact(step, StepRedone(step=int(word[1:]))))
        elif word == "d":
            facts.append(Fact(step, DisputeWithdrawn(number=1, seat=1)))
        else:
            facts.append(Fact(int(word), StartDrawn(seat=int(word))))
    return facts


@pytest.mark.parametrize(
    "story, done, undone",
    [
        ("", (), ()),
        ("4 5 6", (4, 5, 6), ()),
        ("4 4 5 5 5", (4, 5), ()),
        ("4 5 -5", (4,), (5,)),
        ("4 5 -5 d", (4,), (5,)),
        ("4 5 6 -6 -5", (4,), (6, 5)),
        ("4 5 6 -6 -5 +5", (4, 5), (6,)),
        ("4 5 6 -6 -5 +5 +6", (4, 5, 6), ()),
        ("4 5 -5 9", (4, 9), ()),
        ("4 5 -5 9 +5", (4, 9), ()),
        ("4 5 -7", (4, 5), ()),
        ("-4", (), ()),
        ("4 5 +4", (4, 5), ()),
        ("4 5 -5 +4", (4,), (5,)),
        ("4 5 -5 -5", (4,), (5,)),
        ("4 5 6 -5", (4, 6), (5,)),
    ],
)
def test_what_is_in_effect(story: str, done: tuple[int, ...], undone: tuple[int, ...]) -> None:
    facts = told(story)
    assert resolve(facts) == Timeline(done, undone)
    kept = effective(facts)
    assert [fact for fact in kept if is_play(fact)] == [f for f in facts if is_play(f) and f.step in done]
    assert [fact for fact in kept if not is_play(fact)] == [fact for fact in facts if not is_play(fact)]
