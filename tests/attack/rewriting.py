"""Events written anew: as they are, chained anew, their entries deleted, or everything signed anew by somebody."""

import json
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from itertools import pairwise
from random import Random

from events.codec import decode, encode
from events.core import Envelope
from service.games.shelf import find_game
from service.play.evidence import Evidence
from service.play.simulate import as_append, make_plan, playout
from tests.attack.forging import journal_of, rolled_back, signed_anew, with_events
from tests.attack.hand import Tables
from tests.attack.scene import Attack, Scene
from tests.attack.verdicts import Design
from tests.attack.victim import Victim
from tests.audit.matches import rehashed
from tests.audit.mutations import Mutation, mutations
from tests.signing import STRANGER


def _mutations(scene: Scene, rng: Random, *, fits: bool) -> Iterator[Mutation]:
    """Changes of events of all classes, a match at a time."""
    names = [name for name in scene.evidence if name != "waiting"]
    rng.shuffle(names)
    for name in names:
        yield from mutated(scene, name, rng, fits=fits)


def mutated(scene: Scene, name: str, rng: Random, *, fits: bool) -> list[Mutation]:
    """Changes of the events of one match."""
    other = scene.evidence["disputed" if name != "disputed" else "finished"]
    found = [
        mutation
        for mutation in mutations(scene.evidence[name], other, rng, 1)
        if mutation.is_rehashed == fits and mutation.kind != "replace the signature"
    ]
    found += [mutation for mutation in _legal(scene, name, rng) if fits]
    rng.shuffle(found)
    return found


def _legal(scene: Scene, name: str, rng: Random) -> Iterator[Mutation]:
    """Changes that follow the rules: another game in the place of one, and an open match with another end."""
    evidence = scene.evidence[name]
    envelopes = [decode(row.data) for row in evidence.rows]
    if name == "between bots":
        seed = rng.randrange(100, 10**6)
        game, plan = find_game("azul"), make_plan("azul", 2, {"maxRounds": "1"}, ["random"], 0)
        played = as_append(game, plan, seed, playout(game, plan, seed), envelopes[0].at)
        others = [decode(row.data) for row in played.rows]
        datas = [encode(Envelope(evidence.match, e.seq, e.step, e.at, e.actor, e.event)) for e in others]
        yield Mutation("another game", f"seed {seed}", 1, True, partial(rehashed, evidence, datas))
    if name == "under way":
        last = envelopes[-1]
        ends = [one.seq for one, two in pairwise(envelopes) if one.step != two.step]
        for end in rng.sample(ends[-3:], 2):
            datas = [row.data for row in evidence.rows[:end]]
            yield Mutation("fewer moves", f"up to {end}", end + 1, True, partial(rehashed, evidence, datas))
        later = Envelope(last.match, last.seq, last.step, last.at + timedelta(1), last.actor, last.event)
        datas = [*(row.data for row in evidence.rows[:-1]), encode(later)]
        yield Mutation("another time", f"of event {last.seq}", last.seq, True, partial(rehashed, evidence, datas))


def left_as_it_is(scene: Scene, rng: Random) -> Iterator[Attack]:
    for mutation in _mutations(scene, rng, fits=False):
        forged = mutation.make()
        tables = with_events(scene.tables, forged, fits=False)
        yield Attack("events changed", _said(forged, mutation), tables, forged.match, mutation.seq)


def chained_anew(scene: Scene, rng: Random) -> Iterator[Attack]:
    for mutation in _mutations(scene, rng, fits=True):
        forged = mutation.make()
        yield Attack("… and chained anew", _said(forged, mutation), _forged(scene, forged), forged.match)


def entries_deleted(scene: Scene, rng: Random) -> Iterator[Attack]:
    for mutation in _mutations(scene, rng, fits=True):
        forged = mutation.make()
        tables = _forged(scene, forged)
        entries = [record for record in tables["journal"] if record[1] != forged.match]
        what = f"{_said(forged, mutation)}; entries about it deleted"
        if rng.random() < 0.5:
            entries = [tuple(row._replace(place=n)) for n, row in enumerate(journal_of({"journal": entries}), 1)]
            what += ", the others numbered anew"
        yield Attack("… and entries deleted", what, {**tables, "journal": entries, "signature": []}, forged.match)


def signed_by_a_stranger(scene: Scene, rng: Random) -> Iterator[Attack]:
    rows = scene.journal
    for mutation in _mutations(scene, rng, fits=True):
        forged = mutation.make()
        about_it = {forged.match: forged.rows}
        first = next(row.place for row in rows if row.match == forged.match)
        what = _said(forged, mutation)
        planted = b""
        match rng.randrange(4):
            case 0:
                journal = signed_anew(rows, STRANGER, about_it, takeover="began")
                what += "; the journal signed anew by a stranger"
            case 1:
                journal = signed_anew(rows, STRANGER, about_it, keeps=first - 1, takeover="adopted")
                what += f"; the journal adopted by a stranger at entry {first}"
            case 2:
                new = signed_anew(rows, STRANGER, about_it, keeps=first - 1)
                journal = [*new[:first], *rows[first:]]
                what += f"; entry {first} signed anew by a stranger"
            case _:
                journal = signed_anew(rows, STRANGER, about_it, takeover="began")
                planted = _planted(scene.victim, rng)
                what += "; the journal signed anew by a stranger, whose key lies among the retired ones"
        tables = {**_forged(scene, forged), "journal": list(map(tuple, journal))}
        yield Attack("… and signed by a stranger", what, tables, forged.match, planted=planted)


def _planted(victim: Victim, rng: Random) -> bytes:
    """A retired key as its file says it, vouched for by nobody, or by a signature that is none of ours."""
    until = victim.key.since + timedelta(days=1)
    value = {"public": STRANGER.public, "since": victim.former.since.isoformat(), "until": until.isoformat()}
    if rng.random() < 0.7:
        value |= {"by": victim.key.public, "signature": STRANGER.sign(b"anything")}
    return json.dumps(value).encode()


def signed_by_the_owner(scene: Scene, rng: Random) -> Iterator[Attack]:
    """The owner of the key may say anything that follows the rules; what does not is still named."""
    rows = scene.journal
    rotation = next(row.place for row in rows[1:] if not row.match)
    for mutation in _mutations(scene, rng, fits=True):
        forged = mutation.make()
        about_it = {forged.match: forged.rows}
        design: Design = "owner"
        is_old = forged.match in {row.match for row in rows[: rotation - 1]}
        if not is_old or rng.random() < 0.5:
            journal = signed_anew(rows, scene.victim.key, about_it, takeover="began")
            what = "; the journal signed anew with the ledger's key"
            tables = _forged(scene, forged)
        else:
            # Everything that came after the rotation is gone: the retired key cannot say it.
            journal = signed_anew(rows[: rotation - 1], scene.victim.former, about_it, takeover="began")
            what = "; the journal of its time signed anew with the retired key"
            design = "retired"
            tables = rolled_back(_forged(scene, forged), rows[: rotation - 1])
        tables = {**tables, "journal": list(map(tuple, journal))}
        yield Attack("… and signed by the owner", _said(forged, mutation) + what, tables, forged.match, design=design)


def _forged(scene: Scene, forged: Evidence) -> Tables:
    return with_events(scene.tables, forged, fits=True)


def _said(forged: Evidence, mutation: Mutation) -> str:
    return f"{forged.match}: {mutation.kind}: {mutation.what}"[:300]
