"""`dispute`: open one, rule on it, appeal, decide, withdraw, declare the result final, look at all of it."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import asdict

from events.core import Envelope
from events.dispute import DisputeEvent, ResultFinalised
from projections.disputes import Dispute, docket_of
from projections.story import sentence
from service.disputes.procedure import find_dispute
from service.errors import Damaged, UsageError
from service.play import replay
from service.play.appending import Call
from service.play.commands import Adjustment, Appeal, DecideAppeal, Finalise, OpenDispute, RuleDispute, Withdraw
from service.play.history import History, Live
from service.play.ledger import LocalLedger
from service.questions.paper import read_claims, read_seat
from service.shell.answers.disputes import dispute_answer, docket_answer
from service.shell.backend.backend import Backend
from service.shell.commands.completion import complete_seat
from service.shell.commands.session import (
    AUDIT,
    SEAT,
    CommandId,
    Expect,
    Json,
    Match,
    Source,
    Speaker,
    load_match,
    open_backend,
    open_ledger,
)
from service.shell.terminal import rulings
from service.shell.terminal.paint import console, grid, say, show_error, show_json
from service.shell.terminal.words import maybe_seat
from service.store.columns import sound
from service.trust.arbiters import read_arbiter

ADJUSTMENT = re.compile(r"\s*(?P<who>[^=]+)=\s*(?P<points>[+\-−]?[0-9]{1,4})\s*(?::\s*(?P<rule>\S+)\s*)?")
KEY_VARIABLE = "MATCHLEDGER_ARBITER_KEY"

app = typer.Typer(
    name="dispute",
    no_args_is_help=True,
    help="Dispute a score, rule on it, appeal, and settle the result.",
)
app.info.rich_help_panel = AUDIT  # which Typer() drops

Number = Annotated[int, typer.Argument(metavar="NUMBER", help="Which dispute of the match; see `dispute show`.")]
Words = Annotated[str, typer.Argument(metavar="WORDS", help="What you say, in one line.")]
Reason = Annotated[str, typer.Option(help="Why, in one line.")]
Rules = Annotated[list[str], typer.Option("--rule", help="A rule that decides it, such as AZ-46; may be repeated.")]
Adjustments = Annotated[
    list[str] | None,
    typer.Option(metavar="SEAT=POINTS", help="Points given or taken, 2=+3 or 1=-2; 2=+3:AZ-46 names its rule."),
]
KeyFile = Annotated[Path, typer.Option(envvar=KEY_VARIABLE, metavar="FILE", help="The arbiter's private key.")]
SignAs = Annotated[
    str, typer.Option("--as", metavar="NAME", help="The name of the arbiter; by default the name of the key file.")
]


@app.command("open")
def open_dispute(
    context: typer.Context,
    match: Match,
    words: Words,
    seat: Speaker = None,
    event: Annotated[int, typer.Option(help="The event that you dispute; without --event, you dispute a total.")] = 0,
    of: Annotated[
        str | None,
        typer.Option(metavar=SEAT, help="Whose points you dispute; by default your own.", autocompletion=complete_seat),
    ] = None,
    claim: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT=TOTAL", help="What you think is right, such as Ann=57: the total, or the points of the event."
        ),
    ] = None,
    expect: Expect = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Dispute an event or a total: during the match, and after its end within the time of --dispute-within."""
    with open_backend(context) as backend:
        live, before = _load(backend, match)
        whose, number = _claimed(live, claim, maybe_seat(live, of))
        command = OpenDispute(words=words, event=event, of=whose, claim=number)
        backend.send(live, command, Call(expect, command_id, maybe_seat(live, seat)))
    _answer(live, before, as_json)


def _claimed(live: Live, claim: str | None, of: int | None) -> tuple[int | None, int | None]:
    """Whose points are disputed, and what they should be; a claim names its seat."""
    if claim is None:
        return of, None
    ((whose, number),) = read_claims([claim], live.opened.seats, live.names).items()
    if of is not None and of != whose:
        raise UsageError("claim/seat", f"--claim {claim!r} is about seat {whose}, but --of says {of}.")
    return whose, number


