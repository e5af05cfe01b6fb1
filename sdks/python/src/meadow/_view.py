"""What a client knows of a folder of the team: it is read once, and then follows the change feed."""

from __future__ import annotations

from typing import Any, Mapping, Optional, TypedDict, cast

from ._generated.types import DocumentSummary, Folder, TeamChanges


class LocatedDocument(DocumentSummary):
    """A document, and where it is."""

    folderId: str
    path: "list[str]"
    """The names of its folders from below the root folder."""


class SeenFolder(TypedDict):
    """Where a folder is."""

    name: str
    parentId: Optional[str]


class SeenDocument(DocumentSummary):
    """A document, and the folder that it is in."""

    folderId: str


class TeamView:
    """The folders, those above the first one included, and the documents by id."""

    def __init__(self, seen: "Optional[Mapping[str, Any]]" = None) -> None:
        self.top: str = seen["top"] if seen else ""
        """The id of the folder that is followed; empty before it was read."""
        self.folders: "dict[str, SeenFolder]" = dict(seen["folders"]) if seen else {}
        self.documents: "dict[str, SeenDocument]" = dict(seen["documents"]) if seen else {}

    def put(self, folder: Folder) -> "list[str]":
        """Takes over a folder as it was read: the first one is the one that is followed. Returns the ids of new child
        folders."""
        self.top = self.top or folder["id"]
        above: Optional[str] = None
        for ancestor in folder["path"]:
            self.folders[ancestor["id"]] = {"name": ancestor["name"], "parentId": above}
            above = ancestor["id"]
        self.folders[folder["id"]] = {"name": folder["name"], "parentId": folder["parentId"]}
        for document in folder["documents"]:
            self.documents[document["id"]] = cast(SeenDocument, {**document, "folderId": folder["id"]})
        unknown = [child["id"] for child in folder["folders"] if child["id"] not in self.folders]
        for child in folder["folders"]:
            self.folders[child["id"]] = {"name": child["name"], "parentId": folder["id"]}
        return unknown

    def replace(self, folder: Folder) -> "list[str]":
        """Takes over a folder that was read again: what is not in it any more is forgotten."""
        above = self._chain(self.top)
        inside = {child["id"] for child in folder["folders"]}
        for key, seen in list(self.folders.items()):
            if seen["parentId"] == folder["id"] and key not in inside and key not in above:
                del self.folders[key]
        for key, document in list(self.documents.items()):
            if document["folderId"] == folder["id"]:
                del self.documents[key]
        return self.put(folder)

    def apply(self, changes: TeamChanges) -> "list[str]":
        """Takes over an answer of the change feed. Returns the ids of folders that have to be read."""
        unread: "list[str]" = []
        for folder in changes["folders"]:
            key = folder["id"]
            # What is in a folder that was made or restored is named, too.
            is_known = key in self.folders or not {"created", "restored"}.isdisjoint(folder["happened"])
            if folder.get("entered") or not is_known:
                unread.append(key)
            self.folders[key] = {"name": folder["name"], "parentId": folder["parentId"]}
        for document in changes["documents"]:
            seen = {name: value for name, value in document.items() if name != "happened"}
            self.documents[document["id"]] = cast(SeenDocument, seen)
        for item in changes["gone"]:
            self.folders.pop(item["id"], None)
            self.documents.pop(item["id"], None)
        if self.top in self.folders and self.folders.get(self._chain(self.top)[-1], {}).get("parentId", "") is not None:
            # It was moved below a folder of which nothing is known.
            unread.append(self.top)
        self._prune()
        return [key for key in unread if key in self.folders]

    def _prune(self) -> None:
        """Forgets what is not in the folder any more."""
        above = self._chain(self.top)
        inside = {self.top: self.top in self.folders}
        for key in list(self.folders):
            way: "list[str]" = []
            at: Optional[str] = key
            while at is not None and at not in inside and at not in way:
                way.append(at)
                at = self.folders[at]["parentId"] if at in self.folders else None
            is_inside = at is not None and inside.get(at, False)
            inside.update((each, is_inside) for each in way)
        for key in list(self.folders):
            if not inside[key] and key not in above:
                del self.folders[key]
        for key, document in list(self.documents.items()):
            if not inside.get(document["folderId"], False):
                del self.documents[key]

    def _chain(self, folder_id: str) -> "list[str]":
        chain: "list[str]" = []
        at: Optional[str] = folder_id
        while at and at not in chain:
            chain.append(at)
            at = self.folders[at]["parentId"] if at in self.folders else None
        return chain

    def topmost_of(self, folder_id: str) -> Optional[str]:
        """The folder below the root in which another one is, or which it is; None for the root."""
        return next(iter(self._chain(folder_id)[-2:-1]), None)

    def locate(self) -> "dict[str, LocatedDocument]":
        """The documents by id."""
        paths: "dict[str, list[str]]" = {}

        def path_of(key: str) -> "list[str]":
            if key not in paths:
                folder = self.folders[key]
                above = folder["parentId"]
                paths[key] = [] if above is None else [*path_of(above), folder["name"]]
            return paths[key]

        return {
            key: cast(LocatedDocument, {**document, "path": path_of(document["folderId"])})
            for key, document in self.documents.items()
        }
