"""One person's evening with one match: which seats act from this keyboard, and what is waited for."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from events.core import Seat
from events.match import SeatTaken
from projections.timeline import is_play
from projections.words import joined
from service.errors import UsageError
from service.play import moves
from service.play.appending import check_seat
from service.play.bots import is_bot
from service.play.history import Live
from service.play.preview import Choice
from service.shell.answers.match import told
from service.shell.backend.backend import Backend
from service.shell.terminal.choices import listed
from service.shell.terminal.thinking import replied

Ask = Callable[[str, int | None], str | None]
"""Prompts for a line; None where something happened behind the event that was told last, if one is named."""


@dataclass
class Sitting:
    """Who plays here, and how much of the match they have seen."""

    backend: Backend
    live: Live
    wanted: Seat | None
    """The seat that was asked for; None for all those that act from here."""
    own: Collection[Seat] | None = None
    """The seats that act from this keyboard; None where everybody shares it."""
    seen: int = 0
    """How many events have been told."""
    news: list[str] = field(default_factory=list)
    """What was told last, sentence by sentence."""
    told_before: bool = False
    """Whether anything had been told before that."""

    def __post_init__(self) -> None:
        self.own = self._own_seats()

    def _own_seats(self) -> Collection[Seat] | None:
        own = self.backend.own_seats(self.live)
        if self.wanted is None:
            return own
        if own is None:
            raise UsageError("play/seat", "Everybody shares this keyboard; --seat is for playing at a server.")
        check_seat(self.live.opened, self.wanted)
        return [self.wanted]

    def catch_up(self) -> None:
        """See what others did meanwhile; whoever sat down has a token, and ours for that seat is void."""
        was_full = self.live.table.is_full
        self.live = self.backend.read(self.live.id)
        if not was_full:
            self.own = self._own_seats()

    # ----------------------------------------------------------------------------------------------------- who is here

    @property
    def people(self) -> list[Seat]:
        """The seats that people play from this keyboard."""
        seats = range(1, self.live.opened.seats + 1)
        return [seat for seat in seats if not is_bot(self.live, seat) and (self.own is None or seat in self.own)]

    @property
    def seat(self) -> Seat | None:
        """The seat that is meant when nobody says; None where it is whose turn it is."""
        return next(iter(self.own)) if self.own and len(self.own) == 1 else None

    @property
    def acting(self) -> Seat:
        """The seat a move typed now is for; 0 while chance or somebody elsewhere is awaited."""
        here = self.people
        return next((seat for seat in self.live.game.projection.to_act(self.live.table.state) if seat in here), 0)

    @property
    def viewer(self) -> Seat:
        """Whose board is looked at: that of whoever moves here, or of the only person; else nobody's in particular."""
        return self.acting or (self.people[0] if len(self.people) == 1 else 0)

    @property
    def answering(self) -> list[Seat]:
        """Who at this keyboard has still to answer an undo request."""
        return [seat for seat in moves.seats_to_answer(self.live) if self.own is None or seat in self.own]

    @property
    def choices(self) -> list[Choice]:
        """What may be played from this keyboard now."""
        seat = self.acting
        return listed(self.live, seat) if seat else []

    @property
    def is_dealing(self) -> bool:
        """Whether chance is to be answered from this keyboard."""
        if self.acting:
            return False
        return self.own is None or bool(self.own and self.live.game.rules.request(self.live.table.state) is not None)

    # ------------------------------------------------------------------------------------------------ what is awaited

    @property
    def prompt(self) -> str:
        """What is asked of whom."""
        live = self.live
        if live.table.request is not None:
            if not self.answering:
                return _waiting(live, moves.seats_to_answer(live))
            return f"{joined([live.names[seat] for seat in self.answering])}, accept or decline> "
        if not live.table.is_full:
            return "Waiting for somebody to join… "
        if self.is_dealing:
            return "deal> "
        seat = self.acting
        return f"{live.names[seat]}> " if seat else _waiting(live, live.game.projection.to_act(live.table.state))

    @property
    def awaited(self) -> str:
        """What has to be answered first, where that is not a move."""
        live = self.live
        request = live.game.rules.request(live.table.state)
        if live.table.request is not None:
            asked = live.table.request
            return f"{live.names[asked.seat]} asks to undo everything from step {asked.step} on."
        if request is not None and live.table.closed is None and live.table.is_full:
            example = moves.outcome_example(live)
            how = f"type what was drawn, such as {example}" if example else "type deal"
            return f"The {request.purpose} is awaited: {how}."
        return ""

    # ---------------------------------------------------------------------------------------------------- what is new

    def hear(self) -> None:
        """Let the bots reply, and keep in words what happened since somebody here looked last."""
        self.live = replied(self.backend, self.live)
        self.told_before = self.seen > 0
        first = self.seen or self._looked_at()
        self.news = [told(self.live, envelope) for envelope in self.live.envelopes[first:]]
        self.seen = len(self.live.envelopes)

    def _looked_at(self) -> int:
        """How many events people here have seen before they came: up to their last action, or to the first of play."""
        entries, here = self.live.envelopes, self.people
        if not here:
            return len(entries)
        first = next((entry.seq - 1 for entry in entries if is_play(entry)), len(entries))
        own = (entry.seq for entry in entries if entry.actor in here and not isinstance(entry.event, SeatTaken))
        return max(own, default=first)


def _waiting(live: Live, seats: Sequence[Seat]) -> str:
    return f"Waiting for {joined([live.names[seat] for seat in seats]) or 'the deal'}… "
