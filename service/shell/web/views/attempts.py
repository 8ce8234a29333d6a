"""What to say where something cannot be shown: a forged event may break a fold, and the page goes on."""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

Made = TypeVar("Made")
BROKEN: Final = Exception
"""What a forged event raises in code that was promised sound ones: anything."""


class Unshown(NamedTuple):
    """A part of a page that cannot be made."""

    error: str


def words_or_blank(tell: Callable[[], str]) -> str:
    """A sentence; empty where it cannot be told."""
    try:
        return tell()
    except BROKEN:
        return ""


def attempt(make: Callable[[], Made]) -> Made | Unshown:
    """What is made there, or that it cannot be. It must be whole: nothing is computed while a template prints it."""
    try:
        return make()
    except BROKEN as error:
        return Unshown(type(error).__name__)
