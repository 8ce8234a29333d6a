"""The wheel: one name in it, at home beside PyPI's `events`; the same in an editable install; typed for its users."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import NamedTuple

import pytest

from service.games.shelf import GAMES

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "service" / "shell" / "package"
WEB = ROOT / "service" / "shell" / "web"
NOT_IN_A_CLONE = shutil.ignore_patterns(".git", ".venv*", ".*_cache", ".hypothesis", "__pycache__", "dist", "tests")

# Strict, and nothing in it may turn out to be `Any`: the mistake in its last line must be seen.
TYPED_PROGRAM = """
from typing import assert_type

import matchledger


def best(database: str) -> int:
    with matchledger.open(database) as ledger:
        match = ledger.start("azul", "Ann", "bot:greedy", seed=7)
        assert_type(match, matchledger.Match)
        assert_type(match.play(match.actions()[0]), list[str])
        assert_type(match.at("s4").turn, tuple[int, ...])
        assert_type(match.score_sheet(), list[matchledger.Points])
        assert_type(match.audit().findings[0].why, str)
        assert_type(ledger.audit().is_clean, bool)
        assert_type(matchledger.games()[0].options[0].default, str)
        env = matchledger.Env("azul")
        assert_type(env.scores, tuple[int, ...])
        assert_type(env.layout[0].size, int)
        assert_type(float(env.observe(1).max()), float)
        assert_type(ledger.keep(env, "Ann", "Ben"), matchledger.Match)
        try:
            match.undo()
        except matchledger.IllegalAction as refusal:
            assert_type(refusal.rule, str)
        match.play(3)  # type: ignore[arg-type]
        return max(match.scores.values())
"""


class Home(NamedTuple):
    """An environment with nothing in it; the dependencies are borrowed from this one, to stay offline."""

    folder: Path
    elsewhere: Path
    """A folder of its own to run programs in, far from the repository."""

    @property
    def site(self) -> Path:
        return next((self.folder / "lib").glob("python*/site-packages"))

    def pip(self, *words: str) -> None:
        python = str(self.folder / "bin" / "python")
        command = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "--quiet", *words]
        subprocess.run(command, check=True, capture_output=True)

    def install(self, *words: str | Path) -> None:
        self.pip("install", "--no-deps", "--no-index", "--no-compile", *map(str, words))

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """What one of its programs answers."""
        env = {**os.environ, "XDG_DATA_HOME": str(self.elsewhere / "data"), "COLUMNS": "100"}
        for name in ("MATCHLEDGER_DATABASE", "PYTHONPATH"):
            env.pop(name, None)
        command = [str(self.folder / "bin" / words[0]), *words[1:]]
        return subprocess.run(command, cwd=self.elsewhere, env=env, capture_output=True, text=True, check=False)

    def prints(self, *words: str) -> str:
        """What it prints, when it ends well."""
        done = self.run(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def says(self, program: str) -> str:
        """The last line of the traceback a Python program ends with."""
        done = self.run("python", "-c", program)
        assert done.returncode == 1, done.stdout
        return done.stderr.splitlines()[-1]


def make_home(folder: Path) -> Home:
    home = Home(folder / "venv", folder / "elsewhere")
    home.elsewhere.mkdir(parents=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home.folder)], check=True)
    (home.site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return home


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the source distribution, so that both are known to be complete."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def foreign_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """PyPI's `Events`, which is the module `events`. It must never be installed where the repository is tested."""
    folder = tmp_path_factory.mktemp("foreign")
    pins = ["--constraint", str(ROOT / "constraints.txt")]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *pins, "-d", str(folder), "Events"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"the package registry cannot be reached for Events: {done.stderr.strip().splitlines()[-1]}")
    return next(folder.iterdir())


