"""Tests the package itself: what an import loads, the stubs, the names of the distribution, the SIMD kernels."""

import ast
import builtins
import copy
import importlib.metadata
import inspect
import os
import pathlib
import pickle
import platform
import pydoc
import re
import sys
import weakref

import pytest
import riffle_io

FOLDER = pathlib.Path(riffle_io.__file__).parent


def test_import_loads_little(run):
    script = """
import sys
import weakref
before = set(sys.modules)
import riffle_io
print(*sorted(name for name in set(sys.modules) - before if not name.startswith("riffle_io")))
"""
    assert set(run(script, options=["-Wignore"]).split()) <= {
        "nanobind_backend", "nanobind_backend._nb_backend_v1", "atexit", "errno",
        "io",  # from CPython 3.14 on
        # by collections.namedtuple
        "collections", "collections.abc", "_collections", "copyreg", "itertools", "keyword", "operator",
        "_operator", "reprlib",
    }


TYPES = "typing" if sys.version_info >= (3, 13) else "typing collections.abc"  # of collections, from 3.13 on


@pytest.mark.parametrize(
    ("code", "modules"),
    [
        ("", TYPES + " polars numpy"),
        ("riffle_io.lines(b'a').__arrow_c_stream__()", "pyarrow nanoarrow polars numpy"),
        ("import riffle_io._engines; riffle_io.count_lines(b'a')", "fsspec"),
    ],
)
def test_modules_are_loaded_when_they_are_needed(code, modules, run):
    loaded = f"import riffle_io, sys\n{code}\nprint([name for name in {modules.split()} if name in sys.modules])"
    assert run(loaded, options=["-S"], env={"PYTHONPATH": str(FOLDER.parent)}) == "[]\n"


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("scan_lines(b'')", "polars is not installed; pip install polars"),
        ("splits('s3://bucket/key')", "cannot open 's3://bucket/key': fsspec is not installed; pip install fsspec"),
    ],
)
def test_a_module_that_is_not_installed_is_named(code, error, run):
    refused = "import riffle_io, sys\nsys.modules |= {'polars': None, 'fsspec': None}\ntry: riffle_io."
    assert run(f"{refused}{code}\nexcept ImportError as error: print(error)") == f"{error}\n"


def test_version_is_that_of_the_distribution():
    assert importlib.metadata.version("riffle-io") == riffle_io.__version__


def after(step, of):
    step(of)
    return of


TABLE = b"a,b\n1,2\n"


@pytest.mark.parametrize(
    ("made", "text"),
    [
        ("columns(TABLE)", "<riffle_io.Columns of 'memory': a, b>"),
        ("after(lambda of: of.__arrow_c_stream__(), columns(TABLE))", "<riffle_io.Columns of 'memory': a, b, given away or closed>"),
        ("sum_by(TABLE, 'a', 'b', table=True)", "<riffle_io.Columns of 'memory': a, b>"),
        ("after(next, lines(TABLE))", "<riffle_io.Lines of 'memory', at byte 0>"),
        ("after(Lines.close, lines(TABLE))", "<riffle_io.Lines of 'memory', closed>"),
        ("lines(TABLE).batches()", "<riffle_io.LineBatches of 'memory'>"),
        ("after(next, lines(TABLE).batches())", "<riffle_io.LineBatches of 'memory', after line 2>"),
        ("after(lambda of: of.__arrow_c_stream__(), lines(TABLE).batches())", "<riffle_io.LineBatches of 'memory', given away or closed>"),
        ("next(lines(TABLE).batches())", "<riffle_io.LineBatch of 2 lines>"),
        ("after(next, rows(TABLE))", "<riffle_io.Rows of 'memory', at line 1>"),
        ("after(next, fastq(b'@a\\nA\\n+\\nI\\n'))", "<riffle_io.Fastq of 'memory', at byte 0>"),
        ("line_index(TABLE)", "<riffle_io.LineIndex of 'memory': 2 lines>"),
        ("from_lines(range(3))", "<source of riffle_io, of <range_iterator object at "),
        ("RiffleError", "<class 'riffle_io.RiffleError'>"),
    ],
)
def test_an_object_says_what_it_reads_and_where_it_stands(made, text):
    assert repr(eval(made, globals() | vars(riffle_io))).startswith(text)


