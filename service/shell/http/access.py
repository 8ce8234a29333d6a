"""Who may do what: what the token that came with a request allows in one match."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from events.core import Seat
from service.errors import Forbidden, Unidentified
from service.store.refusals import unknown_match
from service.store.shapes import Grant
from service.trust.tokens import Role, granted

BEARER: Final = "bearer "


class Access(Struct, frozen=True):
    """What whoever asks may do in one match."""

    match: str
    is_private: bool
    held: Sequence[Grant]
    """What the token allows; nothing for whoever brought none."""

    def reader(self) -> None:
        """Refuse whoever may not look at the match. To anybody without a token, a private match does not exist."""
        if self.is_private and not self.held:
            raise unknown_match(self.match)

    def seat(self) -> Seat:
        """The seat that acts."""
        self._needs("seat")
        return next(grant.seat for grant in self.held if grant.role == "seat")

    def host(self) -> None:
        """Refuse everybody but the host."""
        self._needs("host")

    def arbiter(self) -> None:
        """Refuse everybody but an arbiter."""
        self._needs("arbiter")

    def member(self, *roles: Role) -> Grant:
        """What allows it, to one who has any of these roles."""
        self._needs(*roles)
        return next(grant for grant in self.held if grant.role in roles)

    def _needs(self, *roles: Role) -> None:
        self.reader()
        wanted = " or ".join(f"the {role}'s token" if role != "seat" else "the token of a seat" for role in roles)
        if not self.held:
            raise Unidentified("access/token", f"This takes {wanted} of match {self.match}; none was sent.")
        if not any(grant.role in roles for grant in self.held):
            has = self.held[0]
            mine = f"that of seat {has.seat}" if has.role == "seat" else f"the {has.role}'s"
            raise Forbidden("access/role", f"This takes {wanted}; the one sent is {mine}.")


def read_token(authorization: str | None) -> str:
    """The token of an Authorization header; empty where there is none. Refused if it is written otherwise."""
    if not authorization:
        return ""
    if not authorization.lower().startswith(BEARER) or not authorization[len(BEARER) :].strip():
        raise Unidentified("access/scheme", "Write the header as: Authorization: Bearer TOKEN")
    return authorization[len(BEARER) :].strip()


def access(match: str, grants: Sequence[Grant], token: str) -> Access:
    """What a token allows in a match with these grants. One that opens nothing here is refused, whatever is asked."""
    is_private = any(grant.role == "spectator" for grant in grants)
    held = granted(token, grants) if token else []
    if token and not held and not is_private:
        raise Unidentified(
            "access/unknown", f"The token sent opens nothing in match {match}; it may have been renewed."
        )
    return Access(match, is_private, held)
