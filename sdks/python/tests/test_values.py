"""Data trees, rows and data frames."""

import csv
import io
import json
import math
import unittest

import meadow
from meadow import Tree, format_path, parse_path, rows_of, to_dataframe, tree_of, trees_of
from world import WorldTest, happen

try:
    import pandas
except ImportError:
    pandas = None

NUMBERS = {
    "branches": [
        {"path": "{0;0}", "values": [{"type": "number", "value": 1.5}, None, {"type": "number", "value": "NaN"}]},
        {"path": "{0;1}", "values": []},
        {"path": "{0;2}", "values": [{"type": "number", "value": "-Infinity"}, {"type": "string", "value": "NaN"}]},
    ]
}


class Trees(unittest.TestCase):
    def test_a_tree_has_values_with_their_places(self):
        tree = Tree.of(NUMBERS)
        self.assertEqual(tree.paths, ["{0;0}", "{0;1}", "{0;2}"])
        self.assertEqual(len(tree), 5)
        self.assertEqual(
            [(entry.path, entry.index, entry.type) for entry in tree][1:3], [("{0;0}", 1, None), ("{0;0}", 2, "number")]
        )
        first, absent, not_a_number, infinite, text = tree.values
        self.assertEqual((first, absent, infinite, text), (1.5, None, -math.inf, "NaN"))
        self.assertTrue(math.isnan(not_a_number))
        for path, index, value, item in tree:
            self.assertEqual(item is None, value is None)
        self.assertIn("5 values in 3 branches", repr(tree))

    def test_a_branch_is_found_by_its_path(self):
        tree = Tree.of(NUMBERS)
        self.assertEqual(tree["{0;1}"], [])
        self.assertEqual(tree[0, 2], [-math.inf, "NaN"])
        self.assertEqual(tree.branch((0, 9)), [])
        self.assertIn((0, 2), tree)
        self.assertNotIn("{0}", tree)
        with self.assertRaises(KeyError):
            tree["{0}"]
        self.assertEqual([parse_path("{0;12}"), parse_path("{}"), format_path(3)], [(0, 12), (), "{3}"])

    def test_trees_are_filtered_mapped_flattened_and_turned_into_rows(self):
        tree = Tree.of(NUMBERS)
        finite = tree.filter(lambda entry: entry.type == "number" and not math.isnan(entry.value))
        self.assertEqual(finite.paths, ["{0;0}", "{0;2}"])
        self.assertEqual(finite.rows()[0], {"path": "{0;0}", "index": 0, "type": "number", "value": 1.5})
        self.assertEqual(finite.map(lambda entry: entry.value * 2).values, [3.0, -math.inf])
        flat = finite.flatten()
        self.assertEqual([(entry.path, entry.index) for entry in flat], [("{0}", 0), ("{0}", 1)])
        self.assertEqual((len(tree), Tree.of({"branches": []}).flatten().paths), (5, []))
        self.assertEqual(finite, Tree.of(NUMBERS).filter(lambda entry: entry.item and entry.value in (1.5, -math.inf)))

    def test_nested_numbers_are_numbers(self):
        line = {"type": "line", "value": {"from": [0, "NaN", 1], "to": ["Infinity", 0, 0]}}
        value = meadow.to_plain(line)
        self.assertEqual((value["to"], math.isnan(value["from"][1])), ([math.inf, 0, 0], True))


class Solutions(WorldTest):
    @classmethod
    def setUpClass(cls):
        cls.document_id = happen("createDocument", name="Values", content="tubes")
        happen("solve", document=cls.document_id)

    def setUp(self):
        super().setUp()
        self.document = self.meadow.read_document(self.document_id)
        self.solution = self.meadow.read_solution(self.document_id)

    def test_the_trees_of_a_solution_have_the_names_of_the_canvas(self):
        trees = trees_of(self.solution, self.document)
        (feet,) = [each for each in trees if each.node == "Feet"]
        self.assertEqual(feet.tree.values, [[0, 0, 0], [1, 0, 0], [2, 0, 0]])
        self.assertEqual(tree_of(self.solution, feet.node_id, feet.port_id), feet.tree)
        self.assertIsNone(trees_of(self.solution)[0].node)
        for node_id, port_id in [("solutionId", "x"), ("nothing", "x"), (feet.node_id, "nothing")]:
            with self.assertRaises(meadow.MeadowError):
                tree_of(self.solution, node_id, port_id)

    def test_the_values_typed_into_a_document_are_trees_too(self):
        values = {each.node: each.tree.values for each in trees_of(self.document)}
        self.assertEqual(values["Count"], [3])

    def test_rows_have_one_value_each(self):
        rows = list(rows_of(self.solution, self.document))
        self.assertEqual(len(rows), sum(len(each.tree) for each in trees_of(self.solution)))
        self.assertEqual(list(rows[0]), list(meadow.COLUMNS))
        point = [row for row in rows if row["node"] == "Feet"][2]
        self.assertEqual((point["path"], point["index"], point["type"]), ("{0;0}", 2, "point"))
        self.assertEqual((point["x"], point["y"], point["z"], point["json"]), (2.0, 0.0, 0.0, None))
        (count,) = [row for row in rows if row["node"] == "Count"]
        self.assertEqual((count["component"], count["number"]), ("Number Slider", 3.0))
        post = [row for row in rows if row["type"] == "line"][0]
        self.assertEqual(json.loads(post["json"])["to"], [0, 0, 3])
        chosen = list(rows_of(self.solution, self.document, where=lambda port: port.node == "Feet"))
        self.assertEqual(len(chosen), 3)
        with self.assertRaisesRegex(meadow.MeadowError, "not a solution"):
            list(rows_of(self.document))
        file = io.StringIO()
        writer = csv.DictWriter(file, meadow.COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
        self.assertEqual(len(list(csv.reader(io.StringIO(file.getvalue())))), len(rows) + 1)

    @unittest.skipUnless(pandas, "pandas is not installed")
    def test_a_solution_is_a_data_frame(self):
        frame = to_dataframe(self.solution, self.document)
        self.assertEqual(list(frame.columns), list(meadow.COLUMNS))
        self.assertEqual([str(frame[name].dtype) for name in ("index", "number", "x")], ["int64", "float64", "float64"])
        self.assertEqual(frame[frame.node == "Feet"].x.tolist(), [0.0, 1.0, 2.0])
        (feet,) = [each.tree for each in trees_of(self.solution, self.document) if each.node == "Feet"]
        self.assertEqual(feet.to_dataframe().value.tolist(), feet.values)
        self.assertEqual(to_dataframe(self.solution, where=lambda _: False).shape, (0, len(meadow.COLUMNS)))

    @unittest.skipIf(pandas, "pandas is installed")
    def test_without_pandas_the_error_says_so(self):
        with self.assertRaisesRegex(meadow.MeadowError, "needs pandas"):
            to_dataframe(self.solution)
