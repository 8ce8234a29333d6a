"""The programs this user has seated; no other program is ever started for a match, wherever the match comes from."""

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Final

from service.files import make_private_folder, naming, private_draft, read_file
from service.trust.folder import key_folder, present_key_folder

PROGRAMS_FOLDER: Final = "programs"


def remember_program(name: str, folder: Path) -> None:
    """Let the bot of this name play from now on, started in this folder."""
    path = _path(name, present_key_folder())
    with naming(path, "program", "bot/remembered", "written"):
        make_private_folder(path.parent.parent)
        make_private_folder(path.parent)
        os.replace(private_draft(path.parent, json.dumps({"name": name, "folder": str(folder)}).encode()), path)


def folder_of_program(name: str) -> Path | None:
    """Where the bot of this name is to be started; None where this user has never seated it."""
    path = _path(name, key_folder())
    if not path.exists():
        return None
    try:
        kept = json.loads(read_file(path, "program", "bot/remembered"))
        return Path(kept["folder"]) if kept["name"] == name else None
    except (ValueError, KeyError, TypeError, RecursionError):  # this program did not write that
        return None


def _path(name: str, keys: Path) -> Path:
    return keys / PROGRAMS_FOLDER / f"{sha256(name.encode()).hexdigest()[:32]}.json"
