"""The refusals every game has in common: the match is over, that is no seat here, it is somebody else's turn."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from events.core import CHANCE, Actor, Event, Seat
from projections.core import State
from projections.words import joined
from service.errors import IllegalAction
from service.games.core import Action, Outcome, describe

Decide = Callable[[State, Actor, Action], list[Event]]


class Refusals(Struct, frozen=True):
    """What one game's refusals of this kind cite: each field without a comment is the id of one of its rules."""

    area: str
    """What the game's codes begin with; its key."""
    action_noun: str
    """What one of its actions is, such as `an action of Pebbles`."""
    over: str
    seat: str
    """Who sits at the table."""
    action: str
    """What a seat may do."""
    turn: str = ""
    chance: str = ""
    """What is left to chance; empty for a score pad, where nothing is drawn."""
    done: str = "played"
    """What is done with actions; on a score pad they are entered."""

    def illegal(self, reason: str, rule: str, message: str) -> IllegalAction:
        """A refusal of this game, its code `<area>/<reason>`."""
        return IllegalAction(f"{self.area}/{reason}", rule, message)

    def acting_seat(self, state: State, actor: Actor, action: Action) -> Seat:
        """Who acts, 0 for chance. Refuses everything once there is a result, and whoever is not at the table."""
        if state.standings:
            raise self.illegal("over", self.over, f"The game is over; nothing more can be {self.done}.")
        if type(action) is Outcome and self.chance:
            if actor != CHANCE:
                message = f"Seat {actor} cannot say what was drawn; that is for chance."
                raise self.illegal("actor", self.chance, message)
            return 0
        if not isinstance(actor, int) or not 1 <= actor <= state.seats:
            raise self.illegal("actor", self.seat, f"{actor!r} is not a seat at this table of {state.seats}.")
        return actor

    def not_on_turn(self, seat: Seat, to_act: Sequence[Seat], rule: str = "") -> IllegalAction:
        """Somebody else is to act, or chance, where nobody is; some games have several rules about turns."""
        if not to_act:
            return self.illegal("chance-first", self.chance, f"Seat {seat} has to wait for what chance draws.")
        if len(to_act) == 1:
            return self.illegal("turn", rule or self.turn, f"It is seat {to_act[0]}'s turn, not seat {seat}'s.")
        seats = joined([str(other) for other in to_act])
        return self.illegal("turn", rule or self.turn, f"Seats {seats} are to act now, not seat {seat}.")

    def unknown_action(self, action: Action) -> IllegalAction:
        """An action of another game."""
        return self.illegal("action", self.action, f"{describe(action)} is not {self.action_noun}.")


def decide_by(
    refusals: Refusals,
    to_act: Callable[[Any], Sequence[Seat]],
    actions: Mapping[type[Action], Callable[[Any, Seat, Any], list[Event]]],
    chance: Callable[[Any, Outcome], list[Event]],
) -> Decide:
    """The `decide` of a game in which whoever is to act may act, made from one function for each kind of action.

    Those functions see actions of a seat whose turn it is, and outcomes that come from chance. What is left to them is
    whether this very action is possible, and whether this outcome is one of those asked for.
    """

    def decide(state: State, actor: Actor, action: Action) -> list[Event]:
        """The events of an action, or IllegalAction with the rule that forbids it."""
        seat = refusals.acting_seat(state, actor, action)
        if isinstance(action, Outcome):
            return chance(state, action)
        if seat not in (waiting := to_act(state)):
            raise refusals.not_on_turn(seat, waiting)
        decide_action = actions.get(type(action))
        if decide_action is None:
            raise refusals.unknown_action(action)
        return decide_action(state, seat, action)

    return decide
