"""Commands that are loaded when they are asked for: all of them take several times longer than most take to run."""

from collections import UserDict
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from typer.main import get_group

from service.shell.commands.fast_options import read_fast


class LazyCommands(UserDict[str, Any]):
    """Commands by name, each given as the module of `service.shell.commands` that has it, and loaded at first use."""

    def __init__(self, rooms: Mapping[str, Sequence[str]]) -> None:
        super().__init__({name: room for room, names in rooms.items() for name in names})

    def __getitem__(self, name: str) -> Any:
        found = super().__getitem__(name)
        if isinstance(found, str):
            group = get_group(import_module(f"service.shell.commands.{found}").app)
            self.data[name] = found = group if group.name == name else group.commands[name]
            for command in (found, *getattr(found, "commands", {}).values()):
                read_fast(command)
        return found
