"""A match as a command answers with it: for programs as plain values, for people in sentences, pictures and tables."""

from collections.abc import Mapping, Sequence

from msgspec.structs import asdict

from projections.disputes import docket_of
from projections.story import sentence
from projections.timeline import undone_steps
from projections.words import count, gained, joined, numbered, total
from service.play import fairness
from service.play.bots import is_bot, is_program
from service.play.history import History
from service.play.moves import to_move
from service.shell.answers.match import match_answer, told
from service.shell.terminal.choices import show_choices
from service.shell.terminal.paint import console, grid, say, show_json, show_table
from service.shell.terminal.rulings import show_results
from service.store.shapes import Appended
from service.trust.receipts import Receipt


def show_match(live: History) -> None:
    """The table, and what is awaited if that is not simply the next move."""
    say(f"{live.game.title} {live.id}  event {live.envelopes[-1].seq}, step {live.envelopes[-1].step}", "dim")
    show_table(live.game.projection, live.table.state, live.names)
    if live.table.closed is not None:
        say("")
        show_result(live)
        docket = docket_of(live.envelopes)
        if docket.disputes:
            say("")
            show_results(docket, live.names)
    elif text := awaited(live):
        say("")
        say(text, "dim")


def awaited(live: History) -> str:
    """What the match waits for, when it is something other than a person's move."""
    if live.table.request is not None:
        asked = live.table.request
        answer_with = f"matchledger undo {live.id} --accept (or --decline)"
        return f"{live.names[asked.seat]} asks to undo everything from step {asked.step} on: {answer_with}"
    if not live.table.is_full:
        return f"Seats are free: matchledger join {live.id} NAME"
    request = live.game.rules.request(live.table.state)
    if request is not None:
        drawn = " and what was drawn" if live.table.opened.chance == "recorded" else ""
        return f"The {request.purpose} is awaited: matchledger deal {live.id}{drawn}"
    seats = live.game.projection.to_act(live.table.state)
    if seats and all(is_program(live, seat) for seat in seats):
        number, name = seats[0], live.names[seats[0]]
        return (
            f"It is the turn of {name}, a program, which moves where it was seated: matchledger play {live.id};"
            f" or move for it: matchledger act {live.id} MOVE --seat {number}"
        )
    if seats and all(is_bot(live, seat) for seat in seats):
        bots = joined([live.names[seat] for seat in seats])
        return f"It is the turn of {bots}, a bot: matchledger play {live.id} lets it move; redo goes forward again."
    return ""


def show_log(live: History) -> None:
    """One sentence for each event; what was undone is struck out and marked."""
    undone_ones = undone_steps(live.envelopes)
    for envelope in live.envelopes:
        undone = envelope.step in undone_ones
        head = f"{envelope.seq:4} {f's{envelope.step}':<4} {'✗' if undone else ' '} "
        text = sentence(live.game.projection, envelope.event, live.names)
        say(head + text, "dim strike" if undone else "", indent=len(head))


def show_scores(history: History) -> None:
    """The score sheet: every point with its rule and reason, a gap between rounds, then the totals."""
    names, entries = history.names, history.scoresheet
    rounds = ["round"] if history.game.has_rounds else []
    heads = ["event", *rounds, "who", "points", "total", "rule", "reason"]
    table = grid(*heads, right=["event", *rounds, "points", "total"])
    last_round = None
    for entry in entries:
        if last_round not in (None, entry.round):
            table.add_row()
        last_round = entry.round
        points = gained(entry.applied, entry.requested)
        place = [str(entry.seq), *(str(entry.round) for _ in rounds)]
        table.add_row(*place, names[entry.seat], points, total(entry.total), entry.rule, entry.reason)
    if entries:
        console().print(table)
        say("")
    else:
        say("No points yet.", "dim")
    scores = history.game.projection.scores(history.table.state)
    say("   ".join(f"{names[seat]} {total(score)}" for seat, score in enumerate(scores, start=1)), "bold")


def show_legal(live: History, moves: Mapping[int, Sequence[str]]) -> None:
    """The legal moves of each seat in words, those that begin alike together, passes last."""
    for seat, texts in moves.items():
        say(f"{live.names[seat]} (seat {seat}): {count(len(texts), 'legal move')}", "bold")
        if texts:
            show_choices(live, seat, numbered=False)
    if live.table.closed is not None:
        say(f"Match {live.id} is closed ({live.table.closed.reason}): nothing can be played any more.")
    elif not any(moves.values()):
        request = live.game.rules.request(live.table.state)
        say(f"The {request.purpose} is awaited; use `deal`." if request else f"To move: {to_move(live) or 'nobody'}.")


def show_result(live: History) -> None:
    """Who won, if somebody has."""
    closed = live.table.closed
    if closed is None:
        return
    if not closed.standings:
        say("The match was abandoned without a result.", "bold")
        return
    if closed.reason != "finished":
        say(f"The match is closed ({closed.reason}).")
    names = [live.names[place.seat] for place in closed.standings]
    scores = [total(place.score) for place in closed.standings]
    for place, name, score in zip(closed.standings, names, scores, strict=True):
        equals = {other.tiebreak for other in closed.standings if other.score == place.score}
        tie = f"  (tie-break {place.tiebreak})" if len(equals) > 1 else ""
        text = f"{place.rank}. {name:{max(map(len, names))}}  {score:>{max(map(len, scores))}}{tie}"
        say(text, "bold" if place.rank == 1 else "")


def answer(
    live: History, appended: Appended, as_json: bool, brief: bool = False, receipt: Receipt | None = None
) -> None:
    """What a command did: its events as sentences, then the table as it stands now."""
    if as_json:
        done = {"first": appended.first_seq, "last": appended.last_seq, "repeated": appended.repeated}
        show_json({**asdict(match_answer(live)), "done": done, **({"receipt": receipt} if receipt is not None else {})})
        return
    if appended.repeated:
        say(f"Done already, as {numbered('event', appended.first_seq, appended.last_seq)}; nothing was added:", "dim")
    last = appended.last_seq if appended.repeated else len(live.envelopes)
    for envelope in live.envelopes[appended.first_seq - 1 : last]:
        say(told(live, envelope))
    if not brief:
        say("")
        show_match(live)


def opening(live: History) -> str:
    """What was opened, and whether it is over already because only bots sit there."""
    opened = live.table.opened
    stands = "open" if live.table.closed is None else "finished"
    return f"Match {live.id} is {stands}: {live.game.title}, {opened.undo} undo, {opened.chance} chance."


def show_fairness(live: History) -> None:
    """What the draws of the match are worth, where there is anything to say."""
    if text := fairness.words(live.table):
        say(f"{text[0].upper()}{text[1:]}.", "dim")
