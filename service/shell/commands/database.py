"""The commands that look after the database."""

import typer

from service.errors import Unavailable
from service.shell.commands.session import MORE, Json, session_of
from service.shell.terminal.paint import say, show_json
from service.store.connect import differences, open_store, upgrade_store

app = typer.Typer(name="db", no_args_is_help=True, help="Look after the database.")
app.info.rich_help_panel = MORE  # which Typer() drops


@app.command()
def upgrade(context: typer.Context) -> None:
    """Bring the database to the shape this version needs. PostgreSQL is migrated by this command only."""
    session = session_of(context)
    before, after = upgrade_store(session.database, timeout=session.timeout)
    news = "already" if before == after else f"now; before, it was at {before}" if before else "now; it was made"
    say(f"The ledger is at revision {after} {news}.")


@app.command()
def check(context: typer.Context, as_json: Json = False) -> None:
    """Compare tables, triggers and conditions with those this version expects, and say who else may read the file."""
    session = session_of(context)
    found = differences(session.database, timeout=session.timeout)
    if as_json:
        show_json({"differences": found})
    else:
        for line in found or ["Tables, triggers and conditions agree with this version."]:
            say(line)
    if found:
        raise typer.Exit(1)


@app.command()
def where(context: typer.Context, as_json: Json = False) -> None:
    """Say where the ledger is, and whether it is there yet."""
    place, is_there = session_of(context).database, True
    try:
        with open_store(place, create=False, read_only=True, timeout=session_of(context).timeout) as store:
            place = store.where.strip("'")
    except Unavailable as refusal:
        if refusal.code != "store/missing":
            raise
        is_there = False
    if as_json:
        show_json({"database": place, "exists": is_there})
        return
    say(place)
    if not is_there:
        say("There is nothing there yet; `new` and `play` make it.", "dim", stderr=True)
