"""Values as rows, for `csv`, pandas and whatever else reads tables. The columns are those of `meadow values --csv`."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Callable, Iterator, NamedTuple, Optional, Union

from ._errors import MeadowError
from ._generated.types import DataValue, Document, Solution
from ._trees import SOLUTION_ID, Tree

COLUMNS = {
    "node_id": "The id of the node.",
    "node": "Its nickname on the canvas, or the name of its component where it has none.",
    "component": "The name of its component, such as `Number Slider`.",
    "port_id": "The id of the port.",
    "port": "Its nickname on the canvas, such as `P`, or its name where it has none.",
    "port_name": "The name of the port, such as `Points`.",
    "path": "The path of the branch, such as `{0;1}`.",
    "index": "The position in the branch, from 0.",
    "type": "The type of the value, as in the API; None for a null in the list.",
    "number": "A number or integer; 1 or 0 for a boolean.",
    "text": "A string, colour, path or boolean; the description of other geometry.",
    "x": "Of a point or vector; of the origin of a plane, circle, arc, rectangle or box.",
    "y": "As `x`.",
    "z": "As `x`.",
    "json": "The value as the API has it, where the other columns do not hold all of it.",
}
"""The columns of rows, in their order, and what is in them."""

_NUMBERS = frozenset(("number", "integer", "boolean"))
_TEXTS = frozenset(("string", "colour", "path"))
_DESCRIBED = frozenset(("curve", "surface", "brep", "mesh", "unknown"))
_POSITIONS = frozenset(("point", "vector"))
_ON_PLANES = frozenset(("circle", "arc", "rectangle", "box"))


class TablePort(NamedTuple):
    """A port of a solution. A name is None where the document is not given or lacks the node."""

    node_id: str
    node: Optional[str]
    component: Optional[str]
    port_id: str
    port: Optional[str]
    port_name: Optional[str]


def rows_of(
    solution: Solution,
    document: Optional[Document] = None,
    where: Optional[Callable[[TablePort], object]] = None,
) -> "Iterator[dict[str, Any]]":
    """The values of a solution, one row each, with the columns of `COLUMNS`.

    Args:
        solution: As the API has it, with `format=json`.
        document: That of the solution, whose nodes and ports have names.
        where: Chooses the ports that have rows; all of them unless it is given.
    """
    for cells in _list_cells(solution, document, where):
        yield dict(zip(COLUMNS, cells))


def to_dataframe(
    source: Union[Solution, Tree],
    document: Optional[Document] = None,
    where: Optional[Callable[[TablePort], object]] = None,
) -> Any:
    """The rows of a solution, or those of a tree, as a `pandas.DataFrame`. Needs pandas.

    Args:
        source: A solution as the API has it, or a tree, whose columns are `path`, `index`, `type` and `value`.
        document: As in `rows_of`.
        where: As in `rows_of`.
    """
    try:
        import pandas  # type: ignore[import]
    except ImportError as error:
        raise MeadowError("to_dataframe needs pandas: install it with `pip install pandas`.") from error
    if isinstance(source, Tree):
        return pandas.DataFrame(source.rows(), columns=["path", "index", "type", "value"])
    frame = pandas.DataFrame(_list_cells(source, document, where), columns=list(COLUMNS))
    return frame.astype({"index": "int64", "number": "float64", "x": "float64", "y": "float64", "z": "float64"})


def _list_cells(
    solution: Solution, document: Optional[Document], where: Optional[Callable[[TablePort], object]]
) -> "Iterator[tuple[Any, ...]]":
    data = solution.get("data")
    if not isinstance(data, dict) or SOLUTION_ID not in data:
        raise MeadowError("That is not a solution: pass what read_solution returns with format='json'.")
    for node_id, ports in data.items():
        if node_id == SOLUTION_ID:
            continue
        for port_id, tree in ports.items():
            port = _describe(document, node_id, port_id)
            if where is not None and not where(port):
                continue
            for branch in tree["branches"]:
                for index, item in enumerate(branch["values"]):
                    yield (*port, branch["path"], index, *_cells_of(item))


def _describe(document: Optional[Document], node_id: str, port_id: str) -> TablePort:
    node: Any = document["nodes"].get(node_id) if document else None
    if not node:
        return TablePort(node_id, None, None, port_id, None, None)
    port = node["ports"].get(port_id)
    return TablePort(
        node_id,
        node["nickName"] or node["name"],
        node["name"],
        port_id,
        (port["nickName"] or port["name"]) if port else None,
        port["name"] if port else None,
    )


_NOTHING = (None, None, None, None, None, None, None)


def _cells_of(item: Optional[DataValue]) -> "tuple[Any, ...]":
    """Type, number, text, x, y, z and JSON of a value."""
    if item is None:
        return _NOTHING
    kind: str = item["type"]
    value: Any = item["value"]
    if kind in _NUMBERS:
        text = str(value).lower() if kind == "boolean" else None
        return (kind, _number(value), text, None, None, None, None)
    if kind in _TEXTS:
        return (kind, None, value, None, None, None, None)
    if kind in _POSITIONS:
        return (kind, None, None, *map(_number, value), None)
    text = value["description"] if kind in _DESCRIBED else None
    position = _origin(kind, value)
    return (kind, None, text, *position, _to_json(value))


def _origin(kind: str, value: Any) -> "tuple[Any, ...]":
    plane = value if kind == "plane" else value["plane"] if kind in _ON_PLANES else None
    return tuple(map(_number, plane["origin"])) if plane else (None, None, None)


def _number(value: Any) -> Any:
    """A number as the API has it: whole ones are ints; those that JSON lacks, which are texts there, are floats."""
    return float(value) if isinstance(value, str) else int(value) if isinstance(value, bool) else value


def _number_text(value: Any) -> str:
    """The text of a number in JSON and in the CSV of the command: the shortest digits, by ECMAScript's Number::toString.

    Source: ECMA-262, 6.1.6.1.20. Python finds the same digits, and differs in where it begins to write exponents.
    """
    if isinstance(value, int):
        return str(value)
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # The point stands before the digits times ten to this power.
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    rest = "." + digits[1:] if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{rest}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def _to_json(value: Any) -> str:
    """JSON as the API writes it."""
    if isinstance(value, dict):
        members = (f"{json.dumps(name, ensure_ascii=False)}:{_to_json(member)}" for name, member in value.items())
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_to_json, value)) + "]"
    if isinstance(value, float):
        return _number_text(value)
    return json.dumps(value, ensure_ascii=False)


_NUMBER_COLUMNS = frozenset(("index", "number", "x", "y", "z"))
_SPACE = "\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
_QUOTED = re.compile(f'[",\\r\\n]|^[{_SPACE}]|[{_SPACE}]\\Z|^\\Z')
_FORMULA = re.compile(r"[=+\-@\t\r\n]")
_PLAIN_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def to_csv(
    solution: Solution,
    document: Optional[Document] = None,
    where: Optional[Callable[[TablePort], object]] = None,
) -> str:
    """The rows of a solution as CSV (RFC 4180): the same text as `meadow values --csv` prints.

    Lines end in CR LF, so write it to a file that is opened with `newline=""`. A None is an empty cell, an empty text is
    `""`, and a text that a spreadsheet would calculate has an apostrophe before it.

    Args:
        solution: As in `rows_of`.
        document: As in `rows_of`.
        where: As in `rows_of`.
    """
    lines = [",".join(COLUMNS)]
    for cells in _list_cells(solution, document, where):
        lines.append(",".join(map(_csv_cell, COLUMNS, cells)))
    return "\r\n".join(lines) + "\r\n"


def _csv_cell(column: str, cell: Any) -> str:
    if cell is None:
        return ""
    if column in _NUMBER_COLUMNS:
        return _number_text(cell)
    text: str = "'" + cell if _FORMULA.match(cell) and not _PLAIN_NUMBER.fullmatch(cell) else cell
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text
