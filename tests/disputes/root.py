"""A command line with nothing but these commands on it, put together the way `cli.py` does it."""

import os
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from service.commands import disputes, questions
from service.commands.session import Session
from service.errors import LedgerError
from service.terminal.paint import show_error


class Refusing(TyperGroup):
    """Turns every refusal into its message and exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except LedgerError as error:
            session = ctx.find_object(Session)
            show_error(error, as_json=session is not None and session.as_json)
            raise typer.Exit(error.exit_code) from error


app = typer.Typer(cls=Refusing, add_completion=False, pretty_exceptions_enable=False)
app.add_typer(disputes.app, name="dispute")
questions.mount(app)


@app.callback()
def main(
    context: typer.Context, database: Annotated[str, typer.Option()] = os.environ.get("MATCHLEDGER_DATABASE", "")
) -> None:
    """The commands about disputes and questions."""
    context.obj = Session(database, is_named=True)


if __name__ == "__main__":
    app()
