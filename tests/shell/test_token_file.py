"""The file that keeps a user's tokens: for that user alone, whole at every moment, by server and match."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.errors import FileTrouble, Unavailable
from service.shell.backend.token_file import HOST, Right, TokenFile, token_file

HERE = "https://here.example"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user"))
    return token_file()


def test_is_made_for_its_owner_alone(path: Path) -> None:
    TokenFile(HERE, path).keep("match1", {HOST: "secret"})
    assert [stat.S_IMODE(place.stat().st_mode) for place in (path, path.parent)] == [0o600, 0o700]
    assert sorted(file.name for file in path.parent.iterdir()) == ["tokens.json", "tokens.lock"]


def test_a_mistyped_folder_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(FileTrouble, match="mistyped") as refused:
        TokenFile(HERE, tmp_path / "mistyped" / "tokens.json").keep("match1", {HOST: "secret"})
    assert refused.value.code == "tokens/unwritable"
    assert list(tmp_path.iterdir()) == []


def test_keeps_servers_and_matches_apart(path: Path) -> None:
    here, there = TokenFile(HERE, path), TokenFile("https://there.example", path)
    here.keep("match1", {HOST: "a", Right("seat", 2): "b"})
    here.keep("match2", {HOST: "c"})
    there.keep("match1", {HOST: "d"})
    assert here.held("match1") == {HOST: "a", Right("seat", 2): "b"}
    assert there.held("match1") == {HOST: "d"}
    assert (here.matches(), there.matches()) == (["match2", "match1"], ["match1"])
    here.touch("match1")
    here.touch("unknown")
    assert here.matches() == ["match1", "match2"]
    here.forget("match1", HOST)
    assert list(here.held("match1")) == [Right("seat", 2)]


def test_many_at_once_lose_nothing(path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: TokenFile(HERE, path).keep(f"match{number}", {HOST: str(number)}), range(40)))
    kept = TokenFile(HERE, path)
    assert {match: kept.held(match)[HOST] for match in kept.matches()} == {f"match{n}": str(n) for n in range(40)}


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_what_others_can_read_is_refused(path: Path, mode: int) -> None:
    kept = TokenFile(HERE, path)
    kept.keep("match1", {HOST: "secret"})
    path.chmod(mode)
    for ask in (lambda: kept.held("match1"), lambda: kept.keep("match2", {})):
        with pytest.raises(Unavailable, match="chmod 600") as refused:
            ask()
        assert (refused.value.code, "secret" in refused.value.message) == ("tokens/readable", False)


def test_what_does_not_read_is_left_alone(path: Path) -> None:
    kept = TokenFile(HERE, path)
    kept.keep("match1", {HOST: "secret"})
    path.write_bytes(b"[]")
    with pytest.raises(Unavailable, match="does not read"):
        kept.keep("match2", {HOST: "other"})
    assert path.read_bytes() == b"[]"
