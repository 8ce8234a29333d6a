"""Runs a Python function as a program that speaks the protocol of docs/bots.md: `python hosting.py package.function`.

It knows nothing of ours: it is started by its path, beside whatever the function needs.
"""

import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, TextIO


def serve(choose: Callable[[dict[str, Any]], Any], heard: TextIO, said: TextIO) -> None:
    """Answer every question with what the function makes of it."""
    match: dict[str, Any] = {}
    for line in heard:
        message = json.loads(line)
        if message["type"] == "hello":
            match = {key: value for key, value in message.items() if key not in ("type", "protocol")}
            answer = {"protocol": 1}
        elif message["type"] == "move":
            question = {**match, "view": message["view"], "actions": message["actions"]}
            answer = answered(message["number"], choose(question))
        else:
            continue
        said.write(json.dumps(answer) + "\n")
        said.flush()


def answered(number: int, choice: Any) -> dict[str, Any]:
    """The answer that a choice stands for: an index, a move as it is written, or an action as a value."""
    if isinstance(choice, dict):
        # The entry of `actions` that was chosen, or the value in it.
        return {"number": number, "action": choice.get("action", choice)}
    return {"number": number, "move" if isinstance(choice, str) else "index": choice}


def main() -> None:
    """Keep the standard output for the answers: what the function prints goes where complaints go."""
    module, _, name = sys.argv[1].rpartition(".")
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as said:
        os.dup2(2, 1)
        serve(getattr(import_module(module), name), sys.stdin, said)


if __name__ == "__main__":
    main()
