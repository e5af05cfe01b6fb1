"""A walk over the folder tree that reads ahead."""

from __future__ import annotations

from typing import AsyncIterator, Awaitable, Callable, NamedTuple, Optional

from ._backends import Backend, Task
from ._core import Core
from ._generated.endpoints import READ_FOLDER
from ._generated.errors import NotFound
from ._generated.types import Folder


class FolderVisit(NamedTuple):
    """A folder on a walk."""

    folder: Folder
    """With its documents, and the folders directly inside it. The root folder's name is not one to show."""
    path: "list[str]"
    """The names of the folders from below the root folder to this one; empty for the root folder."""


class _Stop:
    """A folder that is still to be visited."""

    def __init__(self, folder_id: str, is_start: bool) -> None:
        self.folder_id = folder_id
        self.is_start = is_start
        self.reading: Optional[Task[Optional[Folder]]] = None


def walk_team(core: Core, folder_id: str, concurrency: int, timeout: Optional[float]) -> AsyncIterator[FolderVisit]:
    """A walk of a client, whose cache counts."""

    async def read_folder(each: str) -> Folder:
        folder: Folder = await core.call(READ_FOLDER, {"folderId": each}, {}, {}, core.deadline(timeout))
        return folder

    return walk(core.backend, read_folder, folder_id, concurrency)


ReadFolder = Callable[[str], Awaitable[Folder]]


async def walk(
    backend: Backend, read_folder: ReadFolder, folder_id: str, concurrency: int
) -> AsyncIterator[FolderVisit]:
    """Visits folders depth first, in the order in which a folder lists them.

    A folder that goes meanwhile is left out, and one that moves is visited once, or missed.
    """

    async def read(stop: _Stop) -> Optional[Folder]:
        try:
            return await read_folder(stop.folder_id)
        except NotFound:
            if stop.is_start:
                raise
            return None

    def read_ahead() -> None:
        under_way = sum(1 for stop in stops if stop.reading and not stop.reading.is_done())
        for stop in reversed(stops):
            if under_way >= max(1, concurrency):
                return
            if stop.reading is None:
                stop.reading = backend.start(read(stop))
                under_way += 1

    seen: "set[str]" = set()
    # The next stop is the last one.
    stops = [_Stop(folder_id, is_start=True)]
    try:
        while stops:
            read_ahead()
            stop = stops.pop()
            if stop.reading is None:
                # As many as may be are being read ahead, and this folder was found only now.
                stop.reading = backend.start(read(stop))
            folder = await stop.reading.result()
            if folder is None or folder["id"] in seen:
                continue
            seen.add(folder["id"])
            stops.extend(_Stop(child["id"], is_start=False) for child in reversed(folder["folders"]))
            read_ahead()
            yield FolderVisit(folder, path_of(folder))
    finally:
        for stop in stops:
            if stop.reading is not None:
                stop.reading.cancel()


def path_of(folder: Folder) -> "list[str]":
    """The names of the folders from below the root folder to this one."""
    if folder["parentId"] is None:
        return []
    return [*(ancestor["name"] for ancestor in folder["path"][1:]), folder["name"]]
