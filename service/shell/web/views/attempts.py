"""What to say where something cannot be shown: a forged event may break a fold, and the page goes on."""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from service.errors import LedgerError

Made = TypeVar("Made")
BROKEN: Final = (LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError, LedgerError)
"""What a forged event can do to a fold."""


class Unshown(NamedTuple):
    """A part of a page that cannot be made."""

    error: str


def attempt(make: Callable[[], Made]) -> Made | Unshown:
    """What is made there, or that it cannot be. It must be whole: nothing is computed while a template prints it."""
    try:
        return make()
    except BROKEN as error:
        return Unshown(type(error).__name__)
