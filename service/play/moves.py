"""Moves as people type them: read, completed where something is left out, or refused with a hint."""

from collections.abc import Callable, Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from events.core import CHANCE, Seat
from projections.words import count, joined
from service.errors import Conflict, IllegalAction, Refused, UsageError
from service.games.core import Action, Outcome
from service.games.notation import Malformed, Notation
from service.play import chance
from service.play.appending import ANY_HEAD, Call, Decided, carry_out, check_seat, refuse_unplayable
from service.play.bots import is_bot, let_bots_move
from service.play.history import History, Live
from service.play.ledger import LocalLedger
from service.play.matches import acted, dealt
from service.play.replay import load
from service.play.undo import decide_answer, decide_redo, decide_undo
from service.store.shapes import Appended

NEAR_MISSES = 6
_LONGEST_MOVE: Final = 60
"""Characters of a wrong move that are compared with the right ones; no move has more."""
_READ: Final = 4096
"""How many parsed moves are cached: the same ones are written again and again."""


# -------------------------------------------------------------------------------------------------------- reading moves


def legal_moves(live: History, seat: Seat) -> dict[str, Action]:
    """Every legal action of a seat by its notation."""
    return {live.game.notation.write(action): action for action in live.game.rules.legal(live.table.state, seat)}


def to_move(live: History) -> str:
    """Whose turn it is, in words: `Ann (seat 1) and Ben (seat 2)`; empty where it is nobody's."""
    return joined([f"{live.names[seat]} (seat {seat})" for seat in live.game.projection.to_act(live.table.state)])


def seat_to_act(live: History, seat: Seat | None = None) -> Seat:
    """The seat a move is for: the one named, or the one whose turn it is when there is only one."""
    if seat is not None:
        check_seat(live.opened, seat)
        return seat
    seats = live.game.projection.to_act(live.table.state)
    if len(seats) > 1:
        listed = ", ".join(f"{number} ({live.names[number]})" for number in seats)
        raise Refused("match/which-seat", f"Several seats may act now; say which: {listed}.")
    return seats[0] if seats else 1


def read_move(live: History, seat: Seat, text: str) -> Action:
    """The action a text stands for; if it cannot be read or is not legal now, the refusal lists near misses."""
    try:
        action = _read(live.game.notation, text)
        if live.game.projection.to_act(live.table.state):
            live.game.rules.decide(live.table.state, seat, action)
    except (Malformed, IllegalAction) as refusal:
        refusal.hint = _instead(live, seat, text)
        raise
    return action


def _read(notation: Notation, text: str) -> Action:
    return _remembered(notation.read, text) if len(text) <= _LONGEST_MOVE else notation.read(text)


@lru_cache(_READ)
def _remembered(read: Callable[[str], Action], text: str) -> Action:
    return read(text)


