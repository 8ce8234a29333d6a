"""The wheel with every dependency at its lower bound: `python -m tests.lowest [NAME==VERSION …]`, or `make lowest`.

Everybody installs the newest versions, so nobody notices when a lower bound in pyproject.toml is not true any more.
Here the wheel is installed into an environment of its own with exactly those bounds, and a match goes through every
door; the versions of what the dependencies need in turn are free. A version on the command line takes the place of a
bound: that is how the lowest version that works is found.
"""

import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import httpx
from packaging.requirements import Requirement

from tests.http.serving import Service, serving
from tests.postgres import running_server

ROOT: Final = Path(__file__).parents[1]
PATIENCE: Final = 120
"""Seconds for one program on a busy machine; nothing here takes more than a few."""
INSTALLING: Final = 900
"""Seconds for pip, which may have to fetch everything."""
ALTOGETHER: Final = 1800
"""Seconds after which it gives up, whatever it waits for."""

FACADE: Final = """
import matchledger
with matchledger.open(":memory:") as ledger:
    match = ledger.start("azul", "Ann", "Ben", seed=7)
    print(*match.play("2R2"))
    try:
        match.play("2K1")
    except matchledger.IllegalAction as refusal:
        print(refusal.rule)
    print(ledger.audit())
"""

HELP: Final = """
import matchledger
from matchledger.cli import COMMANDS, app
from typer.testing import CliRunner
for name in (name for names in COMMANDS.values() for name in names):
    if CliRunner().invoke(app, [name, "--help"]).exit_code:
        print(name)
"""

RESEARCH: Final = """
import matchledger
tables = matchledger.VectorEnv("azul", 4)
print(matchledger.Env("azul").observe(1).dtype, tables.reset(1).masks.shape)
from gymnasium.utils.env_checker import check_env
check_env(matchledger.GymnasiumEnv("azul"), skip_render_check=True)
from pettingzoo.test import seed_test
seed_test(lambda: matchledger.PettingZooEnv("azul"), num_cycles=20)
"""


# ------------------------------------------------------------------------------------------------------- the versions


def lower_bounds(requirements: Sequence[str], tried: Sequence[str] = ()) -> list[str]:
    """Each requirement that holds on this machine at exactly its lower bound; `tried` goes before a bound."""
    instead = {Requirement(word).name.lower(): word for word in tried}
    found = []
    for requirement in map(Requirement, requirements):
        if requirement.marker is not None and not requirement.marker.evaluate():
            continue
        lowest = [specifier.version for specifier in requirement.specifier if specifier.operator == ">="]
        if len(lowest) != 1:
            sys.exit(f"{requirement} in pyproject.toml has no lower bound: write {requirement.name}>=VERSION.")
        extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
        version = instead.get(requirement.name.lower(), f"=={lowest[0]}").removeprefix(requirement.name)
        found.append(f"{requirement.name}{extras}{version}")
    return found


def _pyproject() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project


# ------------------------------------------------------------------------------------------------- what is tried out


