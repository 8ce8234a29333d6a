"""Keys: made once, kept private, replaced without losing what they signed, and checkable by anybody."""

import errno
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.errors import FileTrouble, LedgerError
from service.trust.folder import (
    create_arbiter_key,
    disowned,
    former_keys,
    key_folder,
    known_keys,
    load_arbiter_key,
    load_server_key,
    rotate,
)
from service.trust.keys import Key, fingerprint, head_message, public_key, read_public, verify
from service.trust.programs import remember_program
from service.trust.statements import is_genuine
from tests.play.test_matches import refused
from tests.signing import KEY, STARTED, STRANGER, sign_head

ROOT = Path(__file__).parents[2]
WEAK = {
    "0100000000000000000000000000000000000000000000000000000000000000": "small order",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f": "small order",
    "0000000000000000000000000000000000000000000000000000000000000000": "small order",
    "0000000000000000000000000000000000000000000000000000000000000080": "small order",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05": "small order",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a": "small order",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f": "canonical",
    "0200000000000000000000000000000000000000000000000000000000000000": "curve",
}
"""The points that anybody can sign for, and things that are no points."""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


class TestServerKey:
    """Made on first use, in a folder nobody else can look into."""

    def test_a_mistyped_way_to_the_folder_is_not_made(self, tmp_path: Path) -> None:
        with pytest.raises(FileTrouble, match="mistyped"):
            load_server_key(tmp_path / "mistyped" / "keys")
        assert list(tmp_path.iterdir()) == []

    def test_made_once_and_private(self, tmp_path: Path) -> None:
        folder = tmp_path / "keys"
        assert known_keys(folder) == []
        assert not folder.exists(), "looking makes nothing"
        key = load_server_key(folder)
        assert (mode(folder), mode(folder / "server.pem")) == (0o700, 0o600)
        assert load_server_key(folder).public == key.public
        assert [known.public for known in known_keys(folder)] == [key.public]
        assert known_keys(folder)[0].since == key.since
        assert [file.name for file in folder.iterdir()] == ["server.pem"]

    @pytest.mark.parametrize("name, bits", [("server.pem", 0o640), ("server.pem", 0o604), (".", 0o750), (".", 0o701)])
    def test_refused_when_others_can_read_it(self, tmp_path: Path, name: str, bits: int) -> None:
        folder = tmp_path / "keys"
        load_server_key(folder)
        (folder / name).chmod(bits)
        with refused("keys/readable") as error:
            load_server_key(folder)
        assert f"{bits:03o}" in error.value.message
        (folder / name).chmod(0o700 if name == "." else 0o600)
        load_server_key(folder)

    @pytest.mark.parametrize("text", [b"", b"junk", b"-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n"])
    def test_a_damaged_file_is_told_and_left_alone(self, tmp_path: Path, text: bytes) -> None:
        load_server_key(tmp_path / "keys")
        path = tmp_path / "keys" / "server.pem"
        path.write_bytes(text)
        with refused("keys/damaged"):
            load_server_key(tmp_path / "keys")
        assert path.read_bytes() == text

    def test_a_folder_that_cannot_be_used(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with refused("keys/folder"):
            load_server_key(tmp_path / "file" / "keys")

    def test_several_processes_agree_on_one_key(self, tmp_path: Path) -> None:
        code = "from service.trust.folder import load_server_key; print(load_server_key().public)"
        (tmp_path / "keys").mkdir(mode=0o700)
        env = {**os.environ, "MATCHLEDGER_KEYS": str(tmp_path / "keys"), "PYTHONPATH": str(ROOT)}
        running = [
            subprocess.Popen([sys.executable, "-c", code], env=env, stdout=subprocess.PIPE, text=True) for _ in range(6)
        ]
        assert len({process.communicate()[0] for process in running}) == 1
        assert [file.name for file in (tmp_path / "keys").iterdir()] == ["server.pem"]

    @pytest.mark.parametrize(
        "use",
        [load_server_key, known_keys, rotate, lambda: create_arbiter_key("Ada"), lambda: remember_program("a", ROOT)],
    )
    def test_one_that_is_named_and_missing_may_be_mistyped(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use: Callable[[], object]
    ) -> None:
        monkeypatch.setenv("MATCHLEDGER_KEYS", str(tmp_path / "kezs"))
        with refused("keys/no-folder") as refusal:
            use()
        assert repr(str(tmp_path / "kezs")) in refusal.value.message
        assert f"mkdir -m 700 {tmp_path / 'kezs'}" in refusal.value.hint
        assert list(tmp_path.iterdir()) == []

    def test_where_it_is(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MATCHLEDGER_KEYS", str(tmp_path / "named"))
        assert key_folder() == tmp_path / "named"
        assert key_folder(tmp_path) == tmp_path
        monkeypatch.delenv("MATCHLEDGER_KEYS")
        assert key_folder().name == "keys"

    def test_the_private_half_is_never_shown(self, tmp_path: Path) -> None:
        key = load_server_key(tmp_path / "keys")
        secret = key._private.private_bytes_raw().hex()
        for shown in (repr(key), str(key), repr(known_keys(tmp_path / "keys")), repr(rotate(tmp_path / "keys"))):
            assert secret not in shown


class TestRotation:
    """A new key from now on; the old one stays known."""

    def test_old_keys_stay_listed_with_their_period(self, tmp_path: Path) -> None:
        folder = tmp_path / "keys"
        first = load_server_key(folder)
        signed = sign_head(first, "m", 1, "00" * 32)
        old, second = rotate(folder)
        third = rotate(folder)[1]
        assert old.public == first.public
        assert old.until is not None
        assert load_server_key(folder).public == third.public
        listed = known_keys(folder)
        assert [key.public for key in listed] == [third.public, second.public, first.public]
        assert [key.until is None for key in listed] == [True, False, False]
        assert is_genuine(signed)
        assert former_keys(folder) == [second.public, first.public]

    @pytest.mark.parametrize("word", ["its own", "that of a stranger", "none"])
    def test_a_key_planted_among_the_retired_ones_is_nothing(self, tmp_path: Path, word: str) -> None:
        """Given a real rotation, whose file is a pattern for anybody who can write to the folder."""
        folder = tmp_path / "keys"
        load_server_key(folder)
        old, new = rotate(folder)
        pattern = json.loads((folder / "retired" / f"{old.fingerprint}.json").read_text())
        signer = {"its own": KEY, "that of a stranger": STRANGER}.get(word)
        pattern["public"] = KEY.public
        if signer is None:
            del pattern["signature"]
        else:
            message = "\n".join(
                ("matchledger takeover 1", KEY.public, pattern["since"], pattern["until"], new.public, "")
            )
            pattern["signature"] = signer.sign(message.encode())
        planted = folder / "retired" / f"{KEY.fingerprint}.json"
        planted.write_text(json.dumps(pattern))
        assert former_keys(folder) == [old.public]
        assert disowned(folder) == [planted]

    def test_one_at_a_time(self, tmp_path: Path) -> None:
        folder = tmp_path / "keys"
        key = load_server_key(folder)
        (folder / "rotating").touch()
        with refused("keys/rotating"):
            rotate(folder)
        assert load_server_key(folder).public == key.public

    def test_killed_half_way_it_can_be_done_again(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = tmp_path / "keys"
        key = load_server_key(folder)

        class Killed(BaseException):
            pass

        replace, calls = os.replace, []

        def fail_second(source: str, target: str) -> None:
            calls.append(target)
            if len(calls) == 2:
                raise Killed
            replace(source, target)

        monkeypatch.setattr(os, "replace", fail_second)
        with pytest.raises(Killed):
            rotate(folder)
        monkeypatch.undo()
        assert [known.public for known in known_keys(folder)] == [key.public]
        new = rotate(folder)[1]
        assert {known.public for known in known_keys(folder)} == {key.public, new.public}


class TestArbiters:
    """A key of their own, in a file to carry away."""

    def test_made_once(self, tmp_path: Path) -> None:
        path, key = create_arbiter_key("Ada", tmp_path / "keys")
        assert (path.name, mode(path)) == ("Ada.pem", 0o600)
        with refused("keys/exists"):
            create_arbiter_key("Ada", tmp_path / "keys")
        loaded = load_arbiter_key(path)
        assert loaded.public == key.public
        assert verify(loaded.public, b"ruling\n", loaded.sign(b"ruling\n"))
        assert not verify(loaded.public, b"ruling", loaded.sign(b"ruling\n"))
        assert known_keys(tmp_path / "keys") == [], "an arbiter's key is not the ledger's"

    @pytest.mark.parametrize("name", ["", "../server", "a/b", ".hidden", "-x", "x" * 65, "a b"])
    def test_names_that_are_none(self, tmp_path: Path, name: str) -> None:
        with refused("keys/name"):
            create_arbiter_key(name, tmp_path / "keys")

    def test_a_missing_file(self, tmp_path: Path) -> None:
        with refused("keys/missing"):
            load_arbiter_key(tmp_path / "nobody.pem")

    @pytest.mark.parametrize("kind", [b"MC4CAQAwBQYDKTVw", b"MC4CAQAwBQYDK2Vv", b"MC4CAQAwBQYDK2U="])
    def test_a_key_of_a_kind_that_nobody_knows(self, tmp_path: Path, kind: bytes) -> None:
        path, _ = create_arbiter_key("Ada", tmp_path / "keys")
        text = path.read_bytes()
        assert b"MC4CAQAwBQYDK2Vw" in text
        path.write_bytes(text.replace(b"MC4CAQAwBQYDK2Vw", kind))
        with refused("keys/damaged"):
            load_arbiter_key(path)


class TestVerifying:
    """Anybody can, with what is in docs/integrity.md alone."""

    def test_the_published_vector(self) -> None:
        text = (ROOT / "docs" / "integrity.md").read_text(encoding="utf-8")
        blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]
        [vector] = [block for block in blocks if "message" in block]
        key = Key(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(vector["private"])), STARTED)
        assert key.public == vector["public"]
        assert fingerprint(key.public) == vector["fingerprint"]
        message = head_message(vector["match"], vector["count"], vector["head"])
        assert message.decode() == vector["message"]
        signature = sign_head(key, vector["match"], vector["count"], vector["head"])
        assert signature.signature == vector["signature"]
        assert is_genuine(signature)

    @pytest.mark.parametrize(
        "public, signature", [("", ""), ("zz", "00"), ("00" * 31, "00" * 64), ("00" * 32, "é"), ("00" * 32, "0")]
    )
    def test_junk_is_no_signature(self, public: str, signature: str) -> None:
        assert not verify(public, b"message", signature)

    def test_a_point_of_small_order_verifies_nothing(self) -> None:
        """S = 0 and R = the neutral element satisfy the equation under the neutral element for every message."""
        neutral = "01" + "00" * 31
        assert not verify(neutral, b"anything", neutral + "00" * 32)

    def test_every_part_is_bound(self, tmp_path: Path) -> None:
        key = load_server_key(tmp_path / "keys")
        message = head_message("m", 12, "ab" * 32)
        signed = key.sign(message)
        assert verify(key.public, message, signed)
        for other in (("n", 12, "ab" * 32), ("m", 1, "ab" * 32), ("m", 12, "ba" * 32), ("m\n12", 12, "ab" * 32)):
            assert not verify(key.public, head_message(*other), signed)

    def test_public_keys_as_people_give_them(self, tmp_path: Path) -> None:
        public = load_server_key(tmp_path / "keys").public
        (tmp_path / "key.pub").write_text(public + "\n", encoding="utf-8")
        assert read_public(f" {public.upper()} ") == public
        assert read_public(str(tmp_path / "key.pub")) == public
        for junk in ("", "abc", public[:-1], public[:-1] + "g"):
            with pytest.raises(LedgerError, match="64 hexadecimal digits"):
                read_public(junk)
        for point, why in WEAK.items():
            with pytest.raises(LedgerError, match=why):
                public_key(point)
        for place, code in ((tmp_path, "keys/unreadable"), (tmp_path / "none.pub", "keys/missing")):
            with refused(code):
                read_public(str(place))


def test_a_full_disk_leaves_no_draft_of_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    folder = tmp_path / "keys"
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileTrouble, match="the disk is full"):
        create_arbiter_key("cleo", folder)
    assert [path for path in folder.rglob("*") if path.is_file()] == []
