"""docs/http.md is a test: its blocks run in order against a real service, and its tables are those of the program."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.core import TyperGroup
from typer.main import get_command

from cli import app
from service import errors
from service.errors import UsageError
from service.shell.http.problems import Stale, TooMany, problem_of
from service.shell.http.settings import Settings
from tests.documents import masked
from tests.http.serving import Service, serving

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```(?:\n\n```(text|json)\n(.*?)```)?", GUIDE, re.DOTALL)
ADDRESS = "http://127.0.0.1:8080"
MORE = "…"
END_OF_BLOCK = "\x1e"
PATIENCE = 300
"""Seconds after which a guide that hangs is a guide that fails."""


def fits(promised: Any, came: Any) -> bool:
    """Whether an answer is what the page says, in which `…` stands for anything, and as a key for any others."""
    if promised == MORE:
        return True
    if isinstance(promised, dict) and isinstance(came, dict):
        named = promised.keys() - {MORE}
        is_whole = MORE in promised or named == came.keys()
        return is_whole and all(key in came and fits(promised[key], came[key]) for key in named)
    if isinstance(promised, list) and isinstance(came, list):
        return len(promised) == len(came) and all(map(fits, promised, came))
    return bool(promised == came)


def test_the_guide_runs_from_top_to_bottom(tmp_path: Path, migrated_file: Path) -> None:
    assert shutil.which("curl"), "docs/http.md is for people with curl, and there is none here to try it with"
    database = str(shutil.copy(migrated_file, tmp_path / "matches.db"))
    with serving(database, tmp_path, "--rate", "50", "--streams", "16") as service:
        script = "".join(f"{code}printf '\\036'\n" for code, _, _ in BLOCKS).replace(ADDRESS, service.url)
        done = subprocess.run(
            ["bash"], input=script, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    assert not done.stderr
    answers = done.stdout.split(END_OF_BLOCK)
    assert len(answers) == len(BLOCKS) + 1
    for (code, kind, promised), came in zip(BLOCKS, answers, strict=False):
        if kind == "json":
            assert fits(json.loads(masked(promised)), json.loads(masked(came))), f"{code}\n{came}"
        else:
            assert masked(came).splitlines() == masked(promised).splitlines(), f"{code}\n{came}"


# ------------------------------------------------------------------------------------------------------- the reference


REFERENCE = (ROOT / "docs" / "http-reference.md").read_text(encoding="utf-8")
ROUTES = re.findall(r"^\| `([A-Z]+) (/\S*)` \| ([a-z, ]+) \|", REFERENCE, re.MULTILINE)
LIMITS = re.findall(r"^\| [^|]+ \| `(\w+)` \| ([\d,]+) \| (?:`(--\w+)`|–)", REFERENCE, re.MULTILINE)
STATUSES = re.findall(r"^\| (\d{3}) \| ([^|]+) \|", REFERENCE, re.MULTILINE)
SERVICE = ROOT / "service"
RAISED = re.compile(r'\b([A-Z]\w+|unknown)\(\s*"([a-z-]+/[a-z-]+)"')
PREFIX = "/api/v1"
WITHOUT_A_PREFIX = ("/", "/healthz", "/readyz", "/metrics")
NOT_LIMITS = {"database", "origins"}
BODIES: dict[str, object] = {
    "join": {"name": "Cleo"},
    "actions": {"move": "1B1"},
    "name": {"name": "Anna"},
    "tokens": {"role": "spectator"},
    "claims": {"totals": {"1": 3}},
    "disputes": {"words": "No."},
    "appeal": {"words": "No."},
    "ruling": {"arbiter": "cleo", "rules": ["AZ-4"], "reason": "So it is."},
    "decision": {"arbiter": "cleo", "rules": ["AZ-4"], "reason": "So it is.", "upheld": True},
    "final": {"arbiter": "cleo"},
    "matches": {"game": "azul"},
}
"""What a request needs to be understood, by the last word of its path."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    with serving(str(shutil.copy(migrated_file, folder / "matches.db")), folder) as started:
        yield started


def test_the_table_of_routes_is_that_of_the_openapi_document(service: Service) -> None:
    paths = httpx.get(f"{service.url}/api/openapi.json", timeout=60).json()["paths"]
    told = [(method, path if path in WITHOUT_A_PREFIX else PREFIX + path) for method, path, _ in ROUTES]
    offered = [(method.upper(), path) for path, methods in paths.items() for method in methods]
    assert sorted(told) == sorted(offered)


