"""The wheel: built, installed into an empty environment, run from another folder; and nobody else claims our names."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from service.games.shelf import GAMES

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_the_rooms_the_migrations_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"cli.py", "events", "projections", "service"}
    assert "service/store/migrations/script.py.mako" in names
    assert {f"service/questions/rule_texts/{game.key}.md" for game in GAMES} <= set(names)
    assert any(name.startswith("service/store/migrations/versions/0001") for name in names)
    assert not any("__pycache__" in name for name in names)


def test_the_installed_wheel_works_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    """An empty environment with our wheel in it; only the dependencies are borrowed from this one, to stay offline."""
    home = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    pip = [str(home / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    site = next((home / "lib").glob("python*/site-packages"))
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
    for name in ("MATCHLEDGER_DATABASE", "PYTHONPATH"):
        env.pop(name, None)

    def run(*words: str) -> str:
        command = [str(home / "bin" / "matchledger"), *words]
        done = subprocess.run(command, cwd=elsewhere, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = [str(home / "bin" / "python"), "-c", "import cli, service; print(cli.__file__, service.__file__)"]
    found = subprocess.run(where, cwd=elsewhere, env=env, capture_output=True, text=True, check=True).stdout
    assert found.count(str(site)) == 2, found
    assert "azul" in run("games")
    run("new", "azul", "bot:random", "bot:greedy")
    assert "closed" in run("list")
    assert "agree" in run("db", "check")
    assert (tmp_path / "data" / "matchledger" / "ledger.db").exists()


def test_nobody_else_claims_our_names() -> None:
    """The plain names could collide in a shared environment; in this one they are ours."""
    owners = packages_distributions()
    for name in ("cli", "events", "projections", "service"):
        assert set(owners.get(name, ["matchledger"])) == {"matchledger"}, f"{name} also comes with {owners[name]}"
