"""A command line with nothing but these commands on it, put together the way `cli.py` does it."""

import os
from typing import Annotated

import typer

from service.commands import disputes, questions
from service.terminal.invocation import Refusing, Root

app = typer.Typer(cls=Refusing, add_completion=False, pretty_exceptions_enable=False)
app.add_typer(disputes.app, name="dispute")
questions.mount(app)


@app.callback()
def main(
    context: typer.Context, database: Annotated[str, typer.Option()] = os.environ.get("MATCHLEDGER_DATABASE", "")
) -> None:
    """The commands about disputes and questions."""
    context.obj = Root(database, is_named=True)


if __name__ == "__main__":
    app()
