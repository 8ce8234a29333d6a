"""The service's own arbiter key, for those who rule with a token and have no key."""

from contextlib import suppress
from typing import Final

from service.errors import Refused
from service.trust.arbiters import Arbiter, read_arbiter
from service.trust.folder import ARBITERS_FOLDER, create_arbiter_key, key_folder
from service.trust.keys import Key, verify

SERVICE_ARBITER: Final = "house"
"""The word for this key where a match names its arbiters, and the name of its file."""


def service_arbiter(name: str = SERVICE_ARBITER) -> Arbiter:
    """An arbiter with the service's own key, signing as whoever rules; the key is made when it is first needed."""
    path = key_folder() / ARBITERS_FOLDER / f"{SERVICE_ARBITER}.pem"
    if not path.exists():
        with suppress(Refused):  # another process was faster
            create_arbiter_key(SERVICE_ARBITER)
    return read_arbiter(path, name)


def service_arbiter_key() -> str:
    """The service's public arbiter key; empty as long as none was needed, so that no match can have named it."""
    path = key_folder() / ARBITERS_FOLDER / f"{SERVICE_ARBITER}.pem"
    return read_arbiter(path, SERVICE_ARBITER).key.public if path.exists() else ""


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
