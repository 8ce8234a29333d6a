"""`serve`: the ledger over HTTP."""

import errno
import socket
import sys
from typing import Annotated

import typer

from service.errors import UsageError
from service.shell.commands.session import OPERATE, examples, session_of
from service.shell.terminal.paint import say
from service.store.connect import open_store

app = typer.Typer()


@app.command(
    rich_help_panel=OPERATE,
    epilog=examples("serve --demo", "serve --port 9000", "--database postgresql://… serve --host 0.0.0.0 --workers 4"),
)
def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(envvar="MATCHLEDGER_HOST", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(envvar="MATCHLEDGER_PORT", min=0, max=65535, help="The port.")] = 8080,
    workers: Annotated[
        int,
        typer.Option(
            envvar="MATCHLEDGER_WORKERS", min=1, max=64, help="How many processes; more than one needs PostgreSQL."
        ),
    ] = 1,
    rate: Annotated[
        float,
        typer.Option(
            envvar="MATCHLEDGER_RATE", min=0, help="Requests per second for one token or address; 0: no limit."
        ),
    ] = 50.0,
    burst: Annotated[
        int, typer.Option(envvar="MATCHLEDGER_BURST", min=1, help="How many requests may come at once.")
    ] = 200,
    streams: Annotated[
        int, typer.Option(envvar="MATCHLEDGER_STREAMS", min=1, help="Live streams for one token or address.")
    ] = 16,
    heartbeat: Annotated[
        float,
        typer.Option(envvar="MATCHLEDGER_HEARTBEAT", min=0.1, help="Seconds between heartbeats on a silent stream."),
    ] = 15.0,
    origin: Annotated[
        list[str] | None,
        typer.Option(envvar="MATCHLEDGER_ORIGINS", help="Another web origin whose pages may use the service (CORS)."),
    ] = None,
    quiet: Annotated[
        bool | None,
        typer.Option(
            "--quiet/--no-quiet", help="Log only errors; this is the default at a terminal.", show_default=False
        ),
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo/--no-demo", help="Put a match of every game into a ledger that has none yet.")
    ] = False,
) -> None:
    """Serve the ledger over HTTP, for browsers, programs and other machines.

    Open the address it prints in a browser. For programs, docs/http.md is the guide, and the OpenAPI document is at
    /api/openapi.json.
    """
    from service.play.demo_matches import put_demo_matches
    from service.shell.http.serve import serve as run  # what it needs takes longer to load than most commands to run
    from service.shell.http.settings import Settings

    session = session_of(context)
    port = _free_port(host, port)
    with open_store(session.database, timeout=session.timeout) as store:
        where = store.where
        if demo:
            put_demo_matches(store, session.database)
    shown = f"[{host}]" if ":" in host else host
    say(f"matchledger is at http://{shown}:{port}/  (ledger: {where}; Ctrl-C stops it)")
    settings = Settings(
        database=session.database,
        timeout=session.timeout,
        rate=rate,
        burst=burst,
        streams=streams,
        heartbeat=heartbeat,
        origins=tuple(origin or ()),
    )
    run(settings, host, port, workers, is_quiet=sys.stderr.isatty() if quiet is None else quiet)


def _free_port(host: str, port: int) -> int:
    """The port, if nobody listens there; any that is free where 0 is asked for. Refused in words otherwise."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server will
        try:
            tried.bind((host, port))
        except OSError as error:
            refusal = UsageError("serve/port", f"The service cannot listen at {host}, port {port}: {error.strerror}.")
            if error.errno == errno.EADDRINUSE:
                refusal.message = f"Port {port} is taken: maybe matchledger runs already, at http://{host}:{port}/."
            refusal.hint = f"Another port: matchledger serve --port {port + 1}, or make serve PORT={port + 1}."
            raise refusal from error
        found: int = tried.getsockname()[1]
        return found
