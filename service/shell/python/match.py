"""A match as an object: a position to look at, and a match that can be moved on."""

from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal

from events.core import Envelope
from projections.core import Line
from projections.story import sentence
from projections.words import joined
from service.audit.bulk import AuditTerms, audit_stored
from service.errors import Refused, unknown
from service.files import write_file
from service.play import fairness, hints, matches, moves, replay
from service.play import fork as forking
from service.play import ledger as rooms
from service.play.appending import Call
from service.play.evidence import Evidence, from_store
from service.play.fork import step_to_fork
from service.play.history import History, Live
from service.play.notary import receipt_for
from service.play.players import read_player
from service.questions import review as reviewing
from service.records import write_jsonl, write_text
from service.records.signatures import vouched
from service.shell.answers.advice import DecisionAnswer, review_answer
from service.shell.answers.match import told
from service.store.shapes import Appended
from service.trust.arbiters import registered_arbiters
from service.trust.receipts import write_receipt

from ...audit.report import Report
from ...games.core import Action
from .values import Decision, Hint, Place, Points, Review

Format = Literal["text", "jsonl"]
_WRITERS: Final[dict[str, Callable[[Evidence], str]]] = {
    "text": write_text,
    "jsonl": lambda evidence: write_jsonl(evidence).decode(),
}


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


class Match(Position):
    """A match in hand, which can be moved on. What it changes is stored before it answers.

    It is a snapshot: when somebody else has moved the match on, the next change from here raises Conflict and appends
    nothing; `refresh` reads the match again.
    """

    _match: Live

    def __init__(self, ledger: rooms.LocalLedger, match: Live) -> None:
        super().__init__(match)
        self._ledger = ledger

    def refresh(self) -> None:
        """Read the match again, as it stands in the ledger now."""
        self._match = replay.load(self._ledger, self.id)

    # ------------------------------------------------------------------------------------------------------ playing

    def join(self, player: str, seat: int | None = None, *, nonce: str = "") -> list[str]:
        """Take a free seat; gives what happened.

        A nonce is any text, the player's own share in the draws. In a fair match one is drawn for a person without.

        >>> match = ledger.start("azul", "Ann", seats=2)
        >>> match.join("Ben")[0]
        'Ben took seat 2 and added a nonce to the draws.'
        """
        joining = read_player(player)._replace(nonce=nonce)
        return self._told(matches.join(self._ledger, self._match, joining, seat), bots_reply=True)

    def play(self, move: str | Action, seat: int | None = None, *, command: str | None = None) -> list[str]:
        """Make a move, in notation or as a value, for whoever's turn it is; bots reply. Gives what happened.

        Refused with the rule when it is illegal, and nothing is appended. The same `command` sent again is harmless.

        >>> match = ledger.start("azul", "Ann", "Ben", seed=7)
        >>> match.play("2R2")
        ['Ann took 2 red from display 2, to pattern line 2.']
        >>> match.play("2K1")
        Traceback (most recent call last):
        service.errors.IllegalAction: Display 2 holds no tiles.
        """
        text = move if isinstance(move, str) else self._match.game.notation.write(move)
        return self._told(moves.move(self._ledger, self._match, seat, text, Call(None, command)), bots_reply=True)

    def deal(self, outcome: str | None = None, *, command: str | None = None) -> list[str]:
        """Let chance answer what `awaits` says: by itself, or with what was drawn where chance is recorded."""
        return self._told(moves.deal(self._ledger, self._match, outcome, Call(None, command)), bots_reply=True)

    def undo(self, steps: int | None = None, seat: int | None = None, *, command: str | None = None) -> list[str]:
        """Take back the last move (with bots' replies), or so many steps; under `consent` this asks the others.

        >>> match = ledger.start("azul", "Ann", "Ben", seed=7, undo="free")
        >>> _ = match.play("2R2")
        >>> match.undo()
        ['Step 5 was undone: Ann took 2 red from display 2, to pattern line 2.']
        """
        return self._told(moves.take_back(self._ledger, self._match, seat, steps, Call(None, command)))

    def redo(self, steps: int | None = None, seat: int | None = None, *, command: str | None = None) -> list[str]:
        """Play undone steps again as they were."""
        return self._told(moves.play_again(self._ledger, self._match, seat, steps, Call(None, command)))

    def accept(self, seat: int | None = None) -> list[str]:
        """Agree to the undo that was asked for; the last to agree carries it out."""
        return self._told(moves.answer_undo(self._ledger, self._match, seat, accepts=True))

    def decline(self, seat: int | None = None) -> list[str]:
        """Refuse the undo that was asked for."""
        return self._told(moves.answer_undo(self._ledger, self._match, seat, accepts=False))

    def resign(self, seat: int) -> list[str]:
        """Give up: the match closes with the scores as they are and this seat last."""
        return self._told(matches.resign(self._ledger, self._match, seat))

    def abandon(self) -> list[str]:
        """Close the match without a result."""
        return self._told(matches.abandon(self._ledger, self._match))

    def fork(self, step: int | None = None, *, chance: str = "resample", undo: str = "free") -> "Match":
        """A new match that goes on from right after a step of this one, the last before its end unless said."""
        place = step_to_fork(self._match) if step is None else step
        return Match(self._ledger, forking.fork(self._ledger, self._match, place, chance_mode=chance, undo=undo))

    def _told(self, appended: Appended, *, bots_reply: bool = False) -> list[str]:
        if bots_reply:
            self._match = moves.replied(self._ledger, self._match, appended)
        last = appended.last_seq if appended.repeated else self.event
        return [told(self._match, envelope) for envelope in self._match.envelopes[appended.first_seq - 1 : last]]

    # ----------------------------------------------------------------------------------------- records and the audit

    def export(self, path: str | PathLike[str] | None = None, *, format: Format = "text") -> str:
        """The match as a record, for people or as JSON lines for programs; written to a file if one is named."""
        if format not in _WRITERS:
            raise unknown("export/format", "a format of records", format, _WRITERS)
        evidence, refusal = vouched(self._ledger, from_store(self._ledger.store, self.id))
        if refusal is not None:
            raise refusal
        record = _WRITERS[format](evidence)
        if path is not None:
            write_file(Path(path), record.encode(), "record", "export/file")
        return record

    def receipt(self, path: str | PathLike[str] | None = None) -> str:
        """A signed receipt of the match as it stands, to be kept where the ledger cannot reach it (JSON)."""
        if self._ledger.notary is None:
            raise Refused("trust/unsigned", "This ledger is gone when it is closed, and signs nothing.")
        evidence = from_store(self._ledger.store, self.id)
        text = write_receipt(receipt_for(self._ledger.notary, self._ledger.store, evidence, self._ledger.clock()))
        if path is not None:
            write_file(Path(path), text, "receipt", "receipt/unwritable")
        return text.decode()

    def audit(self, keys: Sequence[str] = ()) -> Report:
        """Every check on this match as it is stored. With public keys to trust, a closed match must be signed by one.

        >>> ledger.start("azul", "bot:greedy", "bot:random", seed=7).audit().is_clean
        True
        """
        terms = AuditTerms(keys, registered_arbiters(), is_ours=self._ledger.notary is not None)
        return audit_stored(self._ledger.store, self.id, terms)[1]