@pytest.fixture(scope="module")
def alone(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """An environment with our wheel."""
    home = make_home(tmp_path_factory.mktemp("alone"))
    home.install(wheel)
    return home


@pytest.fixture(scope="module", params=["Events first", "ours first"])
def beside(
    request: pytest.FixtureRequest, wheel: Path, foreign_wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Home:
    """An environment with our wheel and PyPI's Events."""
    home = make_home(tmp_path_factory.mktemp("beside"))
    both = [foreign_wheel, wheel]
    for found in both if request.param == "Events first" else reversed(both):
        home.install(found)
    return home


@pytest.fixture(scope="module")
def editable(tmp_path_factory: pytest.TempPathFactory) -> tuple[Home, Path]:
    """An editable install of a fresh clone, and where the clone is."""
    folder = tmp_path_factory.mktemp("editable")
    home, clone = make_home(folder), folder / "some clone"
    shutil.copytree(ROOT, clone, ignore=NOT_IN_A_CLONE)
    home.install("--no-build-isolation", "--editable", clone)
    return home, clone


# ------------------------------------------------------------------------------------------------------------ the wheel


def test_the_wheel_holds_one_name_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"matchledger"}
    assert {"matchledger/__init__.py", "matchledger/__main__.py", "matchledger/py.typed"} <= names
    assert {f"matchledger/service/questions/rule_texts/{game.key}.md" for game in GAMES} <= names
    assert "matchledger/service/store/migrations/script.py.mako" in names
    pages = [path.relative_to(ROOT) for folder in ("templates", "static") for path in (WEB / folder).rglob("*.*")]
    assert {f"matchledger/{path.as_posix()}" for path in pages} <= names
    assert any(name.startswith("matchledger/service/store/migrations/versions/0001") for name in names)
    assert not any("__pycache__" in name or "shell/package" in name for name in names)


def test_the_installed_wheel_works(alone: Home) -> None:
    check_command_line(alone)
    check_facade(alone)


def test_the_installed_wheel_works_beside_another_events(beside: Home) -> None:
    check_processes(beside)
    check_facade(beside)


def check_command_line(home: Home) -> None:
    assert "azul" in home.prints("matchledger", "games")
    home.prints("matchledger", "new", "azul", "bot:random", "bot:greedy")
    assert " won " in home.prints("matchledger", "list")
    check_processes(home, already=1)
    assert "as this version expects" in home.prints("matchledger", "db", "check")
    assert "AZ-46" in home.prints("matchledger", "rules", "AZ-46")
    home.prints("matchledger", "audit", "last", "--html", "audit.html")
    assert (home.elsewhere / "audit.html").read_text(encoding="utf-8").endswith("</html>\n")
    assert (home.elsewhere / "data" / "matchledger" / "ledger.db").exists()
    assert "61 matches: all clean." in home.prints("python", "-m", "matchledger", "audit", "--all", "--jobs", "2")


def check_processes(home: Home, already: int = 0) -> None:
    """Work that is shared with other processes, which find the same rooms."""
    home.prints("matchledger", "simulate", "azul", "-n", "60", "--jobs", "2", "--save")
    assert f"{60 + already} matches: all clean." in home.prints("matchledger", "audit", "--all", "--jobs", "2")


def check_facade(home: Home) -> None:
    """A program without a file, so that worker processes know of us only what they are told."""
    program = """
import sys
before = list(sys.path)
import matchledger
with matchledger.open("facade.db") as ledger:
    for seed in range(3):
        ledger.start("coloretto", "bot:random", "bot:random", seed=seed)
    print(ledger.audit(jobs=2), sys.path == before, "cli" in sys.modules)
    import events, service
    print(events.__file__, service.__file__)
"""
    first, second = home.prints("python", "-c", program).splitlines()
    assert first == "3 matches: all clean. True False"
    assert second.count(str(home.site / "matchledger")) == 2


def test_the_installed_wheel_works_on_a_cluster(alone: Home) -> None:
    """Scheduler and worker are programs of their own, which know nothing of us before they are asked."""
    program = """
import matchledger
from distributed.deploy.subprocess import SubprocessCluster
with SubprocessCluster(n_workers=1, scheduler_kwargs={"dashboard_address": "127.0.0.1:0"}) as cluster:
    with matchledger.open("cluster.db") as ledger:
        ledger.start("coloretto", "bot:random", "bot:random", seed=1)
        print(ledger.audit(cluster=cluster.scheduler_address))
"""
    assert alone.prints("python", "-c", program) == "1 match: all clean.\n"


def test_who_does_not_import_us_gets_the_other_events(beside: Home) -> None:
    found = beside.prints("python", "-c", "import events; events.Events(); print(events.__file__)").strip()
    assert found == str(beside.site / "events" / "__init__.py")
    for name in ("cli", "projections", "service"):
        spec = f"from importlib.util import find_spec; print(getattr(find_spec({name!r}), 'origin', None))"
        assert beside.prints("python", "-c", spec).strip() == "None"


def test_another_events_imported_first_is_said_in_a_sentence(beside: Home) -> None:
    said = beside.says("import events, matchledger")
    assert said == (
        "ImportError: matchledger cannot be imported here: another `events` was imported first, from "
        f"{beside.site / 'events' / '__init__.py'}; one process can hold only one of the two."
    )


def test_the_installed_wheel_steps_tables_in_processes(alone: Home) -> None:
    code = "tables = matchledger.VectorEnv('azul', 4, processes=2); print(tables.reset(1).masks.shape); tables.close()"
    assert alone.prints("python", "-c", f"import matchledger; {code}") == "(4, 207)\n"


def test_another_events_wanted_afterwards_is_said_in_a_sentence(beside: Home) -> None:
    assert beside.says("import matchledger, events; events.Events()") == (
        "AttributeError: this `events` is matchledger's and has no 'Events';"
        " another package of that name cannot be used in the same process"
    )
    said = beside.says("import matchledger; from events import Events")
    assert said.startswith("ImportError: cannot import name 'Events' from 'events' (")
    assert str(beside.site / "matchledger" / "events") in said


def test_there_is_never_a_second_copy_of_a_room(beside: Home) -> None:
    """It would have other classes of the same names, and nobody's `except` would catch its errors."""
    assert beside.says("import matchledger.service.errors").startswith("ModuleNotFoundError")


def test_each_can_be_uninstalled_without_the_other(
    wheel: Path, foreign_wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = make_home(tmp_path_factory.mktemp("uninstall"))
    home.install(foreign_wheel)
    alone = _content(home.site)
    home.install(wheel)
    home.pip("uninstall", "--yes", "matchledger")
    assert _content(home.site) == alone
    home.install(wheel)
    home.pip("uninstall", "--yes", "Events")
    assert "azul" in home.prints("matchledger", "games")


def _content(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_a_strictly_typed_program_sees_our_types(alone: Home) -> None:
    (alone.elsewhere / "program.py").write_text(TYPED_PROGRAM, encoding="utf-8")
    python = str(alone.folder / "bin" / "python")
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", python, "--config-file=", "program.py"]
    done = subprocess.run(command, cwd=alone.elsewhere, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("Success"), done.stdout + done.stderr


# --------------------------------------------------------------------------------------------- editable installations


def test_an_editable_install_works_the_same_way(editable: tuple[Home, Path]) -> None:
    home, clone = editable
    where = "import matchledger, events, service; print(matchledger.__file__, events.__file__, service.__file__)"
    package, *rooms = home.prints("python", "-c", where).strip().split(".py ")
    assert package + ".py" == str(home.site / "matchledger" / "__init__.py")
    assert rooms == [str(clone / "events" / "__init__"), str(clone / "service" / "__init__.py")]
    check_processes(home)
    assert "60 matches: all clean." in home.prints("python", "-m", "matchledger", "audit", "--all")


def test_an_editable_install_works_beside_another_events(editable: tuple[Home, Path], foreign_wheel: Path) -> None:
    home, clone = editable
    home.install(foreign_wheel)
    file_of_events = "import events; print(events.__file__)"
    assert home.prints("python", "-c", file_of_events).strip() == str(home.site / "events" / "__init__.py")
    ours = home.prints("python", "-c", f"import matchledger; {file_of_events}").strip()
    assert ours == str(clone / "events" / "__init__.py")
    assert "another `events` was imported first" in home.says("import events, matchledger")


def test_an_editable_install_says_when_its_repository_is_gone(editable: tuple[Home, Path]) -> None:
    home, clone = editable
    elsewhere = clone.rename(clone.with_name("moved"))
    try:
        said = home.says("import matchledger")
    finally:
        elsewhere.rename(clone)
    assert said.endswith("was installed from a repository that is not there any more; install it again.")


def test_this_environment_has_the_package_as_it_is_here() -> None:
    """An editable install copies it; `make` installs again when it changes."""
    installed = Path(sysconfig.get_path("purelib")) / "matchledger"
    for path in PACKAGE.glob("*.py"):
        assert (installed / path.name).read_bytes() == path.read_bytes(), f"{path.name} is old there: run make"


def test_nobody_else_claims_our_names_here() -> None:
    """An editable install reads the rooms under their plain names; in this environment they are ours."""
    owners = packages_distributions()
    for name in ("cli", "events", "projections", "service", "matchledger"):
        assert set(owners.get(name, ["matchledger"])) == {"matchledger"}, f"{name} also comes with {owners[name]}"
