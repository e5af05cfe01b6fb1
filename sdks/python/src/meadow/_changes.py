"""What has changed in a team since a state: the change feed says what is different."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, AsyncIterator, Callable, Iterable, Iterator, Literal, NamedTuple, Optional, TypedDict, TypeVar

from ._backends import iterate_blocking
from ._core import Core
from ._errors import MeadowError, OutOfReach
from ._generated.endpoints import READ_CHANGES, READ_FOLDER, READ_SOLUTION
from ._generated.errors import NotFound, NotSolved, SolveFailed, Solving
from ._generated.types import Folder, TeamChanges
from ._http import Deadline
from ._view import LocatedDocument, SeenDocument, SeenFolder, TeamView
from ._walk import walk_team

T = TypeVar("T")

SolveEnd = Literal["solved", "failed"]


class TeamState(TypedDict):
    """What was seen: to be kept as JSON, for the next time."""

    version: Literal[2]
    folderId: str
    """The folder that is looked at, with all inside it."""
    cursor: str
    """How far the change feed was read."""
    solutions: bool
    """Whether the token is told of ends of solves."""
    ends: "dict[str, SolveEnd]"
    """By the id of the document: ends of solves that were not reported yet, since nobody asked for them."""
    top: str
    """The id of that folder."""
    folders: "dict[str, SeenFolder]"
    """By id, those above it included."""
    documents: "dict[str, SeenDocument]"
    """By id."""


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
        if state is not None and (state.get("version") != 2 or state.get("folderId") != folder_id):
            raise MeadowError("This state is of another folder or version: begin without one.")
        self._core = core
        self._before = state
        self._folder_id = folder_id
        self._next: Optional[TeamState] = None
        self._view = TeamView(state)
        self._cursor = state["cursor"] if state else None
        self._ends: "dict[str, SolveEnd]" = dict(state["ends"]) if state else {}
        self._is_reset = False
        self._has_ends = False

    @property
    def state(self) -> TeamState:
        """The state to begin with next time. Raises `MeadowError` until all changes have been read."""
        if self._next is None:
            raise MeadowError("The state is complete when all changes have been read.")
        return self._next

    async def changes(self) -> AsyncIterator[Change]:
        """The changes. They can be read once."""
        await self._follow()
        if self._solutions and not self._has_ends:
            raise MeadowError('The token is told of no ends of solves: it needs the scope "solutions:read".')
        before = TeamView(self._before)
        known, documents = before.locate(), self._view.locate()
        gone = [document for key, document in known.items() if key not in documents]
        if self._is_reset and not self._allow_narrower:
            # The feed says what has left; without it, a token that reads less finds less.
            await self._refuse_narrower(gone, before)
        for key, document in documents.items():
            for change in _compare(known.get(key), document):
                yield change
        for document in gone:
            yield Change("gone", document, document)
        if self._solutions:
            unseen = [document for key, document in documents.items() if self._is_reset or key not in known]
            async for key, end in self._each(unseen, self._find_end):
                self._ends.pop(key, None)
                if end is not None:
                    self._ends[key] = end
            for key, end in self._ends.items():
                if key in documents:
                    yield Change(end, documents[key])
            self._ends = {}
        self._next = {
            "version": 2,
            "folderId": self._folder_id,
            "cursor": self._cursor or "",
            "solutions": self._has_ends,
            "ends": {key: end for key, end in self._ends.items() if key in documents},
            "top": self._view.top,
            "folders": self._view.folders,
            "documents": self._view.documents,
        }

    async def _follow(self) -> None:
        """Follows the feed to its end."""
        is_behind = True
        while is_behind:
            query = {"since": self._cursor}
            changes: TeamChanges = await self._core.call(READ_CHANGES, {}, query, {}, self._deadline())
            self._cursor = changes["cursor"]
            self._has_ends = changes["solutions"]
            unread: "list[str]" = []
            if changes["reset"]:
                self._is_reset = True
                self._view = TeamView()
                async for folder, _ in walk_team(self._core, self._folder_id, self._concurrency, self._timeout):
                    self._view.put(folder)
            else:
                unread = self._view.apply(changes)
            for document in changes["documents"]:
                for word in document["happened"]:
                    if word == "solved" or word == "failed":
                        self._ends[document["id"]] = word
            # What has moved while folders were read is named by the feed.
            is_behind = changes["truncated"] or changes["reset"] or bool(unread)
            while unread:
                now, unread = unread, []
                async for found in self._each(now, self._read_folder):
                    if found is not None:
                        unread.extend(self._view.replace(found))

    def _deadline(self) -> Deadline:
        return self._core.deadline(self._timeout)

    async def _each(self, items: Iterable[T], work: "Callable[[T], Any]") -> AsyncIterator[Any]:
        """What `work` finds, in the order of the items, for several of them at once."""
        backend = self._core.backend
        waiting = iter(items)
        under_way = [backend.start(work(item)) for item in _take(waiting, self._concurrency)]
        try:
            while under_way:
                found = await under_way.pop(0).result()
                under_way.extend(backend.start(work(item)) for item in _take(waiting, 1))
                yield found
        finally:
            for task in under_way:
                task.cancel()

    async def _read_folder(self, folder_id: str) -> Optional[Folder]:
        try:
            folder: Folder = await self._core.call(READ_FOLDER, {"folderId": folder_id}, {}, {}, self._deadline())
            return folder
        except NotFound:
            return None

    async def _refuse_narrower(self, gone: "list[LocatedDocument]", before: TeamView) -> None:
        """Raises `OutOfReach` for documents that the token may merely not read.

        A token limited to folders sees these in the root, and no documents. When one that was there is in none of the
        folders now, the state is of a token that reads more, or the folder was deleted.
        """
        outside = [each for each in gone if before.topmost_of(each["folderId"]) not in self._view.folders]
        if self._folder_id == "root" and outside and await read_reach(self._core, self._deadline()) == "folders":
            raise OutOfReach(len(outside), "/".join([*outside[0]["path"], outside[0]["name"]]))

    async def _find_end(self, document: LocatedDocument) -> "tuple[str, Optional[SolveEnd]]":
        """How the most recent solve of a document ended."""
        key = document["id"]
        try:
            await self._core.head(READ_SOLUTION, {"documentId": key}, self._deadline())
        except SolveFailed:
            return key, "failed"
        except (Solving, NotSolved, NotFound):
            # It ends later, or there is none.
            return key, None
        return key, "solved"


Reach = Literal["team", "folders"]


async def read_reach(core: Core, deadline: Deadline) -> Reach:
    """What the token reads of its team."""
    response = await core.head(READ_FOLDER, {"folderId": "root"}, deadline)
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
    for _, item in zip(range(count), waiting):
        yield item


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
