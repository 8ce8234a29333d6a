"""What people ask for at a table: read as they type it, with what they leave out filled in, or refused with a hint."""

from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher
from functools import partial

from events.core import CHANCE, Seat
from projections.words import count, joined
from service.errors import Conflict, IllegalAction, NotFound, Refused, UsageError
from service.games.core import Action, Outcome
from service.games.notation import Malformed
from service.play import chance, matches, undo
from service.play.bots import is_bot, let_bots_move
from service.play.ledger import Ledger
from service.play.matches import ANY_HEAD, Call
from service.play.replay import Live, at, load
from service.store.shapes import Appended, Command

NEAR_MISSES = 6
Way = Callable[[], Appended]
"""One way to understand a request, ready to be carried out."""


# -------------------------------------------------------------------------------------------------------- reading moves


def legal_moves(live: Live, seat: Seat) -> dict[str, Action]:
    """Every legal action of a seat by its notation."""
    return {live.game.notation.write(action): action for action in live.game.rules.legal(live.table.state, seat)}


def seat_to_act(live: Live, seat: Seat | None = None) -> Seat:
    """The seat a move is for: the one named, or the one whose turn it is when there is only one."""
    if seat is not None:
        if not 1 <= seat <= live.table.opened.seats:
            raise NotFound("match/seat", f"There is no seat {seat}; choose 1–{live.table.opened.seats}.")
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
        refusal.hint = _instead(live, seat, text)
        raise
    return action


