"""How the service is started: what it says, and what it shows to whoever begins."""

import socket
import subprocess
import sys
from pathlib import Path

import httpx

from service.games.shelf import GAMES
from tests.http.serving import free_port, serving

ROOT = Path(__file__).parents[2]


def test_an_empty_ledger_gets_a_match_of_every_game_once(tmp_path: Path) -> None:
    database = str(tmp_path / "ledger.db")
    found = []
    for _ in range(2):
        with serving(database, tmp_path, "--demo") as service:
            assert f"matchledger is at {service.url}/  (ledger: " in service.log.read_text()
            matches = httpx.get(f"{service.api}/matches").json()["matches"]
            found.append([match["id"] for match in matches])
            assert [match["game"] for match in matches] == [game.key for game in GAMES if not game.pad_of]
            assert {match["ended"] for match in matches} == {"finished"}
            assert {player["name"] for match in matches for player in match["players"]} == {"Ada", "Bruno"}
            audit = httpx.get(f"{service.api}/matches/{matches[0]['id']}/audit").json()
            assert audit["clean"]
    assert found[0] == found[1]


def test_a_ledger_is_left_as_it_is_unless_a_demo_is_asked_for(tmp_path: Path) -> None:
    database = str(tmp_path / "ledger.db")
    with serving(database, tmp_path) as service:
        assert httpx.get(f"{service.api}/matches").json()["matches"] == []
        httpx.post(f"{service.api}/matches", json={"game": "azul", "players": ["Ann", "Ben"]})
    with serving(database, tmp_path, "--demo") as service:
        assert len(httpx.get(f"{service.api}/matches").json()["matches"]) == 1


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)):
        words = ["--database", str(tmp_path / "ledger.db"), "serve", "--port", str(port)]
        done = subprocess.run(
            [sys.executable, "-m", "cli", *words], cwd=ROOT, capture_output=True, text=True, timeout=60
        )
    assert done.returncode == 2
    assert f"Port {port} is taken" in done.stderr
    assert f"--port {port + 1}" in done.stderr
    assert not (tmp_path / "ledger.db").exists()
