"""The reader every game's notation is built on, and the record a game fills in."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from msgspec import Struct

from events.core import Event
from projections.core import State
from service.errors import UsageError
from service.games.core import Action, Outcome, Request
from service.limits import quoted

T = TypeVar("T")


class Malformed(UsageError):
    """A move that cannot be read; says where, what was expected there and what was found."""

    def __init__(self, text: str, position: int, expected: str) -> None:
        rest = text[position:].strip()
        found = f"found {quoted(rest)}" if rest else "the move ends there"
        before = quoted(text[:position])
        super().__init__("move/malformed", f"{quoted(text)}: expected {expected} after {before}, but {found}.")
        self.position = position
        self.expected = expected


class Reader:
    """Reads a move from left to right, ignoring case and blanks between its parts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._position = 0

    def word(self, words: Mapping[str, T], expected: str) -> T:
        """The value of the longest of these words that stands here."""
        self._skip_blanks()
        rest = self._ahead(max(map(len, words), default=0)).lower()
        for word in sorted(words, key=len, reverse=True):
            if rest.startswith(word.lower()):
                self._position += len(word)
                return words[word]
        raise self.failure(expected)

    def maybe(self, word: str) -> bool:
        """Whether this word stands here; it is read if it does."""
        found = self.stands(word)
        self._position += len(word) * found
        return found

    def stands(self, word: str) -> bool:
        """Whether this word stands here; it is not read."""
        self._skip_blanks()
        return self._ahead(len(word)).lower().startswith(word.lower())

    def number(self, expected: str) -> int:
        """The whole number that stands here."""
        value = self.maybe_number()
        if value is None:
            raise self.failure(expected)
        return value

    def maybe_number(self) -> int | None:
        """The whole number that stands here, if there is one."""
        self._skip_blanks()
        end = self._position
        while end < len(self.text) and end - self._position < 4 and self.text[end] in "0123456789":
            end += 1
        if end == self._position:
            return None
        value = int(self.text[self._position : end])
        self._position = end
        return value

    def _ahead(self, length: int) -> str:
        return self.text[self._position : self._position + length]

    @property
    def is_done(self) -> bool:
        """Whether nothing but blanks is left."""
        self._skip_blanks()
        return self._position == len(self.text)

    def end(self) -> None:
        """Refuse anything that still follows."""
        if not self.is_done:
            raise self.failure("nothing more")

    def failure(self, expected: str) -> Malformed:
        """The refusal for what stands here."""
        return Malformed(self.text, self._position, expected)

    def _skip_blanks(self) -> None:
        while self._position < len(self.text) and self.text[self._position] in " \t,":
            self._position += 1


class Notation(Struct, frozen=True):
    """How one game's moves are written."""

    read: Callable[[str], Action]
    """The action a text stands for. Raises Malformed, or IllegalAction for a word the rules know and forbid."""
    write: Callable[[Action], str]
    read_outcome: Callable[[str, State, Request], Outcome]
    """What chance answered, as a person enters it for a recorded match."""
    write_outcome: Callable[[Request, Outcome], str]
    recall: Callable[[State, Sequence[Event]], Action]
    """The action that led from the state to these events of one seat. Raises TypeError where none does."""
    recall_outcome: Callable[[Event], Outcome]
    """What chance had drawn when this event was its answer. Raises TypeError where it is none."""
    examples: tuple[tuple[str, str], ...]
    """Moves with their meaning, for help texts."""
    read_line: Callable[[str], list[Action]] | None = None
    """The actions of one seat that a whole line stands for, where a game is entered by the line: a score pad."""


Recall = Callable[[State, Sequence[Event]], Action]


def recall_by(action_noun: str, actions: Mapping[type[Event], type[Action]]) -> Recall:
    """The `recall` of a game whose events tell their action: its fields are those of the same names of the event.

    An action without fields is told by the kind of event alone.
    """
    kinds = {event: (action, action.__struct_fields__) for event, action in actions.items()}
    for event, (action, names) in kinds.items():
        if missing := set(names) - set(event.__struct_fields__):
            raise TypeError(f"{event.__name__} does not tell {sorted(missing)} of {action.__name__}")

    def recall(state: State, events: Sequence[Event]) -> Action:
        """The action that led from this state to these events."""
        first = events[0]
        if type(first) not in kinds:
            raise TypeError(f"{first!r} does not follow from {action_noun}")
        action, names = kinds[type(first)]
        return action(*[getattr(first, name) for name in names])

    return recall


# ---------------------------------------------------------------------------------------- for games that are entered


def entry_notation(
    read_entry: Callable[[Reader], Action],
    write: Callable[[Action], str],
    recall: Callable[[State, Sequence[Event]], Action],
    examples: tuple[tuple[str, str], ...],
) -> Notation:
    """The notation of a score pad, made from how one entry is read and written; chance has no part in it."""
    return Notation(
        read=partial(_read_one, read_entry),
        write=write,
        read_outcome=_no_outcome_read,
        write_outcome=_no_outcome_written,
        recall=recall,
        recall_outcome=_no_outcome_recalled,
        examples=examples,
        read_line=partial(_read_several, read_entry),
    )


def _read_one(read: Callable[[Reader], Action], text: str) -> Action:
    reader = Reader(text)
    action = read(reader)
    reader.end()
    return action


def _read_several(read: Callable[[Reader], Action], text: str) -> list[Action]:
    reader = Reader(text)
    actions: list[Action] = []
    while not reader.is_done:
        actions.append(read(reader))
    return actions


def _no_outcome_read(text: str, state: State, request: Request) -> Outcome:
    raise UsageError("move/no-chance", f"{quoted(text)}: nothing is drawn on a score pad.")


def _no_outcome_written(request: Request, outcome: Outcome) -> str:
    raise TypeError("nothing is drawn on a score pad")


def _no_outcome_recalled(event: Event) -> Outcome:
    raise TypeError(f"{event!r} is no answer of chance; nothing is drawn on a score pad")
