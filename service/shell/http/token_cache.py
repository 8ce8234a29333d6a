"""What tokens allow in matches that were asked about last."""

from collections import OrderedDict

from service.shell.http.store_access import StoreAccess
from service.store.columns import sound
from service.store.shapes import Grant


class TokenCache:
    """The grants of matches. On a file, where this process alone gives tokens, they are read once."""

    def __init__(self, access: StoreAccess, size: int) -> None:
        self._access = access
        self._size = size
        self._grants: OrderedDict[str, list[Grant]] = OrderedDict()

    async def grants(self, match: str) -> list[Grant]:
        """What tokens allow in a match."""
        if (known := self._grants.get(match)) is not None:
            return known
        store = self._access.store
        found = sound(await self._access.ask(store.grants, match))
        if found and store.is_local:  # none may mean that the match is yet to be opened
            self._grants[match] = found
            while len(self._grants) > self._size:
                self._grants.popitem(last=False)
        return found

    async def grant(self, match: str, grant: Grant) -> None:
        """Give a token, or take one."""
        await self._access.in_thread(self._access.store.grant, match, grant)
        self.forget(match)

    def forget(self, match: str) -> None:
        """Read the grants of a match anew."""
        self._grants.pop(match, None)

    def forget_all(self) -> None:
        """Read all grants anew."""
        self._grants.clear()
