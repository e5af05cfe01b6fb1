"""The package as it is installed, its documentation, and the versions of Python that it is for."""

import ast
import contextlib
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

import meadow
from world import happen

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
HAS_PANDAS = importlib.util.find_spec("pandas") is not None


class Sources(unittest.TestCase):
    def test_the_sources_are_of_the_oldest_python(self):
        for path in SOURCES:
            ast.parse(path.read_text("utf-8"), str(path), feature_version=(3, 9))

    @unittest.skipUnless(hasattr(sys, "stdlib_module_names"), "Python 3.9 does not say what is in its library")
    def test_the_package_needs_nothing_but_the_standard_library(self):
        code = "import sys, meadow; print('\\n'.join(m.__spec__.name for m in sys.modules.values() if getattr(m, '__spec__', None)))"
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        run = subprocess.run(
            [sys.executable, "-S", "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        tops = {name.partition(".")[0] for name in run.stdout.split()}
        others = {top for top in tops - sys.stdlib_module_names if not top.startswith("__")}
        self.assertEqual(others, {"meadow"})

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_the_types_pass_a_strict_check(self):
        run = subprocess.run([sys.executable, "-m", "mypy", "src/meadow"], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout)


class Distribution(unittest.TestCase):
    def test_the_version_is_that_of_the_packages(self):
        of_packages = json.loads((ROOT / "../../packages/client/package.json").read_text())["version"]
        # What is 1.0.0-rc.1 elsewhere is 1.0.0rc1 in Python.
        self.assertEqual(meadow.__version__, re.sub(r"-(a|b|rc)[a-z]*\.", r"\1", of_packages))

    def test_the_package_is_built_with_all_its_files(self):
        setuptools = importlib.util.find_spec("setuptools")
        if setuptools is None or int(__import__("setuptools").__version__.split(".")[0]) < 61:
            self.skipTest("setuptools 61 or newer is not installed")
        expected = {str(path.relative_to(ROOT / "src")).replace(os.sep, "/") for path in SOURCES} | {"meadow/py.typed"}
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "python"
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("*.egg-info", "__pycache__"))
            archive = build(copy, "build_sdist")
            with tarfile.open(archive) as tar:
                names = {name.partition("/")[2] for name in tar.getnames()}
            self.assertEqual(archive.name.lower().replace("_", "-"), f"meadow-{meadow.__version__}.tar.gz")
            self.assertLessEqual({f"src/{name}" for name in expected} | {"README.md", "pyproject.toml"}, names)
            if importlib.util.find_spec("wheel"):
                with zipfile.ZipFile(build(copy, "build_wheel")) as wheel:
                    self.assertEqual({name for name in wheel.namelist() if ".dist-info/" not in name}, expected)


def build(folder, kind):
    """Builds the package in its folder, as pip does."""
    code = f"import setuptools.build_meta as backend; print(backend.{kind}('.'))"
    run = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    return folder / run.stdout.split()[-1]


class Documentation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.document_id = happen("createDocument", name="Tower", content="tubes", path=["Tower"])
        happen("solve", document=cls.document_id)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def run_code(self, blocks):
        """Runs code in one namespace, and returns this and what was printed."""
        names = {}
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            for block in blocks:
                exec(compile(block, "<example>", "exec"), names)
        self.addCleanup(names["meadow"].close)
        return names, output.getvalue()

    def test_the_examples_of_the_readme_run(self):
        blocks = re.findall(r"```python\n(.+?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
        self.assertGreater(len(blocks), 6)
        names, output = self.run_code(blocks)
        self.assertIn("Acme Feet Pt {0;0} 1 [1, 0, 0]", output)
        self.assertIn("new Tower", output)
        rows = list(meadow.rows_of(names["solution"]))
        self.assertEqual(len(Path("tower.csv").read_text("utf-8").splitlines()), len(rows) + 1)
        self.assertTrue(Path("exports/Tower.3dm").exists())

    def test_the_notebook_runs(self):
        notebook = json.loads((ROOT / "examples/values.ipynb").read_text("utf-8"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        runnable = [cell for cell in cells if HAS_PANDAS or "pandas" not in cell["metadata"].get("tags", [])]
        names, _ = self.run_code("".join(cell["source"]) for cell in runnable)
        self.assertEqual(names["document"]["name"], "Tower")
        if HAS_PANDAS:
            self.assertEqual(len(names["frame"]), len(list(meadow.rows_of(names["solution"]))))

    def test_the_readme_lists_every_error(self):
        readme = (ROOT / "README.md").read_text("utf-8")
        listed = re.findall(r"^\| `(\w+)` \| (\d+) \|", readme, re.M)
        classes = {status: cls.__name__ for status, cls in meadow._generated.errors.ERROR_CLASSES.items()}
        self.assertEqual({int(status): name for name, status in listed}, classes)
