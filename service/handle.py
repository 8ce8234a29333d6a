"""Carrying commands out: a literal table of what each one does, wherever it came from.

The door (command line, HTTP, Python) makes a command and a `Call`; what happens is decided here and nowhere else.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from events.core import Seat
from service.disputes import cases
from service.disputes.cases import Adjust
from service.errors import LedgerError, UsageError
from service.play import commands, entering, matches, moves
from service.play import fork as forking
from service.play.appending import ANY_HEAD, Call, check_head, identify
from service.play.commands import Adjustment, Command
from service.play.history import Live
from service.play.ledger import LocalLedger, id_from
from service.play.players import read_name, read_player, read_players
from service.play.replay import load
from service.store.shapes import Appended, CommandKey
from service.trust.arbiters import Arbiter, registered_arbiters
from service.trust.service_arbiter import SERVICE_ARBITER, service_arbiter

Handler = Callable[[LocalLedger, Live, Any, Call], Appended]
"""Carries out commands of one kind in a match."""


def handle(ledger: LocalLedger, live: Live, command: Command, call: Call = ANY_HEAD) -> Appended:
    """Carry out a command in a match. A command that is refused changes nothing."""
    return HANDLERS[type(command)](ledger, live, command, call)


def open_match(ledger: LocalLedger, command: commands.OpenMatch, call: Call = ANY_HEAD) -> Live:
    """Open a match. One that this command had opened before has no events in hand."""
    key = identify(call, ("open", command))
    naming = _with_id_from(ledger, call)

    def opened() -> Live:
        _check_private(command.private, call)
        return matches.open_match(
            naming,
            command.game,
            command.seats,
            options=command.options,
            undo=command.undo,
            chance_mode=command.chance,
            seed=command.seed,
            confirm_reveals=command.confirm_reveals,
            players=read_players(command.players),
            arbiters=[service_arbiter().key.public if key == SERVICE_ARBITER else key for key in command.arbiters],
            dispute_within=command.dispute_within,
            appeal_within=command.appeal_within,
            grants=call.grants,
            command=key,
        )

    return _once(naming, key, opened)


def fork(ledger: LocalLedger, live: Live, command: commands.Fork, call: Call = ANY_HEAD) -> Live:
    """Open a match that goes on from a step of another. One that this command had opened before has no events."""
    key = identify(call, ("fork", live.id, command))
    naming = _with_id_from(ledger, call)

    def forked() -> Live:
        _check_private(command.private, call)
        if call.expected is not None:  # nothing is appended to the parent, which would hold it to its head
            check_head(load(ledger, live.id), call)
        return forking.fork(
            naming,
            live,
            forking.step_to_fork(live) if command.step is None else command.step,
            chance_mode=command.chance,
            undo=command.undo,
            grants=call.grants,
            command=key,
        )

    return _once(naming, key, forked)


def _once(ledger: LocalLedger, key: CommandKey | None, make: Callable[[], Live]) -> Live:
    """A new match. A command that is refused by now, but had opened one before, gives that one."""
    try:
        return make()
    except LedgerError:
        if key is not None and (earlier := ledger.store.earlier(ledger.new_id(), key)):
            found = load(ledger, earlier.match)
            return Live(found.id, found.game, [], [], {}, folded=found.folded)
        raise


def _check_private(is_private: bool, call: Call) -> None:
    if is_private and not call.grants:
        raise UsageError("match/private", "Only a server keeps private matches; --server names one.")


def _with_id_from(ledger: LocalLedger, call: Call) -> LocalLedger:
    """The ledger with an id for the next match that follows from the command's id: sent twice, it is one match."""
    if call.command is None:
        return ledger
    content = b"matchledger match\n" + call.command.encode()
    return replace(ledger, new_id=lambda: id_from(content))


# ------------------------------------------------------------------------------------------------------------ handlers


def _join(ledger: LocalLedger, live: Live, command: commands.Join, call: Call) -> Appended:
    player = read_player(command.name)._replace(nonce=command.nonce)
    return matches.join(ledger, live, player, command.seat, call, call.token_hash)


def _rename(ledger: LocalLedger, live: Live, command: commands.Rename, call: Call) -> Appended:
    name = read_name(command.name) if command.name else ""
    key = identify(call, ("rename", command))
    renamed = ledger.store.rename(live.id, command.seat, name, expected=call.expected, command=key)
    if not renamed.repeated:
        live.seats[command.seat] = replace(live.seats[command.seat], name=name)
    return renamed


