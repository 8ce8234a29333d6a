"""The replay of a match: any point of its history, the way there, the scores over time, and what made every point."""

from collections.abc import Sequence
from typing import Final

from events.core import Envelope
from projections.timeline import is_play
from projections.words import count, gained, joined, total
from service.audit.report import CHECKS, Report
from service.errors import LedgerError
from service.play.frames import Frames
from service.play.history import History, ScoredPoint, chapters
from service.shell.answers.match import told
from service.shell.page.escape import escape
from service.shell.page.pieces import BROKEN, attempt, day
from service.shell.web.chart import score_chart
from service.shell.web.rules import with_rule_links
from service.shell.web.uploads import Upload
from service.shell.web.view import view

SPEEDS: Final = {"0.5": "½×", "1": "1×", "2": "2×", "4": "4×", "8": "8×"}
"""Steps a second."""
_STAR: Final = "M12 6l1.8 3.9 4.2.5-3.1 2.9.8 4.2-3.7-2.1-3.7 2.1.8-4.2L6 10.4l4.2-.5z"
SIGNS: Final = {
    "first": "M5 5h3v14H5zM20 5v14L9 12z",
    "round-back": "M12 5v14L2 12zM22 5v14l-10-7z",
    "scored-back": "M6 7v10l-6-5z" + _STAR,
    "back": "M16 4v16L5 12z",
    "on": "M8 4v16l11-8z",
    "scored-on": "M18 7v10l6-5z" + _STAR,
    "round-on": "M12 5v14l10-7zM2 5v14l10-7z",
    "last": "M19 5h-3v14h3zM4 5v14l11-7z",
}
"""What is drawn on the buttons: fonts that have such signs are not everywhere."""
TEN: Final = 10
"""Steps to a page in a game without rounds, as in the terminal's replay."""


def replay_page(history: History, at: str | None = None) -> str:
    """The main part of the page about a match of the ledger."""
    address = f"/matches/{escape(history.id)}"
    is_over = attempt(lambda: history.table.status) == "closed" and not history.game.pad_of
    review = f'<a class="button" href="{address}/review">Review</a> ' if is_over else ""
    links = (
        f'<a class="button" href="{address}">The table</a> '
        f"{review}"
        f'<a class="button" href="{address}/case">Audit and disputes</a> '
        f'<a class="button" href="/api/v1{address}/record" download data-record>Download the record</a> '
        '<button type="button" class="scripted" data-fork>Fork from here</button>'
        '<p class="quiet scripted">A fork is a match of your own that goes on from this step; this one stays.</p>'
    )
    return _page(history, at, links=links)


def record_page(brought: Upload, at: str | None = None) -> str:
    """The main part of the page about a match of a record that is stored nowhere."""
    keep = "it" if brought.count == 1 else f"all {count(brought.count, 'match', 'matches')}"
    links = (
        f'<button type="button" data-keep>Keep {keep} in this ledger</button>'
        '<p class="quiet">So far it is stored nowhere. Once kept, whoever can reach this service can look at it.</p>'
    )
    above = f"{_choice(brought)}{_verdict(brought.report)}"
    history = brought.history
    if isinstance(history, LedgerError):
        return (
            f'<article class="replay broken">{above}<p>It cannot be replayed: {escape(history.message)}</p></article>'
        )
    return _page(history, at, above=above, links=links)


def step_view(history: History, at: str | None) -> str:
    """The table at a place, of events that nobody may have checked."""
    then = history if at is None else history.at(at)
    return attempt(lambda: view(then))


def _page(history: History, at: str | None, *, above: str = "", links: str) -> str:
    frames = Frames(history, range(1, history.envelopes[-1].step + 1))
    place, problem = _place(frames, at)
    step = history.envelopes[place - 1].step
    players = joined([history.names[seat] for seat in range(1, history.opened.seats + 1)])
    is_on = attempt(lambda: history.table.status) != "closed"
    more = " · unfinished" if above else " · still on: load the page again for what has been played since"
    when = f"{day(history.envelopes[0].at)}{more if is_on else ''}"
    return (
        f'<article class="replay"><header><h1>Replay: {escape(history.game.title)}</h1>'
        f'<p class="quiet">{escape(players)} · {when}</p>{above}{problem}</header>'
        f'<section class="stage" aria-label="The table"><div class="controls">{_controls(frames, place)}</div>'
        f'<div class="place">{step_view(history, str(place))}</div></section>'
        f'<section class="side" aria-label="The course of the match">{attempt(lambda: score_chart(frames, step))}'
        f'<details name="course" open><summary>Moves</summary>{_moves(frames, place)}</details>'
        f'<details name="course"><summary>Score sheet</summary>{attempt(lambda: _sheet(history))}</details>'
        f'<div class="links">{links}</div></section></article>'
    )


