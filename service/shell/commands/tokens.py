"""`tokens`: what you have of a match at a server, what a host gives and takes, and what a friend gave you."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.errors import UsageError, unknown
from service.shell.backend.token_file import Right
from service.shell.commands.session import PLAY, SEAT, Json, Match, examples, open_server
from service.shell.terminal.paint import say, show_json
from service.shell.terminal.words import read_seat
from service.trust.tokens import ROLES

if TYPE_CHECKING:
    from service.shell.backend.http import HttpBackend

app = typer.Typer()


@app.command(
    rich_help_panel=PLAY,
    epilog=examples("tokens last", "tokens last --give seat 2", "tokens last --revoke seat 2", "tokens kx60 --add -"),
)
def tokens(
    context: typer.Context,
    match: Match,
    seat: Annotated[str, typer.Argument(metavar=f"[{SEAT}]", help="Which seat, for `--give seat`.")] = "",
    give: Annotated[
        str, typer.Option(metavar="ROLE", help="Make a new token for somebody: seat, arbiter, spectator or host.")
    ] = "",
    revoke: Annotated[str, typer.Option(metavar="ROLE", help="Revoke the token of this role.")] = "",
    add: Annotated[
        str, typer.Option(metavar="TOKEN", help="Keep a token you were given; - reads it from standard input.")
    ] = "",
    show: Annotated[bool, typer.Option("--show", help="Print the tokens themselves.")] = False,
    as_json: Json = False,
) -> None:
    """List the tokens you have for a match at a server; as its host, issue and revoke tokens."""
    if sum(map(bool, (give, revoke, add))) > 1:
        raise UsageError("tokens/what", "Give only one of --give, --revoke and --add.")
    with open_server(context) as backend:
        if add:
            token = _read_token(add)
            match = backend.find_or_trust(match)
            rights = backend.add(match, token)
            view: dict[str, Any] = {"tokens": [_view(right) for right in rights]}
            lines = [f"Kept for match {match}: {', '.join(map(str, rights))}."]
        elif give or revoke:
            match = backend.find(match)
            right = _right(backend, match, give or revoke, seat)
            view, lines = _view(right), [f"The token for {right} of match {match} is revoked."]
            if give:
                view["token"] = token = backend.give(match, right)
                words = f"New token for {right} of match {match}; the one before is revoked. It is shown only once:"
                lines = [words, token]
            else:
                backend.revoke(match, right)
        else:
            match = backend.find(match)
            held = backend.tokens.held(match)
            view = {"tokens": [_view(right) | ({"token": token} if show else {}) for right, token in held.items()]}
            lines = [f"{right!s:10}{token}" if show else str(right) for right, token in held.items()]
            lines = lines or [f"You have no token for match {match}."]
    if as_json:
        show_json({"match": match} | view)
    else:
        for line in lines:
            say(line)


def _view(right: Right) -> dict[str, Any]:
    return {"role": right.role, "seat": right.seat}


def _right(backend: "HttpBackend", match: str, role: str, seat: str) -> Right:
    if role not in ROLES:
        raise unknown("access/role-unknown", "a role", role, ROLES)
    return Right(role, read_seat(backend.read(match), seat) if seat else 0)


def _read_token(text: str) -> str:
    token = sys.stdin.readline() if text == "-" else text
    if not token.strip():
        raise UsageError("tokens/empty", "The token to add is empty.")
    return token.strip()
