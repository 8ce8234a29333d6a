"""The replay of a match: any point of its history, the way there, the scores over time, and what made every point."""

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from msgspec import Struct

from projections.scoresheet import SheetLine
from projections.timeline import is_play
from service.audit.report import CHECKS, Verdict
from service.errors import LedgerError
from service.play.frames import Frames
from service.play.history import History, ScoredPoint, chapters
from service.shell.answers.match import told
from service.shell.web.uploads import Upload
from service.shell.web.views.attempts import Unshown, attempt, words_or_blank
from service.shell.web.views.chart import Chart, score_chart
from service.shell.web.views.drawn_table import DrawnTable, drawn_table

TEN: Final = 10
"""Steps to a page in a game without rounds, as in the terminal's replay."""


class StepLink(NamedTuple):
    """A way to a place nearby."""

    name: str
    at: int
    words: str
    key: str
    is_off: bool
    """Whether it leads nowhere else."""


class ReplayControls(NamedTuple):
    """Links to the places around, and what a script makes of them: a slider, and a replay that runs by itself."""

    back: Sequence[StepLink]
    on: Sequence[StepLink]
    steps: int
    now: int
    """Which of the steps is looked at, from 0."""
    where: str
    rounds: Sequence[tuple[int, int]]
    """Where each round begins."""
    has_undone: bool


class ReplayStep(NamedTuple):
    """A step in the list of moves."""

    step: int
    last: int
    """Its last event."""
    look: str
    is_undone: bool
    told: Sequence[tuple[int, str]]
    """Its events in sentences; empty ones cannot be told."""


class ReplayPoint(NamedTuple):
    """A line of the score sheet, with the parts that made the points."""

    line: SheetLine
    who: str
    parts: str


class UploadView(NamedTuple):
    """What is to be said of an uploaded record."""

    file: Upload
    skipped: Sequence[str]
    """Checks that were not made."""
    findings: Sequence[tuple[Verdict, str, bool]]
    """What is wrong, which promise that breaks, and whether its event can be looked at."""
    unreadable: str
    """Why it cannot be replayed; empty where it can."""


class ReplayedMatch(Struct, frozen=True):
    """The table at a place, and the way there."""

    history: History
    is_on: bool
    is_reviewable: bool
    problem: str
    """What is wrong with the place somebody asked for."""
    place: int
    controls: ReplayControls
    view: DrawnTable | Unshown
    chart: Chart | Unshown
    moves: Sequence[ReplayStep]
    sheet: Sequence[tuple[str, Sequence[ReplayPoint]]] | Unshown


class ReplayView(NamedTuple):
    """The page: of a match of the ledger, or of an upload."""

    upload: UploadView | None
    replay: ReplayedMatch | None
    """None where an upload cannot be replayed."""


def replay_view(history: History, at: str | None = None) -> ReplayView:
    """The page about a match of the ledger."""
    return ReplayView(None, _replayed(history, at))


def upload_view(upload: Upload, at: str | None = None) -> ReplayView:
    """The page about a match of a record that is stored nowhere."""
    report, history = upload.report, upload.history
    skipped = [verdict.check for verdict in report.verdicts if verdict.outcome == "skipped"]
    findings = [(found, CHECKS[found.check], 0 < found.seq <= report.events) for found in report.findings]
    replay = history if isinstance(history, LedgerError) else attempt(lambda: _replayed(history, at))
    unreadable = replay.message if isinstance(replay, LedgerError) else ""
    if isinstance(replay, Unshown):
        unreadable = f"The events do not add up ({replay.error})."
    view = UploadView(upload, skipped, findings, unreadable)
    return ReplayView(view, replay if isinstance(replay, ReplayedMatch) else None)


def step_view(history: History, at: str | None) -> DrawnTable | Unshown:
    """The table at a place, of events that nobody may have checked."""
    then = history if at is None else history.at(at)
    return attempt(lambda: drawn_table(then))


