"""How every refusal becomes a message and an exit code; nothing of ours ends in a traceback."""

from typing import Any

import typer
from typer.core import TyperGroup

from service.errors import LedgerError, UsageError
from service.shell.terminal.paint import show_error, survive_any_encoding
from service.visible import visible


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
            error.message = visible(error.message)
            if not ctx.meta["json"]:
                raise
            show_error(UsageError("usage", error.format_message()), as_json=True)
            raise typer.Exit(UsageError.exit_code) from error
