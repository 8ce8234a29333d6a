"""Moves typed by people: read, checked, and when they fail, answered with what was nearly meant."""

from difflib import SequenceMatcher

from events.core import Seat
from service.errors import IllegalAction, Refused
from service.notation.core import Malformed
from service.replay import Live
from service.rules.core import Action

NEAR_MISSES = 6


def legal_moves(live: Live, seat: Seat) -> dict[str, Action]:
    """Every legal action of a seat by its notation."""
    return {live.game.notation.write(action): action for action in live.game.rules.legal(live.table.state, seat)}


def seat_to_act(live: Live, seat: Seat | None = None) -> Seat:
    """The seat a move is for: the one named, or the one whose turn it is when there is only one."""
    if seat is not None:
        return seat
    seats = live.game.projection.to_act(live.table.state)
    if len(seats) > 1:
        listed = ", ".join(f"{number} ({live.names[number]})" for number in seats)
        raise Refused("match/which-seat", f"Several seats may act now; name one with --seat: {listed}.")
    return seats[0] if seats else 1


def read_move(live: Live, seat: Seat, text: str) -> Action:
    """The action a text stands for; if it does not read or is not legal now, the refusal lists near misses."""
    try:
        action = live.game.notation.read(text)
        if live.game.projection.to_act(live.table.state):
            live.game.rules.decide(live.table.state, seat, action)
    except (Malformed, IllegalAction) as refusal:
        near = near_misses(live, seat, text)
        refusal.hint = f"Legal and near: {'  '.join(near)}" if near else ""
        raise
    return action


def near_misses(live: Live, seat: Seat, text: str) -> list[str]:
    """The legal moves most like a text."""
    wanted = "".join(text.split()).upper()

    def likeness(move: str) -> float:
        shared = next((index for index, (a, b) in enumerate(zip(move, wanted, strict=False)) if a != b), len(wanted))
        return shared + SequenceMatcher(None, move, wanted).ratio()

    return sorted(legal_moves(live, seat), key=likeness, reverse=True)[:NEAR_MISSES]
