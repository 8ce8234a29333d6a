"""A match as it stood at one point, as an object to look at."""

from collections.abc import Iterator, Sequence
from typing import Any

from events.core import Envelope
from projections.core import Line
from projections.story import sentence
from projections.words import joined
from service.play import fairness, hints, moves
from service.play.history import History
from service.questions import review as reviewing
from service.shell.answers.advice import DecisionAnswer, review_answer

from ...games.core import Action
from ..answers.disputes import DocketAnswer, docket_answer
from .values import Decision, Hint, Place, Points, Review


class Position:
    """A match as it stood at one point: everything there is to see, and nothing to change. Seats count from 1."""

    def __init__(self, match: History) -> None:
        self._match = match

    def __repr__(self) -> str:
        players = joined(list(self.players.values()))
        return f"<{type(self).__name__} {self.id}: {self.game}, {players}, {self.status}, event {self.event}>"

    def __str__(self) -> str:
        return "\n".join("".join(span.text for span in line).rstrip() for line in self._picture())

    def _repr_html_(self) -> str:
        # Notebooks ask for this; Jinja is loaded by those alone who want a page.
        from service.shell.web.environment import render
        from service.shell.web.views.drawn_table import drawn_panels

        return render("notebook.html", drawn=drawn_panels(self._match, self._match.table))

    def _picture(self) -> Sequence[Line]:
        return self._match.game.projection.draw(self._match.table.state, self._match.names)

    # ------------------------------------------------------------------------------------------------- what it is

    @property
    def id(self) -> str:
        """The name of the match in its ledger; its first letters are enough wherever a match is asked for."""
        return self._match.id

    @property
    def game(self) -> str:
        """The key of the game, such as `azul`."""
        return self._match.game.key

    @property
    def ruleset(self) -> str:
        """The rules the match has pinned, such as `azul/2`."""
        return self._match.game.rules.ruleset

    @property
    def options(self) -> dict[str, str]:
        """What the table agreed on."""
        return dict(self._match.table.opened.options)

    @property
    def players(self) -> dict[int, str]:
        """What the seats are called."""
        return {seat: self._match.names[seat] for seat in self._seats}

    @property
    def contributed(self) -> tuple[int, ...]:
        """The seats that have a share in the draws: a nonce nobody knew when the secret was made.

        >>> ledger.start("azul", "Ann", "bot:greedy").contributed
        (1,)
        """
        return tuple(fairness.contributed(self._match.table))

    @property
    def fairness(self) -> str:
        """What the draws are worth: who contributed, and what follows when nobody did; empty where chance is recorded.

        >>> ledger.start("azul", "Ann", "Ben").fairness
        'seats 1 and 2 contributed a nonce'
        """
        return fairness.words(self._match.table)

    @property
    def _seats(self) -> range:
        return range(1, self._match.table.opened.seats + 1)

    # ---------------------------------------------------------------------------------------------- where it stands

    @property
    def event(self) -> int:
        """The number of its last event."""
        return self._match.envelopes[-1].seq

    @property
    def step(self) -> int:
        """The number of its last step; what happened together is one step."""
        return self._match.envelopes[-1].step

    @property
    def status(self) -> str:
        """`open` while seats are free, `playing`, or `closed`."""
        return self._match.table.status

    @property
    def is_over(self) -> bool:
        """Whether the match is closed: finished, resigned or abandoned."""
        return self._match.table.closed is not None

    @property
    def ending(self) -> str:
        """How it ended: `finished`, `resigned` or `abandoned`; empty while it is on."""
        closed = self._match.table.closed
        return closed.reason if closed is not None else ""

    @property
    def turn(self) -> tuple[int, ...]:
        """The seats that may act now: one, or several where the game lets them choose at the same time, or none."""
        return tuple(self._match.game.projection.to_act(self._match.table.state)) if self.status == "playing" else ()

    @property
    def awaits(self) -> str:
        """What chance is asked for and has not answered yet, such as a deal; empty when it owes nothing."""
        request = self._match.game.rules.request(self._match.table.state) if self.status == "playing" else None
        return request.purpose if request is not None else ""

    @property
    def undo_asked_by(self) -> int | None:
        """The seat whose wish to undo waits for the others, in a match with undo by consent."""
        request = self._match.table.request
        return request.seat if request is not None else None

    @property
    def table(self) -> dict[str, Any]:
        """What everybody at the table may know, as plain values: what lies where, whose turn it is, the round."""
        return self._match.game.projection.view(self._match.table.state)

    @property
    def scores(self) -> dict[int, int]:
        """The score of each seat.

        >>> ledger.start("azul", "Ann", "Ben").scores
        {1: 0, 2: 0}
        """
        return dict(zip(self._seats, self._match.game.projection.scores(self._match.table.state), strict=True))

    @property
    def result(self) -> tuple[Place, ...]:
        """The places, best first, as play came to them; empty while it is on, and when it was abandoned."""
        closed = self._match.table.closed
        places = closed.standings if closed is not None else ()
        return tuple(Place(p.rank, p.seat, self._match.names[p.seat], p.score, p.tiebreak) for p in places)

    @property
    def disputes(self) -> DocketAnswer:
        """What is disputed, what was ruled, and both results: the one play led to and the one after the rulings.

        >>> match = ledger.start("azul", "Ann", "Ben", seed=7)
        >>> _ = match.open_dispute("I had five more", seat=1, claim=5)
        >>> match.disputes.pending
        [1]
        """
        return docket_answer(self._match)

    # -------------------------------------------------------------------------------------------- what could happen

    def legal(self, seat: int | None = None) -> list[str]:
        """Every legal move in notation; of the seat whose turn it is, unless another is named.

        >>> ledger.start("azul", "Ann", "Ben", seed=7).legal()[:3]
        ['1B1', '1B2', '1B3']
        """
        return list(self._legal(seat))

    def actions(self, seat: int | None = None) -> list[Action]:
        """The same moves as typed values, in the same order.

        >>> ledger.start("azul", "Ann", "Ben", seed=7).actions()[0]
        DraftTiles(source=1, colour=0, line=1, floor=0)
        """
        return list(self._legal(seat).values())

    def _legal(self, seat: int | None) -> dict[str, Action]:
        if not self.turn:
            return {}
        actor = moves.seat_to_act(self._match, seat)
        return moves.legal_moves(self._match, actor) if actor in self.turn else {}

    # -------------------------------------------------------------------------------------------- what has happened

    @property
    def history(self) -> tuple[Envelope, ...]:
        """Every event in its envelope, as it is stored for ever; undone steps are among them."""
        return tuple(self._match.envelopes)

    def story(self) -> list[str]:
        """What happened, one sentence for each event; undone steps are told as well.

        >>> ledger.start("azul", "Ann", "Ben", seed=7).story()[3]
        'The lot fell on Ann to start.'
        """
        return [
            sentence(self._match.game.projection, envelope.event, self._match.names)
            for envelope in self._match.envelopes
        ]

    def score_sheet(self) -> list[Points]:
        """Every point in effect, with its rule, its reason and the running total."""
        names = self._match.names
        return [
            Points(x.seq, x.round, x.seat, names[x.seat], x.applied, x.requested, x.total, x.rule, x.reason)
            for x in self._match.scoresheet
        ]

    def at(self, place: int | str) -> "Position":
        """The match as it stood after an event (`57`) or a step (`"s12"`).

        >>> match = ledger.start("azul", "Ann", "Ben", seed=7)
        >>> match.at("s2").status
        'open'
        """
        return Position(self._match.at(str(place)))

    def hint(self, seat: int | None = None, *, level: int = hints.LEVEL) -> list[Hint]:
        """The best moves a search finds for whoever's turn it is, at most three, the best first; level 1 to 5.

        >>> match = ledger.start("azul", "Ann", "Ben", seed=7)
        >>> match.hint(level=1)[0].move in match.legal()
        True
        """
        _, found = hints.hint(self._match, seat, level)
        return [Hint(choice.move, choice.words, expected) for choice, expected in found]

    def review(self, *, level: int = reviewing.LEVEL, jobs: int = 1) -> Review:
        """Every decision with the best move a search finds and the points it lost; with so many processes.

        >>> match = ledger.start("azul", "bot:greedy", "bot:random", seed=7)
        >>> match.review(level=1).worst[0].lost > 0
        True
        """
        answer = review_answer(self._match, reviewing.review(self._match, level, jobs))
        decisions = {one.seq: self._decision(one) for one in answer.decisions}
        turning = decisions[answer.turning] if answer.turning is not None else None
        return Review(list(decisions.values()), [decisions[one.seq] for one in answer.worst], turning, answer.course)

    def _decision(self, one: DecisionAnswer) -> Decision:
        name = self._match.names[one.seat]
        return Decision(one.seq, one.step, one.seat, name, one.move, one.best, one.expected, one.lost)

    def replay(self) -> Iterator["Position"]:
        """The match as it stood after each step, from the first to the last."""
        return (self.at(f"s{step}") for step in range(1, self.step + 1))