class Home(NamedTuple):
    """An environment of its own, and a folder for ledgers and records far from the repository."""

    folder: Path
    data: Path

    @property
    def program(self) -> str:
        return str(self.folder / "bin" / "matchledger")

    @property
    def python(self) -> str:
        return str(self.folder / "bin" / "python")

    @property
    def environment(self) -> dict[str, str]:
        """Nothing of whoever runs this: no ledger, no keys, no server, no modules."""
        own = {name: value for name, value in os.environ.items() if not name.startswith(("MATCHLEDGER_", "PYTHON"))}
        return {**own, "XDG_DATA_HOME": str(self.data), "COLUMNS": "100"}

    def install(self, *words: str) -> None:
        pip = [self.python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        _succeed([*pip, *words], timeout=INSTALLING)

    def run(self, *words: str, expect: int = 0) -> str:
        """What the program says; it ends with the code that is expected, and never in a traceback."""
        return self._run([self.program, *words], expect)

    def run_python(self, program: str) -> str:
        """What a program of somebody else says."""
        return self._run([self.python, "-c", program], 0)

    def _run(self, command: list[str], expect: int) -> str:
        done = subprocess.run(
            command, cwd=self.data, env=self.environment, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        said = done.stdout + done.stderr
        if done.returncode != expect or "Traceback" in said:
            sys.exit(f"{_shown(command)} ended with {done.returncode}, not {expect}:\n{said}")
        return said


def _shown(command: Sequence[str]) -> str:
    return " ".join(Path(word).name if os.sep in word else word for word in command)


def _succeed(command: Sequence[str], timeout: int) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    if done.returncode:
        said = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("WARNING:")]
        sys.exit("\n".join([f"{_shown(command)} ended with {done.returncode}:", *said]))


def _expect(part: str, said: str) -> None:
    if part not in said:
        sys.exit(f"{part!r} was expected in:\n{said}")


# ------------------------------------------------------------------------------------------------------------ the doors


def try_command_line(home: Home, *where: str) -> str:
    """A match that is opened, a move, and a refusal of each kind; the id of the match."""
    match = home.run(*where, "new", "azul", "Ann", "Ben", "--seed", "7", "--undo", "free", "--quiet").split()[0]
    _expect("Ann took 2 red from display 2", home.run(*where, "act", match, "2R2", "--brief"))
    _expect("Refused (azul/source-empty, AZ-21)", home.run(*where, "act", match, "2K1", expect=1))
    _expect("Round 1", home.run(*where, "show", match))
    _expect(match, home.run(*where, "list", "--json"))
    return match


def try_records(home: Home, match: str) -> None:
    """What the command line does with the rest of its dependencies: the audit, records, signatures, seals."""
    refused = json.loads(home.run("act", match, "2K1", "--json", expect=1))
    _expect("azul/source-empty", json.dumps(refused))
    home.run("act", match, expect=2)  # a word is missing
    home.run("show", match, "--nonsense", expect=2)
    _expect("Clean", home.run("audit", match))
    home.run("resign", match, "--seat", "1")  # closes the match, which is audited and signed before that
    record = str(home.data / "match.txt")
    home.run("export", match, "--output", record)
    home.run("--database", str(home.data / "other.db"), "import", record)
    _expect("Clean", home.run("--database", str(home.data / "other.db"), "audit", match))
    home.run("db", "seal", "--all")
    _expect("all clean", home.run("audit", "--all", "--jobs", "2"))
    _expect("as this version expects", home.run("db", "check"))


def try_help(home: Home) -> None:
    """Every command explains itself."""
    _expect("matchledger ", home.run("--version"))
    for name in home.run_python(HELP).split():
        sys.exit(f"matchledger {name} --help fails.")


def try_postgres(home: Home) -> None:
    """The same on the other database, migrated by the command."""
    with running_server() as server:
        address = server.empty_database()
        home.run("--database", address, "db", "upgrade")
        match = try_command_line(home, "--database", address)
        _expect("Clean", home.run("--database", address, "audit", match))
        with _served(home, address, "--workers", "2") as service:
            _expect(match, httpx.get(f"{service.api}/matches", timeout=PATIENCE).text)


def try_service(home: Home) -> None:
    """Health, a match over HTTP, refusals, pages, a live stream, and the command line at the server."""
    with _served(home, str(home.data / "served.db")) as service, httpx.Client(timeout=PATIENCE) as client:
        for path in ("/healthz", "/readyz", "/metrics", "/api/openapi.json"):
            _answered(client.get(service.url + path), 200)
        body = {"game": "azul", "players": ["Ann", "Ben"], "seed": 7, "undo": "free"}
        opened = _answered(client.post(f"{service.api}/matches", json=body), 201).json()
        match, tokens = opened["match"]["match"], opened["tokens"]["seats"]
        table, ann = f"{service.api}/matches/{match}", {"Authorization": f"Bearer {tokens['1']}"}
        acted = client.post(
            f"{table}/actions", json={"move": "2R2"}, headers={**ann, "Idempotency-Key": "the-first-move-of-ann"}
        )
        _expect("Ann took 2 red", _answered(acted, 200).text)
        _expect("azul/turn", _answered(client.post(f"{table}/actions", json={"move": "2K1"}, headers=ann), 422).text)
        _answered(client.post(f"{table}/actions", content=b"{", headers=ann), 400)
        _answered(client.get(f"{service.api}/matches/nowhere"), 404)
        for page in ("/", "/new", f"/matches/{match}", f"/matches/{match}/replay", "/rules/azul"):
            shown = _answered(client.get(service.url + page, headers={"Accept": "text/html"}), 200)
            _expect("<!doctype html>", shown.text.lower())
        with client.stream("GET", f"{table}/live", headers={"Last-Event-ID": "1"}) as stream:
            _expect("Ann took seat 1", next(line for line in stream.iter_lines() if line.startswith("data:")))
        try_command_line(home, "--server", service.url)


def _served(home: Home, database: str, *options: str) -> AbstractContextManager[Service]:
    return serving(database, home.data, *options, environment=home.environment, program=[home.program])


def _answered(answer: httpx.Response, status: int) -> httpx.Response:
    if answer.status_code != status:
        sys.exit(
            f"{answer.request.method} {answer.request.url} gave {answer.status_code}, not {status}:\n{answer.text}"
        )
    return answer


def try_facade(home: Home) -> None:
    """A ledger in memory, from a program of somebody else."""
    moved, rule, audited = home.run_python(FACADE).splitlines()
    _expect("Ann took 2 red from display 2", moved)
    _expect("AZ-21", rule)
    _expect("all clean", audited)


# ---------------------------------------------------------------------------------------------------- one after another


def _give_up(*_: object) -> None:
    sys.exit(f"It is not done after {ALTOGETHER} seconds.")


def main(tried: Sequence[str]) -> None:
    """Build, install at the lower bounds and try every door; the first fault ends it with what was said, and code 1."""
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(ALTOGETHER)
    project = _pyproject()
    pins = lower_bounds(project["dependencies"], tried)
    extras = project["optional-dependencies"]
    research = lower_bounds(sorted({*extras["research"], *extras["gymnasium"], *extras["pettingzoo"]}), tried)
    with TemporaryDirectory(prefix="lowest-") as folder:
        home = Home(Path(folder) / "venv", Path(folder) / "data")
        home.data.mkdir()
        print(f"Python {sys.version.split()[0]} with {', '.join(pins)}", flush=True)
        build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, str(ROOT)]
        _succeed(build, timeout=INSTALLING)
        _succeed([sys.executable, "-m", "venv", str(home.folder)], timeout=PATIENCE)
        home.install(*pins)
        home.install("--no-deps", str(next(Path(folder).glob("*.whl"))))  # so that versions below a bound can be tried
        if not tried:
            _succeed([home.python, "-m", "pip", "--disable-pip-version-check", "check"], timeout=PATIENCE)
        match = try_command_line(home)
        try_records(home, match)
        try_help(home)
        print("the command line works", flush=True)
        try_facade(home)
        print("the facade works", flush=True)
        try_service(home)
        print("the service and its pages work", flush=True)
        try_postgres(home)
        print("PostgreSQL works", flush=True)
        home.install(*research)
        home.run_python(RESEARCH)
        print(f"the environments work with {', '.join(research)}")


if __name__ == "__main__":
    main(sys.argv[1:])
