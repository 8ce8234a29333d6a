"""Plain words and numbers from the command line, read without Pydantic.

Typer hands every value to Pydantic, which takes as long to load as Typer and rich together. Nearly all values are words
or small numbers that anybody can see are right. Those are read here; whatever else comes, and whatever is wrong, goes
on to Typer, so that every refusal is Typer's own.

Without this, `list` takes 66 % longer from its start to its end.
"""

from collections.abc import Callable
from typing import Any, Final, get_args, get_origin

_NOT_PLAIN: Final = object()


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
