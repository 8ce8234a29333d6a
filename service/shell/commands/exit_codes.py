"""How every refusal becomes a message and an exit code; nothing of ours ends in a traceback."""

import os
import sys
from contextlib import suppress
from typing import Any, Final

import typer
from typer.core import TyperGroup

from service.errors import FileTrouble, LedgerError, UsageError
from service.files import FULL
from service.shell.commands.crash_diagnosis import diagnosing, named_evidence
from service.shell.terminal.fallback import ERRORS
from service.visible import visible

NO_SUCH_LEDGER: Final = ("store/missing", "store/not-a-ledger")
"""A file that was named is missing, or is another kind of file: the same trouble as with any other file."""


def exit_code_of(error: LedgerError) -> int:
    """How a command ends that was refused."""
    return FileTrouble.exit_code if error.code in NO_SUCH_LEDGER else error.exit_code


def _survive_any_encoding() -> None:
    """Let streams that cannot write a character write a plain one instead of failing in the middle of a board."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=ERRORS)


def _show_error(error: LedgerError, as_json: bool) -> None:
    from service.shell.terminal.paint import show_error  # most commands are not refused

    show_error(error, as_json)


def _say_unwritable(why: str) -> None:
    trouble = FileTrouble("output/unwritable", f"The standard output cannot be written: {why}.")
    with suppress(OSError):  # it is about the other stream, but that one may be as full
        _show_error(trouble, as_json=False)


def _give_up_output() -> None:
    """Let what is still to be written go nowhere, so that the interpreter does not stumble over it at its end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


class ExitCodeGroup(TyperGroup):
    """Turns every refusal into its message and exit code; nothing of ours ends in a traceback."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        _survive_any_encoding()
        ctx.meta["json"] = "--json" in args
        for word in args:
            if not word.isascii() and any("\ud800" <= character <= "\udfff" for character in word):
                _show_error(UsageError("usage", f"{word!r} is not text in this terminal's encoding."), ctx.meta["json"])
                raise typer.Exit(UsageError.exit_code)
        return super().parse_args(ctx, args)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        if sys.stderr is None:  # closed by whoever started this process
            sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 it stays open as long as we run
        if sys.stdout is None:
            _say_unwritable("it is closed")
            sys.exit(FileTrouble.exit_code)
        try:
            try:
                return super().main(*args, **kwargs)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:  # whoever read it has seen enough
            _give_up_output()
            sys.exit(1)
        except OSError as error:
            _give_up_output()
            _say_unwritable("the disk is full" if error.errno in FULL else error.strerror or str(error))
            sys.exit(FileTrouble.exit_code)

    def invoke(self, ctx: Any) -> Any:
        try:
            with diagnosing(named_evidence, ctx):
                return super().invoke(ctx)
        except LedgerError as error:
            _show_error(error, as_json=ctx.meta["json"])
            raise typer.Exit(exit_code_of(error)) from error
        except typer.TyperException as error:  # a missing argument, an unknown option: Typer's own words
            error.message = visible(error.message)
            if not ctx.meta["json"]:
                raise
            _show_error(UsageError("usage", error.format_message()), as_json=True)
            raise typer.Exit(UsageError.exit_code) from error
