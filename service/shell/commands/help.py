"""`help`: what `--help` says, for those who ask by that word."""

from typing import Annotated

import typer

from service.shell.commands.session import MORE, examples

app = typer.Typer()


@app.command("help", rich_help_panel=MORE, epilog=examples("help", "help new", "help dispute open"))
def show_help(
    context: typer.Context,
    command: Annotated[list[str] | None, typer.Argument(metavar="[COMMAND]…", help="The command to explain.")] = None,
) -> None:
    """Explain a command, or list all commands: the same as --help."""
    program = context.find_root()
    program.command.main([*(command or ()), "--help"], prog_name=program.info_name, standalone_mode=False)
