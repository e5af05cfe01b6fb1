"""Blocking HTTP/1.1 over `http.client`: connections that are kept, proxies, deadlines, and aborting from another thread."""

from __future__ import annotations

import base64
import contextlib
import functools
import http.client
import io
import socket
import ssl
import threading
import time
import zlib
from typing import Any, Iterator, Mapping, NamedTuple, Optional
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from ._errors import BadAnswer, ConnectionFailed, MeadowError, TimedOut

CHUNK_BYTES = 64 * 1024
"""Read at once of a body."""
MAX_BODY_BYTES = 1 << 30
"""Of a response that is read as a whole, decoded: a service that is not right could fill the memory."""
MAX_IDLE = 16
"""Connections to one origin that are kept."""
MAX_IDLE_SECONDS = 60.0
"""The service closes a connection after two minutes without traffic."""


class Request(NamedTuple):
    """A GET or HEAD request."""

    url: str
    headers: Mapping[str, str]
    method: str = "GET"


class Fetched(NamedTuple):
    """A response that was read. Names of headers are in lower case; the body is decoded."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Deadline:
    """When a call has to be over. Without seconds it never has to."""

    def __init__(self, seconds: Optional[float]) -> None:
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self) -> Optional[float]:
        """The seconds that are left. Raises `TimedOut` when there are none."""
        if self._end is None:
            return None
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimedOut(f"The call took longer than its timeout of {self._seconds:g} s.")
        return left

    def allows(self, seconds: float) -> bool:
        """Whether there is time for a wait of so many seconds."""
        return self._end is None or time.monotonic() + seconds < self._end

    def within(self, seconds: float) -> float:
        """So many seconds, or those that are left, if they are fewer."""
        left = self.left()
        return seconds if left is None else min(seconds, left)


class Abort:
    """Ends the request of another thread: what it waits for fails at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: Optional[socket.socket] = None
        self.is_aborted = False

    def watch(self, sock: Optional[socket.socket]) -> None:
        """Names the socket of the request, which is shut down at once if the abort came before."""
        with self._lock:
            self._socket = sock
            if self.is_aborted:
                _shut_down(sock)

    def abort(self) -> None:
        with self._lock:
            self.is_aborted = True
            _shut_down(self._socket)


def _shut_down(sock: Optional[socket.socket]) -> None:
    if sock is None:
        return
    # An `SSLSocket` has a method of its own that changes its state while the other thread reads.
    with contextlib.suppress(OSError):
        socket.socket.shutdown(sock, socket.SHUT_RDWR)


class _Clock:
    """The deadline of what is being read of a response: of its head, then of each piece of its body."""

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline


class _TimedSocket(io.RawIOBase):
    """Reads a socket within a deadline. The socket's own timeout would begin anew with each byte of a head."""

    def __init__(self, sock: socket.socket, clock: _Clock) -> None:
        self._sock = sock
        self._raw: Any = sock.makefile("rb", buffering=0)
        self._clock = clock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._sock.settimeout(self._clock.deadline.left())
        return self._raw.readinto(buffer)  # type: ignore[no-any-return]

    def close(self) -> None:
        self._raw.close()
        super().close()


