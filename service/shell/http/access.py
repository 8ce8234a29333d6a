"""Who may do what: what the token that came with a request allows in one match."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

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

    def member(self, *roles: Role) -> Grant:
        """What allows it, to one who has any of these roles; everybody else is refused."""
        wanted = " or ".join(f"the {role}'s token" if role != "seat" else "the token of a seat" for role in roles)
        if not self.held:
            raise Unidentified("access/token", f"This takes {wanted} of match {self.match}; none was sent.")
        for grant in self.held:
            if grant.role in roles:
                return grant
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
    """What a token allows in a match with these grants. One that opens nothing here is refused, whatever is asked.

    To anybody without a token of it, a private match does not exist.
    """
    is_private = any(grant.role == "spectator" for grant in grants)
    held = granted(token, grants) if token else []
    if token and not held and not is_private:
        raise Unidentified(
            "access/unknown", f"The token sent opens nothing in match {match}; it may have been renewed."
        )
    if is_private and not held:
        raise unknown_match(match)
    return Access(match, is_private, held)
