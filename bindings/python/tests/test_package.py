"""Tests the package itself: what an import loads, the stubs, and the names of the distribution."""

import ast
import importlib.metadata
import pathlib

import riffle_io

FOLDER = pathlib.Path(riffle_io.__file__).parent


def test_import_loads_little(run):
    script = """
import sys
before = set(sys.modules)
import riffle_io
print(*sorted(name for name in set(sys.modules) - before if not name.startswith("riffle_io")))
"""
    assert set(run(script).split()) <= {
        "nanobind_backend", "nanobind_backend._nb_backend_v1", "atexit", "errno",
        # by collections.namedtuple
        "collections", "collections.abc", "_collections", "copyreg", "itertools", "keyword", "operator",
        "_operator", "reprlib",
    }


def test_version_is_that_of_the_distribution():
    assert importlib.metadata.version("riffle-io") == riffle_io.__version__


def test_each_public_name_is_documented():
    for name in riffle_io.__all__:
        assert name == "__version__" or getattr(riffle_io, name).__doc__, name


def test_stubs_have_each_public_name_and_type():
    assert (FOLDER / "py.typed").exists()
    stub = ast.parse((FOLDER / "_riffle.pyi").read_text())
    functions = [node for node in ast.walk(stub) if isinstance(node, ast.FunctionDef)]
    untyped = [node.name for node in functions if node.returns is None]
    assert untyped == []
    names = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    native = {name for name in riffle_io.__all__ if hasattr(riffle_io._riffle, name)} - {"__version__"}
    assert native and native <= names
