"""The commands that look after the database."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Final

import typer

from projections.words import count
from service.errors import Damaged, Unavailable, UsageError
from service.files import data_folder
from service.shell.backend.token_file import token_file
from service.shell.commands.session import OPERATE, Json, Match, examples, session_of
from service.shell.terminal.ledgers import show_backup, show_copy, show_figures, show_sealed, show_stored
from service.shell.terminal.paint import say, show_json
from service.shell.terminal.progress import counting, tracked
from service.store.connect import differences, open_store, upgrade_store, wherever, without_password
from service.trust.folder import key_folder

app = typer.Typer(
    name="db", no_args_is_help=True, help="The database: where it is, backups, copies, checks, compressing old matches."
)
app.info.rich_help_panel = OPERATE  # which Typer() drops

_WHY: Final = {
    "COMMANDLINE": "named by --database",
    "ENVIRONMENT": "named by MATCHLEDGER_DATABASE",
    "DEFAULT": "the default; --database or MATCHLEDGER_DATABASE name another",
}
_NOT_THERE: Final = ("store/missing", "store/unreachable")


@app.command()
def upgrade(context: typer.Context) -> None:
    """Migrate the database to the schema this version needs. PostgreSQL is migrated by this command only."""
    session = session_of(context)
    before, after = upgrade_store(session.database, timeout=session.timeout)
    news = "already" if before == after else f"now; before, it was at {before}" if before else "now; it was made"
    say(f"The ledger is at revision {after} {news}.")


@app.command()
def check(
    context: typer.Context,
    everything: Annotated[
        bool,
        typer.Option(
            "--everything", help="Also read everything: integrity of the file, hash chain of every match, journal."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Compare tables, triggers and constraints with those this version expects, and say who else can read the file."""
    session = session_of(context)
    if everything:
        from service.audit.storage import check_stored

        with counting("checking", is_quiet=as_json) as (begin, notice):
            stored = check_stored(session.database, timeout=session.timeout, begin=begin, notice=notice)
        show_json(stored) if as_json else show_stored(stored)
        if stored.findings:
            raise typer.Exit(Damaged.exit_code)
    else:
        found = differences(session.database, timeout=session.timeout)
        if as_json:
            show_json({"differences": found})
        else:
            for line in found or ["Tables, triggers and constraints are as this version expects them."]:
                say(line)
        if found:
            raise typer.Exit(1)


@app.command()
def where(context: typer.Context, as_json: Json = False) -> None:
    """Show where the ledger, its keys and your tokens are, and whether the ledger is ready. Creates nothing."""
    session = session_of(context)
    source = context.find_root().get_parameter_source("database")
    place = without_password(wherever(session.database))
    state, trouble = "ready", ""
    try:
        open_store(session.database, create=False, read_only=True, timeout=session.timeout).close()
    except (Unavailable, Damaged) as refusal:
        state, trouble = refusal.code, refusal.message
    answer = {
        "database": place,
        "why": _WHY[source.name if source is not None else "DEFAULT"],
        "exists": state not in _NOT_THERE,
        "state": state,
        "data_folder": str(data_folder()),
        "keys": str(key_folder()),
        "tokens": str(token_file()),
    }
    if as_json:
        show_json(answer)
        return
    say(place)
    say(f"  {answer['why']}", "dim")
    if state == "store/missing":
        trouble = "There is no ledger yet; `new` and `play` create it."
    for name, words in (
        ("state", trouble or "ready"),
        ("data folder", answer["data_folder"]),
        ("keys", answer["keys"]),
        ("tokens", answer["tokens"]),
    ):
        say(f"  {name:11}  {words}")


@app.command()
def info(context: typer.Context, as_json: Json = False) -> None:
    """Show what is in the ledger: kind, size, matches by game and status, the journal and the key. Creates nothing."""
    from service.shell.answers.ledgers import ledger_answer
    from service.store.figures import figures_of

    session = session_of(context)
    answer = ledger_answer(figures_of(session.database, timeout=session.timeout))
    show_json(answer) if as_json else show_figures(answer)


