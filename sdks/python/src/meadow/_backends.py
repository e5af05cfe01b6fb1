"""The two ways to run the same calls: blocking, and on the event loop of asyncio.

Everything above is written once, as coroutines over a `Backend`. Those of `BlockingBackend` never wait for an event
loop, so that `run_blocking` drives them to their end in the thread of the caller.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, AsyncIterator, Callable, Coroutine, Generic, Iterator, Optional, Protocol, TypeVar

from ._errors import MeadowError
from ._http import Abort, Deadline, Fetched, Pool, Request, Response

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

CONNECT_SECONDS = 10.0
"""For a connection to be made."""
MAX_THREADS = 32
"""Requests of one client at the same time."""


class Task(Protocol[T_co]):
    """Work that was started."""

    async def result(self) -> T_co:
        """Waits for its end."""
        ...

    def is_done(self) -> bool:
        """Whether its result is there."""
        ...

    def cancel(self) -> None:
        """Its result is not needed."""
        ...


class Stream(Protocol):
    """A response whose body is read piece by piece."""

    @property
    def head(self) -> Response:
        ...

    async def read(self, seconds: Optional[float]) -> bytes:
        """The next bytes; none at the end. Fails after so many seconds of silence."""
        ...

    async def close(self) -> None:
        ...


class Backend(Protocol):
    """What calls need of the world."""

    async def fetch(self, request: Request, deadline: Deadline) -> Fetched:
        ...

    async def open(self, request: Request, deadline: Deadline) -> Stream:
        ...

    async def sleep(self, seconds: float) -> None:
        ...

    async def offload(self, work: Callable[[], T]) -> T:
        """Does what takes a while outside of HTTP, such as reading a file."""
        ...

    def start(self, work: Coroutine[Any, Any, T]) -> Task[T]:
        """Runs it beside others."""
        ...


def run_blocking(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine over a `BlockingBackend` to its end."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    raise RuntimeError("A coroutine over a BlockingBackend waited for an event loop.")


def iterate_blocking(items: AsyncIterator[T]) -> Iterator[T]:
    """The items of an asynchronous generator over a `BlockingBackend`."""
    try:
        while True:
            try:
                item = run_blocking(_next(items))
            except StopAsyncIteration:
                return
            yield item
    finally:
        run_blocking(items.aclose())  # type: ignore[attr-defined]


async def _next(items: AsyncIterator[T]) -> T:
    return await items.__anext__()


def _submit(threads: ThreadPoolExecutor, work: Callable[[], T]) -> "Future[T]":
    try:
        return threads.submit(work)
    except RuntimeError as error:
        raise MeadowError("The client was closed: make another one.") from error


class BlockingBackend:
    """Runs calls in the thread of the caller, and started work in threads of its own."""

    def __init__(self, context: Optional[ssl.SSLContext], connect_seconds: float) -> None:
        self._pool = Pool(context, connect_seconds)
        self._threads = ThreadPoolExecutor(MAX_THREADS, "meadow")

    async def fetch(self, request: Request, deadline: Deadline) -> Fetched:
        return self._pool.fetch(request, deadline, Abort())

    async def open(self, request: Request, deadline: Deadline) -> "BlockingStream":
        return BlockingStream(self._pool.open(request, deadline, Abort()))

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    async def offload(self, work: Callable[[], T]) -> T:
        return work()

    def start(self, work: Coroutine[Any, Any, T]) -> "BlockingTask[T]":
        try:
            return BlockingTask(_submit(self._threads, lambda: run_blocking(work)), work)
        except MeadowError:
            work.close()
            raise

    def close(self) -> None:
        self._pool.close()
        self._threads.shutdown(wait=False)


class BlockingStream:
    """A response that the thread of the caller reads."""

    def __init__(self, response: Response) -> None:
        self.head = response

    async def read(self, seconds: Optional[float]) -> bytes:
        return self.head.read(seconds)

    async def close(self) -> None:
        self.head.close()


class BlockingTask(Generic[T]):
    """Work in another thread."""

    def __init__(self, future: "Future[T]", work: Coroutine[Any, Any, T]) -> None:
        self._future = future
        self._work = work

    async def result(self) -> T:
        return self._future.result()

    def is_done(self) -> bool:
        return self._future.done()

    def cancel(self) -> None:
        if self._future.cancel():
            self._work.close()


class AsyncioBackend:
    """Runs calls on the event loop, and their HTTP in threads. Cancelling a call ends its connection."""

    def __init__(self, context: Optional[ssl.SSLContext], connect_seconds: float) -> None:
        self._pool = Pool(context, connect_seconds)
        self._threads = ThreadPoolExecutor(MAX_THREADS, "meadow")

    async def fetch(self, request: Request, deadline: Deadline) -> Fetched:
        abort = Abort()
        return await self._in_thread(lambda: self._pool.fetch(request, deadline, abort), abort)

    async def open(self, request: Request, deadline: Deadline) -> "AsyncioStream":
        abort = Abort()
        response = await self._in_thread(lambda: self._pool.open(request, deadline, abort), abort)
        return AsyncioStream(response, abort, self._in_thread)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def offload(self, work: Callable[[], T]) -> T:
        return await self._in_thread(work, Abort())

    def start(self, work: Coroutine[Any, Any, T]) -> "AsyncioTask[T]":
        return AsyncioTask(asyncio.ensure_future(work))

    def close(self) -> None:
        self._pool.close()
        self._threads.shutdown(wait=False)

    async def _in_thread(self, work: Callable[[], T], abort: Abort) -> T:
        future = _submit(self._threads, work)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            abort.abort()
            raise


class AsyncioStream:
    """A response that threads read, one piece each."""

    def __init__(
        self,
        response: Response,
        abort: Abort,
        in_thread: Callable[[Callable[[], bytes], Abort], Coroutine[Any, Any, bytes]],
    ) -> None:
        self.head = response
        self._abort = abort
        self._in_thread = in_thread

    async def read(self, seconds: Optional[float]) -> bytes:
        return await self._in_thread(lambda: self.head.read(seconds), self._abort)

    async def close(self) -> None:
        self.head.close()


class AsyncioTask(Generic[T]):
    """Work as a task of the event loop."""

    def __init__(self, task: "asyncio.Future[T]") -> None:
        self._task = task

    async def result(self) -> T:
        return await self._task

    def is_done(self) -> bool:
        return self._task.done()

    def cancel(self) -> None:
        self._task.cancel()
