"""Nobody from afar runs a program here: neither by seating one, nor by looking at a match that has one."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from service.audit.judge import own_notary
from service.bots.programs import Programs
from service.play.ledger import Ledger
from service.play.matches import Player
from service.play.matches import open_match as opened
from service.store.connect import open_store
from service.trust.folder import key_folder_at
from tests.bots.scripts import script
from tests.http.visiting import Visitor, good, open_table, refused, visiting

MARK = 'open("started", "w").close()'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    with key_folder_at(tmp_path / "keys"):
        yield tmp_path


@pytest.fixture
def visitor(folder: Path, migrated_file: Path) -> Iterator[Visitor]:
    with visiting(folder / "ledger.db", migrated_file) as visitor:
        yield visitor


@pytest.mark.parametrize("command", ["mine", "./missing", "sh -c 'touch started'"])
@pytest.mark.parametrize("named", ["bot:{}", "Ada=bot:{}"])
def test_a_match_is_not_opened_with_one(visitor: Visitor, folder: Path, command: str, named: str) -> None:
    """Whether there is such a program or not: nobody learns that."""
    command = script(folder, MARK) if command == "mine" else command
    player = named.format(f"exec:{command}")
    problem = refused(visitor.post("/matches", {"game": "azul", "players": [player, "Ann"]}), 403, "bot/outside")
    assert "choose from: greedy, search:1," in problem["detail"]
    assert "exec" not in problem["detail"].partition("choose from")[2]
    assert not (folder / "started").exists()
    assert good(visitor.get("/matches"))["matches"] == []


@pytest.mark.parametrize("name", ["bot:exec:sh -c 'touch started'", "bot:module:os.abort"])
def test_nor_does_the_host_seat_one(visitor: Visitor, folder: Path, name: str) -> None:
    table = open_table(visitor, players=["Ann"], seats=2)
    refused(table.host.post(f"{table.path}/join", {"name": name}), 403, "bot/outside")
    assert not (folder / "started").exists()


def test_a_match_that_has_one_waits_for_whoever_seated_it(folder: Path, migrated_file: Path) -> None:
    """Whoever looks at it starts nothing, and neither does a move of somebody else."""
    database = Path(shutil.copy(migrated_file, folder / "at-home.db"))
    players = [Player("mine", f"bot:exec:{script(folder, MARK)}"), Player("Ann")]
    with open_store(str(database)) as store, closing(Programs()) as programs:
        home = replace(Ledger(store, notary=own_notary()), programs=programs)
        live = opened(home, "azul", players=players, options={"firstPlayer": "seat:1"})
    with visiting(folder / "ledger.db", database) as visitor:
        for path in ("", "/legal", "/story", "/audit", "/table.html", "/replay.html"):
            assert visitor.get(f"/matches/{live.id}{path}").is_success
        state = good(visitor.get(f"/matches/{live.id}"))
    assert (state["turn"], state["head"]) == ([1], live.head.seq)
    assert not (folder / "started").exists()


def test_the_page_offers_none(visitor: Visitor) -> None:
    page = visitor.client.get("/new", params={"game": "azul"})
    assert page.is_success
    assert "greedy" in page.text
    assert "exec" not in page.text
    assert "module:" not in page.text
    asked = visitor.client.get("/new", params={"game": "azul", "seat2": "exec:ls"})
    assert "exec:ls" not in asked.text
