"""What is told to whoever runs the service: container files, tried without Docker, and the page."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from tests.http.serving import STARTING, free_port
from tests.postgres import running_server
from tests.test_packaging import Home, alone, wheel

__all__ = ["alone", "wheel"]  # fixtures: what the image installs, in an environment of its own

ROOT = Path(__file__).parents[1]
OPERATIONS = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
LEDGERS = ("upgrade", "service")
PASSWORD = "not for production"
CHECKS = 100
"""How often a service that starts may be found unhealthy; each check is a process that takes its time."""


def _instructions() -> list[tuple[str, str]]:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines if line[:1].isupper())]


DOCKERFILE = _instructions()
FINAL = DOCKERFILE[max(place for place, (word, _) in enumerate(DOCKERFILE) if word == "FROM") :]
"""The instructions of the image itself, behind those of the stage that builds."""


def _said(word: str) -> str:
    """What the image's one instruction of this kind says."""
    (said,) = [rest for found, rest in FINAL if found == word]
    return said


def _words(said: str) -> list[str]:
    """The words of a command written as a list."""
    words: list[str] = yaml.safe_load(said[said.index("[") :])
    return words


ENVIRONMENT = dict(pair.split("=", 1) for pair in shlex.split(_said("ENV")))
ENTRYPOINT, COMMAND, HEALTHCHECK = (_words(_said(word)) for word in ("ENTRYPOINT", "CMD", "HEALTHCHECK"))


def _interpolated(value: str) -> str:
    """A value of the compose file, as `POSTGRES_PASSWORD` in .env makes it."""
    value = value.replace("${POSTGRES_PASSWORD:?write it to .env}", PASSWORD)
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)


class Container:
    """The image without Docker: its package, its environment, and a folder in the place of /data."""

    def __init__(self, home: Home, data: Path, environment: Mapping[str, str]) -> None:
        self.port = free_port()
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("MATCHLEDGER_")}
        ours = {
            name: re.sub(r"^/data\b", str(data), value) for name, value in (ENVIRONMENT | dict(environment)).items()
        }
        path = f"{home.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        self._environment = inherited | ours | {"PATH": path, "MATCHLEDGER_PORT": str(self.port)}
        self._data = data
        made = re.findall(r"--mode=700 /data/(\S+)", " ".join(rest for word, rest in FINAL if word == "RUN"))
        for folder in made:  # a volume begins with what the image has there
            (data / folder).mkdir(mode=0o700, exist_ok=True)

    def run(self, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """What a command says that ends by itself."""
        found = shutil.which(words[0], path=self._environment["PATH"])
        assert found is not None
        return subprocess.run(
            [found, *words[1:]], cwd=self._data, env=self._environment, capture_output=True, text=True, check=False
        )

    @contextmanager
    def up(self, words: Sequence[str]) -> Iterator[str]:
        """The service, once the image's own check finds it healthy; told to stop afterwards, and held to do so well."""
        command = [*ENTRYPOINT, *words]
        command[0] = str(shutil.which(command[0], path=self._environment["PATH"]))
        log = self._data / "log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                command, cwd=self._data, env=self._environment, stdout=out, stderr=out, start_new_session=True
            )
        try:
            for _ in range(CHECKS):
                if not self.run(HEALTHCHECK).returncode:
                    break
                assert process.poll() is None, log.read_text()
            else:
                raise AssertionError(f"it is never healthy: {log.read_text()}")
            yield f"http://127.0.0.1:{self.port}"
            process.send_signal(signal.SIGTERM)
            assert process.wait(STARTING) == 0, log.read_text()
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _plays(url: str) -> None:
    """Whether a match can be opened there and is signed with a key."""
    assert httpx.get(f"{url}/readyz", timeout=STARTING).json() == {"status": "ready"}
    answer = httpx.post(f"{url}/api/v1/matches", json={"game": "azul", "players": ["Ann", "Ben"]}, timeout=STARTING)
    assert answer.status_code == 201
    assert answer.json()["receipt"]["statement"]["signature"]


@pytest.fixture
def home(request: pytest.FixtureRequest) -> Home:
    """An environment with our wheel, as the image has one."""
    found: Home = request.getfixturevalue("alone")
    return found


# ------------------------------------------------------------------------------------------------------- the Dockerfile


