"""The client for asyncio."""

from __future__ import annotations

import ssl
from typing import Any, AsyncIterator, Literal, Mapping, Optional

from ._backends import CONNECT_SECONDS, AsyncioBackend
from ._base import Client
from ._changes import AsyncChanges, Comparison, Reach, Scope, TeamState, read_reach
from ._core import RawResponse
from ._download import Download, ExportRequest, Progress, Target, download
from ._generated.endpoints import AsyncEndpoints, Endpoint, Scalar
from ._generated.types import RequestExportFormat, RequestExportModelerVersion, Solution
from ._lines import SolutionLine, read_lines
from ._wait import wait_for_solution
from ._walk import FolderVisit, walk_team


class AsyncMeadow(Client, AsyncEndpoints):
    """`Meadow` for asyncio: the same methods with the same parameters, to be awaited or iterated over with `async for`.

    A call that is cancelled ends its connection. Close the client with `await client.aclose()`, or use it in an
    `async with` statement.
    """

    def _open_backend(self, ssl_context: Optional[ssl.SSLContext]) -> AsyncioBackend:
        return AsyncioBackend(ssl_context, CONNECT_SECONDS)

    async def __aenter__(self) -> "AsyncMeadow":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections that are kept."""
        self._backend.close()

    async def request(
        self,
        path: str,
        *,
        query: Optional[Mapping[str, Optional[Scalar]]] = None,
        headers: Optional[Mapping[str, str]] = None,
        method: Literal["GET", "HEAD"] = "GET",
        timeout: Optional[float] = None,
    ) -> RawResponse:
        """As `Meadow.request`."""
        deadline = self._core.deadline(timeout)
        return await self._core.request(path, query or {}, headers or {}, method, deadline)

    async def read_reach(self, *, timeout: Optional[float] = None) -> Reach:
        """As `Meadow.read_reach`."""
        return await read_reach(self._core, self._core.deadline(timeout))

    async def wait_for_solution(
        self, document_id: str, *, include_geometry: bool = False, timeout: Optional[float] = 600.0
    ) -> Solution:
        """As `Meadow.wait_for_solution`."""
        return await wait_for_solution(self._core, document_id, include_geometry, timeout)

    def read_solution_lines(
        self,
        document_id: str,
        *,
        include_geometry: bool = False,
        nodes: Optional[list[str]] = None,
        fields: Optional[list[str]] = None,
        timeout: Optional[float] = None,
    ) -> AsyncIterator[SolutionLine]:
        """As `Meadow.read_solution_lines`."""
        query: dict[str, Optional[Scalar]] = {"includeGeometry": include_geometry, "nodes": nodes, "fields": fields}
        return read_lines(self._core, document_id, query, timeout)

    def walk(
        self, folder_id: str = "root", *, concurrency: int = 8, timeout: Optional[float] = None
    ) -> AsyncIterator[FolderVisit]:
        """As `Meadow.walk`."""

        return walk_team(self._core, folder_id, concurrency, timeout)

    def changed_since(
        self,
        state: Optional[TeamState] = None,
        *,
        folder_id: str = "root",
        solutions: bool = False,
        concurrency: int = 8,
        timeout: Optional[float] = None,
        allow_narrower: bool = False,
    ) -> AsyncChanges:
        """As `Meadow.changed_since`."""
        options = Scope(folder_id, solutions, concurrency, timeout, allow_narrower)
        return AsyncChanges(Comparison(self._core, state, options))

    async def download(
        self,
        document_id: str,
        target: Target,
        *,
        format: RequestExportFormat,
        modeler_version: Optional[RequestExportModelerVersion] = None,
        on_progress: Optional[Progress] = None,
        silence: float = 60.0,
    ) -> Download:
        """As `Meadow.download`."""
        request = ExportRequest(document_id, format, modeler_version)
        return await download(self._core, request, target, silence, on_progress)

    async def _call(
        self,
        endpoint: Endpoint,
        path: "dict[str, str]",
        query: "dict[str, Optional[Scalar]]",
        headers: "dict[str, Optional[Scalar]]",
        timeout: Optional[float],
    ) -> Any:
        return await self._core.call(endpoint, path, query, headers, self._core.deadline(timeout))
