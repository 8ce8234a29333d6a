"""Answering for unforeseen failures: with the match that does not audit clean, or with our own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, ParamSpec

import typer

from service.errors import LedgerError
from service.shell.commands.session import Session, is_record
from service.store.connect import open_store

if TYPE_CHECKING:  # everything here is for a failure that hardly ever comes, and around every command
    from service.play.evidence import Evidence
    from service.play.ledger import LocalLedger

P = ParamSpec("P")


@contextmanager
def diagnosing(find: "Callable[P, list[Evidence]]", *args: P.args, **kwargs: P.kwargs) -> Iterator[None]:
    """Answer whatever falls over inside with Damaged, if a match it was about, as `find` gives them, is unsound.

    Events that no rule decided may fold to a table that nobody can draw, tell of or score; code that was promised
    sound facts fails on them in any way. A failure over sound matches is our own, and goes on as what it is.
    """
    try:
        yield
    except (LedgerError, OSError, typer.Exit, typer.Abort, typer.TyperException):
        raise
    except Exception as error:
        from service.audit.blame import unsound

        for evidence in find(*args, **kwargs):
            if (damage := unsound(evidence, error)) is not None:
                raise damage from error
        raise


def stored_evidence(ledger: "LocalLedger", match: str) -> "list[Evidence]":
    """One match of a ledger."""
    from service.play.evidence import from_store

    return [from_store(ledger.store, match)]


def named_evidence(context: typer.Context) -> "list[Evidence]":
    """The matches and files that the command line named, as far as they can be found here."""
    from service.play.evidence import from_store
    from service.records import read_evidence

    found: list[Evidence] = []
    session = context.find_object(Session)
    if session is None:
        return found
    for word in session.named:
        with suppress(LedgerError):
            if is_record(word):
                found += read_evidence(word)
            elif not session.server:  # what lies there is for the server to judge
                with open_store(session.database, read_only=True, timeout=session.timeout) as store:
                    found.append(from_store(store, word))
    return found