@app.command()
def rule(
    context: typer.Context,
    match: Match,
    number: Number,
    key: KeyFile,
    rules: Rules,
    reason: Reason,
    adjust: Adjustments = None,
    sign_as: SignAs = "",
    expect: Expect = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Rule on a dispute, with adjustments or without. Needs the key of an arbiter of this match."""
    arbiter = read_arbiter(key, sign_as)
    with open_backend(context) as backend:
        live, before = _load(backend, match)
        adjustments = _adjustments(live, adjust)
        command = RuleDispute(number=number, rules=rules, reason=reason, adjustments=adjustments)
        backend.send(live, command, Call(expect, command_id, arbiter=arbiter))
    _answer(live, before, as_json)


@app.command()
def appeal(
    context: typer.Context,
    match: Match,
    number: Number,
    words: Words,
    seat: Speaker = None,
    expect: Expect = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Appeal against a ruling. The ruling stays in force until it is overturned."""
    with open_backend(context) as backend:
        live, before = _load(backend, match)
        backend.send(live, Appeal(number=number, words=words), Call(expect, command_id, maybe_seat(live, seat)))
    _answer(live, before, as_json)


@app.command()
def decide(
    context: typer.Context,
    match: Match,
    number: Number,
    key: KeyFile,
    upholds: Annotated[bool, typer.Option("--uphold/--overturn", help="Let the ruling stand, or replace it.")],
    rules: Rules,
    reason: Reason,
    adjust: Adjustments = None,
    sign_as: SignAs = "",
    expect: Expect = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Decide an appeal. --overturn replaces the adjustments of the ruling with those given here, or with none."""
    arbiter = read_arbiter(key, sign_as)
    with open_backend(context) as backend:
        live, before = _load(backend, match)
        adjustments = _adjustments(live, adjust)
        command = DecideAppeal(number=number, upheld=upholds, rules=rules, reason=reason, adjustments=adjustments)
        backend.send(live, command, Call(expect, command_id, arbiter=arbiter))
    _answer(live, before, as_json)


@app.command()
def withdraw(
    context: typer.Context,
    match: Match,
    number: Number,
    seat: Speaker = None,
    expect: Expect = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Withdraw a dispute before an arbiter rules on it; only the seat that opened it may do that."""
    with open_backend(context) as backend:
        live, before = _load(backend, match)
        backend.send(live, Withdraw(number=number), Call(expect, command_id, maybe_seat(live, seat)))
    _answer(live, before, as_json)


@app.command()
def final(
    context: typer.Context,
    match: Match,
    key: KeyFile,
    sign_as: SignAs = "",
    expect: Expect = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Declare the ruled result final, once nothing is pending and every time limit has passed."""
    arbiter = read_arbiter(key, sign_as)
    with open_backend(context) as backend:
        live, before = _load(backend, match)
        backend.send(live, Finalise(), Call(expect, command_id, arbiter=arbiter))
    _answer(live, before, as_json)


@app.command()
def show(
    context: typer.Context,
    match: Source,
    number: Annotated[int | None, typer.Argument(metavar="[NUMBER]", help="Only this dispute, step by step.")] = None,
    as_json: Json = False,
) -> None:
    """Show the disputes of a match with what was ruled, and the computed and the ruled result."""
    live = load_match(context, match)
    if number is None:
        if as_json:
            show_json(docket_answer(live))
        else:
            rulings.show_docket(live)
        return
    dispute = find_dispute(docket_of(live.envelopes), number)
    if as_json:
        show_json(dispute_answer(dispute))
        return
    for envelope in live.envelopes:
        event = envelope.event
        if isinstance(event, DisputeEvent) and not isinstance(event, ResultFinalised) and event.number == number:
            _tell(live, envelope)
    say(f"Status: {dispute.status}.", "bold")


@app.command("list")
def list_disputes(
    context: typer.Context,
    pending: Annotated[bool, typer.Option("--pending", help="Only disputes that wait for an arbiter.")] = False,
    as_json: Json = False,
) -> None:
    """List the disputes of every match in the ledger."""
    found: list[tuple[Live, Dispute]] = []
    damaged: list[Damaged] = []
    with open_ledger(context) as ledger:
        for match in _disputed(ledger):
            try:
                (sound_match,) = sound([match])
                live = replay.load(ledger, sound_match)
            except Damaged as damage:
                damaged.append(damage)
                continue
            listed = docket_of(live.envelopes)
            found += [(live, dispute) for dispute in (listed.pending if pending else listed.disputes.values())]
    if as_json:
        views = [{"match": live.id, **asdict(dispute_answer(dispute))} for live, dispute in found]
        show_json([*views, *({"match": one.match, "damaged": one.message} for one in damaged)])
    else:
        _show_disputes(found, "No dispute waits for an arbiter." if pending else "Nothing is disputed.")
        for one in damaged:
            show_error(one, as_json=False)
    if damaged:
        raise typer.Exit(Damaged.exit_code)


def _show_disputes(found: Sequence[tuple[Live, Dispute]], if_none: str) -> None:
    if not found:
        say(if_none)
        return
    table = grid("match", "dispute", "status", "by", "words", right=["dispute"], wraps=["words"])
    for live, dispute in found:
        opened = dispute.opened
        table.add_row(live.id, str(dispute.number), dispute.status, live.names[opened.seat], opened.words)
    console().print(table)


def _disputed(ledger: LocalLedger) -> list[str | Damaged]:
    """Matches with a dispute, found in the stored bytes: decoding every match to learn that would take far longer.

    A match with a bad cell is among them, whether it is disputed or not: nobody can tell.
    """
    mark = b"dispute."  # how their tags begin, in rows and under seals; a match with only such a word lists nothing
    found: list[str | Damaged] = []
    for row, stream in ledger.store.streams(None):
        if isinstance(row, Damaged):
            found.append(row)
        elif mark in stream.block or mark in stream.behind:
            found.append(row.id)
    return found


def _load(backend: Backend, match: str) -> tuple[Live, int]:
    live = backend.read(match)
    return live, len(live.envelopes)


def _adjustments(live: Live, words: list[str] | None) -> list[Adjustment]:
    """`2=+3` or `Ben=+3`, with `:AZ-46` behind it when it rests on another rule than the first one cited."""
    found = []
    for word in words or []:
        read = ADJUSTMENT.fullmatch(word)
        if read is None:
            raise UsageError(
                "dispute/adjustment", f"{word!r} is not an adjustment; write SEAT=POINTS, such as 2=+3 or 2=+3:AZ-46."
            )
        seat = read_seat(read["who"], live.table.opened.seats, live.names, "dispute/adjustment")
        points = int(read["points"].replace("−", "-"))
        found.append(Adjustment(seat=seat, points=points, rule=read["rule"] or ""))
    return found


def _answer(live: Live, before: int, as_json: bool) -> None:
    """What was done, then both results."""
    if as_json:
        show_json(docket_answer(live))
        return
    for envelope in live.envelopes[before:]:
        _tell(live, envelope)
    say("")
    rulings.show_results(docket_of(live.envelopes), live.names)


def _tell(live: History, envelope: Envelope) -> None:
    say(f"{envelope.seq:4}  {sentence(live.game.projection, envelope.event, live.names)}")
