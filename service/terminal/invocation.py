"""One run of the command line: what it works on, and how every refusal becomes a message and an exit code."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import typer
from typer.core import TyperGroup

from service import replay
from service.commands.session import Session
from service.errors import LedgerError, Unavailable, UsageError
from service.ledger import Ledger
from service.replay import Live
from service.store.connect import TIMEOUT, open_store
from service.terminal.paint import show_error, survive_any_encoding


@dataclass
class Root(Session):
    """What one invocation works on, and how long it waits for others who work on it."""

    timeout: float = TIMEOUT


class Refusing(TyperGroup):
    """Turns every refusal into its message and exit code; nothing of ours ends in a traceback."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        survive_any_encoding()
        ctx.meta["json"] = "--json" in args
        for word in args:
            if not word.isascii() and any("\ud800" <= character <= "\udfff" for character in word):
                show_error(UsageError("usage", f"{word!r} is not text in this terminal's encoding."), ctx.meta["json"])
                raise typer.Exit(UsageError.exit_code)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except LedgerError as error:
            show_error(error, as_json=ctx.meta["json"])
            raise typer.Exit(error.exit_code) from error
        except typer.TyperException as error:  # a missing argument, an unknown option: Typer's own words
            if not ctx.meta["json"]:
                raise
            show_error(UsageError("usage", error.format_message()), as_json=True)
            raise typer.Exit(UsageError.exit_code) from error


def root_of(context: typer.Context) -> Root:
    """What this invocation works on."""
    root = context.find_object(Root)
    assert root is not None
    return root


@contextmanager
def open_ledger(context: typer.Context, *, creates: bool = False) -> Iterator[Ledger]:
    """The ledger. A file that was named and is missing is made only by the commands that begin something."""
    root = root_of(context)
    try:
        store = open_store(root.database, create=creates or not root.is_named, timeout=root.timeout)
    except Unavailable as refusal:
        if refusal.code == "store/missing" and not creates:
            refusal.hint = "`new` and `play` make a ledger; --database names another."
        raise
    with store:
        yield Ledger(store)


def load_match(context: typer.Context, match: str, at: str | None = None) -> Live:
    """A match to look at, as it stands or as it stood."""
    with open_ledger(context) as ledger:
        live = replay.load(ledger, match)
    return replay.at(live, at) if at is not None else live
