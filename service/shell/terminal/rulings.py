"""Disputes, results, claims, explanations and differences as people read them in a terminal."""

from collections.abc import Sequence
from textwrap import fill
from typing import Any, Final

from msgspec.structs import asdict
from rich.table import Table

from events.core import Standing
from projections.core import Names
from projections.disputes import Dispute, Docket, docket_of
from projections.scoresheet import SheetLine, adjustments
from projections.words import count, gained, joined, signed, total
from service.play.history import History
from service.questions.bisect import Divergence
from service.questions.claims import Comparison
from service.questions.explain import Explained
from service.questions.findings import agreement, headline, is_suspect, lines_to_show, title, verdict
from service.questions.rescore import Rescored
from service.questions.rulebook import Rule, plain
from service.shell.terminal.paint import console, grid, say, say_lines, show_table
from service.visible import visible

TEXT_WIDTH: Final = 100


# ---------------------------------------------------------------------------------------- disputes, results


def show_results(docket: Docket, names: Names) -> None:
    """The result of play and, where arbiters had a say, the ruled one beside it."""
    if not docket.computed:
        say("There is no result yet." if docket.closed is None else "The match was abandoned without a result.")
        return
    say(f"Computed result: {_places(docket.computed, names)}")
    if docket.final is not None or any(dispute.ruling for dispute in docket.disputes.values()):
        final = f", final by {docket.final.arbiter}" if docket.final is not None else ""
        say(f"Ruled result:    {_places(docket.ruled, names)}{final}", "bold")
    if docket.pending:
        waiting = joined([f"dispute {dispute.number} ({dispute.status})" for dispute in docket.pending])
        say(f"Pending: {waiting}.")


def _places(standings: Sequence[Standing], names: Names) -> str:
    return "   ".join(f"{place.rank}. {names[place.seat]} {total(place.score)}" for place in standings)


def show_rulings(docket: Docket, names: Names) -> None:
    """The lines by ruling, apart from those of play; nothing when there are none."""
    lines = adjustments(docket)
    if not lines:
        return
    table = grid("dispute", "who", "points", "ruled total", "rule", right=["dispute", "points", "ruled total"])
    for line in lines:
        table.add_row(str(line.dispute), names[line.seat], signed(line.applied), str(line.total), line.rule)
    say("")
    say("By ruling, beside the score of play:", "bold")
    console().print(table)


def show_docket(live: History) -> None:
    """Every dispute of a match on a line of its own, then the results."""
    docket = docket_of(live.envelopes)
    if not docket.disputes:
        say("Nothing is disputed.")
    else:
        table = grid("dispute", "status", "by", "about", "claim", "words", right=["dispute", "claim"], wraps=["words"])
        for dispute in docket.disputes.values():
            table.add_row(*_dispute_cells(dispute, live.names))
        console().print(table)
    show_rulings(docket, live.names)
    say("")
    show_results(docket, live.names)


def _dispute_cells(dispute: Dispute, names: Names) -> list[str]:
    opened = dispute.opened
    about = f"event {opened.about}" if opened.about else f"total of {names[opened.of]}"
    claim = "" if opened.claim is None else signed(opened.claim) if opened.about else str(opened.claim)
    return [str(opened.number), dispute.status, names[opened.seat], about, claim, opened.words]


# ---------------------------------------------------------------------------------------- claims


def show_comparison(history: History, comparison: Comparison) -> None:
    """Paper beside ledger: the first round, then the first line where they part."""
    if comparison.agrees:
        say(agreement(history, comparison))
        return
    say(f"{title(comparison)}:", "bold")
    for finding in comparison.findings:
        say("")
        say(headline(history, finding, comparison.source))
        if lines := lines_to_show(finding):
            table = grid("", "event", "points", "rule", "reason", right=["event", "points"], wraps=["reason"])
            for line in lines:
                mark = "▸" if is_suspect(finding, line) else ""
                table.add_row(mark, str(line.seq), signed(line.applied), line.rule, line.reason)
            console().print(table)
        _say_prose(verdict(finding))


# ---------------------------------------------------------------------------------------- explanations and rules


def show_explained(history: History, explained: Explained) -> None:
    """An event before and after, its points added up, its rules in full."""
    envelope, names = explained.envelope, history.names
    actor = names[envelope.actor] if isinstance(envelope.actor, int) else envelope.actor
    undone = ", undone later" if explained.is_undone else ""
    say(f"Event {envelope.seq}, step {envelope.step}, by {actor}, {envelope.at:%Y-%m-%d %H:%M:%S} UTC{undone}", "dim")
    say(explained.sentence, "bold")
    for heading, table in (("Before", explained.before), ("After", explained.after)):
        if explained.is_visible or heading == "After":
            say("")
            say(heading if explained.is_visible else "The table, which this event did not change", "dim")
            show_table(history.game.projection, table.state, names)
    if explained.lines:
        say("")
        sums = grid("who", "points", "rule", "sum", "score", right=["points"], wraps=["sum"])
        for line in explained.lines:
            points = gained(line.applied, line.requested)
            sums.add_row(names[line.seat], points, line.rule, line.sum, f"{line.before} → {line.after}")
        console().print(sums)
    for rule, text in explained.rules.items():
        say("")
        _say_rule(f"{rule}  {plain(text) or '(in no rulebook here)'}")