def _place(frames: Frames, at: str | None) -> tuple[int, str]:
    """The event that is looked at, and what is wrong with the place somebody asked for; the first play unless said."""
    history = frames.history
    problem = ""
    if at is not None:
        try:
            return history.at(at).envelopes[-1].seq, ""
        except LedgerError as refusal:
            problem = f'<p class="problem">{escape(refusal.message)}</p>'
    begun = next((step for step in frames.steps if any(map(is_play, frames.entries(step)))), frames.steps[0])
    return frames.entries(begun)[-1].seq, problem


# ------------------------------------------------------------------------------------------------------------- controls


def _controls(frames: Frames, place: int) -> str:
    """Links to the places around, and what a script makes of them: a slider, and a replay that runs by itself."""
    ends = [frames.entries(step)[-1].seq for step in frames.steps]
    rounds = [frames.entries(step)[-1].seq for step in frames.rounds] or ends[::TEN]
    scores = [frames.entries(step)[-1].seq for step in frames.scores]
    word = "round" if frames.rounds else "ten steps"
    around = [
        ("first", ends[0], "The first step", "Home"),
        ("round-back", _before(rounds, place), f"A {word} back", "Page Up"),
        ("scored-back", _before(scores, place), "The points before", "["),
        ("back", _before(ends, place), "The step before", "←"),
        ("on", _behind(ends, place), "The next step", "→"),
        ("scored-on", _behind(scores, place), "The next points", "]"),
        ("round-on", _behind(rounds, place), f"A {word} on", "Page Down"),
        ("last", ends[-1], "The last step", "End"),
    ]
    links = [_link(place, *known) for known in around]
    play = '<button type="button" class="main scripted" data-play title="Play (space)">Play</button>'
    speeds = "".join(
        f'<option value="{speed}"{" selected" if speed == "1" else ""}>{words}</option>'
        for speed, words in SPEEDS.items()
    )
    step = frames.history.envelopes[place - 1].step
    undone = (
        '<label class="scripted"><input type="checkbox" data-undone checked> Show what was undone</label>'
        if len(frames.standing) < len(frames.steps)
        else ""
    )
    return (
        f'<input type="range" class="scripted" min="0" max="{len(ends) - 1}" value="{frames.steps.index(step)}"'
        f' aria-label="Step" aria-valuetext="{escape(_where(frames, place))}">'
        f'<nav aria-label="Steps">{"".join(links[:4])}{play}{"".join(links[4:])}</nav>'
        f'<p class="where"><output>{escape(_where(frames, place))}</output> {_round_links(frames)}'
        f'<label class="scripted">Speed <select data-speed>{speeds}</select></label> {undone}</p>'
        '<p class="problem" role="alert" hidden></p>'
    )


def _link(place: int, name: str, at: int | None, words: str, key: str) -> str:
    there = place if at is None or at == place else at
    off = ' aria-disabled="true"' if there == place else ""
    return (
        f'<a class="button" href="?at={there}" data-at="{there}" data-go="{name}" aria-label="{words}"'
        f' title="{words} ({key})"{off}><svg viewBox="0 0 24 24" aria-hidden="true"><path d="{SIGNS[name]}"/></svg></a>'
    )


def _round_links(frames: Frames) -> str:
    begun = {max(entry.event.round for entry in frames.entries(step)): step for step in reversed(frames.rounds)}
    links = "".join(
        f' <a href="?at={frames.entries(step)[-1].seq}" data-at="{frames.entries(step)[-1].seq}">{number}</a>'
        for number, step in sorted(begun.items())
    )
    return f'<span class="rounds">Round{links}</span>' if links else ""


def _where(frames: Frames, place: int) -> str:
    last = frames.history.envelopes[-1]
    step = frames.history.envelopes[place - 1].step
    undone = " · undone later" if step in frames.undone else ""
    return f"Step {step} of {last.step} · event {place}{undone}"


def _before(places: Sequence[int], place: int) -> int | None:
    return next((known for known in reversed(places) if known < place), None)


def _behind(places: Sequence[int], place: int) -> int | None:
    return next((known for known in places if known > place), None)


# ---------------------------------------------------------------------------------------------------------------- moves


def _moves(frames: Frames, place: int) -> str:
    """What happened, step by step; what was undone is struck through, and said to be."""
    now = frames.history.envelopes[place - 1].step
    lines = []
    for step in frames.steps:
        entries = frames.entries(step)
        looks = {
            "undone": step in frames.undone,
            "aside": step not in frames.standing,
            "round": step in frames.rounds,
            "scored": step in frames.scores,
            "now": step == now,
        }
        told_ = "".join(_sentence(frames.history, entry, place, is_undone=looks["undone"]) for entry in entries)
        look = " ".join(name for name, is_so in looks.items() if is_so)
        lines.append(f'<li value="{step}" data-step="{step}" data-at="{entries[-1].seq}" class="{look}">{told_}</li>')
    return f'<ol class="moves" tabindex="0" aria-label="Moves">{"".join(lines)}</ol>'