class _TimedResponse(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, clock: _Clock, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        self.fp.close()
        self.fp = io.BufferedReader(_TimedSocket(sock, clock))


class Origin(NamedTuple):
    """What a connection leads to: the origin of a URL, by way of a proxy or directly."""

    scheme: str
    host: str
    port: int
    proxy: Optional[str]


class Response:
    """A response whose body has not been read yet. It has to be closed."""

    def __init__(
        self,
        pool: "Pool",
        origin: Origin,
        connection: http.client.HTTPConnection,
        raw: http.client.HTTPResponse,
        abort: Abort,
        where: str,
        clock: _Clock,
    ) -> None:
        self._clock = clock
        self.status = raw.status
        self.headers: dict[str, str] = {name.lower(): value for name, value in raw.getheaders()}
        self._pool = pool
        self._origin = origin
        self._connection = connection
        self._raw = raw
        self._abort = abort
        self._where = where
        self._left = raw.length
        """What is left of a body of known length, in bytes."""
        self._is_read = raw.length == 0

    def read(self, seconds: Optional[float]) -> bytes:
        """The next bytes as they came, at most `CHUNK_BYTES`; none at the end. Fails after so many seconds of silence."""
        self._clock.deadline = Deadline(seconds)
        with _as_ours(self._where, self._abort):
            piece = self._raw.read1(CHUNK_BYTES)
            if self._left is not None:
                self._left -= len(piece)
                if not piece and self._left > 0:
                    raise http.client.IncompleteRead(piece, self._left)
            self._is_read = not piece or self._left == 0
            return piece

    def close(self) -> None:
        """Gives the connection back when the body was read to its end, and closes it otherwise."""
        self._raw.close()
        self._abort.watch(None)
        if self._is_read and not self._raw.will_close and not self._abort.is_aborted:
            self._pool.keep(self._origin, self._connection)
        else:
            self._connection.close()


class Pool:
    """Connections that wait for their next request. Any number of threads may use it."""

    def __init__(self, context: Optional[ssl.SSLContext], connect_seconds: float) -> None:
        self._context = context
        self._connect_seconds = connect_seconds
        self._lock = threading.Lock()
        self._idle: dict[Origin, list[tuple[float, http.client.HTTPConnection]]] = {}
        self._proxies = getproxies()

    def fetch(self, request: Request, deadline: Deadline, abort: Abort) -> Fetched:
        """Sends a request, and reads its response to the end."""
        response = self.open(request, deadline, abort)
        try:
            pieces: list[bytes] = []
            size = 0
            while True:
                piece = response.read(deadline.left())
                if not piece:
                    break
                pieces.append(piece)
                size += len(piece)
                if size > MAX_BODY_BYTES:
                    raise BadAnswer(f"The answer of {_name(request.url)} is too large to be read.")
        finally:
            response.close()
        body = _decode(b"".join(pieces), response.headers.get("content-encoding"), _name(request.url))
        return Fetched(response.status, response.headers, body)

    def open(self, request: Request, deadline: Deadline, abort: Abort) -> Response:
        """Sends a request, and reads the head of its response."""
        url = urlsplit(request.url)
        origin = self._origin_of(url)
        kept = self._take(origin)
        if kept is not None:
            try:
                return self._exchange(kept, origin, url, request, deadline, abort)
            except ConnectionFailed:
                # The service may have closed the connection while nothing was sent. Nothing was answered, and a GET
                # may be sent twice.
                kept.close()
                if abort.is_aborted:
                    raise
        return self._exchange(self._connect(origin), origin, url, request, deadline, abort)

    def keep(self, origin: Origin, connection: http.client.HTTPConnection) -> None:
        """Keeps a connection for the next request."""
        with self._lock:
            idle = self._idle.setdefault(origin, [])
            if len(idle) < MAX_IDLE:
                idle.append((time.monotonic(), connection))
                return
        connection.close()

    def close(self) -> None:
        """Closes the connections that wait."""
        with self._lock:
            kept = [connection for idle in self._idle.values() for _, connection in idle]
            self._idle.clear()
        for connection in kept:
            connection.close()

    def _take(self, origin: Origin) -> Optional[http.client.HTTPConnection]:
        while True:
            with self._lock:
                idle = self._idle.get(origin)
                if not idle:
                    return None
                since, connection = idle.pop()
            if time.monotonic() - since < MAX_IDLE_SECONDS:
                return connection
            connection.close()

    def _origin_of(self, url: SplitResult) -> Origin:
        host = url.hostname or ""
        port = url.port or (443 if url.scheme == "https" else 80)
        proxy = self._proxies.get(url.scheme) or self._proxies.get("all")
        return Origin(url.scheme, host, port, None if proxy is None or proxy_bypass(host) else proxy)

    def _connect(self, origin: Origin) -> http.client.HTTPConnection:
        """A new connection, which is opened with its first request."""
        if origin.proxy is None:
            return self._open(origin.scheme, origin.host, origin.port)
        proxy = _split_proxy(origin.proxy)
        connection = self._open(origin.scheme, proxy.hostname or "", proxy.port or 80)
        if origin.scheme == "https":
            connection.set_tunnel(origin.host, origin.port, _proxy_headers(proxy))
        return connection

    def _open(self, scheme: str, host: str, port: int) -> http.client.HTTPConnection:
        if scheme == "http":
            return http.client.HTTPConnection(host, port)
        self._context = self._context or ssl.create_default_context()
        return http.client.HTTPSConnection(host, port, context=self._context)

    def _open_socket(self, connection: http.client.HTTPConnection, deadline: Deadline) -> socket.socket:
        connection.timeout = deadline.within(self._connect_seconds)
        try:
            connection.connect()
        except socket.timeout as error:
            deadline.left()
            raise ConnectionFailed(f"No connection to {connection.host} within {self._connect_seconds:g} s.") from error
        sock: socket.socket = connection.sock
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        origin: Origin,
        url: SplitResult,
        request: Request,
        deadline: Deadline,
        abort: Abort,
    ) -> Response:
        where = _name(request.url)
        clock = _Clock(deadline)
        headers = dict(request.headers)
        target = f"{url.path or '/'}{'?' + url.query if url.query else ''}"
        if origin.proxy is not None and origin.scheme == "http":
            target = f"http://{url.netloc}{target}"
            headers.update(_proxy_headers(_split_proxy(origin.proxy)))
        try:
            with _as_ours(where, abort):
                sock: socket.socket = connection.sock or self._open_socket(connection, deadline)
                abort.watch(sock)
                sock.settimeout(deadline.left())
                connection.response_class = functools.partial(_TimedResponse, clock=clock)  # type: ignore[assignment]
                connection.request(request.method, target, headers=headers)
                raw = connection.getresponse()
        except BaseException:
            connection.close()
            raise
        return Response(self, origin, connection, raw, abort, where, clock)


