"""Quoting in verdicts: events as they are stored, and of two values that differ the first field that does."""

import msgspec


def in_json(value: object) -> str:
    """A value as it is stored."""
    return msgspec.json.encode(value).decode()


def difference(decided: object, found: object) -> str:
    """Both sides, cut down to the first field that differs where they are of one kind."""
    if type(decided) is type(found):
        if isinstance(decided, msgspec.Struct):
            for name in decided.__struct_fields__:
                ours, theirs = getattr(decided, name), getattr(found, name)
                if ours != theirs:
                    return f"{name}: {difference(ours, theirs)}"
        if isinstance(decided, tuple) and isinstance(found, tuple) and len(decided) == len(found):
            for number, (ours, theirs) in enumerate(zip(decided, found, strict=True), start=1):
                if ours != theirs:
                    return f"{number}: {difference(ours, theirs)}"
    return f"{in_json(decided)}, the record says {in_json(found)}"
