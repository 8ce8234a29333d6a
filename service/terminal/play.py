"""A person at the terminal: the board, a prompt, the bots' replies, and undo when a finger slipped."""

from collections.abc import Callable

from projections.scoresheet import scoresheet
from projections.story import sentence
from service import undo as undoing
from service.bots.seated import is_bot, let_bots_move
from service.errors import LedgerError, UsageError
from service.ledger import Ledger
from service.matches import act, deal
from service.moves import legal_moves, read_move
from service.replay import Live
from service.terminal.paint import say, show_error, show_picture
from service.terminal.tables import show_result, show_scores

HELP = """\
Type a move as it is written ({examples}) or one of:
  moves    list the legal moves, numbered; then type #3 for the third
  undo     take back your last move, and the bots' replies to it
  redo     play it again
  scores   the score sheet        log   what has happened
  board    the table again        quit  leave; the match stays in the ledger"""


def play(ledger: Ledger, live: Live, ask: Callable[[str], str] = input) -> None:
    """Play until the match is over or the person leaves. Every move is in the ledger before the next prompt."""
    examples = ", ".join(f"{move} = {meaning}" for move, meaning in live.game.notation.examples[:2])
    say(HELP.format(examples=examples), "dim")
    seen = _continue(ledger, live, 0)
    while live.table.closed is None:
        seats = live.game.projection.to_act(live.table.state)
        prompt = f"{live.names[seats[0]]}> " if seats else "deal> "
        try:
            text = ask(prompt).strip()
        except (EOFError, KeyboardInterrupt):
            text = "quit"
        if text == "quit":
            say(f"\nThe match is kept. Go on with: matchledger play {live.id}", "dim")
            return
        try:
            if _obey(ledger, live, text):
                seen = _continue(ledger, live, seen)
        except LedgerError as refusal:
            show_error(refusal, as_json=False)
    show_result(live)
    say(f"\nThe match is kept as {live.id}; see: matchledger scores {live.id}", "dim")


def _continue(ledger: Ledger, live: Live, seen: int) -> int:
    """Let the bots reply, tell what happened since, and show the board."""
    let_bots_move(ledger, live)
    if seen:
        say("")
        for envelope in live.envelopes[seen:]:
            say("  " + sentence(live.game.projection, envelope.event, live.names), "dim")
    say("")
    show_picture(live.game.projection.draw(live.table.state, live.names))
    return len(live.envelopes)


def _obey(ledger: Ledger, live: Live, text: str) -> bool:
    """Do what was typed; whether the table has changed."""
    word = text.lower()
    seats = live.game.projection.to_act(live.table.state)
    if not word:
        return False
    if word in ("help", "?"):
        examples = "\n".join(f"  {move:8} {meaning}" for move, meaning in live.game.notation.examples)
        say(HELP.format(examples="see below") + "\n" + examples, "dim")
    elif word == "board":
        show_picture(live.game.projection.draw(live.table.state, live.names))
    elif word == "scores":
        show_scores(live, scoresheet(live.game.projection, live.envelopes))
    elif word == "log":
        for envelope in live.envelopes:
            say(f"{envelope.seq:4}  " + sentence(live.game.projection, envelope.event, live.names))
    elif word == "moves":
        moves = list(legal_moves(live, seats[0])) if seats else []
        say("  ".join(f"#{number} {move}" for number, move in enumerate(moves, start=1)) or "deal")
    elif word == "undo":
        undoing.undo(ledger, live, 1, _back_to_a_person(live))
        return True
    elif word == "redo":
        undoing.redo(ledger, live, 1)
        while live.timeline.undone and not _persons_turn(live):
            undoing.redo(ledger, live, 1)
        return True
    elif not seats:
        request = live.game.rules.request(live.table.state)
        is_recorded = live.table.opened.chance == "recorded"
        given = live.game.notation.read_outcome(text, live.table.state, request) if is_recorded and request else None
        deal(ledger, live, given)
        return True
    else:
        move = _numbered(live, seats[0], text) if text.startswith("#") else text
        act(ledger, live, seats[0], read_move(live, seats[0], move))
        return True
    return False


def _numbered(live: Live, seat: int, text: str) -> str:
    moves = list(legal_moves(live, seat))
    number = int(text[1:]) if text[1:].isdigit() else 0
    if not 1 <= number <= len(moves):
        raise UsageError("move/number", f"{text!r} is not in the list; choose #1–#{len(moves)}.")
    return moves[number - 1]


def _back_to_a_person(live: Live) -> int:
    """How many steps to undo so that a person decides again."""
    done = live.timeline.done
    for depth, step in enumerate(reversed(done), start=1):
        actor = live.actor_of(step)
        if isinstance(actor, int) and not is_bot(live, actor):
            return depth
    return 1


def _persons_turn(live: Live) -> bool:
    return any(not is_bot(live, seat) for seat in live.game.projection.to_act(live.table.state))
