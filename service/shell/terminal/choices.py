"""The legal moves of a seat as people read them: what begins alike together, what each brings at once, passes last."""

from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile

from events.core import Seat
from projections.words import signed
from service.play.history import History
from service.play.preview import Choice, choices
from service.shell.terminal.paint import say, say_packed

Told = tuple[int, Choice, str]
"""A move with its number and its words, or with what is special about it."""


def listed(live: History, seat: Seat) -> list[Choice]:
    """The legal moves of a seat in the order in which they are shown and numbered: passes last."""
    return sorted(choices(live, seat), key=lambda choice: choice.action.passes)


def brings(choice: Choice) -> str:
    """The points a move changes at once, in brackets; nothing where it changes none."""
    return f" ({signed(choice.points)} now)" if choice.points else ""


def show_choices(live: History, seat: Seat, *, numbered: bool, beginning: str = "") -> None:
    """Print the legal moves of a seat, or those that begin so; numbered, as the prompt of `play` takes them."""
    found = [
        (number, choice, choice.words)
        for number, choice in enumerate(listed(live, seat), start=1)
        if choice.move.upper().startswith(beginning.upper())
    ]
    widest = max((len(choice.move) for _, choice, _ in found), default=0)

    def entry(number: int, choice: Choice, words: str) -> str:
        return (f"#{number:<3} " if numbered else "") + f"{choice.move:{widest}}  {words}{brings(choice)}"

    for head, group in _groups(found):
        if head:
            say(f"  {head}:", "dim")
        say_packed([entry(*item) for item in group], indent=4 if head else 2)


def _groups(told: Sequence[Told]) -> Iterator[tuple[str, list[Told]]]:
    """The numbered moves with what is special about each, under the words that several in a row begin with.

    Moves in a row whose paths begin with the same part are alike: the same tiles, each time to another line.
    """
    alone: list[Told] = []
    for _, group in groupby(told, key=lambda item: item[1].path[0]):
        alike = list(group)
        head = _shared_beginning([words for _, _, words in alike])
        if len(alike) == 1 or not head:
            alone += alike
            continue
        if alone:
            yield "", alone
            alone = []
        yield head, [(number, choice, words.removeprefix(f"{head} ")) for number, choice, words in alike]
    if alone:
        yield "", alone


def _shared_beginning(texts: Sequence[str]) -> str:
    """The whole words that all texts begin with; at least one word of each text is left over."""
    columns = zip(*(text.split(" ")[:-1] for text in texts), strict=False)
    return " ".join(words[0] for words in takewhile(lambda words: len(set(words)) == 1, columns))


def samples(found: Sequence[Choice]) -> list[Choice]:
    """One move of each kind that is legal now: examples that hold for this match."""
    by_kind: dict[type, Choice] = {}
    for choice in found:
        by_kind.setdefault(type(choice.action), choice)
    return list(by_kind.values())
