"""The client that blocks."""

from __future__ import annotations

import ssl
from typing import Any, Iterator, Literal, Mapping, Optional

from ._backends import CONNECT_SECONDS, BlockingBackend, iterate_blocking, run_blocking
from ._base import Client
from ._changes import Changes, Comparison, Reach, Scope, TeamState, read_reach
from ._core import RawResponse
from ._download import Download, ExportRequest, Progress, Target, download
from ._generated.endpoints import BlockingEndpoints, Endpoint, Scalar
from ._generated.types import RequestExportFormat, RequestExportModelerVersion, Solution
from ._lines import SolutionLine, read_lines
from ._wait import wait_for_solution
from ._walk import FolderVisit, walk_team


class Meadow(Client, BlockingEndpoints):
    """A team's folders, documents and solutions, as its API token sees them.

    Any number of threads may use one client. Close it, or use it in a `with` statement, when it is not needed any more.

    Args:
        base_url: The address of the service, such as `https://meadow.example.org`. When not given: `MEADOW_URL`.
        token: An API token, which determines the team. When not given: `MEADOW_TOKEN`.
        cache: Keeps responses, so that what has not changed is not sent again: a `MemoryCache`, a `FileCache`, or
            another object with their methods. Without one nothing is kept.
        retries: How often a call is repeated after 429, 503 or a broken connection.
        timeout: Seconds that a call may take, its retries included.
        user_agent: Names your program in the log of the service.
        ssl_context: For certificates that the system does not trust.

    Raises:
        MeadowError: The address or the token is missing, or cannot be one.
    """

    def _open_backend(self, ssl_context: Optional[ssl.SSLContext]) -> BlockingBackend:
        return BlockingBackend(ssl_context, CONNECT_SECONDS)

    def __enter__(self) -> "Meadow":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections that are kept."""
        self._backend.close()

    def request(
        self,
        path: str,
        *,
        query: Optional[Mapping[str, Optional[Scalar]]] = None,
        headers: Optional[Mapping[str, str]] = None,
        method: Literal["GET", "HEAD"] = "GET",
        timeout: Optional[float] = None,
    ) -> RawResponse:
        """Any request to the API, such as `request("/documents", query={"q": "tower"})`. No status raises."""
        deadline = self._core.deadline(timeout)
        return run_blocking(self._core.request(path, query or {}, headers or {}, method, deadline))

    def read_reach(self, *, timeout: Optional[float] = None) -> Reach:
        """What the token reads of its team: all of it, or "folders" when it is limited to some.

        To a limited token, what is in none of its folders is missing, as if it had been deleted.
        """
        return run_blocking(read_reach(self._core, self._core.deadline(timeout)))

    def wait_for_solution(
        self, document_id: str, *, include_geometry: bool = False, timeout: Optional[float] = 600.0
    ) -> Solution:
        """The most recent solution, once no solve of the document runs.

        Args:
            document_id: The id of the document.
            include_geometry: As in `read_solution`.
            timeout: Seconds to wait in all; None for no limit.

        Raises:
            NotSolved: The document was never solved, so that there is nothing to wait for.
            SolveFailed: The most recent solve failed.
            TimedOut: The solve did not end in time.
        """
        return run_blocking(wait_for_solution(self._core, document_id, include_geometry, timeout))

    def read_solution_lines(
        self,
        document_id: str,
        *,
        include_geometry: bool = False,
        nodes: Optional[list[str]] = None,
        fields: Optional[list[str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[SolutionLine]:
        """The most recent solution, with no more than a line of it in memory.

        Each port is a line, and at the end comes the solution itself, whose `data` has nothing but its id.

        Args:
            document_id: The id of the document.
            include_geometry: As in `read_solution`, like `nodes` and `fields`.
            timeout: Seconds until the response begins.

        The iteration raises:
            ConnectionFailed: The response ended before its last line.
        """
        query: dict[str, Optional[Scalar]] = {"includeGeometry": include_geometry, "nodes": nodes, "fields": fields}
        return iterate_blocking(read_lines(self._core, document_id, query, timeout))

    def walk(
        self, folder_id: str = "root", *, concurrency: int = 8, timeout: Optional[float] = None
    ) -> Iterator[FolderVisit]:
        """Every folder of the team, or every one inside `folder_id`, each before those inside it.

        Args:
            folder_id: Where to begin.
            concurrency: How many folders are read at once.
            timeout: Seconds for each folder.
        """

        return iterate_blocking(walk_team(self._core, folder_id, concurrency, timeout))

    def changed_since(
        self,
        state: Optional[TeamState] = None,
        *,
        folder_id: str = "root",
        solutions: bool = False,
        concurrency: int = 8,
        timeout: Optional[float] = None,
        allow_narrower: bool = False,
    ) -> Changes:
        """What is new, moved, renamed, changed or gone since a state; all documents are new without one.

        A team in which nothing has changed costs one request; without a state, every folder costs one.

        Args:
            state: That of an earlier call, from `Changes.state`.
            folder_id: Only this folder, and all inside it.
            solutions: Also says of which documents a solve has ended; a request for each new document.
            concurrency: How many requests are made at once.
            timeout: Seconds for each request.
            allow_narrower: Documents are `gone`, too, when a token limited to folders reads nothing of the folder that
                they were in.

        The iteration raises:
            OutOfReach: The token is limited to folders, and documents of the state are in none of them, so that they
                may still exist.
        """
        options = Scope(folder_id, solutions, concurrency, timeout, allow_narrower)
        return Changes(Comparison(self._core, state, options))

    def download(
        self,
        document_id: str,
        target: Target,
        *,
        format: RequestExportFormat,
        modeler_version: Optional[RequestExportModelerVersion] = None,
        on_progress: Optional[Progress] = None,
        silence: float = 60.0,
    ) -> Download:
        """Downloads the file of an export. An interrupted download goes on where it stopped, also in another run.

        Args:
            document_id: The id of the document.
            target: A file, a folder (the file has its own name then), or a file object that is open for writing bytes.
                A file is there when it is complete, and not before.
            format: `.gh` for the document, `.3dm` for its solution.
            modeler_version: With `.3dm` only.
            on_progress: Called after each part, with the bytes that are here and the size of the file.
            silence: Seconds without a byte after which the download goes on over another connection.

        Raises:
            FileChanged: The bytes are not those of the digest that the export names.
        """
        request = ExportRequest(document_id, format, modeler_version)
        return run_blocking(download(self._core, request, target, silence, on_progress))

    def _call(
        self,
        endpoint: Endpoint,
        path: "dict[str, str]",
        query: "dict[str, Optional[Scalar]]",
        headers: "dict[str, Optional[Scalar]]",
        timeout: Optional[float],
    ) -> Any:
        return run_blocking(self._core.call(endpoint, path, query, headers, self._core.deadline(timeout)))