def _split_proxy(proxy: str) -> SplitResult:
    return urlsplit(proxy if "//" in proxy else f"//{proxy}")


def _proxy_headers(proxy: SplitResult) -> dict[str, str]:
    if proxy.username is None:
        return {}
    credentials = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}".encode()
    return {"Proxy-Authorization": f"Basic {base64.b64encode(credentials).decode()}"}


def _name(url: str) -> str:
    """The origin of an address: its path may be a secret, as that of a link."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}"


@contextlib.contextmanager
def _as_ours(where: str, abort: Abort) -> Iterator[None]:
    """Turns the errors of sockets and of `http.client` into ours."""
    try:
        yield
    except MeadowError:
        raise
    except ssl.SSLCertVerificationError as error:
        reason = f"The certificate of {where} is not trusted: {error.verify_message}."
        failure = ConnectionFailed(f"{reason} Pass an ssl_context that trusts it.")
        failure.is_retryable = False
        raise failure from error
    except socket.timeout as error:
        raise TimedOut(f"{where} did not answer in time.") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = "the request was aborted" if abort.is_aborted else _reason(error)
        raise ConnectionFailed(f"No answer from {where}: {reason}.") from error


def _reason(error: Exception) -> str:
    if isinstance(error, http.client.RemoteDisconnected):
        return "the connection was closed"
    if isinstance(error, http.client.IncompleteRead):
        return "the connection was lost within the answer"
    if isinstance(error, socket.gaierror):
        return "there is no host of this name"
    if isinstance(error, OSError):
        return (error.strerror or str(error) or type(error).__name__).lower()
    return "what came is not HTTP"


def _decode(body: bytes, encoding: Optional[str], where: str) -> bytes:
    if encoding is None or encoding == "identity" or not body:
        return body
    if encoding != "gzip":
        raise ConnectionFailed(f"{where} sent an encoding that was not asked for.")
    decoder = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        decoded = decoder.decompress(body, MAX_BODY_BYTES)
    except zlib.error as error:
        raise ConnectionFailed(f"The answer of {where} is damaged.") from error
    if decoder.unconsumed_tail:
        raise BadAnswer(f"The answer of {where} is too large to be read.")
    if not decoder.eof:
        raise ConnectionFailed(f"The answer of {where} is damaged.")
    return decoded
