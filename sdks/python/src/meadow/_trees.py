"""Data trees as Python has them: values under paths, to iterate, filter, flatten, and turn into rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

from ._errors import MeadowError
from ._generated.types import DataTree, DataValue, Document, Solution


SOLUTION_ID = "solutionId"
"""The one key of a solution's data that is not the id of a node."""

_NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_TEXTUAL = frozenset(("string", "colour", "path", "unknown"))
"""The types whose texts are texts, and not numbers that JSON lacks."""


class Entry(NamedTuple):
    """One value of a tree, and where it is."""

    path: str
    """Of its branch, such as `{0;1}`."""
    index: int  # type: ignore[assignment]
    """In its branch, from 0."""
    value: Any
    """A number (NaN and the infinities included), text, bool, `[x, y, z]`, or a dict whose shape depends on the
    type. None: an absent value."""
    item: Optional[DataValue]
    """What the API says of it: its type, and its geometry if that was asked for. None: an absent value."""

    @property
    def type(self) -> Optional[str]:
        """Such as `number` or `point`; None for an absent value."""
        return self.item["type"] if self.item else None


class Tree:
    """The values of a port: lists (branches), each under a path. Trees do not change: methods return new ones."""

    __slots__ = ("_branches",)

    def __init__(self, branches: Mapping[str, Sequence[Entry]]) -> None:
        self._branches = branches

    @classmethod
    def of(cls, tree: DataTree) -> "Tree":
        """The tree that the API has as JSON."""
        return cls(
            {
                branch["path"]: [
                    Entry(branch["path"], index, to_plain(item), item) for index, item in enumerate(branch["values"])
                ]
                for branch in tree["branches"]
            }
        )

    def __iter__(self) -> Iterator[Entry]:
        """All values with their places, branch by branch."""
        for entries in self._branches.values():
            yield from entries

    def __len__(self) -> int:
        """How many values there are."""
        return sum(len(entries) for entries in self._branches.values())

    def __getitem__(self, path: Union[str, "tuple[int, ...]", int]) -> "list[Any]":
        """The values of a branch: `tree["{0;1}"]` or `tree[0, 1]`. Raises `KeyError` when there is none."""
        return [entry.value for entry in self._branches[format_path(path)]]

    def __contains__(self, path: object) -> bool:
        """Whether there is a branch of this path."""
        return isinstance(path, (str, tuple, int)) and format_path(path) in self._branches

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and self.rows() == other.rows()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Tree of {len(self)} values in {len(self._branches)} branches>"

    @property
    def paths(self) -> "list[str]":
        """Of the branches, in order, such as `{0;1}`."""
        return list(self._branches)

    @property
    def values(self) -> "list[Any]":
        """All values in one list."""
        return [entry.value for entry in self]

    def branch(self, path: Union[str, "tuple[int, ...]", int]) -> "list[Any]":
        """The values of a branch; empty when there is no such branch."""
        return self[path] if path in self else []

    def filter(self, test: Callable[[Entry], object]) -> "Tree":
        """What passes the test, in the same places. Branches of which nothing is left are not in it."""
        kept = {path: [entry for entry in entries if test(entry)] for path, entries in self._branches.items()}
        return Tree({path: entries for path, entries in kept.items() if entries})

    def map(self, change: Callable[[Entry], Any]) -> "Tree":
        """Other values in the same places."""
        return Tree(
            {
                path: [entry._replace(value=change(entry)) for entry in entries]
                for path, entries in self._branches.items()
            }
        )

    def flatten(self) -> "Tree":
        """All values in one branch, `{0}`."""
        entries = [entry._replace(path="{0}", index=index) for index, entry in enumerate(self)]
        return Tree({"{0}": entries} if entries else {})

    def rows(self) -> "list[dict[str, Any]]":
        """One row for each value: its path, index, type and value."""
        return [{"path": entry.path, "index": entry.index, "type": entry.type, "value": entry.value} for entry in self]

    def to_dataframe(self) -> Any:
        """The rows as a `pandas.DataFrame`."""
        from ._tables import to_dataframe

        return to_dataframe(self)


@dataclass(frozen=True)
class PortTree:
    """The tree of a port, and what the port is called where that is known."""

    node_id: str
    port_id: str
    node: Optional[str]
    """The node's nickname, which the canvas shows, or else its name."""
    port: Optional[str]
    """The same of the port."""
    tree: Tree


def trees_of(source: Union[Solution, Document], document: Optional[Document] = None) -> "list[PortTree]":
    """The trees of all ports of a solution, or the typed-in values of a document.

    Args:
        source: A solution or a document, as the API has them.
        document: That of the solution, whose nodes and ports have names.
    """
    known: Any = source
    if "nodes" in known:
        nodes = known["nodes"]
        found = {node_id: node["values"] for node_id, node in nodes.items()}
    else:
        nodes = document["nodes"] if document else {}
        found = {node_id: ports for node_id, ports in known["data"].items() if node_id != SOLUTION_ID}
    return [
        _name(node_id, port_id, nodes.get(node_id), Tree.of(tree))
        for node_id, ports in found.items()
        for port_id, tree in ports.items()
    ]


def _name(node_id: str, port_id: str, node: Any, tree: Tree) -> PortTree:
    port = node["ports"].get(port_id) if node else None
    return PortTree(node_id, port_id, node and _shown(node), port and _shown(port), tree)


def _shown(named: Any) -> str:
    return str(named["nickName"] or named["name"])


def tree_of(solution: Solution, node_id: str, port_id: str) -> Tree:
    """The tree of one port. Raises `MeadowError` when the solution has no such node or port."""
    ports = None if node_id == SOLUTION_ID else solution["data"].get(node_id)
    if ports is None:
        raise MeadowError(f"The solution has no node {node_id}.")
    if port_id not in ports:
        raise MeadowError(f"The node {node_id} has no port {port_id} in the solution.")
    return Tree.of(ports[port_id])


def parse_path(path: str) -> "tuple[int, ...]":
    """`{0;1}` as numbers."""
    return tuple(int(number) for number in path[1:-1].split(";") if number)


def format_path(path: Union[str, "tuple[int, ...]", int]) -> str:
    """`(0, 1)` as the API writes it: `{0;1}`."""
    if isinstance(path, str):
        return path
    numbers = (path,) if isinstance(path, int) else path
    return f"{{{';'.join(map(str, numbers))}}}"


def to_plain(item: Optional[DataValue]) -> Any:
    """A value as Python has it: the numbers that JSON lacks are floats."""
    if item is None:
        return None
    return item["value"] if item["type"] in _TEXTUAL else _read_numbers(item["value"])


def _read_numbers(value: Any) -> Any:
    if isinstance(value, str):
        return _NOT_FINITE.get(value, value)
    if isinstance(value, list):
        return [_read_numbers(member) for member in value]
    if isinstance(value, dict):
        return {name: member if name == "description" else _read_numbers(member) for name, member in value.items()}
    return value
