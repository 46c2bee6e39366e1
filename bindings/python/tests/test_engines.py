"""Tests what the adapters share: the paths that names mean, and that no engine is imported unasked."""

import os

import pytest

import riffle_io
from riffle_io._engines import Rows, file_splits, local_paths


@pytest.mark.parametrize(
    ("urls", "paths"),
    [
        (["b"], ["b"]),
        ([b"bytes"], ["bytes"]),
        ([], []),
        (["{0}/*.log"], ["{0}/a.log", "{0}/a1.log", "{0}/a[1].log"]),  # sorted
        (["{0}/a[1].log"], ["{0}/a[1].log"]),  # a file that exists is no pattern
        (["{0}/b", "a"], ["{0}/b", "a"]),  # in the order given
        (["file:///logs/a%20b"], ["/logs/a b"]),
        (["file://localhost/logs/a"], ["/logs/a"]),
    ],
)
def test_names_mean_paths(tmp_path, urls, paths):
    for name in ("a1.log", "a.log", "a[1].log", "c.txt"):
        (tmp_path / name).touch()
    urls = [url.format(tmp_path) if isinstance(url, str) else url for url in urls]
    assert local_paths(urls) == [path.format(tmp_path) for path in paths]
    assert local_paths([tmp_path / "b"]) == [f"{tmp_path}/b"]


def test_patterns_without_a_match_and_urls_of_other_machines_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="d*.log"):
        local_paths([f"{tmp_path}/d*.log"])
    with pytest.raises(ValueError, match="file://host/a"):
        local_paths(["file://host/a"])


def test_splits_stay_as_they_are(write):
    path = write(b"a\nb\n")
    parts = riffle_io.splits(path, split_size=1)
    assert file_splits(path, 1) == file_splits([str(path)], 1) == parts
    assert file_splits(parts[1:3], 100) == parts[1:3]
    assert file_splits([], 1) == []


def test_urls_of_other_schemes_stay_urls_and_patterns_are_theirs():
    fsspec = pytest.importorskip("fsspec", reason="needs fsspec, as Dask installs it")
    fsspec.filesystem("memory").pipe({"/riffle-urls/b.log": b"b\n", "/riffle-urls/a.log": b"a\n"})
    assert local_paths(["s3://bucket/key", "http://host/a?b=*"]) == ["s3://bucket/key", "http://host/a?b=*"]
    names = ["memory:///riffle-urls/a.log", "memory:///riffle-urls/b.log"]  # as fsspec writes them
    assert local_paths(["memory://riffle-urls/*.log"]) == names
    assert [part.path for part in file_splits("memory://riffle-urls/*.log", 100)] == names
    with pytest.raises(FileNotFoundError, match="no file matches 'memory:"):
        local_paths(["memory://riffle-urls/*.txt"])


def test_types_of_pyarrow_are_made_of_the_texts_that_riffle_takes(write):
    pytest.importorskip("pyarrow", reason="the engines give its tables")
    path = write(b"a,b,c\nTRUE,2024-01-02,7\n1,,\n0,2024-01-03,NA\nfalse,2024-01-04,9\n")
    rows = Rows(path, 10, types={"a": "bool", "b": "date32", "c": "int8"}, null=["NA"], dialect="csv")
    tables = [rows.table(part).to_pydict() for part in rows.parts]
    assert [value for table in tables for value in table["a"]] == [True, True, False, False]
    assert [str(value) for table in tables for value in table["b"]] == ["2024-01-02", "None", "2024-01-03", "2024-01-04"]
    assert [value for table in tables for value in table["c"]] == [7, None, None, 9]
    wrong = Rows(path, 1 << 20, types={"c": "date32"}, dialect="csv")
    with pytest.raises(riffle_io.RiffleError, match=f"cannot read '{path}': column 'c' of row 1 is no date32.day.: '7'"):
        wrong.table(wrong.parts[0])


def test_importing_riffle_io_imports_no_engine(run):
    code = "import riffle_io, sys; print({'dask', 'fsspec', 'ray', 'pyspark', 'pyarrow', 'pandas'} & set(sys.modules))"
    assert run(code) == "set()\n"


@pytest.mark.parametrize("name", ["a#b", "a?b", "\udcff", "50%"])
def test_a_url_may_name_any_file(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"one\n")
    (tmp_path / "a").write_bytes(b"another\n")
    assert local_paths([path.as_uri()]) == [str(path)]
    assert local_paths(["file://" + str(path)]) == [str(path)]
    assert local_paths([os.fsencode(path)]) == [str(path)]
