"""What the two clients have in common."""

from __future__ import annotations

import ssl
from typing import Optional, Union

from ._backends import AsyncioBackend, BlockingBackend
from ._cache import Cache
from ._core import Core, read_settings


class Client:
    """A client over one kind of backend."""

    def __init__(
        self,
        base_url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        cache: Optional[Cache] = None,
        retries: int = 4,
        timeout: float = 120.0,
        user_agent: Optional[str] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        settings = read_settings(base_url, token, timeout=timeout, retries=retries, cache=cache, user_agent=user_agent)
        self._backend = self._open_backend(ssl_context)
        self._core = Core(settings, self._backend)

    def _open_backend(self, ssl_context: Optional[ssl.SSLContext]) -> Union[AsyncioBackend, BlockingBackend]:
        raise NotImplementedError

    @property
    def base_url(self) -> str:
        """The address of the service, without a closing slash."""
        return self._core.settings.base_url

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url!r})"
