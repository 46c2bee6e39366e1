"""Sums by key are those of Python's fractions, which are exact, rounded once; and tables have what dicts have."""

import random
from fractions import Fraction

import pytest
import riffle_io
from riffle_io import ColumnStats


def naive(rows):
    groups = {}
    for key, text in rows:
        groups.setdefault(key, []).append(float(text))
    sums = {key: float(sum(map(Fraction, values))) for key, values in groups.items()}
    return {
        key: ColumnStats(len(values), min(values), max(values), sums[key], sums[key] / len(values), 0)
        for key, values in groups.items()
    }


@pytest.mark.parametrize("threads", [1, 3])
def test_sums_are_those_of_fractions(write, threads):
    drawn = random.Random(78)
    rows = [(f"key {drawn.randrange(20_000)}", f"{drawn.uniform(-1, 1):.{drawn.randrange(1, 17)}e}") for _ in range(50_000)]
    rows += [("wide", text) for text in ("1e300", "1e-300", "-1e300", "0.1", "5e-324")]
    truth = naive(rows)
    path = write("".join(f'"{key}",{number}\n' for key, number in rows).encode())
    found = riffle_io.sum_by(path, 0, 1, stats=True, encoding="utf-8", threads=threads)
    assert found == truth
    assert [*found] == [*truth]  # in the order of the first appearance
    assert riffle_io.sum_by(path, [0], 1, encoding="utf-8", threads=threads) == {key: each.sum for key, each in truth.items()}
    most = sorted(truth, key=lambda key: -truth[key].sum)[:9]
    assert [*riffle_io.sum_by(path, 0, 1, top=9, encoding="utf-8", threads=threads)] == most


def test_columns_have_names_and_keys_may_be_tuples():
    text = b"city,year,n,m\nOslo,1,2,3\nRome,1,x,9\nOslo,1,5,NA\n"
    with pytest.warns(UserWarning, match="1 row"):
        found = riffle_io.sum_by(text, ["city", "year"], ["n", "m"], dtype="int64", null=["NA"], bad_rows="skip")
    assert found == {(b"Oslo", b"1"): (7, 3)}
    assert riffle_io.sum_by(text, "city", "m", null=[b"NA"], encoding="utf-8") == {"Oslo": 3.0, "Rome": 9.0}
    nulls = riffle_io.sum_by(b"a;NA\n", 0, [1, 1], null=["NA"], separator=";", stats=True)
    assert nulls == {b"a": (ColumnStats(0, None, None, 0.0, None, 1),) * 2}


def test_sources_are_summed_together():
    assert riffle_io.sum_by([b"b,1\na,2\n", b"c,4\na,-0.5\n"], 0, 1) == {b"b": 1, b"a": 1.5, b"c": 4}
    assert riffle_io.sum_by([b"a,18446744073709551615\n", b"b,0\n"], 0, 1, dtype="uint64") == {b"a": 2**64 - 1, b"b": 0}
    assert riffle_io.sum_by(b"", 0, 1) == {}


CITIES = b"city,year,n,m\nOslo,1,2,3\n\"R\"\"o\",1,4,9\nOslo,1,5,NA\nNA,2,-1,NA\n"


@pytest.mark.parametrize("encoding", [None, "utf-8"])
@pytest.mark.parametrize("top", [None, 1])
@pytest.mark.parametrize(
    ("function", "arguments", "how", "names"),
    [
        (riffle_io.value_counts, (), {}, "line count"),
        (riffle_io.value_counts, (), {"words": True}, "word count"),
        (riffle_io.value_counts, (["city"],), {}, "city count"),
        (riffle_io.value_counts, (["city", 3],), {"null": ["NA"]}, "city m count"),
        (riffle_io.value_counts, ([0],), {}, "f0 count"),
        (riffle_io.sum_by, ("city", "n"), {}, "city n"),
        (riffle_io.sum_by, ("n", "n"), {"dtype": "int64"}, "n f1"),
        (riffle_io.sum_by, ([0, 1], [2]), {"skip_rows": 1, "dtype": "int64"}, "f0 f1 f2"),
        (riffle_io.sum_by, ("city", "m"), {"stats": True}, "city m_count m_min m_max m_sum m_mean m_nulls"),
        (riffle_io.sum_by, (["city", "year"], ["n", "m"]), {"dtype": "int64"}, "city year n m"),
    ],
)  # fmt: skip
def test_a_table_has_what_the_dict_has(function, arguments, how, names, top, encoding):
    pyarrow = pytest.importorskip("pyarrow", reason="a library of Arrow reads tables")
    how = {"top": top, "encoding": encoding, **({"null": ["NA"]} if function is riffle_io.sum_by else {}), **how}
    found = pyarrow.table(function(CITIES, *arguments, table=True, **how))
    found.validate(full=True)
    assert found.schema.names == names.split()

    def flat(value):
        return [each for item in value for each in flat(item)] if isinstance(value, tuple) else [value]

    assert [list(row.values()) for row in found.rename_columns(list(map(str, range(len(names.split()))))).to_pylist()] == [
        flat(item) for item in function(CITIES, *arguments, **how).items()
    ]


def test_a_table_of_nothing_and_of_what_is_no_utf8():
    pyarrow = pytest.importorskip("pyarrow", reason="a library of Arrow reads tables")
    assert pyarrow.table(riffle_io.value_counts(b"", table=True)).to_pydict() == {"line": [], "count": []}
    assert pyarrow.table(riffle_io.sum_by([], 0, 1, table=True)).to_pydict() == {"f0": [], "f1": []}
    for call in "value_counts(b'a\\xff'", "value_counts(b'\"\"\"a\",b\\xff', [0, 1]", "sum_by(b'a\\xff,1', 0, 1":  # as for a dict
        with pytest.raises(UnicodeDecodeError, match="byte 0xff in position 1"):
            eval(f"riffle_io.{call}, table=True, encoding='utf-8')")
    for how in ({"encoding": "latin-1"}, {"encoding": "utf-8", "errors": "replace"}):
        with pytest.raises(ValueError, match="a table of Arrow has UTF-8"):
            riffle_io.value_counts(b"", table=True, **how)
