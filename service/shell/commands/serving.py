"""`serve`: the ledger over HTTP."""

from typing import Annotated

import typer

from service.shell.commands.session import MORE, examples, session_of
from service.shell.terminal.paint import say

app = typer.Typer()


@app.command(
    rich_help_panel=MORE,
    epilog=examples("serve", "serve --port 9000", "--database postgresql://… serve --host 0.0.0.0 --workers 4"),
)
def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(envvar="MATCHLEDGER_HOST", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(envvar="MATCHLEDGER_PORT", min=0, max=65535, help="The port.")] = 8080,
    workers: Annotated[
        int, typer.Option(envvar="MATCHLEDGER_WORKERS", min=1, max=64, help="Processes; more than one on PostgreSQL.")
    ] = 1,
    rate: Annotated[
        float,
        typer.Option(envvar="MATCHLEDGER_RATE", min=0, help="Requests a second for one token or address; 0: no limit."),
    ] = 50.0,
    burst: Annotated[
        int, typer.Option(envvar="MATCHLEDGER_BURST", min=1, help="How many of them may come at once.")
    ] = 200,
    streams: Annotated[
        int, typer.Option(envvar="MATCHLEDGER_STREAMS", min=1, help="Live streams for one token or address.")
    ] = 16,
    heartbeat: Annotated[
        float,
        typer.Option(envvar="MATCHLEDGER_HEARTBEAT", min=0.1, help="Seconds between signs of life on a silent stream."),
    ] = 15.0,
    origin: Annotated[
        list[str] | None,
        typer.Option(envvar="MATCHLEDGER_ORIGINS", help="Another origin whose pages may use the service."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Log trouble only.")] = False,
) -> None:
    """Serve the ledger over HTTP: play, watch, audit and dispute from programs and from other machines.

    docs/http.md is the guide; the OpenAPI document is at /api/openapi.json.
    """
    from service.shell.http.serve import serve as run  # what it needs takes longer to load than most commands to run
    from service.shell.http.settings import Settings

    session = session_of(context)
    say(f"Serving at http://{host}:{port}/ until told to stop (Ctrl-C); what happens is logged below.")
    settings = Settings(
        database=session.database,
        timeout=session.timeout,
        rate=rate,
        burst=burst,
        streams=streams,
        heartbeat=heartbeat,
        origins=tuple(origin or ()),
    )
    run(settings, host, port, workers, is_quiet=quiet)