def test_a_route_is_open_to_those_the_table_names_and_to_nobody_else(service: Service) -> None:
    with httpx.Client(base_url=service.api, timeout=60) as client:
        opened = client.post("/matches", json={"game": "azul", "players": ["Ann", "Ben"]}).json()
        match, tokens = opened["match"]["match"], opened["tokens"]
        bearers = {"": "", "seat": tokens["seats"]["1"], "host": tokens["host"], "arbiter": tokens["arbiter"]}
        values = {"match": match, "seat": 1, "number": 1, "seq": 1, "role": "spectator", "key": "azul", "rule": "AZ-4"}
        for method, path, who in ROUTES:
            place = path.format(**(values | {"seat": 0} if "{role}" in path else values))
            url = service.url + place if path in WITHOUT_A_PREFIX else service.api + place
            body = BODIES.get(path.rpartition("/")[2], {})
            for role, token in bearers.items():
                headers = {"Authorization": f"Bearer {token}"} if token else {}
                content = json.dumps(body) if method in ("POST", "PUT") else None
                with client.stream(method, url, headers=headers, content=content) as answer:
                    is_open = answer.status_code not in (401, 403)
                assert is_open == (who == "anybody" or role in who.split(", ")), (method, path, role, answer)


def test_the_table_of_limits_is_that_of_the_settings() -> None:
    settings = Settings(database="")
    told = {name: float(number.replace(",", "")) for name, number, _ in LIMITS}
    assert told == {name: getattr(settings, name) for name in Settings.__struct_fields__ if name not in NOT_LIMITS}
    program = get_command(app)
    assert isinstance(program, TyperGroup)
    options = {word: option for option in [*program.params, *program.commands["serve"].params] for word in option.opts}
    for name, number, word in LIMITS:
        if word:
            assert float(number.replace(",", "")) == options[word].default, name
    assert {word for _, _, word in LIMITS} >= {"--rate", "--burst", "--streams", "--heartbeat", "--timeout"}


def test_every_code_of_the_reference_has_the_status_it_is_listed_under() -> None:
    raised = {found for path in SERVICE.rglob("*.py") for found in RAISED.findall(path.read_text(encoding="utf-8"))}
    kinds = {**vars(errors), "TooMany": TooMany, "unknown": UsageError}
    statuses = {(code, _status_of(kinds[kind], code)) for kind, code in raised if kind in kinds}
    statuses.add(("store/stale-head", problem_of(Stale(errors.Conflict("store/stale-head", ""), "")).status))
    for status, words in STATUSES:
        for code in re.findall(r"`([a-z-]+/[\w-]+)`", words):
            assert code == f"http/{status}" or (code, int(status)) in statuses, code


def _status_of(kind: type[errors.LedgerError], code: str) -> int:
    needed: dict[type[errors.LedgerError], tuple[Any, ...]] = {
        errors.IllegalAction: ("", ""),
        errors.Damaged: ("", "", 0),
        TooMany: ("", 1.0),
    }
    return problem_of(kind(code, *needed.get(kind, ("",)))).status


def test_the_reference_tells_every_code_of_the_http_room() -> None:
    room = SERVICE / "shell" / "http"
    raised = {code for path in room.rglob("*.py") for _, code in RAISED.findall(path.read_text(encoding="utf-8"))}
    assert {code for code in raised if f"`{code}`" not in REFERENCE} <= {"serve/workers"}  # before anything is served


def test_an_address_gets_what_the_limits_say_and_a_proxy_may_say_whose_it_is(
    tmp_path: Path, migrated_file: Path
) -> None:
    database = str(shutil.copy(migrated_file, tmp_path / "matches.db"))
    with serving(database, tmp_path, "--rate", "0.001", "--burst", "2") as service:

        def ask(address: str) -> httpx.Response:
            return httpx.get(f"{service.api}/rules/AZ-4", headers={"X-Forwarded-For": address}, timeout=60)

        answers = [ask("203.0.113.1") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert answers[-1].json()["code"] == "limit/requests"
        assert int(answers[-1].headers["Retry-After"]) > 1
        assert ask("203.0.113.2").status_code == 200
