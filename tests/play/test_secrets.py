"""Promise 10: nothing we show gives away the secret, the seed or what is drawn later, until the match is closed."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli import app
from service.games.game import Game
from service.play.fork import fork
from service.play.ledger import LocalLedger
from service.play.matches import abandon, open_match
from service.play.replay import load
from service.store.connect import open_store
from tests.conftest import make_ledger, move
from tests.shelf import each_game, players

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")
READING = (["show"], ["legal"], ["log"], ["scores"], ["replay"])
SEED = 7061644215716937728


def everything_shown(database: str, match: str) -> str:
    """Whatever every reading command prints, for people and for programs."""
    runner = CliRunner()
    shown = ""
    for command in READING:
        for flags in ([], ["--json"]):
            result = runner.invoke(app, ["--database", database, *command, match, *flags])
            assert result.exit_code == 0, result.output
            shown += result.output
    for command in (["list"], ["list", "--json"], ["fork", match, "--json"]):
        shown += runner.invoke(app, ["--database", database, *command]).output
    return shown


@pytest.mark.parametrize(
    "chance", [{"chance_mode": "fair"}, {"chance_mode": "seeded", "seed": SEED}], ids=["fair", "seeded"]
)
@each_game
def test_the_secret_is_shown_when_the_match_is_closed_and_not_before(
    tmp_path: Path, game: Game, chance: dict[str, object]
) -> None:
    database = str(tmp_path / "ledger.db")
    with open_store(database) as store:
        ledger = make_ledger(store)
        seated = players(game.rules.seats[0])
        live = open_match(ledger, game.key, len(seated), players=seated, **chance)  # type: ignore[arg-type]
        move(ledger, live)
        stored = store.secret(live.id)
        assert stored is not None
        secret = stored[0].hex()
        shown = everything_shown(database, live.id)
        assert secret not in shown
        assert str(SEED) not in shown
        abandon(ledger, load(ledger, live.id))
        shown = everything_shown(database, live.id)
        assert secret in shown
        assert (str(SEED) in shown) == ("seed" in chance)


@each_game
def test_what_is_shown_does_not_depend_on_what_is_drawn_later(tmp_path: Path, game: Game) -> None:
    """Two matches alike so far, with different secrets, look the same in every way but ids, times and commitment."""
    with open_store(str(tmp_path / "ledger.db")) as store:
        ledger = make_ledger(store)
        seated = players(game.rules.seats[0])
        parent = open_match(ledger, game.key, len(seated), players=seated)
        move(ledger, parent)
        one, other = (fork(ledger, parent, parent.head.step) for _ in range(2))
        assert one.table.opened.commitment != other.table.opened.commitment
        assert one.table.state == other.table.state
        assert _shared(ledger, one.id) == _shared(ledger, other.id)


def _shared(ledger: LocalLedger, match: str) -> list[object]:
    return [(envelope.actor, envelope.event) for envelope in load(ledger, match).envelopes[1:]]
