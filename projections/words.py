"""English helpers: counts, signs and lists."""

from collections.abc import Sequence

from events.core import ScoreLine


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 point`, `2 points`."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


def numbered(noun: str, first: int, last: int) -> str:
    """`event 6`, `events 6–9`."""
    return f"{noun} {first}" if first == last else f"{noun}s {first}–{last}"


def signed(number: int) -> str:
    """`+3`, `−2`, `±0`, with a real minus sign."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "±0"


def tenths(number: float) -> str:
    """`+3.4`, `−2.0`, `±0.0`: an expectation, of which more digits would say no more."""
    shown = round(number, 1)
    return f"{shown:+.1f}".replace("-", "−") if shown else "±0.0"


def total(number: int) -> str:
    """A score as people read it, with a real minus sign."""
    return str(number).replace("-", "−")


def points(line: ScoreLine) -> str:
    """The points of a line in a sentence, and what they would have been where a floor stopped the loss."""
    owed = f" (of {signed(line.requested)}, the score stops there)" if line.applied != line.requested else ""
    return signed(line.applied) + owed


def gained(applied: int, requested: int) -> str:
    """The points of a line in a table: `+3`, or `−2 of −4` where a floor stopped the loss."""
    return signed(applied) + (f" of {signed(requested)}" if applied != requested else "")


def joined(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""
