"""Caches of responses for conditional requests: the service says "not changed", and sends no body."""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple, Optional, Protocol, Union


class CacheEntry(NamedTuple):
    """A response: its entity tag, and the bytes of its body."""

    tag: str
    body: bytes


class Cache(Protocol):
    """Where a client keeps responses, by address. Called from several threads.

    Each use of an entry is a conditional request: the service says whether it is still the response for this token.
    """

    def get(self, key: str) -> Optional[CacheEntry]:
        """The entry of this key, if there is one."""
        ...

    def set(self, key: str, entry: CacheEntry) -> None:
        """Keeps the entry; an earlier one of the key is replaced."""
        ...


class MemoryCache:
    """Keeps the responses that were used last, up to `max_bytes` of bodies."""

    def __init__(self, max_bytes: int = 64 * 1024 * 1024) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._entries: "OrderedDict[str, CacheEntry]" = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Optional[CacheEntry]:
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self._entries.move_to_end(key)
            return entry

    def set(self, key: str, entry: CacheEntry) -> None:
        with self._lock:
            earlier = self._entries.pop(key, None)
            self._bytes -= len(earlier.body) if earlier else 0
            if len(entry.body) > self._max_bytes:
                return
            self._entries[key] = entry
            self._bytes += len(entry.body)
            while self._bytes > self._max_bytes:
                self._bytes -= len(self._entries.popitem(last=False)[1].body)


class FileCache:
    """Keeps responses as files of a folder, for scripts that run again and again. The folder is made when needed.

    Files are readable by their owner only. Nothing is ever removed: delete the folder when it gets too large.
    """

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        self._folder = Path(folder)

    def get(self, key: str) -> Optional[CacheEntry]:
        try:
            tag, _, body = self._path(key).read_bytes().partition(b"\n")
        except OSError:
            return None
        return CacheEntry(tag.decode("latin-1"), body)

    def set(self, key: str, entry: CacheEntry) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=self._folder, suffix=".new")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(entry.tag.encode("latin-1") + b"\n")
                file.write(entry.body)
            os.replace(temporary, self._path(key))
        except BaseException:
            os.unlink(temporary)
            raise

    def _path(self, key: str) -> Path:
        return self._folder / hashlib.sha256(key.encode()).hexdigest()