def _say_prose(text: str) -> None:
    """A paragraph broken to the width of the terminal."""
    say_lines(fill(visible(text), min(console().width, TEXT_WIDTH)))


def _say_rule(text: str) -> None:
    """A rule as a paragraph; the drawing below it stays as it is."""
    paragraph, gap, drawing = text.partition("\n\n")
    _say_prose(paragraph)
    if gap:
        say_lines(f"\n{drawing}")


def show_rules(rules: Sequence[Rule]) -> None:
    """Rules with the heading they stand under."""
    for number, rule in enumerate(rules):
        if number:
            say("")
        say(f"{rule.id}  {rule.section}", "bold")
        _say_rule(plain(rule.text))


# ---------------------------------------------------------------------------------------- rescoring and bisecting


def show_rescored(history: History, rescored: Rescored) -> None:
    """The difference another ruleset makes to one match."""
    names = history.names
    say(f"{history.id}: {history.opened.ruleset} → {rescored.ruleset}", "bold")
    if not rescored.is_changed:
        say("Every line and the result stay as they are.")
        return
    end = rescored.earlier_end
    if end is not None:
        where = f"with event {end.seq}, in round {end.round}; the match went on to event {len(history.envelopes)}"
        say(f"By {rescored.ruleset} the game would have been over {where}.")
        _say_prose(end.sentence)
    elif rescored.goes_on:
        say(f"By {rescored.ruleset} the game would not be over: it would have gone on from its last move.")
    lines = [line for line in rescored.lines if end is None or line.seq <= end.seq]
    if lines:
        table = grid(
            "event", "who", "was", "would be", "rule", "reason", right=["event", "was", "would be"], wraps=["reason"]
        )
        for line in lines:
            known = line.would_be or line.was
            assert known is not None
            was, would_be = (signed(side.applied) if side else "–" for side in (line.was, line.would_be))
            table.add_row(str(line.seq), names[line.seat], was, would_be, known.rule, line.reason)
        console().print(table)
    if afterwards := len(rescored.lines) - len(lines):
        say(f"{count(afterwards, 'score line')} after that would not be there (--json lists all).")
    totals = [
        f"{names[seat]} {was}" + (f" → {would_be}" if was != would_be else "")
        for seat, (was, would_be) in enumerate(zip(rescored.scores, rescored.scores_would_be, strict=True), start=1)
    ]
    say("Totals: " + "   ".join(totals))
    if rescored.stopped:
        say(f"It cannot be replayed further: {rescored.stopped}", "bad")
        return
    if rescored.is_other_result:
        say(f"Result: {_places(rescored.standings, names) or 'none'}")
        say(f"     →  {_places(rescored.standings_would_be, names) or 'none yet'}", "bold")
    else:
        say("Every place in the result stays the same.")


def rescored_view(rescored: Rescored) -> dict[str, Any]:
    """The same for programs."""
    return {
        "match": rescored.match,
        "ruleset": rescored.ruleset,
        "is_changed": rescored.is_changed,
        "is_other_result": rescored.is_other_result,
        **asdict(rescored),
        "stopped": rescored.stopped or None,
        "goes_on": rescored.goes_on,
    }


def show_divergence(a: History, b: History, divergence: Divergence) -> None:
    """Where two matches part, with both tables."""
    if divergence.is_same:
        say("They are the same, event for event.")
        return
    if divergence.opening:
        say("They were opened differently:", "bold")
        console().print(_sides(a, b, divergence.opening))
    if not divergence.seq_a:
        say("All events after the opening are the same.")
        return
    say("")
    say(f"The first event that differs: {divergence.seq_a} in {a.source}, {divergence.seq_b} in {b.source}.", "bold")
    console().print(_sides(a, b, divergence.fields))
    if divergence.line_a or divergence.line_b:
        say("")
        say("The first score line that differs:", "bold")
        for history, line in ((a, divergence.line_a), (b, divergence.line_b)):
            say(f"{history.source}: {_entry(history, line)}")
    for history, seq in ((a, divergence.seq_a), (b, divergence.seq_b)):
        say("")
        last = min(seq, len(history.envelopes))
        say(f"{history.source} after event {last}", "dim")
        show_table(history.game.projection, history.table_after(last).state, history.names)


def _sides(a: History, b: History, differences: Sequence[Any]) -> Table:
    sides = (a.source, b.source) if a.source != b.source else ("A", "B")
    table = grid("where", *sides, wraps=sides)
    for difference in differences:
        table.add_row(difference.path, str(difference.a), str(difference.b))
    return table


def _entry(history: History, line: SheetLine | None) -> str:
    if line is None:
        return "no more lines"
    who = history.names[line.seat]
    return f"event {line.seq}, {who} {signed(line.applied)} ({line.rule}, {line.reason}), total {line.total}"


def divergence_view(a: History, b: History, divergence: Divergence) -> dict[str, Any]:
    """The same for programs."""
    return {
        "a": a.source,
        "b": b.source,
        "is_same": divergence.is_same,
        "opening": [difference._asdict() for difference in divergence.opening],
        "event_a": divergence.seq_a or None,
        "event_b": divergence.seq_b or None,
        "fields": [difference._asdict() for difference in divergence.fields],
        "line_a": divergence.line_a,
        "line_b": divergence.line_b,
    }
