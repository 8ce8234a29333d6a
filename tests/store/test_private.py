"""A ledger in a file is its owner's: nobody else reads it, and `db check` says where somebody could."""

import os
import stat
from pathlib import Path
from threading import Thread

import pytest

from service.files import data_folder
from service.store import differences, open_store
from tests.store.steps import opened, step_after

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")


@pytest.fixture(params=[0o000, 0o022])
def loose(request: pytest.FixtureRequest) -> object:
    """A user whose files are everybody's unless somebody says otherwise."""
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("loose")
def test_the_file_and_its_companions_are_made_for_their_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "some"))
    path = data_folder() / "ledger.db"
    with open_store(str(path)) as store:
        store.append(step_after("m1", opened(store, "m1")))
        made = sorted(file.name for file in path.parent.iterdir())
        assert made == ["ledger.db", "ledger.db-shm", "ledger.db-wal"]
        assert [mode(path.parent / name) for name in made] == [0o600, 0o600, 0o600]
        assert differences(str(path)) == []
    assert (mode(path.parent), mode(path.parent.parent)) == (0o700, 0o700)


@pytest.mark.usefixtures("loose")
def test_a_link_to_a_file_that_is_not_there_yet(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "ledger.db")
    open_store(str(tmp_path / "link.db")).close()
    assert mode(tmp_path / "ledger.db") == 0o600


@pytest.mark.usefixtures("loose")
def test_threads_that_make_one_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    threads = [Thread(target=lambda: open_store(str(path)).close()) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert mode(path) == 0o600


def test_a_file_that_is_there_keeps_its_mode_and_is_told(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    open_store(str(path)).close()
    path.chmod(0o644)
    with open_store(str(path)) as store:
        opened(store, "m1")
        told = differences(str(path))
    assert mode(path) == 0o644
    assert told[0] == "file ledger.db can be read by others (mode 644): chmod 600 keeps it to its owner"
    assert [words.split()[1] for words in told] == ["ledger.db", "ledger.db-wal", "ledger.db-shm"]
    path.chmod(0o600)
    assert differences(str(path)) == []


def test_an_empty_file_that_somebody_made_becomes_a_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.touch(mode=0o640)
    with open_store(str(path)) as store:
        opened(store, "m1")
    assert mode(path) == 0o640