def _replayed(history: History, at: str | None) -> ReplayedMatch:
    frames = Frames(history, range(1, history.envelopes[-1].step + 1))
    place, problem = _place(frames, at)
    is_over = attempt(lambda: history.table.status) == "closed"
    return ReplayedMatch(
        history,
        not is_over,
        is_over and not history.game.pad_of,
        problem,
        place,
        _controls(frames, place),
        step_view(history, str(place)),
        attempt(lambda: score_chart(frames, history.envelopes[place - 1].step)),
        _moves(frames, place),
        attempt(lambda: [(heading, [_point(history, one) for one in scored]) for heading, scored in chapters(history)]),
    )


def _place(frames: Frames, at: str | None) -> tuple[int, str]:
    """The event that is looked at, and what is wrong with the place somebody asked for; the first play unless said."""
    history = frames.history
    problem = ""
    if at is not None:
        try:
            return history.at(at).envelopes[-1].seq, ""
        except LedgerError as refusal:
            problem = refusal.message
    begun = next((step for step in frames.steps if any(map(is_play, frames.entries(step)))), frames.steps[0])
    return frames.entries(begun)[-1].seq, problem


# ------------------------------------------------------------------------------------------------------------- controls


def _controls(frames: Frames, place: int) -> ReplayControls:
    last, step = frames.history.envelopes[-1], frames.history.envelopes[place - 1].step
    ends = [frames.entries(known)[-1].seq for known in frames.steps]
    rounds = [frames.entries(known)[-1].seq for known in frames.rounds] or ends[::TEN]
    scores = [frames.entries(known)[-1].seq for known in frames.scores]
    word = "round" if frames.rounds else "ten steps"
    begun = {max(entry.event.round for entry in frames.entries(known)): known for known in reversed(frames.rounds)}

    def link(name: str, places: Sequence[int], words: str, key: str) -> StepLink:
        at = places[0] if places else place
        return StepLink(name, at, words, key, at == place)

    def before(places: Sequence[int]) -> Sequence[int]:
        return [known for known in places if known < place][-1:]

    def behind(places: Sequence[int]) -> Sequence[int]:
        return [known for known in places if known > place][:1]

    return ReplayControls(
        [
            link("first", ends[:1], "The first step", "Home"),
            link("round-back", before(rounds), f"A {word} back", "Page Up"),
            link("scored-back", before(scores), "The points before", "["),
            link("back", before(ends), "The step before", "←"),
        ],
        [
            link("on", behind(ends), "The next step", "→"),
            link("scored-on", behind(scores), "The next points", "]"),
            link("round-on", behind(rounds), f"A {word} on", "Page Down"),
            link("last", ends[-1:], "The last step", "End"),
        ],
        len(ends),
        frames.steps.index(step),
        f"Step {step} of {last.step} · event {place}{' · undone later' if step in frames.undone else ''}",
        [(number, frames.entries(known)[-1].seq) for number, known in sorted(begun.items())],
        len(frames.standing) < len(frames.steps),
    )


# ------------------------------------------------------------------------------------------------ moves and score sheet


def _moves(frames: Frames, place: int) -> list[ReplayStep]:
    now = frames.history.envelopes[place - 1].step
    moves = []
    for step in frames.steps:
        entries = frames.entries(step)
        looks = {
            "undone": step in frames.undone,
            "aside": step not in frames.standing,
            "round": step in frames.rounds,
            "scored": step in frames.scores,
            "now": step == now,
        }
        look = " ".join(name for name, is_so in looks.items() if is_so)
        sentences = [(entry.seq, words_or_blank(partial(told, frames.history, entry))) for entry in entries]
        moves.append(ReplayStep(step, entries[-1].seq, look, looks["undone"], sentences))
    return moves


def _point(history: History, point: ScoredPoint) -> ReplayPoint:
    return ReplayPoint(point.sheet, history.names[point.sheet.seat], " ".join(_parts(history, point)))


def _parts(history: History, point: ScoredPoint) -> Sequence[str]:
    """The parts that made the points. Their names have no blanks."""
    projection = history.game.projection
    find = projection.scored_parts.get(point.line.reason)
    if find is None:
        return ()
    after = projection.copy(point.before)
    projection.apply[type(point.event)](after, point.event)
    return find(point.event, point.line, after)
