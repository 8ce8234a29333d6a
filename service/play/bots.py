"""Bots at a table: whenever it is a bot's turn, it moves."""

from random import Random
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from events.core import LEDGER, Seat
from events.match import MoveForfeited
from projections.core import State
from service.bots.core import Forfeit, Occasion
from service.bots.kinds import find_bot, is_outside
from service.bots.simple import greedy_bot
from service.errors import Refused
from service.games.core import Action
from service.games.shelf import by_ruleset
from service.limits import quoted
from service.play.appending import ANY_HEAD, Decided, carry_out, refuse_unplayable
from service.play.history import History, Live
from service.play.ledger import LocalLedger
from service.play.matches import abandon, act, acted, resigned
from service.play.players import PREFIX

if TYPE_CHECKING:
    from service.bots.programs import Programs

PATIENCE: Final = 2000
"""Actions after which bots give a match up; real ones take a few hundred. Nothing limits the rounds (AZ-87), so bots
could go on for ever in two kinds of free-placement matches: one of `azul/1` in which no tile fits anywhere any more
(AZ-95 ends it since `azul/2`), and one in which the tiles that would fit wait in lines that nobody can complete."""


def is_bot(live: History, seat: Seat) -> bool:
    """Whether a bot sits there."""
    return seat in live.seats and live.seats[seat].kind.startswith(PREFIX)


def is_program(live: History, seat: Seat) -> bool:
    """Whether a bot from outside sits there."""
    return is_bot(live, seat) and is_outside(_name(live, seat))


def welcome_programs(live: History, is_told_to: bool) -> None:
    """Let the bots from outside of a match play, those that somebody here has not seated only when told to."""
    from service.bots.programs import may_play, welcome  # most matches have none

    for seat in live.seats:
        if not is_program(live, seat) or may_play(name := _name(live, seat)):
            continue
        if not is_told_to:
            raise Refused(
                "bot/stranger",
                f"Seat {seat} of match {live.id} is played by {quoted(name)}, which you have not seated yourself, so it"
                " is not started; --run-programs runs it, in this folder.",
            )
        welcome(name, Occasion(live.game, live.opened.seats, live.opened.options), seat)


def let_bots_move(ledger: LocalLedger, live: Live, patience: int = PATIENCE) -> int:
    """Let the bots act until a person must or the match is over; the number of actions they took."""
    actions = 0
    while (seat := bot_to_act(live, ledger.programs)) is not None:
        if actions == patience:
            abandon(ledger, live)
            break
        let_bot_move(ledger, live, seat)
        actions += 1
    if live.table.closed is not None and ledger.programs is not None:
        ledger.programs.end(live.id, live.table.closed.reason, live.table.closed.standings)
    return actions


def bot_to_act(live: History, programs: "Programs | None" = None) -> Seat | None:
    """The seat of the bot whose turn it is; None where a person must act or chance is awaited, and when it is over.

    A bot from outside moves only for those who may run programs here, and have seated it themselves.
    """
    if live.table.closed is not None or not live.table.is_full:
        return None
    seats = (seat for seat in live.game.projection.to_act(live.table.state) if is_bot(live, seat))
    return next((seat for seat in seats if _may_play(_name(live, seat), programs)), None)


def _name(live: History, seat: Seat) -> str:
    return live.seats[seat].kind.removeprefix(PREFIX)


def _may_play(name: str, programs: "Programs | None") -> bool:
    if not is_outside(name):
        return True
    from service.bots.programs import may_play

    return programs is not None and may_play(name)


class BotQuestion(Struct, frozen=True):
    """What a bot is asked, with all it may know, as a value that can be sent to another process."""

    ruleset: str
    state: State
    seat: Seat
    bot: str
    seed: str


def question_of(live: Live, seat: Seat) -> BotQuestion:
    """What the bot in that seat, whose turn it is, is to answer."""
    # Seeded by the match and its head: asked again at the same point, a bot answers the same.
    return BotQuestion(live.game.rules.ruleset, live.table.state, seat, _name(live, seat), f"{live.id} {live.head.seq}")


def answer(question: BotQuestion) -> Action:
    """What the bot would do."""
    bot = find_bot(question.bot)
    return bot(by_ruleset(question.ruleset), question.state, question.seat, Random(question.seed))


def let_bot_move(ledger: LocalLedger, live: Live, seat: Seat) -> None:
    """One action of a bot whose turn it is."""
    question = question_of(live, seat)
    try:
        action = _answer_of_program(ledger, live, question) if is_outside(question.bot) else answer(question)
    except Forfeit as forfeit:
        forfeit_move(ledger, live, seat, forfeit, Random(question.seed))
    else:
        act(ledger, live, seat, action)


def _answer_of_program(ledger: LocalLedger, live: Live, question: BotQuestion) -> Action:
    """What a bot from outside would do, which is kept open for the match; raises Forfeit."""
    assert ledger.programs is not None
    occasion = Occasion(live.game, live.opened.seats, live.opened.options)
    program = ledger.programs.bot(live.id, question.seat, question.bot, occasion)
    return program(live.game, question.state, question.seat, Random(question.seed))


def forfeit_move(ledger: LocalLedger, live: Live, seat: Seat, forfeit: Forfeit, rng: Random) -> None:
    """What the ledger says of a move that was forfeited, and what follows from it, appended together.

    It is a step of its own: undo takes back the move that was made instead, and never that the program failed.
    """
    fact = forfeited(seat, forfeit)

    def decide(at: object) -> Decided:
        if forfeit.follows == "resignation":
            follows = resigned(ledger, live, seat)
        else:
            follows = acted(ledger, live, seat, greedy_bot(live.game, live.table.state, seat, rng))
        return replace(follows, steps=[[(LEDGER, fact)], *follows.steps])

    carry_out(ledger, live, ANY_HEAD, ("forfeit", seat), refuse_unplayable, decide)


def forfeited(seat: Seat, forfeit: Forfeit) -> MoveForfeited:
    """The fact that a move was forfeited."""
    return MoveForfeited(seat, forfeit.why, forfeit.follows, forfeit.said)
