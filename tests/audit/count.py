"""Counts tampering tried and caught: `python -m tests.audit.count [PER_KIND]`, everything unless a number is given."""

import sys
from collections import Counter
from random import Random

from service.games.shelf import on_the_shelf
from tests.audit.matches import simulated, stories
from tests.audit.mutations import judge, mutations
from tests.shelf import EVERY_GAME, EXAMPLES, SHAPES

COLUMNS = ("tried", "caught", "exactly", "later", "earlier", "unseen")


def main(per_kind: int | None) -> int:
    """Tamper with matches of every game, print a table for each, and give the number of misses."""
    misses = 0
    for game in EVERY_GAME:
        table: dict[str, Counter[str]] = {}
        plain, variant = (
            next(shape for shape in SHAPES if shape.game is game and shape.options == options)
            for options in ({}, dict(game.variants[0]) if game.variants else {})
        )
        other = simulated(plain, 2)
        matches = [("simulated", simulated(plain, 1)), ("variant", simulated(variant, 1)), *stories(plain, 1)]
        for name, evidence in matches:
            if not evidence.signatures:
                continue
            for mutation in mutations(evidence, other, Random(name), per_kind):
                found = judge(mutation)
                kind = "change a field" if mutation.kind.startswith("change") else mutation.kind
                counts = table.setdefault(f"{kind}{', re-hashed' if mutation.is_rehashed else ''}", Counter())
                counts["tried"] += 1
                counts["caught"] += found.is_caught
                counts[found.named] += 1
                if not found.is_caught:
                    print(f"MISSED in {name}: {mutation.kind}: {mutation.what}")
        total = sum(table.values(), Counter[str]())
        misses += total["tried"] - total["caught"]
        print(f"{game.title}: tampering caught, and how well its meaning alone names the event, chain and key aside")
        print(f"{'':34}" + "".join(f"{column:>9}" for column in COLUMNS))
        for kind, counts in [*sorted(table.items()), ("all", total)]:
            print(f"{kind:34}" + "".join(f"{counts[column]:>9,}" for column in COLUMNS))
    return misses


if __name__ == "__main__":
    with on_the_shelf(*EXAMPLES):
        sys.exit(1 if main(int(sys.argv[1]) if len(sys.argv) > 1 else None) else 0)
