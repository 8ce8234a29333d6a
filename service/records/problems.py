"""Errors of a record: the file, the line, what was found there and what would have been right."""

from service.errors import Refused


class BadRecord(Refused):
    """A line of a record that cannot be read, breaks the rules or contradicts them."""

    def __init__(self, code: str, line: int, message: str, hint: str = "", source: str = "") -> None:
        where = ", ".join(filter(None, (source, f"line {line}" if line else "")))
        super().__init__(code, f"{where}: {message}" if where else message)
        self.line = line
        self.what = message
        self.hint = hint

    def in_file(self, source: str) -> "BadRecord":
        """The same with the name of the file in front."""
        return type(self)(self.code, self.line, self.what, self.hint, source)


class Unreadable(BadRecord):
    """A file that is no record at all."""

    exit_code = 3
    heading = "No record"