def test_the_image_is_made_from_what_the_package_is_made_from() -> None:
    listed = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    sources = project["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
    assert "*" in listed
    assert sorted(line[1:] for line in listed if line.startswith("!")) == sorted([*sources, "constraints.txt"])
    assert all((ROOT / source).exists() for source in sources)


def test_the_image_installs_the_package_under_our_pins() -> None:
    installs = [shlex.split(rest) for word, rest in DOCKERFILE if word == "RUN" and "pip install" in rest]
    assert [words[1:] for words in installs] == [
        ["install", "--no-cache-dir", "--constraint", "constraints.txt", "."],
    ]


def test_the_image_runs_as_nobody_in_particular_and_keeps_its_data_in_a_volume() -> None:
    assert _said("USER") == "matchledger"
    words = [word for word, _ in FINAL]
    assert words.index("USER") < words.index("ENTRYPOINT")
    assert all(word != "RUN" for word in words[words.index("USER") :])
    assert _said("VOLUME") == "/data"
    assert ENVIRONMENT["MATCHLEDGER_DATABASE"].startswith("/data/")
    assert ENVIRONMENT["MATCHLEDGER_KEYS"].startswith("/data/")
    assert _said("EXPOSE") == ENVIRONMENT["MATCHLEDGER_PORT"]


def test_the_image_serves_a_file_until_it_is_told_to_stop(home: Home, tmp_path: Path) -> None:
    container = Container(home, tmp_path, {})
    assert container.run(HEALTHCHECK).returncode, "nothing listens there yet"
    with container.up(COMMAND) as url:
        _plays(url)
    assert (tmp_path / "ledger.db").exists()
    assert (tmp_path / "keys" / "server.pem").exists()


# ----------------------------------------------------------------------------------------------------- the compose file


def test_the_compose_file_starts_things_in_order() -> None:
    assert SERVICES.keys() == {"database", *LEDGERS}
    assert SERVICES["upgrade"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert SERVICES["service"]["depends_on"] == {"upgrade": {"condition": "service_completed_successfully"}}
    assert SERVICES["database"]["healthcheck"]["test"][:2] == ["CMD", "pg_isready"]
    assert SERVICES["upgrade"]["restart"] == "no"


def test_the_compose_file_keeps_what_must_last_and_no_secret() -> None:
    mounted = [volume.partition(":")[0] for service in SERVICES.values() for volume in service["volumes"]]
    assert set(mounted) == COMPOSE["volumes"].keys()
    secrets = [
        value for service in SERVICES.values() for name, value in service["environment"].items() if "PASS" in name
    ]
    assert len(secrets) == 3
    assert set(secrets) == {"${POSTGRES_PASSWORD:?write it to .env}"}
    assert all(port.startswith("127.0.0.1:") for port in SERVICES["service"]["ports"])
    ignored = subprocess.run(["git", "check-ignore", ".env"], cwd=ROOT, capture_output=True, check=False)
    assert ignored.returncode == 0, ".env could be committed"


def test_the_compose_file_speaks_of_the_database_it_makes() -> None:
    made = SERVICES["database"]["environment"]
    for name in LEDGERS:
        address = httpx.URL(SERVICES[name]["environment"]["MATCHLEDGER_DATABASE"])
        assert (address.username, address.host) == (made["POSTGRES_USER"], "database")
        assert address.path == f"/{made['POSTGRES_DB']}"


def test_the_compose_commands_make_the_tables_and_serve_with_two_workers(home: Home, tmp_path: Path) -> None:
    with running_server() as server:
        address = server.empty_database()
        containers = {}
        for name in LEDGERS:
            environment = {key: _interpolated(value) for key, value in SERVICES[name]["environment"].items()}
            containers[name] = Container(home, tmp_path, environment | {"MATCHLEDGER_DATABASE": address})
        refused = containers["service"].run([*ENTRYPOINT, *SERVICES["service"]["command"]])
        assert "store/unmigrated" in refused.stderr
        upgraded = containers["upgrade"].run([*ENTRYPOINT, *SERVICES["upgrade"]["command"]])
        assert upgraded.returncode == 0, upgraded.stderr
        with containers["service"].up(SERVICES["service"]["command"]) as url:
            _plays(url)


# ------------------------------------------------------------------------------------------------------------- the page


def test_the_page_for_operators_tells_every_environment_variable() -> None:
    sources = [ROOT / "cli.py", *(ROOT / "service").rglob("*.py")]
    read = {name for path in sources for name in re.findall(r'"(MATCHLEDGER_[A-Z_]+)"', path.read_text("utf-8"))}
    told = set(re.findall(r"`(MATCHLEDGER_[A-Z_]+)`", OPERATIONS.partition("## Environment variables")[2]))
    assert told == read


def test_the_page_for_operators_says_of_every_section_whether_it_was_tried() -> None:
    headings = re.findall(r"^## (.+)$", OPERATIONS, re.MULTILINE)
    assert [heading for heading in headings if not re.search("tried|on paper|verified", heading)] == [
        "Environment variables"
    ]