def _sentence(history: History, entry: Envelope, place: int, *, is_undone: bool) -> str:
    try:
        words = escape(told(history, entry))
    except BROKEN:
        words = '<span class="quiet">(an event that cannot be told)</span>'
    if is_undone:
        words = f'<s>{words}</s><span class="unseen"> (undone later)</span>'
    current = ' aria-current="step"' if entry.seq == place else ""
    return f'<a href="?at={entry.seq}" data-at="{entry.seq}"{current}>{words}</a>'


# ---------------------------------------------------------------------------------------------------------- score sheet


def _sheet(history: History) -> str:
    """Every point; a line shows the table right after it, and what made it."""
    parts = []
    for heading, scored in chapters(history):
        rows = "".join(_sheet_row(history, point) for point in scored)
        parts.append(
            f'<table><caption>{heading}</caption><thead class="unseen"><tr><th>who</th><th>points</th><th>total</th>'
            f"<th>why</th><th>rule</th></tr></thead><tbody>{rows}</tbody></table>"
        )
    if not parts:
        return '<p class="quiet">No points yet.</p>'
    return f'<div class="sheet" tabindex="0" role="group" aria-label="Score sheet">{"".join(parts)}</div>'


def _sheet_row(history: History, point: ScoredPoint) -> str:
    line = point.sheet
    return (
        f'<tr data-step="{line.step}"><td>{escape(history.names[line.seat])}</td>'
        f'<td class="number">{gained(line.applied, line.requested)}</td><td class="number">{total(line.total)}</td>'
        f'<td><a href="?at={line.seq}" data-at="{line.seq}" data-parts="{escape(" ".join(_parts(history, point)))}">'
        f"{escape(line.reason)}</a></td><td>{with_rule_links(line.rule)}</td></tr>"
    )


def _parts(history: History, point: ScoredPoint) -> Sequence[str]:
    """The parts that made the points. Their names have no blanks."""
    projection = history.game.projection
    find = projection.scored_parts.get(point.line.reason)
    if find is None:
        return ()
    after = projection.copy(point.before)
    projection.apply[type(point.event)](after, point.event)
    return find(point.event, point.line, after)


# ------------------------------------------------------------------------------------------------------ records brought


def read_page(most: int) -> str:
    """The page that takes a record."""
    return (
        f'<div id="page" data-page="read"><form class="bring" data-most="{most}"><h1>Open a record</h1>'
        "<p>Choose a record file, or drop it anywhere on this page: it is read, checked by the rules move by move, and"
        " replayed. It is not stored.</p>"
        '<label>Record file (.mlr or .jsonl) <input type="file" accept=".mlr,.jsonl,.txt,.json,text/plain"></label>'
        '<p class="problem" role="alert" hidden></p>'
        '<noscript><p class="problem">This page needs JavaScript. In a terminal, <code>matchledger replay FILE</code>'
        ' shows the same.</p></noscript></form><div class="brought"></div></div>'
    )


def _choice(brought: Upload) -> str:
    """Which match of the file this is, where there are several."""
    more = f'<p class="problem">Only a part of the file reads: {escape(brought.trouble)}</p>' if brought.trouble else ""
    if brought.is_cut:
        more += f'<p class="quiet">The file holds more; its first {brought.count} matches are offered.</p>'
    if brought.count == 1:
        return more
    options = "".join(
        f'<option value="{number}"{" selected" if number == brought.number else ""}>'
        f"{number}. {escape(brought.titles[number - 1])}</option>"
        for number in range(1, brought.count + 1)
    )
    return (
        f"<p><label>This file holds {count(brought.count, 'match', 'matches')}:"
        f" <select data-match>{options}</select></label></p>{more}"
    )


def _verdict(report: Report) -> str:
    """What the audit found, in plain words first."""
    if report.is_clean:
        skipped = [verdict.check for verdict in report.verdicts if verdict.outcome == "skipped"]
        left = f" Not checked here: {escape(joined(skipped))}." if skipped else ""
        return f'<p class="verdict good"><strong>✓ Nothing is wrong with this record.</strong>{left}</p>'
    found = "".join(
        f"<li>Not so: <em>{escape(CHECKS[finding.check])}</em>. {_at_event(report, finding.seq)}"
        f"{escape(finding.why)}</li>"
        for finding in report.findings
    )
    return (
        '<div class="verdict bad" role="group" aria-label="What is wrong"><strong>✗ Something is wrong with this'
        f" record: {count(len(report.findings), 'check')} failed.</strong><ul>{found}</ul></div>"
    )


def _at_event(report: Report, seq: int) -> str:
    """The event a finding is about; one that is missing cannot be looked at."""
    if not 0 < seq <= report.events:
        return f"Event {seq}: " if seq else ""
    return f'<a href="?at={seq}" data-at="{seq}">Event {seq}</a>: '
