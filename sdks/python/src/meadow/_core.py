"""What every call does: address, token, retries, conditional requests, and the error of a status."""

from __future__ import annotations

import json
import os
import random
import re
from typing import Any, Awaitable, Callable, Mapping, NamedTuple, Optional, TypeVar, Union
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from ._backends import Backend, Stream
from ._cache import Cache, CacheEntry
from ._errors import ApiError, BadAnswer, ConnectionFailed, MeadowError
from ._generated.endpoints import API_PREFIX, READ_CHANGES, REQUEST_EXPORT, Endpoint, Scalar
from ._generated.errors import ERROR_CLASSES
from ._http import Deadline, Fetched, Request
from ._version import VERSION

T = TypeVar("T")

FIRST_PAUSE_SECONDS = 0.5
"""The first pause is up to this long, each further one up to twice as long."""
MAX_PAUSE_SECONDS = 20.0
LONGEST_PAUSE_SECONDS = 1e9
"""Of a pause that the service asks for: `time.sleep` takes no more than some centuries."""


class Settings(NamedTuple):
    """How a client calls."""

    base_url: str
    token: str
    timeout: float
    retries: int
    cache: Optional[Cache]
    user_agent: str


class RawResponse(NamedTuple):
    """A response as it came, whatever its status. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.content)

    def raise_for_status(self) -> "RawResponse":
        """The response itself when its status is 200 or 304. Raises the error of its status otherwise."""
        if self.status in (200, 304):
            return self
        raise to_error(Fetched(self.status, self.headers, self.content), "the address that was asked")


def read_settings(
    base_url: Optional[str],
    token: Optional[str],
    *,
    timeout: float,
    retries: int,
    cache: Optional[Cache],
    user_agent: Optional[str],
) -> Settings:
    """Checks what a client is made with. `MEADOW_URL` and `MEADOW_TOKEN` count where nothing was given."""
    own_agent = f"meadow-python/{VERSION}"
    return Settings(
        base_url=_read_base_url(base_url or os.environ.get("MEADOW_URL")),
        token=_read_token(token or os.environ.get("MEADOW_TOKEN")),
        timeout=timeout,
        retries=retries,
        cache=cache,
        user_agent=f"{user_agent} {own_agent}" if user_agent else own_agent,
    )


def _read_base_url(text: Optional[str]) -> str:
    """An address such as `https://meadow.example.org`, also when it was given with the prefix of the API."""
    if not text:
        raise MeadowError("No address: pass base_url, or set MEADOW_URL.")
    parts = urlsplit(text.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise MeadowError(f"base_url must be an address such as https://meadow.example.org, not {text!r}.")
    if "@" in parts.netloc:
        raise MeadowError("base_url must be an address without a user and a password: errors would show them.")
    path = parts.path.rstrip("/")
    path = path[: -len(API_PREFIX)] if path.endswith(API_PREFIX) else path
    # Without a user and password, which would be in errors; the token is what is sent.
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{path}"


def _read_token(text: Optional[str]) -> str:
    token = (text or "").strip()
    if not token:
        raise MeadowError("No API token: pass token, or set MEADOW_TOKEN.")
    # Checked here, since the error of http.client would show it.
    if not all("!" <= character <= "~" for character in token):
        raise MeadowError("token must be an API token of the team: it has characters that no token has.")
    return token


class Core:
    """The calls of a client, over one backend."""

    def __init__(self, settings: Settings, backend: Backend) -> None:
        self.settings = settings
        self.backend = backend

    def deadline(self, timeout: Optional[float]) -> Deadline:
        """The deadline of a call, retries included."""
        return Deadline(self.settings.timeout if timeout is None else timeout)

    async def call(
        self,
        endpoint: Endpoint,
        path: Mapping[str, str],
        query: Mapping[str, Optional[Scalar]],
        headers: Mapping[str, Optional[Scalar]],
        deadline: Deadline,
    ) -> Any:
        """Calls an endpoint. Returns its response, or the one member that this has."""
        url = self._url(_path_of(endpoint, path), query)
        sent = {name: str(value) for name, value in headers.items() if value is not None}
        return _unwrap(endpoint, await self._read(endpoint, url, sent, deadline), url)

    async def head(self, endpoint: Endpoint, path: Mapping[str, str], deadline: Deadline) -> RawResponse:
        """The response of an endpoint without its body. Raises as `call` does."""
        url = self._url(_path_of(endpoint, path), {})
        fetched = await self.send(Request(url, self._headers({}), "HEAD"), deadline)
        if fetched.status != 200:
            raise to_error(fetched, url)
        return RawResponse(*fetched)

    async def request(
        self,
        path: str,
        query: Mapping[str, Optional[Scalar]],
        headers: Mapping[str, str],
        method: str,
        deadline: Deadline,
    ) -> RawResponse:
        """Sends a request to any address below the prefix. No status is an error."""
        place, _, own_query = path.partition("?")
        if "#" in path or any(unquote(part) in (".", "..") for part in place.split("/")):
            raise MeadowError(f"The path {path!r} leads out of the API: give one such as /team.")
        place = f"/{place.lstrip('/')}"
        place = place[len(API_PREFIX) :] if place.startswith(f"{API_PREFIX}/") else place
        url = self._url(place, {**dict(parse_qsl(own_query, keep_blank_values=True)), **query})
        return RawResponse(*await self.send(Request(url, self._headers(headers), method), deadline))

    async def send(self, request: Request, deadline: Deadline) -> Fetched:
        """Sends a request, again while its failure may pass, and there are time and retries left."""
        return await self._repeat(lambda: self.backend.fetch(request, deadline), deadline)

    async def open(
        self,
        endpoint: Endpoint,
        path: Mapping[str, str],
        query: Mapping[str, Optional[Scalar]],
        headers: Mapping[str, str],
        deadline: Deadline,
    ) -> Stream:
        """Calls an endpoint, likewise, and returns its response of 200, whose body is to be read."""
        url = self._url(_path_of(endpoint, path), query)
        request = Request(url, self._headers(headers))

        async def attempt() -> Union[Fetched, Stream]:
            stream = await self.backend.open(request, deadline)
            if stream.head.status == 200:
                return stream
            try:
                return Fetched(stream.head.status, stream.head.headers, await stream.read(deadline.left()))
            finally:
                await stream.close()

        opened = await self._repeat(attempt, deadline)
        if isinstance(opened, Fetched):
            raise to_error(opened, url)
        return opened

    async def _repeat(self, attempt: Callable[[], Awaitable[Union[Fetched, T]]], deadline: Deadline) -> Union[Fetched, T]:
        retry = 0
        while True:
            failure: Union[Fetched, ConnectionFailed]
            try:
                outcome = await attempt()
                if not isinstance(outcome, Fetched) or not _is_passing(outcome):
                    return outcome
                failure = outcome
                pause = pause_before(retry, _retry_after(failure) or 0.0)
            except ConnectionFailed as error:
                if not error.is_retryable:
                    raise
                failure = error
                pause = pause_before(retry, 0.0)
            if retry >= self.settings.retries or not deadline.allows(pause):
                if isinstance(failure, ConnectionFailed):
                    raise failure
                return failure
            await self.backend.sleep(pause)
            retry += 1

    async def _read(self, endpoint: Endpoint, url: str, headers: dict[str, str], deadline: Deadline) -> Any:
        """A response as JSON, by way of the cache."""
        # An export has another link each time, and changes are asked for once.
        cache = None if endpoint in (REQUEST_EXPORT, READ_CHANGES) else self.settings.cache
        entry = cache.get(url) if cache else None
        condition = {"If-None-Match": entry.tag} if entry else {}
        fetched = await self.send(Request(url, self._headers({**headers, **condition})), deadline)
        if entry is not None and fetched.status == 304:
            known = parse_object(entry.body)
            if known is not None:
                return known
            fetched = await self.send(Request(url, self._headers(headers)), deadline)
        body = _parse(fetched, url)
        tag = fetched.headers.get("etag")
        if cache is not None and tag is not None:
            cache.set(url, CacheEntry(tag, fetched.body))
        return body

    def _url(self, path: str, query: Mapping[str, Optional[Scalar]]) -> str:
        pairs = [(name, _to_text(value)) for name, value in query.items() if value is not None]
        return f"{self.settings.base_url}{API_PREFIX}{path}{'?' + urlencode(pairs, quote_via=quote) if pairs else ''}"

    def _headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        return {
            "Accept-Encoding": "gzip",
            "User-Agent": self.settings.user_agent,
            **headers,
            "Authorization": f"Bearer {self.settings.token}",
        }


def _unwrap(endpoint: Endpoint, body: Any, url: str) -> Any:
    """The one member of a body, or the body of an endpoint that has several."""
    if endpoint.member is None:
        return body
    if endpoint.member not in body:
        raise BadAnswer(f"The answer of {_without_query(url)} lacks {endpoint.member!r}: is base_url right?")
    return body[endpoint.member]


def _path_of(endpoint: Endpoint, parameters: Mapping[str, str]) -> str:
    return endpoint.path.format_map({name: _quote(value) for name, value in parameters.items()})


def _quote(value: str) -> str:
    if not isinstance(value, str) or not value:
        raise MeadowError(f"An id is a text that the service issued, not {value!r}.")
    # The service knows no dot segments, but a proxy on the way may.
    return {".": "%2E", "..": "%2E%2E"}.get(value) or quote(value, safe="")


def _to_text(value: Scalar) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def pause_before(retry: int, asked: float) -> float:
    """Seconds to wait: full jitter, after what the service asks for. Clients that failed together do not return together."""
    return asked + random.random() * min(MAX_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2.0**retry)


def _is_passing(fetched: Fetched) -> bool:
    """Whether another attempt may have another answer. A 502 of the service itself says that a solve failed."""
    known = ERROR_CLASSES.get(fetched.status)
    return bool(known and known.is_retryable) or (fetched.status in (502, 504) and not _is_json(fetched))


def _is_json(fetched: Fetched) -> bool:
    return fetched.headers.get("content-type", "").startswith("application/json")


def _retry_after(fetched: Fetched) -> Optional[float]:
    text = fetched.headers.get("retry-after", "")
    # `str.isdigit` knows digits that are none of a number.
    return min(float(text), LONGEST_PAUSE_SECONDS) if re.fullmatch("[0-9]+", text) else None


def _parse(fetched: Fetched, url: str) -> Any:
    if fetched.status != 200:
        raise to_error(fetched, url)
    body = parse_object(fetched.body)
    if body is None:
        raise BadAnswer(f"{_without_query(url)} did not answer with a JSON object: is base_url right?")
    return body


def parse_object(content: bytes) -> "Optional[dict[str, Any]]":
    """An object from JSON; None for anything else."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def to_error(fetched: Fetched, url: str) -> MeadowError:
    """The error of a status."""
    where = _without_query(url)
    location = fetched.headers.get("location")
    if 300 <= fetched.status < 400 and location:
        return BadAnswer(f"{where} redirects to {_without_query(location)}: use that as base_url.")
    # What a proxy says of itself is nothing about a document: its 404 does not mean that there is none.
    cls: type[ApiError] = ERROR_CLASSES.get(fetched.status, ApiError) if _is_json(fetched) else ApiError
    return cls(
        fetched.status,
        _sentence(fetched, where),
        url=where,
        request_id=fetched.headers.get("x-request-id"),
        retry_after=_retry_after(fetched),
    )


def _sentence(fetched: Fetched, where: str) -> str:
    if not _is_json(fetched):
        return f"{where} answers with status {fetched.status}, and not as Meadow does."
    sentence = (parse_object(fetched.body) or {}).get("error")
    return sentence if isinstance(sentence, str) else f"The answer has the status {fetched.status}, without a sentence."


def _without_query(url: str) -> str:
    return url.partition("?")[0]
