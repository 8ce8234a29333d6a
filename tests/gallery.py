"""How golden logs look and read: `python -m tests.gallery` draws them again after a deliberate change."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from events.codec import decode
from events.core import Envelope
from events.match import MatchOpened
from projections.core import SMALL, Line, Names, Room, State
from projections.fold import fold
from projections.scoresheet import wording
from projections.story import sentence
from service.games.game import Game
from service.games.shelf import GAMES, by_ruleset
from tests.golden import LOGS

GALLERY = Path(__file__).parent / "pictures"
NAMES = Names({1: "Ann", 2: "Ben", 3: "Cleo", 4: "Theodora, who never thought of names as something to be short"})
ROOMS = (Room(72), Room(130), SMALL._replace(seat=2))
SOME = 3
"""Every so many events the table is drawn; often enough for every phase to have its turn."""


def envelopes_of(log: Path) -> list[Envelope]:
    """The events of a golden log; its first line says what they fold to."""
    return [decode(row) for row in log.read_bytes().splitlines()[1:]]


def game_of(envelopes: Sequence[Envelope]) -> Game:
    """The game the match was opened under."""
    opened = envelopes[0].event
    assert isinstance(opened, MatchOpened)
    return by_ruleset(opened.ruleset)


def plain(lines: Sequence[Line]) -> str:
    """A picture without its styles."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def weighed(envelopes: Sequence[Envelope], count: int, state: State) -> list[str]:
    """Every move that is open after so many events, with what the greedy bot thinks of it, best first."""
    if count < len(envelopes) and envelopes[count].step == envelopes[count - 1].step:
        return []  # nobody moves before a step is over
    game = game_of(envelopes)
    seats = game.projection.to_act(state)
    moves = [(seat, action) for seat in seats for action in game.rules.legal(state, seat)]
    values = [(-game.estimate(state, seat, action), game.notation.write(action)) for seat, action in moves]
    return [f"{move} {-value:+.2f}" for value, move in sorted(values)]


def told(envelopes: Sequence[Envelope]) -> Iterator[str]:
    """Every event as a sentence, and below it every point with its reason, its sum and the slips people make."""
    projection = game_of(envelopes).projection
    for number, envelope in enumerate(envelopes, start=1):
        yield f"{number:4} {sentence(projection, envelope.event, NAMES)}"
        has_slips = any(line.reason in projection.slips for line in envelope.event.scores)
        before = fold(projection, envelopes[: number - 1]).state if has_slips else None
        for line in envelope.event.scores:
            added = projection.sums[line.reason](line) if line.reason in projection.sums else "–"
            yield f"     {line.rule} {wording(projection, envelope.event, line)}: {added}"
            slips = projection.slips[line.reason](line, before) if line.reason in projection.slips else ()
            yield from (f"       or {slip.points}: {slip.cause}" for slip in slips)


def digest(log: Path) -> str:
    """A number over all that a log looks and reads like on its way, styles and values for programs included."""
    envelopes = envelopes_of(log)
    projection = game_of(envelopes).projection
    text = "\n".join(told(envelopes))
    for count in [*range(1, len(envelopes), SOME), len(envelopes)]:
        state = fold(projection, envelopes[:count]).state
        drawn = [projection.draw(state, NAMES, room) for room in ROOMS]
        text += json.dumps(
            [drawn, projection.view(state), dict(projection.invariants(state)), weighed(envelopes, count, state)]
        )
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def pages_of(log: Path, eighths: Sequence[int], room: Room) -> Iterator[str]:
    """A match on its way, drawn in a room, with the moves that look best."""
    envelopes = envelopes_of(log)
    projection = game_of(envelopes).projection
    for eighth in eighths:
        count = len(envelopes) * eighth // 8
        state = fold(projection, envelopes[:count]).state
        drawn = plain(projection.draw(state, NAMES, room))
        yield f"after event {count}\n\n{drawn}\n\nmoves: {', '.join(weighed(envelopes, count, state)[:8]) or '–'}"


def seats_of(log: Path) -> int:
    """How many sat at the table."""
    opened = envelopes_of(log)[0].event
    assert isinstance(opened, MatchOpened)
    return opened.seats


def logs_of(key: str) -> list[Path]:
    """The golden logs of a game."""
    return sorted((LOGS / key).glob("*.jsonl"))


def pages(key: str) -> str:
    """One match of a game, drawn on its way and told from end to end."""
    logs = logs_of(key)
    envelopes = envelopes_of(logs[0])
    projection = game_of(envelopes).projection
    found = [f"{key}, {logs[0].stem}", *pages_of(logs[0], (1, 3, 5, 7, 8), ROOMS[0])]
    crowded = max(logs, key=seats_of)
    found += [f"{crowded.stem} on a small screen", *pages_of(crowded, (3, 7), ROOMS[-1])]
    found.append("\n".join(told(envelopes)))
    found.append("\n".join(f"{kind.__name__}: {', '.join(ids)}" for kind, ids in projection.cites.items()))
    return "\n\n".join(found)


def digest_line(log: Path) -> str:
    """A log and its number, as the last page of a gallery has them."""
    return f"{log.stem:24} {digest(log)}"


def kept(key: str) -> tuple[str, list[str]]:
    """The gallery of a game as it is kept: its pages, and a line for every log."""
    drawn, _, numbers = (GALLERY / f"{key}.txt").read_text(encoding="utf-8").rpartition("\n\n")
    return drawn, numbers.splitlines()


def keep(key: str) -> None:
    """Draw the gallery of a game anew."""
    numbers = "\n".join(map(digest_line, logs_of(key)))
    (GALLERY / f"{key}.txt").write_text(f"{pages(key)}\n\n{numbers}\n", encoding="utf-8")


if __name__ == "__main__":
    for game in GAMES:
        keep(game.key)
