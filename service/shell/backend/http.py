"""A ledger at a server: commands go over the wire, and whatever is shown is made here."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from hashlib import sha256
from secrets import token_hex
from typing import Final

from msgspec.structs import replace

from events.core import Seat
from events.dispute import SignedEvent
from events.match import StepUndone
from service.audit import audit
from service.audit.report import Report
from service.disputes import cases
from service.errors import Damaged, Refused, UsageError
from service.handle import adjust, named_seat, signing_arbiter
from service.play import commands, moves
from service.play.appending import ANY_HEAD, Call, check_seat
from service.play.bots import bot_to_act
from service.play.commands import Command, Fork, Join, OpenMatch, Rename
from service.play.evidence import Evidence
from service.play.history import Live
from service.play.ledger import NONCE_BYTES
from service.play.players import read_player
from service.records import write_jsonl
from service.records.files import evidence_in
from service.shell import requests
from service.shell.answers.questions import report_of
from service.shell.answers.refusals import refusal_of
from service.shell.answers.service import Done
from service.shell.backend.backend import Exported, ImportedMatch
from service.shell.backend.http_reader import HttpReader
from service.shell.backend.step_stream import StepStream
from service.shell.backend.token_file import ARBITER, HOST, Right
from service.shell.client import Client
from service.shell.command_routes import COMMAND_ROUTES, route_of
from service.store.shapes import PERSON, Append, Appended
from service.trust.arbiters import Arbiter, signed
from service.trust.receipts import Receipt
from service.trust.statements import Signed

_WHOSE: Final[dict[type[Command], Callable[[Live, Command], Seat]]] = {
    commands.Act: lambda live, command: moves.seat_to_act(live),
    commands.Undo: lambda live, command: moves.seat_to_take_back(live, getattr(command, "steps", None)),
    commands.Redo: lambda live, command: moves.seat_to_play_again(live),
    commands.AnswerUndo: lambda live, command: moves.seat_to_answer(live),
}
"""Which seat a command is for, where nobody says and this user has the tokens of several."""
_SENT: Final = frozenset(row.command for row in COMMAND_ROUTES)


class HttpBackend(HttpReader):
    """A server, and the tokens this user has for it."""

    # ------------------------------------------------------------------------------------------------------- commands

    def send(self, live: Live, command: Command, call: Call = ANY_HEAD) -> Appended:
        if type(command) not in _SENT:
            name = type(command).__name__
            raise UsageError("server/local-only", f"`{name}` is done where the ledger is, not over a server.")
        if isinstance(command, Join):
            return self._join(live, command, call)
        if isinstance(command, Rename):
            return self._rename(live, command, call)
        signed_by = None
        if route_of(command).roles == ("arbiter",):
            call = call if call.expected is not None else replace(call, expected=live.head.seq)
            signed_by = _signed_by(live, call, command)
        asking = self._asking(live, command, call)
        return self._done(live, asking.carry_out(live.id, command, signed_by, **self._guards(live, call)), call)

    def _asking(self, live: Live, command: Command, call: Call) -> Client:
        """The client with the token that a command takes."""
        roles = route_of(command).roles
        if roles == ("arbiter",):
            return self._with(live.id, ARBITER)
        if roles == ("host",):
            return self._with(live.id, HOST)
        if roles != ("seat",):
            return self._member(live.id)
        seat = call.seat
        if seat is None:
            held = [right.seat for right in self.tokens.held(live.id) if right.role == "seat"]
            whose = _WHOSE.get(type(command))
            seat = held[0] if len(held) == 1 else named_seat(call) if whose is None else whose(live, command)
        check_seat(live.opened, seat)
        return self._with(live.id, Right("seat", seat))

    def _join(self, live: Live, command: Join, call: Call) -> Appended:
        player = read_player(command.name)
        if not command.nonce and player.kind == PERSON and live.opened.chance == "fair":
            command = replace(command, nonce=_own_nonce(call))
        done = self._joined(live, command, call, is_person=player.kind == PERSON)
        appended = self._done(live, done, call)
        taken = live.envelopes[done.first - 1].actor
        if done.token and isinstance(taken, int):
            self.tokens.keep(live.id, {Right("seat", taken): done.token})
        return appended

    def _joined(self, live: Live, command: Join, call: Call, *, is_person: bool) -> Done:
        held, guards = self.tokens.held(live.id), self._guards(live, call)
        if not is_person:
            return self._with(live.id, HOST).carry_out(live.id, command, **guards)
        if not held:
            return self.client.carry_out(live.id, command, **guards)
        # Who has the token of a free seat takes that one, and whoever may look at a private match may join.
        seats = [right.seat for right in held if right.role == "seat"]
        free = [seat for seat in seats if seat not in live.table.nonces]
        wanted = command.seat if command.seat is not None else (free or [0])[0]
        try:
            return self._with(live.id, Right("seat", wanted), *held).carry_out(live.id, command, **guards)
        except Refused as refusal:
            if refusal.code != "store/command-reused" or command.seat is not None:
                raise
            # Sent again: it was the token of one of these seats that it came with the first time.
            for seat in seats:
                with suppress(Refused):
                    return self._with(live.id, Right("seat", seat)).carry_out(live.id, command, **guards)
            raise

    def _rename(self, live: Live, command: Rename, call: Call) -> Appended:
        asking = self._with(live.id, HOST, Right("seat", command.seat))
        asking.rename(live.id, command, **self._guards(live, call))
        live.seats = self._fetched(live.id).seats
        return Appended(live.id, live.head.seq, live.head.seq)

    def open_match(self, command: OpenMatch, call: Call = ANY_HEAD) -> Live:
        return self._opened(self.client.open_match(command, key=self._key(call)))

    def fork(self, live: Live, command: Fork, call: Call = ANY_HEAD) -> Live:
        return self._opened(self._looking(live.id).fork(live.id, command, **self._guards(live, call)))

    def replied(self, live: Live, appended: Appended | None = None) -> Live:
        now = self._fetched(live.id)
        if _awaits_bot(now):
            for _ in self._looking(live.id).live(live.id, now.head.seq):
                now = self._fetched(live.id)
                if not _awaits_bot(now):
                    break
        return now

    # ---------------------------------------------------------------------------------------------- records and audits

    def _record(self, match: str, kind: str) -> tuple[bytes, Evidence]:
        data = self._looking(match).record(match, kind)
        return data, next(evidence_in(data, match))

    def export(self, text: str, kind: str) -> Exported:
        match = self.find(text)
        data, evidence = self._record(match, kind)
        return Exported(match, evidence.count, evidence.head, data)

    def import_record(self, evidence: Evidence) -> ImportedMatch:
        (imported,) = self.client.import_record(write_jsonl(evidence))
        if imported.problem is not None:
            problem = replace(imported.problem, detail=imported.problem.detail.replace("record", evidence.source, 1))
            raise refusal_of(problem)
        if imported.token:
            self.tokens.keep(imported.match, {HOST: imported.token})
        self.tokens.touch(imported.match)
        return ImportedMatch(self._fetched(imported.match), imported.outcome == "present")

    def keep(self, append: Append) -> Live:
        names = {row.seat: row.name for row in append.seats}
        kinds = {row.seat: row.kind for row in append.seats if row.kind != PERSON}
        head = append.head
        return self.import_record(
            Evidence(append.match, append.match, append.rows, head.seq, head.hash.hex(), names, kinds=kinds)
        ).live

    def audit(
        self, text: str, keys: Sequence[str], arbiters: Sequence[str], receipts: Sequence[Signed]
    ) -> tuple[Evidence, Report]:
        """The server's own verdicts; held to keys, arbiters and receipts of one's own, a record is audited here."""
        match = self.find(text)
        if keys or arbiters or receipts:
            _, evidence = self._record(match, "jsonl")
            return evidence, audit(evidence, keys, receipts=receipts, arbiters=arbiters)
        report = report_of(self._looking(match).audit(match))
        try:
            return self.evidence(match), report
        except Damaged:  # the report says why
            return Evidence(match, match, [], 0, ""), report

    def receipt(self, text: str) -> Receipt:
        match = self.find(text)
        return self._member(match).give_receipt(match)

    # -------------------------------------------------------------------------------------------------------- company

    def own_seats(self, live: Live) -> Collection[Seat] | None:
        """The seats whose tokens this user has; whichever opens nothing any more is forgotten."""
        held = [(right, token) for right, token in self.tokens.held(live.id).items() if right.role == "seat"]
        return [right.seat for right, token in held if self._opens(live.id, right, token)]

    def news(self, live: Live) -> StepStream:
        return StepStream(self._looking(live.id).live(live.id, live.head.seq))

    # --------------------------------------------------------------------------------------------------------- tokens

    def give(self, match: str, right: Right) -> str:
        """A new token for somebody else; the one before opens nothing any more, and is not kept."""
        wish = requests.TokenWish(role=right.role, seat=right.seat)
        given = self._with(match, HOST).give_token(match, wish)
        self.tokens.forget(match, right)
        return given.token

    def revoke(self, match: str, right: Right) -> None:
        """Let a token open nothing any more."""
        self._with(match, HOST).revoke_token(match, right.role, right.seat)
        self.tokens.forget(match, right)

    def add(self, match: str, token: str) -> list[Right]:
        """Keep a token somebody gave, under what it allows."""
        rights = [Right(given.role, given.seat) for given in self.client.bearing(token).access(match)]
        self.tokens.keep(match, dict.fromkeys(rights, token))
        self._openers.pop(match, None)  # without it, a private match could not be looked at
        return rights


def _awaits_bot(live: Live) -> bool:
    """Whether bots are about to move; where somebody has just gone back, they wait."""
    return bot_to_act(live) is not None and not isinstance(live.envelopes[-1].event, StepUndone)


def _own_nonce(call: Call) -> str:
    """A share in the draws that the server did not choose; the same one where the same command is sent again."""
    if call.command is None:
        return token_hex(NONCE_BYTES)
    return sha256(b"matchledger nonce\n" + call.command.encode()).hexdigest()[: 2 * NONCE_BYTES]


def _signed_by(live: Live, call: Call, command: Command) -> dict[str, str]:
    """An arbiter's signature over a ruling at the head that was looked at: it holds for no other."""
    by = signing_arbiter(call)
    whole = signed(by, live.id, live.head.seq, live.head.hash, _unsigned(live, by, command))
    return {"arbiter": by.name, "key": by.key.public, "signature": whole.signature}


def _unsigned(live: Live, by: Arbiter, command: Command) -> SignedEvent:
    if isinstance(command, commands.RuleDispute):
        adjustments = adjust(command.adjustments, command.rules)
        return cases.ruling(by, command.number, command.rules, command.reason, adjustments)
    if isinstance(command, commands.DecideAppeal):
        adjustments = adjust(command.adjustments, command.rules)
        return cases.decision(by, command.number, command.upheld, command.rules, command.reason, adjustments)
    return cases.final_result(by, live)