@app.command(epilog=examples("db backup ~/backups/ledger-monday.db", "db backup latest.db --force"))
def backup(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The SQLite file to write.")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace an existing file, once the new one was checked.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write a backup of the whole ledger to a file, and check it. Others can keep writing meanwhile.

    The backup of a PostgreSQL database is a SQLite file; `db copy` brings it back. The key folder is not in it.
    """
    from service.audit.storage import make_backup

    session = session_of(context)
    with counting("backing up", is_quiet=as_json) as (begin, notice):
        made = make_backup(
            session.database, file.expanduser(), replaces=force, timeout=session.timeout, begin=begin, notice=notice
        )
    show_json(made) if as_json else show_backup(made, key_folder())
    if made.checked.findings:
        raise typer.Exit(Damaged.exit_code)


@app.command(
    epilog=examples("db copy ledger.db postgresql://ledger@db.example.org/matches", "db copy backup.db ledger.db")
)
def copy(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FROM", help="A SQLite file or a postgresql:// URL.")],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="A SQLite file or a postgresql:// URL; empty, or not created yet.")
    ],
    as_json: Json = False,
) -> None:
    """Copy a whole ledger, with secrets, open matches and journal, into an empty one: all of it, or nothing.

    Afterwards two ledgers have the same journal: write to only one of them from then on (docs/operations.md).
    """
    from service.store.copying import copy_ledger

    session = session_of(context)
    with counting("copying", is_quiet=as_json) as (begin, notice):
        copied = copy_ledger(source, target, timeout=session.timeout, begin=begin, notice=notice)
    show_json(copied) if as_json else show_copy(copied)


@app.command(epilog=examples("db seal --older-than 30", "db seal --all"))
def seal(
    context: typer.Context,
    older_than: Annotated[
        int | None,
        typer.Option(metavar="DAYS", min=0, help="Compress closed matches that did not change for so many days."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Compress every closed match.")] = False,
    as_json: Json = False,
) -> None:
    """Compress closed matches: the events of each become one row, about a twentieth of their size.

    Every command works on sealed matches, disputes too. Each is read back and compared before its rows are deleted.
    """
    from service.shell.answers.ledgers import SealedAnswer

    if everything == (older_than is not None):
        raise UsageError("seal/which", "Say which closed matches to seal: --older-than DAYS, or --all.")
    session = session_of(context)
    before = None if older_than is None else datetime.now(UTC) - timedelta(days=older_than)
    sealed = SealedAnswer()
    with open_store(session.database, create=False, timeout=session.timeout) as store:
        sealing = store.sealing()
        total = sum(sealing.candidates(before).values())
        for one in tracked(sealing.seal(before), total, "sealing", is_quiet=as_json):
            if isinstance(one, Damaged):
                sealed.left.append(one.message)
                continue
            sealed.matches += 1
            sealed.events += one.events
            sealed.before += one.before
            sealed.after += one.after
        if sealed.matches:
            try:
                sealing.compact()
            except Unavailable as refusal:  # somebody is at work; the room is used again by and by
                sealed.not_compacted = refusal.message
    show_json(sealed) if as_json else show_sealed(sealed)
    if sealed.left:
        raise typer.Exit(Damaged.exit_code)


@app.command(epilog=examples("db unseal 8v5aszk8zh"))
def unseal(context: typer.Context, match: Match, as_json: Json = False) -> None:
    """Turn a sealed match back into one row for each event."""
    session = session_of(context)
    with open_store(session.database, create=False, timeout=session.timeout) as store:
        row = store.find(match)
        events = store.sealing().unseal(row.id)
    show_json({"match": row.id, "events": events}) if as_json else say(
        f"Match {row.id} is unsealed: {count(events, 'event')} are rows again."
    )
