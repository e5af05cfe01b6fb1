"""The client of Meadow's API for Python: a team's folders, documents, solutions and exports.

    from meadow import Meadow

    with Meadow("https://meadow.example.org", token) as meadow:
        for document in meadow.search_documents(q="tower")["documents"]:
            print(document["id"], document["name"])

`AsyncMeadow` has the same methods for asyncio.
"""

from . import types
from ._async_client import AsyncMeadow
from ._cache import Cache, CacheEntry, FileCache, MemoryCache
from ._changes import AsyncChanges, Change, Changes, Reach, TeamState
from ._client import Meadow
from ._core import RawResponse
from ._download import Download
from ._errors import ApiError, BadAnswer, ConnectionFailed, FileChanged, MeadowError, OutOfReach, TimedOut
from ._generated import errors as _status_errors
from ._generated.errors import *  # noqa: F403
from ._lines import SolutionLine
from ._tables import COLUMNS, TablePort, rows_of, to_csv, to_dataframe
from ._trees import Entry, PortTree, Tree, format_path, parse_path, to_plain, tree_of, trees_of
from ._version import VERSION as __version__
from ._view import LocatedDocument
from ._walk import FolderVisit

__all__ = [
    "__version__",
    "ApiError",
    "AsyncChanges",
    "AsyncMeadow",
    "BadAnswer",
    "Cache",
    "CacheEntry",
    "Change",
    "Changes",
    "COLUMNS",
    "ConnectionFailed",
    "Download",
    "Entry",
    "FileCache",
    "FileChanged",
    "FolderVisit",
    "format_path",
    "LocatedDocument",
    "Meadow",
    "MeadowError",
    "MemoryCache",
    "OutOfReach",
    "parse_path",
    "PortTree",
    "RawResponse",
    "Reach",
    "rows_of",
    "SolutionLine",
    "TablePort",
    "TeamState",
    "TimedOut",
    "to_csv",
    "to_dataframe",
    "to_plain",
    "Tree",
    "tree_of",
    "trees_of",
    "types",
]
__all__ += _status_errors.__all__
