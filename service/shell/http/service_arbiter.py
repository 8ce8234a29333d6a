"""The arbiter of the house: a key of the service's own, for those who rule with a token and have no key."""

from contextlib import suppress
from typing import Final

from service.errors import Refused
from service.trust.arbiters import Arbiter, read_arbiter
from service.trust.folder import ARBITERS_FOLDER, create_arbiter_key, key_folder
from service.trust.keys import Key, verify

NAME: Final = "house"


def service_arbiter(name: str = NAME) -> Arbiter:
    """The arbiter of the house, signing as whoever rules; its key is made when it is first needed."""
    path = key_folder() / ARBITERS_FOLDER / f"{NAME}.pem"
    if not path.exists():
        with suppress(Refused):  # another process was faster
            create_arbiter_key(NAME)
    return read_arbiter(path, name)


def service_arbiter_key() -> str:
    """The public key of the house; empty as long as none was needed, so that no match can have named it."""
    path = key_folder() / ARBITERS_FOLDER / f"{NAME}.pem"
    return read_arbiter(path, NAME).key.public if path.exists() else ""


class PresentedKey(Key):
    """A key whose owner has signed elsewhere: it gives the signature that was sent, if that fits what is signed."""

    def __init__(self, public: str, signature: str) -> None:
        self.public = public
        self._signature = signature

    def sign(self, message: bytes) -> str:
        """The signature that was sent."""
        if not verify(self.public, message, self._signature):
            raise Refused(
                "dispute/signature",
                f"The signature of key {self.public[:12]}… does not fit this ruling at this head; sign it again.",
            )
        return self._signature