def _instead(live: History, seat: Seat, text: str) -> str:
    """What could be done instead: near misses, some legal moves if nothing is near, or whose turn it is."""
    seats = live.game.projection.to_act(live.table.state)
    if seats and seat not in seats:
        return f"To move: {to_move(live)}."
    if near := near_misses(live, seat, text):
        return f"Legal and near: {'  '.join(near)}"
    moves = list(legal_moves(live, seat))
    spread = moves[:: max(1, len(moves) // NEAR_MISSES)][:NEAR_MISSES]
    return f"Legal, for example: {'  '.join(spread)}  ({count(len(moves), 'move')} in all)" if moves else ""


def near_misses(live: History, seat: Seat, text: str) -> list[str]:
    """The legal moves most like a text, those that begin like it first; none if nothing is like it."""
    try:
        wanted = live.game.notation.write(live.game.notation.read(text))
    except (Malformed, IllegalAction):
        wanted = "".join(text.split()).upper()
    wanted = wanted[:_LONGEST_MOVE]

    def likeness(move: str) -> float:
        pairs = enumerate(zip(move, wanted, strict=False))
        shared = next((index for index, (one, other) in pairs if one != other), min(len(move), len(wanted)))
        return shared + SequenceMatcher(None, move, wanted).ratio()

    likely = [move for move in legal_moves(live, seat) if likeness(move) > 0]
    return sorted(likely, key=likeness, reverse=True)[:NEAR_MISSES]


# --------------------------------------------------------------------------------------------------- moving and dealing


def move(ledger: LocalLedger, live: Live, seat: Seat | None, text: str, call: Call = ANY_HEAD) -> Appended:
    """Make the move a text stands for; without a seat, for whoever's turn it is."""

    def decide(at: object) -> Decided:
        actor = seat_to_act(live, seat)
        try:
            return acted(ledger, live, actor, _read(live.game.notation, text))
        except (Malformed, IllegalAction) as refusal:
            refusal.hint = _instead(live, actor, text)
            raise

    return carry_out(ledger, live, call, ("move", seat, text), refuse_unplayable, decide)


def deal(ledger: LocalLedger, live: Live, text: str | None = None, call: Call = ANY_HEAD) -> Appended:
    """Let chance answer: by itself, or with what a text says was drawn at a real table."""

    def decide(at: object) -> Decided:
        try:
            return dealt(ledger, live, _read_outcome(live, text))
        except (UsageError, Refused) as refusal:
            refusal.hint = "" if "such as" in refusal.message else _about_dealing(live)
            raise

    return carry_out(ledger, live, call, ("deal", text), refuse_unplayable, decide)


def _read_outcome(live: History, text: str | None) -> Outcome | None:
    request = live.game.rules.request(live.table.state)
    if text is None or request is None:
        return None
    if live.table.opened.chance != "recorded":
        return Outcome(drawn=())  # whatever was meant, it is refused: nobody tells this chance what to draw
    return live.game.notation.read_outcome(text, live.table.state, request)


def _about_dealing(live: History) -> str:
    if example := outcome_example(live):
        return f"Such as: {example}"
    seats = live.game.projection.to_act(live.table.state)
    return f"To move: {joined([live.names[seat] for seat in seats])}; `legal` lists the moves." if seats else ""


def outcome_example(live: History) -> str:
    """Something chance could answer now, as a person would enter it; empty unless it is for people to say."""
    request = live.game.rules.request(live.table.state)
    if request is None or live.table.opened.chance != "recorded":
        return ""
    return live.game.notation.write_outcome(request, chance.answer(b"an example", b"", live.table.draws, request))


# ---------------------------------------------------------------------------------------------------------- taking back


def take_back(
    ledger: LocalLedger, live: Live, seat: Seat | None = None, steps: int | None = None, call: Call = ANY_HEAD
) -> Appended:
    """Undo steps: without a number, the last move of a person with the bots' replies to it; for whoever made it."""

    def decide(at: object) -> Decided:
        number = undo_depth(live) if steps is None else steps
        return Decided([decide_undo(live, seat_to_take_back(live, number) if seat is None else seat, number)])

    return carry_out(ledger, live, call, ("take back", seat, steps), refuse_unplayable, decide)


def play_again(
    ledger: LocalLedger, live: Live, seat: Seat | None = None, steps: int | None = None, call: Call = ANY_HEAD
) -> Appended:
    """Redo steps: without a number, one and the bots' replies that followed it; for whoever made it."""

    def decide(at: object) -> Decided:
        number = redo_depth(live) if steps is None else steps
        return Decided([decide_redo(live, seat_to_play_again(live) if seat is None else seat, number)])

    return carry_out(ledger, live, call, ("play again", seat, steps), refuse_unplayable, decide)


def answer_undo(ledger: LocalLedger, live: Live, seat: Seat | None, accepts: bool, call: Call = ANY_HEAD) -> Appended:
    """Accept or decline the open request; without a seat, for the only one that has not answered."""

    def decide(at: object) -> Decided:
        return Decided([decide_answer(live, seat_to_answer(live) if seat is None else seat, accepts)])

    return carry_out(ledger, live, call, ("answer undo", seat, accepts), refuse_unplayable, decide)


def seat_to_answer(live: History) -> Seat:
    """The only seat that has still to answer the open undo request."""
    waiting = seats_to_answer(live)
    if len(waiting) > 1:
        listed = ", ".join(f"{number} ({live.names[number]})" for number in waiting)
        raise Refused("undo/which-seat", f"Several seats have not answered; say which: {listed}.")
    return (*waiting, 1)[0]


def seats_to_answer(live: History) -> list[Seat]:
    """Who has still to answer the open undo request."""
    request = live.table.request
    if request is None:
        return []
    seats = range(1, live.opened.seats + 1)
    return [seat for seat in seats if seat != request.seat and seat not in request.accepted]


def undo_depth(live: History) -> int:
    """How many steps to undo so that a person decides again."""
    done = live.timeline.done
    for depth, step in enumerate(reversed(done), start=1):
        actor = live.actor_of(step)
        if isinstance(actor, int) and is_bot(live, actor):
            continue
        if depth > 1 and depth == len(done) and actor == CHANCE:
            raise Refused("undo/nothing", "Only bots have moved so far; there is no move of yours to undo.")
        return depth
    return 1


def redo_depth(live: History) -> int:
    """How many steps to redo so that a person decides again."""
    depth = 1
    for step in live.timeline.undone[-2::-1]:
        actor = live.actor_of(step)
        if not (isinstance(actor, int) and is_bot(live, actor)):
            break
        depth += 1
    return depth


def seat_to_take_back(live: History, steps: int | None) -> Seat:
    """Whose step is the first that an undo would take back; without a number, the last move of a person."""
    number = undo_depth(live) if steps is None else steps
    return _actor(live, live.timeline.done[-number:][:1])


def seat_to_play_again(live: History) -> Seat:
    """Whose step is the first that a redo would bring back."""
    return _actor(live, live.timeline.undone[-1:])


def _actor(live: History, steps: Iterable[int]) -> Seat:
    return next((actor for step in steps if isinstance(actor := live.actor_of(step), int)), 1)


# ------------------------------------------------------------------------------------------------------------- replying


def replied(ledger: LocalLedger, live: Live, appended: Appended | None = None) -> Live:
    """The match after the bots have replied. If another process was faster, the match as that one left it."""
    if appended is not None and appended.repeated:
        live = load(ledger, live.id)  # the first outcome may be newer than what was loaded
    try:
        let_bots_move(ledger, live)
    except Conflict:
        return load(ledger, live.id)
    return live
