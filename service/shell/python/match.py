"""A match as an object that can be moved on, wherever its ledger is."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypedDict, Unpack

from service.errors import unknown
from service.files import write_file
from service.play import commands
from service.play.appending import Call
from service.play.commands import Command
from service.play.history import Live
from service.shell.answers.match import told
from service.trust.arbiters import read_arbiter
from service.trust.receipts import write_receipt

from ...audit.report import Report
from ...games.core import Action
from .position import Position

if TYPE_CHECKING:
    from service.shell.backend.backend import Backend

Format = Literal["text", "jsonl"]
FORMATS: Final = ("text", "jsonl")


class Guards(TypedDict, total=False):
    """How a change is guarded; every method that changes a match takes both."""

    command: str | None
    """An id of your own: sent again with it, the same change is carried out once."""
    expect: int | None
    """The number of the last event you have seen: refused as a Conflict where the match has gone on since."""


class Match(Position):
    """A match in hand, which can be moved on. What it changes is stored before it answers.

    It is a snapshot: when somebody else has moved the match on, the next change from here raises Conflict and appends
    nothing; `refresh` reads the match again. Every method that changes it takes `command` and `expect` (see Guards),
    and gives what happened, a sentence for each event.
    """

    _match: Live

    def __init__(self, backend: "Backend", match: Live) -> None:
        super().__init__(match)
        self._backend = backend

    def refresh(self) -> None:
        """Read the match again, as it stands in the ledger now."""
        self._match = self._backend.read(self.id)

    # ------------------------------------------------------------------------------------------------------ playing

    def join(self, player: str, seat: int | None = None, *, nonce: str = "", **guards: Unpack[Guards]) -> list[str]:
        """Take a free seat.

        A nonce is any text, the player's own share in the draws. In a fair match one is drawn for a person without.

        >>> match = ledger.start("azul", "Ann", seats=2)
        >>> match.join("Ben")[0]
        'Ben took seat 2 and added a nonce to the draws.'
        """
        return self._send(commands.Join(name=player, seat=seat, nonce=nonce), guards=guards, bots_reply=True)

    def rename(self, seat: int, name: str, **guards: Unpack[Guards]) -> None:
        """Change the name of a seat; an empty one is forgotten. Names lie outside the chain.

        >>> match = ledger.start("azul", "Ann", "Ben")
        >>> match.rename(2, "Benjamin")
        >>> match.players
        {1: 'Ann', 2: 'Benjamin'}
        """
        self._send(commands.Rename(seat=seat, name=name), guards=guards)

    def play(self, move: str | Action, seat: int | None = None, **guards: Unpack[Guards]) -> list[str]:
        """Make a move, in notation or as a value, for whoever's turn it is; bots reply.

        Refused with the rule when it is illegal, and nothing is appended. The same `command` sent again is harmless.

        >>> match = ledger.start("azul", "Ann", "Ben", seed=7)
        >>> match.play("2R2")
        ['Ann took 2 red from display 2, to pattern line 2.']
        >>> match.play("2K1")
        Traceback (most recent call last):
        service.errors.IllegalAction: Display 2 holds no tiles.
        """
        text = move if isinstance(move, str) else self._match.game.notation.write(move)
        return self._send(commands.Act(move=text), seat, guards, bots_reply=True)

    def deal(self, outcome: str | None = None, **guards: Unpack[Guards]) -> list[str]:
        """Let chance answer what `awaits` says: by itself, or with what was drawn where chance is recorded."""
        return self._send(commands.Deal(outcome=outcome), guards=guards, bots_reply=True)

    def undo(self, steps: int | None = None, seat: int | None = None, **guards: Unpack[Guards]) -> list[str]:
        """Take back the last move (with bots' replies), or so many steps; under `consent` this asks the others.

        >>> match = ledger.start("azul", "Ann", "Ben", seed=7, undo="free")
        >>> _ = match.play("2R2")
        >>> match.undo()
        ['Step 5 was undone: Ann took 2 red from display 2, to pattern line 2.']
        """
        return self._send(commands.Undo(steps=steps), seat, guards)

    def redo(self, steps: int | None = None, seat: int | None = None, **guards: Unpack[Guards]) -> list[str]:
        """Play undone steps again as they were."""
        return self._send(commands.Redo(steps=steps), seat, guards)

    def accept(self, seat: int | None = None, **guards: Unpack[Guards]) -> list[str]:
        """Agree to the undo that was asked for; the last to agree carries it out."""
        return self._send(commands.AnswerUndo(accepts=True), seat, guards)

    def decline(self, seat: int | None = None, **guards: Unpack[Guards]) -> list[str]:
        """Refuse the undo that was asked for."""
        return self._send(commands.AnswerUndo(accepts=False), seat, guards)

    def resign(self, seat: int, **guards: Unpack[Guards]) -> list[str]:
        """Give up: the match closes with the scores as they are and this seat last."""
        return self._send(commands.Resign(), seat, guards)

    def abandon(self, **guards: Unpack[Guards]) -> list[str]:
        """Close the match without a result."""
        return self._send(commands.Abandon(), guards=guards)

    def fork(
        self,
        step: int | None = None,
        *,
        chance: str = "resample",
        undo: str = "free",
        private: bool = False,
        **guards: Unpack[Guards],
    ) -> "Match":
        """A new match that goes on from right after a step of this one, the last before its end unless said."""
        command = commands.Fork(step=step, chance=chance, undo=undo, private=private)
        call = Call(guards.get("expect"), guards.get("command"))
        return Match(self._backend, self._backend.fork(self._match, command, call))

    # ----------------------------------------------------------------------------------------------------- disputes

    def open_dispute(
        self,
        words: str,
        seat: int,
        *,
        event: int = 0,
        of: int | None = None,
        claim: int | None = None,
        **guards: Unpack[Guards],
    ) -> list[str]:
        """Dispute an event, or a total where no event is named: any time in play, and as long as agreed afterwards.

        `of` says whose points, the seat's own unless said; `claim` what would be right.
        """
        return self._send(commands.OpenDispute(words=words, event=event, of=of, claim=claim), seat, guards)

    def appeal(self, number: int, words: str, seat: int, **guards: Unpack[Guards]) -> list[str]:
        """Appeal against a ruling. It stays in force until it is overturned."""
        return self._send(commands.Appeal(number=number, words=words), seat, guards)

    def withdraw(self, number: int, seat: int, **guards: Unpack[Guards]) -> list[str]:
        """Take a dispute back before it is ruled; only the seat that opened it may."""
        return self._send(commands.Withdraw(number=number), seat, guards)

    def rule(
        self,
        number: int,
        *,
        rules: Sequence[str],
        reason: str,
        key: str | PathLike[str],
        adjust: Mapping[int, int] | None = None,
        sign_as: str = "",
        **guards: Unpack[Guards],
    ) -> list[str]:
        """Rule on a dispute. `key` is the file of the arbiter's private key, `adjust` gives or takes points by seat."""
        command = commands.RuleDispute(
            number=number, rules=list(rules), reason=reason, adjustments=_adjustments(adjust)
        )
        return self._send(command, guards=guards, key=key, sign_as=sign_as)

    def decide_appeal(
        self,
        number: int,
        *,
        upheld: bool,
        rules: Sequence[str],
        reason: str,
        key: str | PathLike[str],
        adjust: Mapping[int, int] | None = None,
        sign_as: str = "",
        **guards: Unpack[Guards],
    ) -> list[str]:
        """Decide an appeal; overturned, the ruling's adjustments are replaced by those given here, or by none."""
        command = commands.DecideAppeal(
            number=number, upheld=upheld, rules=list(rules), reason=reason, adjustments=_adjustments(adjust)
        )
        return self._send(command, guards=guards, key=key, sign_as=sign_as)

    def finalise(self, *, key: str | PathLike[str], sign_as: str = "", **guards: Unpack[Guards]) -> list[str]:
        """Declare the ruled result final, once nothing is pending and every time limit has passed."""
        return self._send(commands.Finalise(), guards=guards, key=key, sign_as=sign_as)

    def _send(
        self,
        command: Command,
        seat: int | None = None,
        guards: Guards | None = None,
        *,
        bots_reply: bool = False,
        key: str | PathLike[str] | None = None,
        sign_as: str = "",
    ) -> list[str]:
        """Have a command carried out; what happened."""
        guards = guards or Guards()
        expect = guards.get("expect")
        call = Call(
            expected=self._match.head.seq if expect is None else expect,
            command=guards.get("command"),
            seat=seat,
            arbiter=None if key is None else read_arbiter(Path(key), sign_as),
        )
        before = self.event
        appended = self._backend.send(self._match, command, call)
        if bots_reply:
            self._match = self._backend.replied(self._match, appended)
        elif appended.repeated:
            self.refresh()
        if not appended.repeated and self.event == before:
            return []
        last = appended.last_seq if appended.repeated else self.event
        return [told(self._match, envelope) for envelope in self._match.envelopes[appended.first_seq - 1 : last]]

    # ----------------------------------------------------------------------------------------- records and the audit

    def export(self, path: str | PathLike[str] | None = None, *, format: Format = "text") -> str:
        """The match as a record, for people or as JSON lines for programs; written to a file if one is named."""
        if format not in FORMATS:
            raise unknown("export/format", "a format of records", format, FORMATS)
        exported = self._backend.export(self.id, format)
        if exported.refusal is not None:
            raise exported.refusal
        if path is not None:
            write_file(Path(path), exported.data, "record", "export/file")
        return exported.data.decode()

    def receipt(self, path: str | PathLike[str] | None = None) -> str:
        """A signed receipt of the match as it stands, to be kept where the ledger cannot reach it (JSON)."""
        text = write_receipt(self._backend.receipt(self.id))
        if path is not None:
            write_file(Path(path), text, "receipt", "receipt/unwritable")
        return text.decode()

    def audit(self, keys: Sequence[str] = ()) -> Report:
        """Every check on this match as it is stored. With public keys to trust, a closed match must be signed by one.

        >>> ledger.start("azul", "bot:greedy", "bot:random", seed=7).audit().is_clean
        True
        """
        return self._backend.audit(self.id, keys, (), ())[1]


def _adjustments(adjust: Mapping[int, int] | None) -> list[commands.Adjustment]:
    return [commands.Adjustment(seat=seat, points=points) for seat, points in (adjust or {}).items()]
