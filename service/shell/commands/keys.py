"""`key`: look at the ledger's signing key, replace it, adopt a journal, and make keys for arbiters."""

from typing import Annotated

import typer

from projections.words import count
from service.play.notary import adopt as adopt_journal
from service.play.notary import take_over
from service.shell.commands.session import OPERATE, Json, open_ledger
from service.shell.terminal.audits import key_view, show_key
from service.shell.terminal.paint import say, show_json
from service.trust.folder import create_arbiter_key, disowned, key_folder, known_keys, load_server_key, rotate
from service.trust.keys import PublicKey

app = typer.Typer(
    name="key", no_args_is_help=True, help="Show, replace and make the keys that sign matches and rulings."
)
app.info.rich_help_panel = OPERATE  # which Typer() drops


@app.command()
def show(as_json: Json = False) -> None:
    """Show the public key of this ledger, and those it signed with before."""
    load_server_key()
    known, strange = known_keys(), disowned()
    if as_json:
        show_json(
            {
                "folder": str(key_folder()),
                "keys": [key_view(key) for key in known],
                "ignored": [str(path) for path in strange],
            }
        )
        return
    for key in known:
        show_key(key)
    for path in strange:
        say(f"Ignored: {path} is in the folder of retired keys, but no key of this ledger vouches for it.", "bad")


@app.command("rotate")
def rotate_key(context: typer.Context, as_json: Json = False) -> None:
    """Sign with a new key from now on. What the old one signed stays valid; the journal records the change."""
    old, new = rotate()
    present = PublicKey(new.public, new.since)
    with open_ledger(context) as ledger:
        assert ledger.notary is not None
        take_over(ledger.notary, ledger.store, old.public, ledger.clock())
    if as_json:
        show_json({"old": key_view(old), "new": key_view(present)})
        return
    show_key(present)
    say("Retired:")
    show_key(old)


@app.command()
def adopt(context: typer.Context, as_json: Json = False) -> None:
    """Sign the journal of this ledger with the key of this machine: after a move of the ledger, or to begin one."""
    with open_ledger(context) as ledger:
        assert ledger.notary is not None
        found = adopt_journal(ledger.notary, ledger.store, ledger.clock())
        last = sum(1 for _ in ledger.store.journal())
    if as_json:
        show_json({"key": known_keys()[0].public, "entries": last, "found": found})
        return
    key = known_keys()[0].fingerprint
    taken = f"; {count(found, 'match', 'matches')} entered as found, without vouching for them" if found else ""
    say(f"The journal has {count(last, 'entry', 'entries')} and is signed with key {key} from now on{taken}.")


@app.command()
def arbiter(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the arbiter.")],
    as_json: Json = False,
) -> None:
    """Create a key for an arbiter, in a file to hand over."""
    path, key = create_arbiter_key(name)
    if as_json:
        show_json({"name": name, "file": str(path), **key_view(PublicKey(key.public, key.since))})
        return
    show_key(PublicKey(key.public, key.since))
    say(f"The private key is in {path}; give that file to {name} and to nobody else.")