def _instead(live: Live, seat: Seat, text: str) -> str:
    """What could be done instead: near misses, some legal moves if nothing is near, or whose turn it is."""
    seats = live.game.projection.to_act(live.table.state)
    if seats and seat not in seats:
        return f"To move: {joined([f'{live.names[number]} (seat {number})' for number in seats])}."
    if near := near_misses(live, seat, text):
        return f"Legal and near: {'  '.join(near)}"
    moves = list(legal_moves(live, seat))
    spread = moves[:: max(1, len(moves) // NEAR_MISSES)][:NEAR_MISSES]
    return f"Legal, for example: {'  '.join(spread)}  ({count(len(moves), 'move')} in all)" if moves else ""


def near_misses(live: Live, seat: Seat, text: str) -> list[str]:
    """The legal moves most like a text, those that begin like it first; none if nothing is like it."""
    try:
        wanted = live.game.notation.write(live.game.notation.read(text))
    except (Malformed, IllegalAction):
        wanted = "".join(text.split()).upper()

    def likeness(move: str) -> float:
        pairs = enumerate(zip(move, wanted, strict=False))
        shared = next((index for index, (one, other) in pairs if one != other), min(len(move), len(wanted)))
        return shared + SequenceMatcher(None, move, wanted).ratio()

    likely = [move for move in legal_moves(live, seat) if likeness(move) > 0]
    return sorted(likely, key=likeness, reverse=True)[:NEAR_MISSES]


# --------------------------------------------------------------------------------------------------- moving and dealing


def move(ledger: Ledger, live: Live, seat: Seat | None, text: str, call: Call = ANY_HEAD) -> Appended:
    """Make the move a text stands for; without a seat, for whoever's turn it is.

    A repeated command gives its first outcome, even if the move is no longer legal and it is another seat's turn.
    """
    if appended := _first_outcome(ledger, live, call, _moves_meant(ledger, live, seat, text, call)):
        return appended
    matches.begin(ledger, live, call, None)  # a stale look explains every refusal that would follow
    matches.check_playing(live)
    actor = seat_to_act(live, seat)
    return matches.act(ledger, live, actor, read_move(live, actor, text), call)


def _moves_meant(ledger: Ledger, live: Live, seat: Seat | None, text: str, call: Call) -> Iterator[Way]:
    action = live.game.notation.read(text)
    for actor in _seats(live, seat):
        yield partial(matches.act, ledger, live, actor, action, call)


def deal(ledger: Ledger, live: Live, text: str | None = None, call: Call = ANY_HEAD) -> Appended:
    """Let chance answer: by itself, or with what a text says was drawn at a real table."""
    if appended := _first_outcome(ledger, live, call, _deals_meant(ledger, live, text, call)):
        return appended
    matches.begin(ledger, live, call, None)
    matches.check_playing(live)
    try:
        return matches.deal(ledger, live, _read_outcome(live, text), call)
    except (UsageError, Refused) as refusal:
        refusal.hint = "" if "such as" in refusal.message else _about_dealing(live)
        raise


def _deals_meant(ledger: Ledger, live: Live, text: str | None, call: Call) -> Iterator[Way]:
    """A text says what was drawn only together with what was asked for: every draw there has been is tried."""
    if text is None:
        yield partial(matches.deal, ledger, live, None, call)
        return
    for step in sorted({envelope.step for envelope in live.envelopes if envelope.actor == CHANCE}, reverse=True):
        then = at(live, f"s{step - 1}")
        try:
            outcome = _read_outcome(then, text)
        except UsageError:
            continue
        yield partial(matches.deal, ledger, live, outcome, call)


def _read_outcome(live: Live, text: str | None) -> Outcome | None:
    request = live.game.rules.request(live.table.state)
    if text is None or request is None:
        return None
    if live.table.opened.chance != "recorded":
        return Outcome(drawn=())  # whatever was meant, it is refused: nobody tells this chance what to draw
    return live.game.notation.read_outcome(text, live.table.state, request)


def _about_dealing(live: Live) -> str:
    if example := outcome_example(live):
        return f"Such as: {example}"
    seats = live.game.projection.to_act(live.table.state)
    return f"To move: {joined([live.names[seat] for seat in seats])}; `legal` lists the moves." if seats else ""


def outcome_example(live: Live) -> str:
    """Something chance could answer now, as a person would enter it; empty unless it is for people to say."""
    request = live.game.rules.request(live.table.state)
    if request is None or live.table.opened.chance != "recorded":
        return ""
    return live.game.notation.write_outcome(request, chance.answer(b"an example", b"", live.table.draws, request))


# ---------------------------------------------------------------------------------------------------------- taking back


def take_back(
    ledger: Ledger, live: Live, seat: Seat | None = None, steps: int | None = None, call: Call = ANY_HEAD
) -> Appended:
    """Undo steps: without a number, the last move of a person with the bots' replies to it; for whoever made it."""

    def meant(actor: Seat, number: int) -> Appended:
        return undo.undo(ledger, live, actor, number, call)

    if appended := _first_outcome(ledger, live, call, _numbers_meant(live, seat, steps, meant)):
        return appended
    matches.begin(ledger, live, call, None)
    matches.check_playing(live)
    number = _own_depth(live) if steps is None else steps
    return meant(_actor(live, live.timeline.done[-number:][:1], seat), number)


def play_again(
    ledger: Ledger, live: Live, seat: Seat | None = None, steps: int | None = None, call: Call = ANY_HEAD
) -> Appended:
    """Redo steps: without a number, one and the bots' replies that followed it; for whoever made it."""

    def meant(actor: Seat, number: int) -> Appended:
        return undo.redo(ledger, live, actor, number, call)

    if appended := _first_outcome(ledger, live, call, _numbers_meant(live, seat, steps, meant)):
        return appended
    undone = live.timeline.undone
    return meant(_actor(live, undone[-1:], seat), _replied_depth(live) if steps is None else steps)


def answer_undo(ledger: Ledger, live: Live, seat: Seat | None, accepts: bool, call: Call = ANY_HEAD) -> Appended:
    """Accept or decline the open request; without a seat, for the only one that has not answered."""
    ways = (partial(undo.answer, ledger, live, actor, accepts, call) for actor in _seats(live, seat))
    if appended := _first_outcome(ledger, live, call, ways):
        return appended
    waiting = seats_to_answer(live)
    if seat is None and len(waiting) > 1:
        listed = ", ".join(f"{number} ({live.names[number]})" for number in waiting)
        raise Refused("undo/which-seat", f"Several seats have not answered; name one with --seat: {listed}.")
    return undo.answer(ledger, live, seat if seat is not None else (*waiting, 1)[0], accepts, call)


def seats_to_answer(live: Live) -> list[Seat]:
    """Who has still to answer the open undo request."""
    request = live.table.request
    if request is None:
        return []
    return [seat for seat in _seats(live, None) if seat != request.seat and seat not in request.accepted]


def _numbers_meant(
    live: Live, seat: Seat | None, steps: int | None, meant: Callable[[Seat, int], Appended]
) -> Iterator[Way]:
    for number in [steps] if steps is not None else range(1, live.head.step + 1):
        for actor in _seats(live, seat):
            yield partial(meant, actor, number)


def _own_depth(live: Live) -> int:
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


def _replied_depth(live: Live) -> int:
    """How many steps to redo so that a person decides again."""
    depth = 1
    for step in live.timeline.undone[-2::-1]:
        actor = live.actor_of(step)
        if not (isinstance(actor, int) and is_bot(live, actor)):
            break
        depth += 1
    return depth


def _actor(live: Live, steps: Iterable[int], seat: Seat | None) -> Seat:
    """The seat named, or the one whose step it was."""
    if seat is not None:
        return seat
    return next((actor for step in steps if isinstance(actor := live.actor_of(step), int)), 1)


# ------------------------------------------------------------------------------------------------- repeating, replying


def replied(ledger: Ledger, live: Live, appended: Appended | None = None) -> Live:
    """The match after the bots have replied. If another process was faster, the match as that one left it."""
    if appended is not None and appended.repeated:
        live = load(ledger, live.id)  # the first outcome may be newer than what was loaded
    try:
        let_bots_move(ledger, live)
    except Conflict:
        return load(ledger, live.id)
    return live


def _first_outcome(ledger: Ledger, live: Live, call: Call, ways: Iterable[Way]) -> Appended | None:
    """What a command did when it was first sent; None for one that was never carried out.

    What the request leaves out (the seat, the number of steps) may mean something else by now, so every way to
    understand it is tried. That is safe: under an id that was used before, nothing is ever appended.
    """
    if call.command is None:
        return None
    try:
        if ledger.store.earlier(live.id, Command(call.command, fingerprint=b"")) is None:
            return None
    except Refused as refusal:
        reused = _only_reused(refusal)
    for way in ways:
        try:
            return way()
        except Refused as refusal:
            reused = _only_reused(refusal)
    raise reused


def _only_reused(refusal: Refused) -> Refused:
    if refusal.code != "store/command-reused":
        raise refusal
    return refusal


def _seats(live: Live, seat: Seat | None) -> Iterable[Seat]:
    return range(1, live.table.opened.seats + 1) if seat is None else [seat]
