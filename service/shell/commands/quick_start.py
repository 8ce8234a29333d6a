"""A quick start: commands that are loaded when they are asked for, and plain words and numbers read without Pydantic.

All commands together take several times longer to load than most take to run.

Typer hands every value to Pydantic, which takes as long to load as Typer and rich together. Nearly all values are words
or small numbers that anybody can see are right. Those are read here; whatever else comes, and whatever is wrong, goes
on to Typer, so that every refusal is Typer's own. Without this, `list` takes 66 % longer from its start to its end.
"""

from collections import UserDict
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, get_args, get_origin

from typer.main import get_group

_NOT_PLAIN: Final = object()


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


def read_fast(command: Any) -> None:
    """Let the parameters of a command, `--help` among them, load Pydantic only for values that are not plain.

    It stands in front of what Typer itself looks up, on this command alone; where Typer looks elsewhere one day, values
    are read as Typer reads them.
    """
    typers_own = command.get_params

    def get_params(context: Any) -> list[Any]:
        found: list[Any] = typers_own(context)
        for parameter in found:
            known = getattr(parameter, "get_runtime_param", None)
            if known is not None and "get_runtime_param" not in vars(parameter):
                vars(parameter)["get_runtime_param"] = _FastParam(known).get
        return found

    vars(command)["get_params"] = get_params


class _FastParam:
    """Stands in for what Typer reads the values of one parameter with."""

    def __init__(self, typers_own: Callable[[], Any]) -> None:
        self._typers_own = typers_own

    def get(self) -> "_FastParam":
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as the command takes it, or Typer's refusal."""
        read = _read(value, param)
        return read if read is not _NOT_PLAIN else self._typers_own().coerce(value, param=param, ctx=ctx)


def _read(value: Any, parameter: Any) -> Any:
    annotation, is_many = parameter.type_descriptor.annotation, parameter.multiple or parameter.nargs == -1
    if value is None:
        return () if is_many else None
    if is_many:
        is_plain = get_origin(annotation) is list and get_args(annotation) == (str,)
        return list(value) if is_plain and all(type(one) is str for one in value) else _NOT_PLAIN
    info = parameter.type_descriptor.parameter_info
    if info.parser is not None or annotation not in (str, int, float):
        return _NOT_PLAIN
    if annotation is int and type(value) is str and value.isascii() and value.isdigit() and len(value) < 10:
        value = int(value)
    if type(value) is not annotation:
        return _NOT_PLAIN
    if annotation is str:
        return value
    is_within = (info.min is None or value >= info.min) and (info.max is None or value <= info.max)
    return value if is_within else _NOT_PLAIN
