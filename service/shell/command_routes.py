"""The routes of commands as rows: where each is sent, whose token it takes, and how it is documented.

The service makes its routes of this table and the wire client finds its paths in it, so they cannot differ.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from service.play import commands
from service.play.commands import Command
from service.shell.answers.match import MatchAnswer
from service.shell.answers.service import Done, Opened
from service.shell.requests import Body, SignedBody
from service.trust.tokens import Role


class CommandRoute(Struct, frozen=True, kw_only=True):
    """One route that changes a match, or opens one."""

    path: str
    """With the fields of the command that stand in it, such as `{number:int}`."""
    command: type[Command]
    name: str
    """What the operation is called in the OpenAPI document."""
    summary: str
    about: str
    roles: tuple[Role, ...] = ()
    """Whose token it takes, any of these; none where whoever may look at the match may do it."""
    fixed: Mapping[str, Any] = {}
    """Fields of the command that follow from the path."""
    counted_as: str = ""
    """What it is counted as in the metrics; by default its name."""
    method: str = "POST"
    answer: type = Done
    takes_if_match: bool = True
    rules_may_forbid: bool = False
    """Whether the rules of the game can refuse it."""

    @property
    def in_path(self) -> dict[str, type]:
        """The fields of the command that stand in the path."""
        return {name: int for name in self.command.__struct_fields__ if f"{{{name}:int}}" in self.path}

    @property
    def body(self) -> type[Any] | None:
        """What is sent: the command without what the path says, signed where an arbiter sends it; None for nothing."""
        left = [name for name in self.command.__struct_fields__ if name not in {*self.in_path, *self.fixed}]
        base = SignedBody if self.roles == ("arbiter",) else Body
        if not left and base is Body:
            return None
        made: type[Any] = msgspec.defstruct(
            self.command.__name__,
            [
                (one.name, one.type, msgspec.field(default=one.default, default_factory=one.default_factory))  # type: ignore[call-overload]
                for one in msgspec.structs.fields(self.command)
                if one.name in left
            ],
            bases=(base,),
            namespace={"__doc__": self.command.__doc__},
            module=self.command.__module__,
            frozen=True,
            kw_only=True,
        )
        return made

    def url(self, match: str, command: Command) -> str:
        """Where a command is sent; the match is quoted already."""
        filled = self.path.replace("{match:str}", match)
        for name in self.in_path:
            filled = filled.replace(f"{{{name}:int}}", str(getattr(command, name)))
        return filled

    def is_for(self, command: Command) -> bool:
        """Whether a command goes this way."""
        return type(command) is self.command and all(getattr(command, n) == value for n, value in self.fixed.items())


def route_of(command: Command) -> CommandRoute:
    """The way a command goes."""
    return next(route for route in COMMAND_ROUTES if route.is_for(command))


_MATCH: Final = "/matches/{match:str}"
_DISPUTE: Final = f"{_MATCH}/disputes/{{number:int}}"
_SEAT: Final[tuple[Role, ...]] = ("seat",)
_ARBITER: Final[tuple[Role, ...]] = ("arbiter",)

COMMAND_ROUTES: Final = (
    CommandRoute(
        path="/matches",
        command=commands.OpenMatch,
        name="open_match",
        summary="Open a match",
        about="Whoever opens a match is its host and gets its tokens, once. Bots move by themselves; free seats wait"
        " for `join`.\n\nSent again with the same Idempotency-Key after a lost answer, it gives the same match and new"
        " tokens in place of the lost ones.",
        answer=Opened,
        takes_if_match=False,
    ),
    CommandRoute(
        path=f"{_MATCH}/fork",
        command=commands.Fork,
        name="fork",
        summary="Go on from a step of another match",
        about="A new match of one's own; the other is not touched. Whoever may look at a match may fork it.",
        answer=Opened,
    ),
    CommandRoute(
        path=f"{_MATCH}/join",
        command=commands.Join,
        name="join",
        summary="Take a free seat",
        about="Sit down; the answer has the token of the seat, once. Whoever brings the token of a free seat takes that"
        " seat.\n\nOnly the host seats bots. Sent again with the same Idempotency-Key after a lost answer, it gives a"
        " new token in place of the lost one.",
        rules_may_forbid=True,
    ),
    CommandRoute(
        path=f"{_MATCH}/seats/{{seat:int}}/name",
        command=commands.Rename,
        name="rename",
        summary="Rename a seat",
        about="Names lie outside the chain, so the history stays as it is; an empty one is forgotten. Host and seat"
        " may.",
        roles=("host", "seat"),
        method="PUT",
        answer=MatchAnswer,
    ),
    CommandRoute(
        path=f"{_MATCH}/actions",
        command=commands.Act,
        name="act",
        summary="Make a move",
        about="Act for one's own seat: with a move as it is written (`move`), or with an action as a value (`action`).",
        roles=_SEAT,
        rules_may_forbid=True,
    ),
    CommandRoute(
        path=f"{_MATCH}/deal",
        command=commands.Deal,
        name="deal",
        summary="Let chance answer",
        about="By itself where reveals wait for it, or with what was drawn where chance is recorded. Seats and the host"
        " may.",
        roles=("seat", "host"),
        rules_may_forbid=True,
    ),
    CommandRoute(
        path=f"{_MATCH}/undo",
        command=commands.Undo,
        name="undo",
        summary="Take steps back, or ask for it",
        about="As the policy of the match allows; under `consent` this asks the others.",
        roles=_SEAT,
        rules_may_forbid=True,
    ),
    CommandRoute(
        path=f"{_MATCH}/redo",
        command=commands.Redo,
        name="redo",
        summary="Play undone steps again",
        about="As they were.",
        roles=_SEAT,
        rules_may_forbid=True,
    ),
    CommandRoute(
        path=f"{_MATCH}/undo/accept",
        command=commands.AnswerUndo,
        fixed={"accepts": True},
        name="accept",
        summary="Agree to an undo",
        about="The last to agree carries it out. Only opponents of whoever asked may.",
        roles=_SEAT,
        rules_may_forbid=True,
    ),
    CommandRoute(
        path=f"{_MATCH}/undo/decline",
        command=commands.AnswerUndo,
        fixed={"accepts": False},
        name="decline",
        summary="Refuse an undo",
        about="One refusal ends the request. Only opponents of whoever asked may.",
        roles=_SEAT,
        rules_may_forbid=True,
    ),
    CommandRoute(
        path=f"{_MATCH}/resign",
        command=commands.Resign,
        name="resign",
        summary="Give up",
        about="The match closes with the scores as they are and this seat last.",
        roles=_SEAT,
        rules_may_forbid=True,
    ),
    CommandRoute(
        path=f"{_MATCH}/abandon",
        command=commands.Abandon,
        name="abandon",
        summary="Close a match without a result",
        about="Only the host may.",
        roles=("host",),
        rules_may_forbid=True,
    ),
    CommandRoute(
        path=f"{_MATCH}/disputes",
        command=commands.OpenDispute,
        name="open_dispute",
        summary="Dispute an event or a total",
        about="Any time in play, and as long as was agreed after the closing; for one's own seat.",
        roles=_SEAT,
        counted_as="dispute",
    ),
    CommandRoute(
        path=f"{_DISPUTE}/appeal",
        command=commands.Appeal,
        name="appeal",
        summary="Appeal against a ruling",
        about="Any seat may, for a ruling touches all of them; it stays in force until it is overturned.",
        roles=_SEAT,
    ),
    CommandRoute(
        path=f"{_DISPUTE}/withdraw",
        command=commands.Withdraw,
        name="withdraw",
        summary="Take a dispute back",
        about="Before it is ruled; only the seat that opened it may.",
        roles=_SEAT,
    ),
    CommandRoute(
        path=f"{_DISPUTE}/ruling",
        command=commands.RuleDispute,
        name="rule",
        summary="Rule on a dispute",
        about="With adjustments or without. It takes the arbiter's token, and the signature of an arbiter of this"
        " match.",
        roles=_ARBITER,
    ),
    CommandRoute(
        path=f"{_DISPUTE}/decision",
        command=commands.DecideAppeal,
        name="decide",
        summary="Decide an appeal",
        about="Overturned, the ruling's adjustments are replaced by those given here, or by none.",
        roles=_ARBITER,
    ),
    CommandRoute(
        path=f"{_MATCH}/final",
        command=commands.Finalise,
        name="finalise",
        summary="Declare the ruled result final",
        about="Once nothing is pending and every time limit has passed; nothing can be disputed afterwards.",
        roles=_ARBITER,
        counted_as="final",
    ),
)
"""Every command that is sent to a service. `Enter` is not: there a seat enters for itself, one action at a time."""