def test_the_package_lists_its_public_names_alone():
    listed = {name for name in dir(riffle_io) if not name.startswith("_")} - {"dask", "ray", "spark"}
    assert listed == {name for name in riffle_io.__all__ if not name.startswith("_")} | {"open", "sum"}
    page = pydoc.plain(pydoc.render_doc(riffle_io))
    unlisted = {name for name in listed if f"\n    {name}(" not in page and f"\n    class {name}(" not in page}
    assert unlisted == {"open", "sum"} and "open and sum are here too" in page


def test_stubs_have_each_public_name_and_type():
    assert (FOLDER / "py.typed").exists()
    stub = ast.parse((FOLDER / "_riffle.pyi").read_text())
    functions = [node for node in ast.walk(stub) if isinstance(node, ast.FunctionDef)]
    untyped = [node.name for node in functions if node.returns is None]
    assert untyped == []
    names = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    native = {name for name in riffle_io.__all__ if hasattr(riffle_io._riffle, name)} - {"__version__"}
    assert native and native <= names


def test_stubs_have_the_parameters_of_each_function():
    stub = ast.parse((FOLDER / "_riffle.pyi").read_text() + (FOLDER / "_splits.py").read_text())
    nodes = [node for node in ast.walk(stub) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}

    def keys(name):  # of a TypedDict
        bases = [base.id for base in classes[name].bases if isinstance(base, ast.Name) and base.id in classes]
        own = {field.target.id for field in classes[name].body if isinstance(field, ast.AnnAssign)}
        return own.union(*map(keys, bases))

    for name in riffle_io.__all__:
        if inspect.isroutine(function := getattr(riffle_io, name)):
            for node in (node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == name):
                found = {each.arg for each in node.args.args + node.args.kwonlyargs}
                kwarg = node.args.kwarg
                found |= keys(kwarg.annotation.slice.id) if kwarg and kwarg.arg == "more" else set()
                assert set(inspect.signature(function).parameters) - {"map", "rows"} == found - {"map"}, name


def test_finds_what_the_processor_has():
    if platform.machine() != "x86_64":
        pytest.skip(f"knows the instructions of x86-64, not of {platform.machine()}")
    with open("/proc/cpuinfo") as file:
        flags = next(line for line in file if line.startswith("flags")).split()
    assert ("avx2" in riffle_io.kernels()) == ("avx2" in flags)
    assert riffle_io.kernels()[-1] == "scalar"


def test_reports_an_unknown_name(run):
    code = "import riffle_io\ntry: riffle_io.kernels()\nexcept riffle_io.RiffleError as error: print(error)"
    assert "RIFFLE_KERNEL" in run(code, env=os.environ | {"RIFFLE_KERNEL": "none"})


@pytest.mark.parametrize("name", [name for name in riffle_io.__all__ if inspect.isroutine(getattr(riffle_io, name))])
def test_signature_and_repr_of_each_function(name):
    function = getattr(riffle_io, name)
    assert "(" in str(inspect.signature(function))
    assert repr(function).startswith(f"<function {name} at ")
    assert function.__doc__ and function.__module__.startswith("riffle_io")
    assert pickle.loads(pickle.dumps(function)) is copy.copy(function) is weakref.ref(function)() is function


def test_a_call_runs_no_code_of_python_and_help_shows_the_signature():
    ran = []
    sys.setprofile(lambda frame, event, _: ran.append(frame) if event == "call" else None)
    riffle_io.count_lines(b"", threads=1), riffle_io.lines(b"").close()
    sys.setprofile(None)
    assert ran == []
    page = pydoc.render_doc(riffle_io.count_lines, renderer=pydoc.plaintext)  # in one line, or in several without quotes from 3.14 on
    assert "count_lines(source:_Sources,*,threads:int=1," in re.sub(r"[\s']", "", page)


def test_each_other_public_name_is_a_class_with_its_docs():
    for name in set(riffle_io.__all__) - {"__version__"}:
        value = getattr(riffle_io, name)
        assert inspect.isroutine(value) or inspect.isclass(value) and value.__doc__, name
    assert list(inspect.signature(riffle_io.lines).parameters)[:3] == ["source", "delimiter", "keep_delimiter"]
    assert "layout" in inspect.signature(riffle_io.Lines.batches).parameters
    assert repr(riffle_io.Lines) == "<class 'riffle_io.Lines'>"
    assert repr(riffle_io.Lines[bytes]) == "riffle_io.Lines[bytes]"


def test_import_star_leaves_the_builtin_sum():
    names = {}
    exec("from riffle_io import *", names)
    assert "sum" not in names and "rows" in names
    assert riffle_io.sum is not builtins.sum
