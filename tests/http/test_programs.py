"""Nobody from afar runs a program here: neither by seating one, nor by looking at a match that has one."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from service.audit.judge import own_notary
from service.bots.programs import Programs
from service.play.ledger import LocalLedger
from service.play.matches import open_match as opened
from service.play.players import NewPlayer
from service.store.connect import open_store
from service.trust.folder import key_folder_at
from tests.bots.scripts import script
from tests.http.api_client import ApiClient, api_client, good, open_table, refused

MARK = 'open("started", "w").close()'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    with key_folder_at(tmp_path / "keys"):
        yield tmp_path


@pytest.fixture
def api(folder: Path, migrated_file: Path) -> Iterator[ApiClient]:
    with api_client(folder / "ledger.db", migrated_file) as api:
        yield api


@pytest.mark.parametrize("command", ["mine", "./missing", "sh -c 'touch started'"])
@pytest.mark.parametrize("named", ["bot:{}", "Ada=bot:{}"])
def test_a_match_is_not_opened_with_one(api: ApiClient, folder: Path, command: str, named: str) -> None:
    """Whether there is such a program or not: nobody learns that."""
    command = script(folder, MARK) if command == "mine" else command
    player = named.format(f"exec:{command}")
    problem = refused(api.post("/matches", {"game": "azul", "players": [player, "Ann"]}), 403, "bot/outside")
    assert "choose from: greedy, search:1," in problem["detail"]
    assert "exec" not in problem["detail"].partition("choose from")[2]
    assert not (folder / "started").exists()
    assert good(api.get("/matches"))["matches"] == []


@pytest.mark.parametrize("name", ["bot:exec:sh -c 'touch started'", "bot:module:os.abort"])
def test_nor_does_the_host_seat_one(api: ApiClient, folder: Path, name: str) -> None:
    table = open_table(api, players=["Ann"], seats=2)
    refused(table.host.post(f"{table.path}/join", {"name": name}), 403, "bot/outside")
    assert not (folder / "started").exists()


def test_a_match_that_has_one_waits_for_whoever_seated_it(folder: Path, migrated_file: Path) -> None:
    """Whoever looks at it starts nothing, and neither does a move of somebody else."""
    database = Path(shutil.copy(migrated_file, folder / "at-home.db"))
    players = [NewPlayer("mine", f"bot:exec:{script(folder, MARK)}"), NewPlayer("Ann")]
    with open_store(str(database)) as store, closing(Programs()) as programs:
        home = replace(LocalLedger(store, notary=own_notary()), programs=programs)
        live = opened(home, "azul", players=players, options={"firstPlayer": "seat:1"})
    (folder / "started").unlink()  # it was greeted when it was seated
    with api_client(folder / "ledger.db", database) as api:
        for path in ("", "/legal", "/story", "/audit", "/table.html", "/replay.html"):
            assert api.get(f"/matches/{live.id}{path}").is_success
        state = good(api.get(f"/matches/{live.id}"))
    assert (state["turn"], state["head"]) == ([1], live.head.seq)
    assert not (folder / "started").exists()


def test_the_page_offers_none(api: ApiClient) -> None:
    page = api.client.get("/new", params={"game": "azul"})
    assert page.is_success
    assert "greedy" in page.text
    assert "exec" not in page.text
    assert "module:" not in page.text
    asked = api.client.get("/new", params={"game": "azul", "seat2": "exec:ls"})
    assert "exec:ls" not in asked.text
