"""What has changed in a team since a state: one conditional request for each folder."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import (
    Any,
    AsyncIterator,
    Callable,
    Iterable,
    Iterator,
    Literal,
    NamedTuple,
    Optional,
    TypedDict,
    TypeVar,
    cast,
)

from ._backends import iterate_blocking
from ._core import Core
from ._errors import MeadowError, OutOfReach
from ._generated.endpoints import READ_DOCUMENT, READ_FOLDER, READ_SOLUTION, SEARCH_DOCUMENTS
from ._generated.errors import NotFound, NotSolved, SolveFailed, Solving
from ._generated.types import DocumentSummary, Folder
from ._http import Deadline
from ._walk import path_of, walk

T = TypeVar("T")


class LocatedDocument(DocumentSummary):
    """A document, and where it is."""

    folderId: str
    path: "list[str]"
    """The names of its folders from below the root folder."""


class SeenFolder(TypedDict):
    """A folder as it was read, and the entity tag of that response."""

    tag: str
    folder: Folder


class TeamState(TypedDict):
    """What was seen: to be kept as JSON, for the next time."""

    version: Literal[1]
    folderId: str
    """The folder that is looked at, with all inside it."""
    folders: "dict[str, SeenFolder]"
    """By id."""
    solutions: "dict[str, str]"
    """By the id of the document: the entity tag of its solution, or `failed`."""
    unplaced: "list[LocatedDocument]"
    """Documents that were in no folder though they exist, or in two: they were being moved. As they were reported."""


ChangeType = Literal["new", "moved", "renamed", "changed", "gone", "solved", "failed"]


@dataclass(frozen=True)
class Change:
    """What has happened to a document. One to which several things happened has several changes."""

    type: ChangeType
    """`new`: it was not seen before. `moved`: it, or a folder that it is in, is elsewhere or has another name.
    `renamed`: its name. `changed`: its content, name or visibility, so that a renamed one is `changed` too. `gone`: it was deleted, or has left the folder that is looked at, or the folders that the token is limited to.
    `solved`, `failed`: it has another solution, or its most recent solve failed; only when solutions were asked for."""
    document: LocatedDocument
    """As it is now; for `gone`, as it was."""
    previous: Optional[LocatedDocument] = None
    """As it was when it was seen last."""


class Scope(NamedTuple):
    """What is compared, and how."""

    folder_id: str
    solutions: bool
    concurrency: int
    timeout: Optional[float]
    allow_narrower: bool


class Comparison:
    """One comparison of a team with a state."""

    def __init__(self, core: Core, state: Optional[TeamState], scope: Scope) -> None:
        folder_id, self._solutions, concurrency, self._timeout, self._allow_narrower = scope
        self._concurrency = max(1, concurrency)
        if state is not None and (state.get("version") != 1 or state.get("folderId") != folder_id):
            raise MeadowError("This state is of another folder or version: begin without one.")
        self._core = core
        self._before = state
        self._folder_id = folder_id
        self._is_read = False
        self._next: TeamState = {"version": 1, "folderId": folder_id, "folders": {}, "solutions": {}, "unplaced": []}
        self._turns = itertools.count()
        self._readings: "dict[int, tuple[int, SeenFolder]]" = {}
        """By the `id` of a folder: what was read of it, and which response that was: the first, the second …"""

    @property
    def state(self) -> TeamState:
        """The state to begin with next time. Raises `MeadowError` until all changes have been read."""
        if not self._is_read:
            raise MeadowError("The state is complete when all changes have been read.")
        return self._next

    async def changes(self) -> AsyncIterator[Change]:
        """The changes. They can be read once.

        The state has exactly what was reported, so that whatever is missing of it is reported the next time.
        """
        known = dict(_documents_of(self._before))
        seen: "dict[str, int]" = {}
        """By document: which of the responses it was in that counts."""
        seen_twice: "set[str]" = set()
        async for folder, path in walk(self._core.backend, self._read_folder, self._folder_id, self._concurrency):
            turn, found = self._readings[id(folder)]
            self._next["folders"][folder["id"]] = found
            for summary in folder["documents"]:
                document = _locate(summary, folder["id"], path)
                key = document["id"]
                if key in seen:
                    seen_twice.add(key)
                    if seen[key] > turn:
                        # It was moved from a folder that was read before to one that was read after that.
                        continue
                for change in _compare(known.get(key), document):
                    yield change
                known[key] = document
                seen[key] = turn
        self._next["unplaced"].extend(known[key] for key in sorted(seen_twice))
        missing = [document for key, document in known.items() if key not in seen]
        if not self._allow_narrower:
            await self._refuse_narrower(missing)
        async for gone in self._each(missing, self._find_gone):
            del known[gone.document["id"]]
            yield gone
        before = self._before["solutions"] if self._before else {}
        self._next["solutions"].update((key, before[key]) for key in known if key in before)
        if self._solutions:
            async for solved in self._each([known[key] for key in seen], self._compare_solution):
                yield solved
        self._is_read = True

    async def _each(
        self, documents: Iterable[LocatedDocument], work: Callable[[LocatedDocument], Any]
    ) -> AsyncIterator[Change]:
        """What `work` finds, in the order of the documents, for several of them at once."""
        backend = self._core.backend
        waiting = iter(documents)
        under_way = [backend.start(work(document)) for document in _take(waiting, self._concurrency)]
        try:
            while under_way:
                change = await under_way.pop(0).result()
                under_way.extend(backend.start(work(document)) for document in _take(waiting, 1))
                if change is not None:
                    yield change
        finally:
            for task in under_way:
                task.cancel()

    async def _read_folder(self, folder_id: str) -> Folder:
        known = _find_folder(self._before, folder_id)
        headers = {"If-None-Match": known["tag"]} if known else {}
        path = {"folderId": folder_id}
        response = await self._core.ask(READ_FOLDER, path, self._core.deadline(self._timeout), headers=headers)
        seen: SeenFolder
        if known is not None and response.status == 304:
            seen = known
        else:
            folder = self._core.read_member(READ_FOLDER, path, response)
            seen = {"tag": response.headers.get("etag", ""), "folder": folder}
        self._readings[id(seen["folder"])] = (next(self._turns), seen)
        return seen["folder"]

    async def _refuse_narrower(self, missing: "list[LocatedDocument]") -> None:
        """Raises `OutOfReach` for documents that the token may merely not read.

        A token limited to folders sees these in the root, and no documents. When one that was there is in none of the
        folders now, the state is of a token that reads more, or the folder has left the token.
        """
        if all(seen["folder"]["parentId"] is not None for seen in self._next["folders"].values()):
            return
        outside = [document for document in missing if not self._is_within_reach(document["folderId"])]
        if outside and await read_reach(self._core, self._core.deadline(self._timeout)) == "folders":
            raise OutOfReach(len(outside), "/".join([*outside[0]["path"], outside[0]["name"]]))

    def _is_within_reach(self, folder_id: str) -> bool:
        """Whether the topmost folder that this one was in is still read."""
        seen = self._before["folders"].get(folder_id) if self._before else None
        if seen is None or seen["folder"]["parentId"] is None:
            return False
        below_root = [ancestor["id"] for ancestor in seen["folder"]["path"][1:]]
        return [*below_root, folder_id][0] in self._next["folders"]

    async def _find_gone(self, previous: LocatedDocument) -> Optional[Change]:
        """A document that is in no folder any more is gone, or was moved while the folders were being read."""
        if await self._exists(previous):
            self._next["unplaced"].append(previous)
            return None
        return Change("gone", previous, previous)

    async def _exists(self, document: LocatedDocument) -> bool:
        deadline = self._core.deadline(self._timeout)
        try:
            await self._core.ask(READ_DOCUMENT, {"documentId": document["id"]}, deadline, method="HEAD")
            if self._folder_id == "root":
                return True
            query = {"q": document["name"], "folderId": self._folder_id}
            found = await self._core.call(SEARCH_DOCUMENTS, {}, query, {}, deadline)
        except NotFound:
            return False
        return any(each["id"] == document["id"] for each in found["documents"])

    async def _compare_solution(self, document: LocatedDocument) -> Optional[Change]:
        before = self._before["solutions"].get(document["id"]) if self._before else None
        now = await self._tag_of_solution(document, before)
        if now is not None:
            self._next["solutions"][document["id"]] = now
        return None if now == before else Change("failed" if now == "failed" else "solved", document)

    async def _tag_of_solution(self, document: LocatedDocument, before: Optional[str]) -> Optional[str]:
        # Each encoding has a tag of its own: this one is the same for every program.
        headers = {"Accept-Encoding": "identity"}
        deadline = self._core.deadline(self._timeout)
        try:
            response = await self._core.ask(
                READ_SOLUTION, {"documentId": document["id"]}, deadline, method="HEAD", headers=headers
            )
        except SolveFailed:
            return "failed"
        except (Solving, NotSolved, NotFound):
            # Until it is solved again, what was seen last counts.
            return before
        return response.headers.get("etag", before)


Reach = Literal["team", "folders"]


async def read_reach(core: Core, deadline: Deadline) -> Reach:
    """What the token reads of its team."""
    response = await core.ask(READ_FOLDER, {"folderId": "root"}, deadline, method="HEAD")
    return "folders" if response.headers.get("meadow-reach") == "folders" else "team"


class Changes:
    """Changes to be iterated over once, and the state to begin with next time."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison

    def __iter__(self) -> Iterator[Change]:
        return iterate_blocking(self._comparison.changes())

    @property
    def state(self) -> TeamState:
        """To be kept as JSON. Raises `MeadowError` until all changes have been read."""
        return self._comparison.state


