"""The story of the match around the game: every such event, in every way it can be told."""

from typing import Any, get_args

import pytest

from events.core import Event, ScoreLine, Standing
from events.dispute import (
    AppealDecided,
    DisputeAppealed,
    DisputeEvent,
    DisputeOpened,
    DisputeRuled,
    DisputeWithdrawn,
    ResultFinalised,
)
from events.match import (
    MatchClosed,
    MatchEvent,
    MatchOpened,
    MoveForfeited,
    Provenance,
    SeatResigned,
    SeatTaken,
    StepRedone,
    StepUndone,
    UndoAccepted,
    UndoDeclined,
    UndoRequested,
)
from projections.azul import PROJECTION
from projections.core import Names
from projections.story import sentence

NAMES = Names({1: "Ann", 2: "Ben"})
OPENED: dict[str, Any] = {"game": "azul", "ruleset": "azul/1", "seats": 2, "options": {}, "undo": "strict"}
PARENT = Provenance(match="m1", step=7, hash="", draws=0, chance="resample")
WON = (Standing(2, 1, 30), Standing(1, 2, 20))
SHARED = (Standing(1, 1, 30), Standing(2, 1, 30))
SIGNED: dict[str, Any] = {"arbiter": "Cleo", "key": "", "signature": ""}
GIVEN = (ScoreLine(2, "AZ-46", "ruling", 3, 3), ScoreLine(1, "AZ-46", "ruling", -2, -2))

TOLD: list[tuple[Event, str]] = [
    (
        MatchOpened(**OPENED, chance="fair", commitment="0123456789abcdef"),
        "A match of azul/1 for 2 was opened: strict undo, fair chance committed as 0123456789ab….",
    ),
    (
        MatchOpened(**OPENED, chance="recorded", parent=PARENT),
        "A match of azul/1 for 2 was opened, forked from m1 after step 7: strict undo, recorded chance.",
    ),
    (SeatTaken(seat=1), "Ann took seat 1."),
    (SeatTaken(seat=2, nonce="x"), "Ben took seat 2 and added a nonce to the draws."),
    (StepUndone(step=5), "Step 5 was undone."),
    (StepRedone(step=5), "Step 5 was redone."),
    (UndoRequested(seat=1, step=5), "Ann asked to undo everything from step 5 on."),
    (UndoAccepted(seat=2), "Ben agreed to the undo."),
    (UndoDeclined(seat=2), "Ben declined the undo."),
    (SeatResigned(seat=1), "Ann resigned."),
    (
        MoveForfeited(seat=2, why="late", follows="greedy"),
        "Ben forfeited a move, because its program took too long: greedy moves in its place.",
    ),
    (
        MoveForfeited(seat=2, why="died", follows="resignation", said="Out of memory."),
        "Ben forfeited a move, because its program ended (“Out of memory”): it resigns, as was agreed.",
    ),
    (MatchClosed(reason="finished", standings=WON), "Ben won (Ben 30, Ann 20)."),
    (
        MatchClosed(reason="finished", standings=SHARED, secret="ab"),
        "Ann and Ben share the victory (Ann 30, Ben 30). The secret behind the draws is now public.",
    ),
    (MatchClosed(reason="abandoned"), "The match was abandoned without a result."),
    (
        DisputeOpened(number=1, seat=1, of=1, words="I have more."),
        "Dispute 1: Ann disputed their own total: “I have more”.",
    ),
    (
        DisputeOpened(number=1, seat=1, of=2, words="Less", claim=0),
        "Dispute 1: Ann disputed Ben's total, claiming 0: “Less”.",
    ),
    (DisputeOpened(number=2, seat=1, of=2, words="So", about=9), "Dispute 2: Ann disputed event 9: “So”."),
    (
        DisputeOpened(number=2, seat=1, of=2, words="So", about=9, claim=0),
        "Dispute 2: Ann disputed event 9, claiming ±0 there for Ben: “So”.",
    ),
    (
        DisputeRuled(**SIGNED, number=1, rules=("AZ-46", "AZ-50"), reason="Seen.", scores=GIVEN),
        "Dispute 1: Cleo ruled under AZ-46 and AZ-50: Ben +3 and Ann −2. Reason: “Seen”.",
    ),
    (
        DisputeRuled(**SIGNED, number=1, rules=("AZ-46",), reason="Seen"),
        "Dispute 1: Cleo ruled under AZ-46: no adjustment. Reason: “Seen”.",
    ),
    (DisputeAppealed(number=1, seat=2, words="No."), "Dispute 1: Ben appealed: “No”."),
    (
        AppealDecided(**SIGNED, number=1, upheld=True, rules=("AZ-46",), reason="Right"),
        "Dispute 1: Cleo upheld the ruling under AZ-46. Reason: “Right”.",
    ),
    (
        AppealDecided(**SIGNED, number=1, upheld=False, rules=("AZ-46",), reason="Wrong", scores=GIVEN[:1]),
        "Dispute 1: Cleo overturned the ruling under AZ-46: Ben +3. Reason: “Wrong”.",
    ),
    (DisputeWithdrawn(number=3, seat=1), "Dispute 3: Ann withdrew it."),
    (ResultFinalised(**SIGNED, standings=WON), "Cleo declared the result final: Ben won (Ben 30, Ann 20)."),
]


@pytest.mark.parametrize("event, words", TOLD, ids=lambda value: type(value).__name__)
def test_every_event_of_the_match_is_told(event: Event, words: str) -> None:
    assert sentence(PROJECTION, event, NAMES) == words


def test_none_is_forgotten() -> None:
    assert {type(event) for event, _ in TOLD} == {*get_args(MatchEvent), *get_args(DisputeEvent)}
