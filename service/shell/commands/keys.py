"""`key`: look at the ledger's signing key, replace it, and make keys for arbiters."""

from typing import Annotated

import typer

from service.shell.commands.session import Json
from service.shell.terminal.audits import key_view, show_key
from service.shell.terminal.paint import say, show_json
from service.trust.keys import PublicKey, create_arbiter_key, key_folder, known_keys, load_server_key, rotate

app = typer.Typer(no_args_is_help=True, help="Look after the keys that sign matches and rulings.")


@app.command()
def show(as_json: Json = False) -> None:
    """Show the public key of this ledger, and those it signed with before."""
    load_server_key()
    known = known_keys()
    if as_json:
        show_json({"folder": str(key_folder()), "keys": [key_view(key) for key in known]})
        return
    for key in known:
        show_key(key)


@app.command("rotate")
def rotate_key(as_json: Json = False) -> None:
    """Sign with a new key from now on; what the old one signed stays valid."""
    old, new = rotate()
    present = PublicKey(new.public, new.since)
    if as_json:
        show_json({"old": key_view(old), "new": key_view(present)})
        return
    show_key(present)
    say("Retired:")
    show_key(old)


@app.command()
def arbiter(
    name: Annotated[str, typer.Argument(help="Whose key it is to be.")],
    as_json: Json = False,
) -> None:
    """Make a key for an arbiter, in a file to be carried away."""
    path, key = create_arbiter_key(name)
    if as_json:
        show_json({"name": name, "file": str(path), **key_view(PublicKey(key.public, key.since))})
        return
    show_key(PublicKey(key.public, key.since))
    say(f"The private key is in {path}; give that file to {name} and to nobody else.")