def _act(ledger: LocalLedger, live: Live, command: commands.Act, call: Call) -> Appended:
    if (command.move is None) == (command.action is None):
        raise UsageError("http/act", "Send either `move`, as it is written, or `action`, as a value.")
    if command.action is None:
        return moves.move(ledger, live, call.seat, command.move or "", call)
    return matches.act(ledger, live, moves.seat_to_act(live, call.seat), command.action, call)


def _enter(ledger: LocalLedger, live: Live, command: commands.Enter, call: Call) -> Appended:
    return entering.enter(ledger, live, command.entries, call)


def _deal(ledger: LocalLedger, live: Live, command: commands.Deal, call: Call) -> Appended:
    return moves.deal(ledger, live, command.outcome, call)


def _undo(ledger: LocalLedger, live: Live, command: commands.Undo, call: Call) -> Appended:
    return moves.take_back(ledger, live, call.seat, command.steps, call)


def _redo(ledger: LocalLedger, live: Live, command: commands.Redo, call: Call) -> Appended:
    return moves.play_again(ledger, live, call.seat, command.steps, call)


def _answer_undo(ledger: LocalLedger, live: Live, command: commands.AnswerUndo, call: Call) -> Appended:
    return moves.answer_undo(ledger, live, call.seat, command.accepts, call)


def _resign(ledger: LocalLedger, live: Live, command: commands.Resign, call: Call) -> Appended:
    return matches.resign(ledger, live, named_seat(call), call)


def _abandon(ledger: LocalLedger, live: Live, command: commands.Abandon, call: Call) -> Appended:
    return matches.abandon(ledger, live, call)


def _open_dispute(ledger: LocalLedger, live: Live, command: commands.OpenDispute, call: Call) -> Appended:
    seat = named_seat(call)
    return cases.open_dispute(
        ledger, live, seat, command.words, about=command.event, of=command.of, claim=command.claim, call=call
    )


def _appeal(ledger: LocalLedger, live: Live, command: commands.Appeal, call: Call) -> Appended:
    return cases.appeal(ledger, live, command.number, named_seat(call), command.words, call)


def _withdraw(ledger: LocalLedger, live: Live, command: commands.Withdraw, call: Call) -> Appended:
    return cases.withdraw(ledger, live, command.number, named_seat(call), call)


def _rule(ledger: LocalLedger, live: Live, command: commands.RuleDispute, call: Call) -> Appended:
    return cases.rule(
        ledger,
        live,
        command.number,
        signing_arbiter(call),
        rules=command.rules,
        reason=command.reason,
        adjust=adjust(command.adjustments, command.rules),
        registered=registered_arbiters(),
        call=call,
    )


def _decide_appeal(ledger: LocalLedger, live: Live, command: commands.DecideAppeal, call: Call) -> Appended:
    return cases.decide(
        ledger,
        live,
        command.number,
        signing_arbiter(call),
        upholds=command.upheld,
        rules=command.rules,
        reason=command.reason,
        adjust=adjust(command.adjustments, command.rules),
        registered=registered_arbiters(),
        call=call,
    )


def _finalise(ledger: LocalLedger, live: Live, command: commands.Finalise, call: Call) -> Appended:
    return cases.finalise(ledger, live, signing_arbiter(call), registered=registered_arbiters(), call=call)


def named_seat(call: Call) -> Seat:
    """The seat that speaks. Nobody guesses it: to resign or to dispute for somebody else is not a slip."""
    if call.seat is None:
        raise UsageError("match/which-seat", "Say who: --seat and a name or the number of a seat.")
    return call.seat


def signing_arbiter(call: Call) -> Arbiter:
    """The arbiter who signs a ruling."""
    if call.arbiter is None:
        raise UsageError("dispute/key", "A ruling is signed; give the arbiter's private key.")
    return call.arbiter


def adjust(adjustments: Sequence[Adjustment], rules: Sequence[str]) -> Adjust:
    """Adjustments as a ruling has them; one without a rule rests on the first that is cited."""
    return [(line.seat, line.points, line.rule or (rules[0] if rules else "")) for line in adjustments]


HANDLERS: Final[dict[type[Command], Handler]] = {
    commands.Join: _join,
    commands.Rename: _rename,
    commands.Act: _act,
    commands.Enter: _enter,
    commands.Deal: _deal,
    commands.Undo: _undo,
    commands.Redo: _redo,
    commands.AnswerUndo: _answer_undo,
    commands.Resign: _resign,
    commands.Abandon: _abandon,
    commands.OpenDispute: _open_dispute,
    commands.Appeal: _appeal,
    commands.Withdraw: _withdraw,
    commands.RuleDispute: _rule,
    commands.DecideAppeal: _decide_appeal,
    commands.Finalise: _finalise,
}
"""What each command does in a match. `OpenMatch` and `Fork` make one, so they have functions of their own."""