class AsyncChanges:
    """`Changes` to be iterated over with `async for`."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison

    def __aiter__(self) -> AsyncIterator[Change]:
        return self._comparison.changes()

    @property
    def state(self) -> TeamState:
        """To be kept as JSON. Raises `MeadowError` until all changes have been read."""
        return self._comparison.state


def _take(waiting: Iterator[T], count: int) -> Iterator[T]:
    """The next ones, as many as there are."""
    for _, document in zip(range(count), waiting):
        yield document


def _find_folder(state: Optional[TeamState], folder_id: str) -> Optional[SeenFolder]:
    if state is None:
        return None
    if folder_id != "root":
        return state["folders"].get(folder_id)
    return next((seen for seen in state["folders"].values() if seen["folder"]["parentId"] is None), None)


def _documents_of(state: Optional[TeamState]) -> "Iterator[tuple[str, LocatedDocument]]":
    """The documents of a state by id, as they were reported: of two with the same id the last one counts."""
    if state is None:
        return
    for seen in state["folders"].values():
        folder = seen["folder"]
        for summary in folder["documents"]:
            yield summary["id"], _locate(summary, folder["id"], path_of(folder))
    for document in state["unplaced"]:
        yield document["id"], document


def _locate(summary: DocumentSummary, folder_id: str, path: "list[str]") -> LocatedDocument:
    located: Any = {**summary, "folderId": folder_id, "path": path}
    return cast(LocatedDocument, located)


def _compare(previous: Optional[LocatedDocument], document: LocatedDocument) -> Iterator[Change]:
    if previous is None:
        yield Change("new", document)
        return
    if (previous["folderId"], previous["path"]) != (document["folderId"], document["path"]):
        yield Change("moved", document, previous)
    if previous["name"] != document["name"]:
        yield Change("renamed", document, previous)
    if (previous["updatedAt"], previous["visibility"]) != (document["updatedAt"], document["visibility"]):
        yield Change("changed", document, previous)
