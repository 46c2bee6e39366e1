"""Tests that each function has the same word and the same default for one thing, and that each reader cuts rows alike."""

import inspect
import itertools
import pathlib
import sys
import typing

import engine_suite
import pytest
import riffle_io
from engine_suite import CUT, NASTY

pyarrow = pytest.importorskip("pyarrow", reason="columns are read by a library of Arrow")

ROWS = (
    "dialect separator delimiter quote quoting double_quote escape skip_initial_space strip_cr skip_bom skip_rows comment "
    "skip_blank ragged trim header max_length".split()
)
DEFAULTS = {  # by the word; of `delimiter`, for lines and for rows
    "dialect": ("csv", None), "separator": (None,), "delimiter": (b"\n", None), "quote": (...,), "quoting": (None,),
    "double_quote": (None,), "escape": (None,), "skip_initial_space": (None,), "fieldnames": (None,),
    "strip_cr": (False, None), "skip_bom": (None,), "skip_rows": (None,), "comment": (None,), "skip_blank": (None,),
    "ragged": (None,), "trim": (None,), "null": ((),), "bad_rows": ("fail",),
    "header": (None,), "max_length": (None,), "keep_delimiter": (False,), "columns": (None,), "order": (None,),
    "encoding": (None, "utf8"), "errors": ("strict",), "threads": (1, 0), "method": ("automatic",), "block_size": (0,),
    "decode": ("automatic", "none"), "max_size": (None,), "progress": (None,), "split_size": (128 << 20,), "map": (map,),
    "lines": (True,), "words": (True, False), "top": (None,), "max_memory": (None,), "characters": (False,), "longest_line": (False,), "no_break_spaces": (True,),
}  # fmt: skip
REQUIRED = {"source", "types", "dtype", "byte", "members", "text", "split", "parts", "f", "path", "iterable"}


def functions():
    return {name: value for name in [*riffle_io.__all__, "sum"] if inspect.isroutine(value := getattr(riffle_io, name))}


@pytest.mark.parametrize("name", functions())
def test_one_word_and_one_default_for_one_thing(name):
    for parameter in inspect.signature(functions()[name]).parameters.values():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            assert parameter.name in ("rows", "options")
        elif parameter.default is parameter.empty:
            assert parameter.name in REQUIRED
        elif parameter.name != "types":  # those of a frame are text, if none are named
            assert parameter.default in DEFAULTS[parameter.name], parameter


@pytest.mark.parametrize("name", functions())
def test_the_types_of_each_function_are_known_at_run_time(name):
    if name in ("scan_lines", "scan_rows"):
        pytest.importorskip("polars", reason="they return its LazyFrame")
    hints = typing.get_type_hints(functions()[name])
    assert hints and ("source" not in hints or str in typing.get_args(hints["source"]))
    for kind in (riffle_io.Lines, riffle_io.LineIndex, riffle_io.Split):
        for method in vars(kind).values():
            if hasattr(method, "__code__"):
                typing.get_type_hints(method)


def test_the_import_loads_no_module_of_types(run):
    modules = ("typing",) if sys.version_info >= (3, 13) else ("typing", "collections.abc")  # of collections, from 3.13 on
    loaded = f"import riffle_io, sys; print([name for name in {modules} if name in sys.modules])"
    assert run(loaded, options=["-S"], env={"PYTHONPATH": str(pathlib.Path(riffle_io.__file__).parents[1])}) == "[]\n"


# What gives bytes; the others give records, counts or splits of them, and decode what begins as a known format.
OF_BYTES = {"count_any_of", "count_byte", "count_bytes", "count_occurrences", "count_utf8", "sum", "values"}


def test_records_are_decoded_and_bytes_are_not():
    for name, function in functions().items():
        decode = inspect.signature(function).parameters.get("decode")
        assert decode is None or decode.default == ("none" if name in OF_BYTES else "automatic"), name
        assert decode is not None or name in ("decoders", "from_chunks", "from_lines", "kernels", "scan_rows"), name


def test_threads_are_what_helps_for_tables_and_one_for_the_rest():
    for name, function in functions().items():
        threads = inspect.signature(function).parameters.get("threads")
        assert threads is None or threads.default == (0 if name == "columns" else 1)


@pytest.mark.parametrize("name", ["rows", "columns", "value_counts"])
def test_what_reads_rows_has_all_words_of_a_dialect(name):
    assert [word for word in inspect.signature(functions()[name]).parameters if word in ROWS] == ROWS


@pytest.mark.parametrize("word", ROWS[1:])
def test_a_word_of_rows_is_an_error_for_splits_of_lines(word, write):
    with pytest.raises(ValueError, match=f"{word} needs a dialect"):
        riffle_io.splits(write(b"a\n"), **{word: None})


MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("data", "how"),
    [
        (NASTY, CUT),
        (MARK + b'"a\n1",b\r\n\n1,"x\n\ny"\r\n\r\n2,5\'8"\n"3\r\n,",z\r\r\n', {}),
        (MARK + b"a\t'b\n\n\r\n1\t\"\r\n\n2\t\r", {"dialect": "tsv"}),
        (MARK + b'a,"b\r\n\n1,"\r\n2,', {"dialect": "plain", "skip_blank": True}),
        (b"a, b\n1 ,\n2 ,\t3\n,\n7, \n", {"trim": True}),
        (MARK + b'a\\,, "b\\"\nc"\n\\"1, 2\n3,4', {"escape": "\\", "skip_initial_space": True, "double_quote": False}),
        (MARK + b"a;'b;\n'|1;''''|;\r", {"separator": ";", "delimiter": "|", "quote": "'", "quoting": "strict"}),
    ],
)
def test_each_reader_cuts_rows_alike(data, how, put):
    path = put(data)
    source = riffle_io.splits(path)[0]
    wanted = list(riffle_io.rows(source, encoding="utf-8", **how))
    assert len(wanted) > 2

    def columns(source, **more):
        table = pyarrow.table(riffle_io.columns(source, dict.fromkeys(range(len(wanted[0])), "str"), **{**how, **more}))
        return [list(row.values()) for row in table.to_pylist()]

    assert columns(source) == columns(source, threads=1) == columns(data, threads=3) == wanted
    assert [list(row) for row in riffle_io.rows(data, range(len(wanted[0])), encoding="utf-8", **how)] == wanted
    for size in (1, 3, 10, 1000):
        parts = riffle_io.splits(path, size, **{"dialect": "csv", **how})
        assert [*itertools.chain(*(riffle_io.rows(part, encoding="utf-8", **how) for part in parts))] == wanted, size
        assert [*itertools.chain(*(columns(part) for part in parts if part.begin < part.end))] == wanted, size


class TestPolars:
    """The lazy frames of polars are one more engine."""

    @pytest.fixture
    def engine(self, monkeypatch):
        pytest.importorskip("polars", reason="needs polars")
        whole = riffle_io.splits

        class Engine:
            @staticmethod
            def rows(path, split_size, **how):
                monkeypatch.setattr(riffle_io, "splits", lambda path, **more: whole(path, **{**more, "split_size": split_size}))
                return riffle_io.scan_rows(path, **how).collect().to_dicts()

        return Engine

    test_cuts_rows_as_riffle_io_does = staticmethod(engine_suite.test_cuts_rows_as_riffle_io_does)
