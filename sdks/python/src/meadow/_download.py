"""Downloads of exports that go on where they were interrupted, checked by their digest."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Callable, NamedTuple, Optional, Union
from urllib.parse import urljoin, urlsplit

from ._backends import Stream
from ._core import Core, pause_before, to_error
from ._errors import ApiError, BadAnswer, ConnectionFailed, FileChanged, TimedOut
from ._generated.endpoints import REQUEST_EXPORT
from ._generated.types import Export
from ._http import Deadline, Fetched, Request

Target = Union[str, "os.PathLike[str]", BinaryIO]
Progress = Callable[[int, int], None]

MAX_REDIRECTS = 5


@dataclass(frozen=True)
class Download:
    """A file that was downloaded."""

    export: Export
    """What it is: its name, size, digest and warnings."""
    path: Optional[Path]
    """Where it is; None when it was written to a file object."""


class ExportRequest(NamedTuple):
    """The file of a document, or of its solution."""

    document_id: str
    format: str
    modeler_version: Optional[int]


class _Sink:
    """Where the bytes go, and the digest of what is there."""

    def __init__(self, file: BinaryIO, start: int) -> None:
        self._file = file
        self._start = start
        self._is_restarted = False
        self.digest = hashlib.sha256()
        self.position = 0

    def read_existing(self) -> None:
        """Goes on after what an earlier download left."""
        while True:
            piece = self._file.read(1 << 20)
            if not piece:
                return
            self.digest.update(piece)
            self.position += len(piece)

    def write(self, piece: bytes) -> None:
        self._file.write(piece)
        self.digest.update(piece)
        self.position += len(piece)

    def restart(self) -> None:
        """Forgets what is there. Raises `FileChanged` for a target that cannot go back."""
        if self.position == 0:
            return
        if not self._file.seekable():
            raise FileChanged("The document was edited during the download, and the target cannot go back: try again.")
        # What is there is written over, and cut off at the end only: another download may be writing the same bytes.
        self._file.seek(self._start)
        self._is_restarted = True
        self.digest = hashlib.sha256()
        self.position = 0

    def finish(self) -> None:
        """Cuts off what is there of something else."""
        if self._is_restarted:
            self._file.truncate()


async def download(
    core: Core, request: ExportRequest, target: Target, silence: float, on_progress: Optional[Progress]
) -> Download:
    """Downloads to a file, into a folder, or to a file object that is open for writing bytes."""
    downloader = _Downloader(core, request, silence, on_progress)
    export = await downloader.ask()
    if isinstance(target, (str, os.PathLike)):
        return await _download_to_path(downloader, export, Path(target), is_folder=_names_folder(target))
    start = target.tell() if target.seekable() else 0
    return Download(await downloader.receive(export, _Sink(target, start)), None)


async def _download_to_path(downloader: "_Downloader", export: Export, target: Path, is_folder: bool) -> Download:
    path = target / _safe_name(export["fileName"], downloader.format) if is_folder else target
    path.parent.mkdir(parents=True, exist_ok=True)
    # Named after the bytes: a later download goes on with it only if it is of the same file.
    part = path.with_name(f".{path.name[:100]}.{export['sha256'][:16]}.part")
    # Nothing is appended: when two downloads of the same file are under way at once, both write the same bytes to the
    # same places.
    with os.fdopen(_open_part(part), "r+b") as file:
        sink = _Sink(file, 0)
        await downloader.offload(sink.read_existing)
        if sink.position > export["size"]:
            sink.restart()
        received = await downloader.receive(export, sink)
        file.flush()
        await downloader.offload(lambda: os.fsync(file.fileno()))
        own = os.fstat(file.fileno())
    _publish(part, path, own)
    return Download(received, path)


def _publish(part: Path, path: Path, own: os.stat_result) -> None:
    """Puts the file into its place, unless another download of the same file has."""
    if _is_file(part, own):
        with contextlib.suppress(FileNotFoundError):
            os.replace(part, path)
    if not _is_file(path, own):
        raise FileChanged(f"{path.name} was removed while it was downloaded: download it again.")


def _is_file(path: Path, own: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(path), own)
    except FileNotFoundError:
        return False


class _Downloader:
    """Receives one export."""

    def __init__(self, core: Core, request: ExportRequest, silence: float, on_progress: Optional[Progress]) -> None:
        self._core = core
        self._request = request
        self._silence = silence
        self._on_progress = on_progress
        self.format = request.format

    async def offload(self, work: Callable[[], None]) -> None:
        """Does work with files."""
        await self._core.backend.offload(work)

    async def ask(self) -> Export:
        """A link."""
        document_id, format, modeler_version = self._request
        query = {"format": format, "modelerVersion": modeler_version}
        deadline = self._core.deadline(None)
        return _check_export(await self._core.call(REQUEST_EXPORT, {"documentId": document_id}, query, {}, deadline))

    async def receive(self, export: Export, sink: _Sink) -> Export:
        """Receives what is missing. Returns the export that the bytes are of, which a new link may have changed."""
        failures = 0
        is_second = sink.position > 0
        while True:
            begin = sink.position
            try:
                await self._receive_rest(export, sink)
            except (ConnectionFailed, TimedOut, ApiError) as error:
                failures = 1 if sink.position > begin else failures + 1
                if failures > self._core.settings.retries or not _may_pass(error):
                    raise
                if isinstance(error, ApiError):
                    export = await self._renew(export, sink)
                await self._core.backend.sleep(pause_before(failures - 1, 0))
                continue
            if sink.digest.hexdigest() == export["sha256"] and sink.position == export["size"]:
                sink.finish()
                return export
            # What an earlier download left may be damaged: it is tried once from the beginning.
            if not is_second:
                raise FileChanged(f"{export['fileName']} has another digest than its export says: download it again.")
            is_second = False
            sink.restart()

    async def _renew(self, export: Export, sink: _Sink) -> Export:
        """Another link. When it is to another file, as the document was edited, the download begins again."""
        renewed = await self.ask()
        if renewed["sha256"] != export["sha256"]:
            sink.restart()
        return renewed

    async def _receive_rest(self, export: Export, sink: _Sink) -> None:
        total = export["size"]
        if sink.position >= total:
            return
        stream = await self._open(export["url"], sink.position)
        try:
            if stream.head.status == 200:
                sink.restart()
            while sink.position < total:
                piece = await stream.read(self._silence)
                if not piece:
                    raise ConnectionFailed("The download ended early.")
                sink.write(piece)
                if self._on_progress:
                    self._on_progress(min(sink.position, total), total)
        finally:
            await stream.close()

    async def _open(self, url: str, begin: int) -> Stream:
        """The response of a link from a byte on. The file may be in a bucket that the link leads to."""
        # A link takes no token.
        headers = {"User-Agent": self._core.settings.user_agent, "Accept-Encoding": "identity"}
        if begin > 0:
            headers["Range"] = f"bytes={begin}-"
        for _ in range(MAX_REDIRECTS):
            if not _is_link(url):
                raise BadAnswer("The download link leads to another one that is none.")
            stream = await self._core.backend.open(Request(url, headers), Deadline(self._silence))
            status, location = stream.head.status, stream.head.headers.get("location")
            if status == 200 or status == 206:
                return stream
            try:
                if location is None or status not in (301, 302, 303, 307, 308):
                    body = await stream.read(self._silence)
                    raise to_error(Fetched(status, stream.head.headers, body), "the download link")
            finally:
                await stream.close()
            url = urljoin(url, location)
        raise ConnectionFailed("The download link redirects too often.")


def _may_pass(error: Exception) -> bool:
    """Whether the download may go on: over another connection, or with another link."""
    if not isinstance(error, ApiError):
        return True
    # A bucket answers an address that has expired with 400 or 403.
    return error.status in (400, 403, 404, 410, 416, 429) or error.status >= 500


def _names_folder(target: Union[str, "os.PathLike[str]"]) -> bool:
    text = os.fspath(target)
    return os.path.isdir(text) or text.endswith(("/", os.sep))


def _check_export(export: Any) -> Export:
    """The export itself, if it is one: paths are made of its digest, and its link must lead to the web."""
    url, name, size, sha256 = (export.get(member) for member in ("url", "fileName", "size", "sha256"))
    if not (
        _is_link(url)
        and isinstance(name, str)
        and type(size) is int
        and size >= 0
        and isinstance(sha256, str)
        and re.fullmatch("[0-9a-f]{64}", sha256)
    ):
        raise BadAnswer("The export that the service answers has no link, size or digest to use.")
    return export  # type: ignore[no-any-return]


def _is_link(url: Any) -> bool:
    try:
        parts = urlsplit(url) if isinstance(url, str) else None
        # A port that is none raises when it is read.
        return parts is not None and parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _open_part(path: Path) -> int:
    """Opens what is here of a file, but not through a link that someone else made in a folder of several."""
    return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0), 0o666)


def _safe_name(name: str, format: str) -> str:
    """The name as a file of a folder, whatever the service says and on every system, with the ending of its format."""
    safe = re.sub(r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f]', "_", name).rstrip(" .")
    if safe.startswith(".") or re.match(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)", safe):
        safe = f"_{safe}"
    return safe if safe.endswith(format) else f"{safe or '_'}{format}"
