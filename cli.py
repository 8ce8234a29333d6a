"""The command line: parse, call, print. Exit codes: 0 fine, 1 refused, 2 usage or file trouble, 3 damaged."""

import gc

if __name__ == "__main__":
    gc.disable()  # while everything is loaded there is no garbage; with the collector on, `list` takes 35 % longer

from typing import Annotated, Any, Final

import typer

from service.errors import UsageError
from service.shell.commands.exit_codes import ExitCodeGroup
from service.shell.commands.quick_start import LazyCommands, read_fast
from service.shell.commands.session import Session, default_database
from service.store.connect import TIMEOUT

DATABASE_VARIABLE = "MATCHLEDGER_DATABASE"
SERVER_VARIABLE = "MATCHLEDGER_SERVER"
WHERE_THE_LEDGER_IS = ("arena", "db", "demo", "key", "pad", "record", "serve", "simulate")
"""Commands that are about a ledger of this machine, and never about a server."""

COMMANDS: Final = {
    "play": ("play",),
    "matches": ("new", "join", "act", "deal", "undo", "redo", "resign", "abandon", "fork", "rename"),
    "tokens": ("tokens",),
    "listing": ("games", "list"),
    "show": ("show", "legal", "log", "scores", "replay"),
    "advice": ("hint", "review"),
    "questions": ("explain", "rules", "rescore", "bisect"),
    "records": ("export", "import", "validate"),
    "real_table": ("record", "pad"),
    "audit": ("audit", "receipt"),
    "disputes": ("dispute",),
    "more": ("simulate", "arena", "demo"),
    "help": ("help",),
    "serve": ("serve",),
    "keys": ("key",),
    "database": ("db",),
}
"""Which module of `service/shell/commands/` has which commands, in the order in which people meet them; a command loads
its own module and no other."""


class Program(ExitCodeGroup):
    """All commands, loaded as they are asked for."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = LazyCommands(COMMANDS)
        read_fast(self)


app = typer.Typer(
    cls=Program,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 fine, 1 refused, 2 usage or file trouble, 3 damaged.\n"
    "Begin with [bold]matchledger demo[/bold] or [bold]matchledger play azul[/bold].",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        from service.shell.terminal.paint import say

        say(f"matchledger {version('matchledger')}")
        raise typer.Exit


def _begin_to_collect() -> None:
    """Look for garbage from now on, where whoever started the program left that off, and never in what is loaded.

    What is loaded stays; looking through it once more would be the longest part of the end of a short command.
    """
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _one_of(context: typer.Context, database: str | None, server: str | None) -> tuple[str | None, str | None]:
    """The database or the server; what was typed goes before what the environment says; both is refused."""
    if database is None or server is None:
        return database, server
    sources = [context.get_parameter_source(name) for name in ("database", "server")]
    is_typed = [source is not None and source.name == "COMMANDLINE" for source in sources]
    if sum(is_typed) != 1:
        raise UsageError("server/database", "Name a database or a server, not both: --database, or --server.")
    return (database, None) if is_typed[0] else (None, server)


@app.callback()
def main(
    context: typer.Context,
    database: Annotated[
        str | None,
        typer.Option(metavar="FILE|URL", envvar=DATABASE_VARIABLE, help="A SQLite file or a postgresql:// URL."),
    ] = None,
    server: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar=SERVER_VARIABLE,
            help="Use the ledger of this matchledger server instead of a database.",
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0, help="How many seconds to wait while other programs use the database.")
    ] = TIMEOUT,
    show_version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """A ledger of board game matches: replay, undo, fork and audit them point by point."""
    _begin_to_collect()
    database, server = _one_of(context, database, server)
    if server is not None and context.invoked_subcommand in WHERE_THE_LEDGER_IS:
        message = (
            f"`{context.invoked_subcommand}` works on a ledger of this machine, not at a server; leave --server out."
        )
        raise UsageError("server/local-only", message)
    context.obj = Session(database or default_database(), database is not None, timeout, server=server or "")


if __name__ == "__main__":
    app(prog_name="matchledger")
