"""Solutions that are read line by line."""

from __future__ import annotations

from typing import Any, AsyncIterator, Mapping, Optional, Union

from ._core import Core, parse_object
from ._errors import BadAnswer, ConnectionFailed
from ._generated.endpoints import READ_SOLUTION, Scalar
from ._generated.types import PortLine, Solution
from ._http import MAX_BODY_BYTES

SolutionLine = Union[PortLine, Solution]
"""A port with its data tree, or at the end the solution without values: only that one has "data"."""

LINES_TYPE = "application/x-ndjson"
SILENCE_SECONDS = 60.0
"""Without a byte, after which the connection counts as lost."""


async def read_lines(
    core: Core, document_id: str, query: Mapping[str, Optional[Scalar]], timeout: Optional[float]
) -> AsyncIterator[SolutionLine]:
    """The lines of a solution as they come. The deadline is for the beginning of the response."""
    # Compressed in small pieces, lines would arrive late.
    headers = {"Accept": LINES_TYPE, "Accept-Encoding": "identity"}
    path = {"documentId": document_id}
    stream = await core.open(READ_SOLUTION, path, query, headers, core.deadline(timeout))
    pieces: list[bytes] = []
    size = 0
    is_whole = False
    try:
        if not stream.head.headers.get("content-type", "").startswith(LINES_TYPE):
            raise BadAnswer("The service does not answer in lines: is it older than this package?")
        while True:
            piece = await stream.read(SILENCE_SECONDS)
            if not piece:
                break
            end, *starts = piece.split(b"\n")
            pieces.append(end)
            size += len(end)
            if size > MAX_BODY_BYTES:
                raise BadAnswer("A line of the solution is too large to be read.")
            for start in starts:
                line: Any = parse_object(b"".join(pieces))
                if line is None:
                    raise BadAnswer("A line of the solution is not a JSON object: is base_url right?")
                is_whole = "data" in line
                yield line
                pieces, size = [start], len(start)
    finally:
        await stream.close()
    if not is_whole:
        raise ConnectionFailed("The solution ended early.")
