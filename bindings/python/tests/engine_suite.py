"""The tests that each engine passes: the same records as one machine, also when a worker is killed.

A module of tests imports them all, and has a fixture `engine` with these functions:
lines(paths, **options), rows(paths, **options): lists of lines and of rows (dicts);
count(paths, what, **options), map(f, paths, **options), and parts(paths, **options), the number of tasks for lines.
"""

import datetime
from decimal import Decimal

import pytest
from oracle import bgzf, content, needs_gzip, records

import riffle_io

SIZES = [1, 2, 3, 7, 16, 64, 1000]


@pytest.mark.parametrize("split_size", SIZES)
def test_reads_and_counts_the_records_of_the_oracle(engine, oracle, split_size):
    assert engine.lines(oracle, split_size=split_size) == records(content())
    for what in riffle_io.count_lines, riffle_io.count_words:
        assert engine.count(oracle, what, split_size=split_size) == what(oracle)


@pytest.mark.parametrize("split_size", [1, 5, 1000])
@pytest.mark.parametrize("keep", [False, True])
def test_reads_records_with_a_delimiter_of_their_own(engine, write, split_size, keep):
    path = write(content(b";"))
    assert engine.lines(path, split_size=split_size, delimiter=b";", keep_delimiter=keep) == records(content(b";"), b";", keep)


@needs_gzip
@pytest.mark.parametrize("decode", ["automatic", "gzip"])
def test_decodes_blocks_of_bgzf(engine, write, decode):
    path = write(bgzf(content(repeat=400)))
    assert engine.lines(path, split_size=1, decode=decode) == records(content(repeat=400))
    assert engine.parts(path, split_size=1, decode=decode) > 2
    assert engine.count(path, riffle_io.count_lines, split_size=1, decode=decode) == content(repeat=400).count(b"\n")


def test_each_split_is_a_task_and_a_partition(engine, oracle):
    parts = riffle_io.splits(oracle, split_size=16)
    assert engine.map(lambda split: split, oracle, split_size=16) == parts
    assert engine.parts(oracle, split_size=16) == len(parts) > 2


def test_reads_several_files_and_patterns_in_order(engine, write, tmp_path):
    for name in ("b.log", "a.log", "c.txt"):
        write(content(repeat=50) + name.encode(), name)
    want = [line for name in ("a.log", "b.log") for line in records(content(repeat=50) + name.encode())]
    assert engine.lines(tmp_path / "*.log", split_size=1000) == want
    assert engine.lines([tmp_path / "a.log", f"file://{tmp_path}/b.log"], split_size=4096) == want


def test_reads_text_only_if_it_is_valid(engine, write, oracle):
    assert engine.lines(write("grün\n\nblau".encode()), encoding="utf-8") == ["grün", "", "blau"]
    with pytest.raises(Exception, match="UTF-8"):
        engine.lines(oracle, encoding="utf-8")


def test_reads_an_empty_file(engine, write):
    empty = write(b"")
    assert engine.lines(empty) == []
    assert engine.count(empty, riffle_io.count_lines) == 0


def test_refuses_what_is_no_path(engine, tmp_path):
    refused = {"file://host/key": "cannot name a machine", tmp_path / "*.log": r"\*\.log", tmp_path / "none": "none"}
    for path, message in refused.items():
        with pytest.raises(Exception, match=message):
            engine.lines(path)


def test_says_that_a_file_changed(engine, oracle):
    parts = riffle_io.splits(oracle, split_size=16)
    with oracle.open("ab") as file:
        file.write(b"more\n")
    with pytest.raises(Exception, match="changed"):
        engine.count(parts, riffle_io.count_lines)


def test_repeats_the_split_of_a_worker_that_is_killed(engine, oracle, half_then_die):
    count, marker = half_then_die
    assert engine.count(oracle, count, split_size=40) == len(records(content()))
    assert marker.exists()


CSV = 'name,"the ""price""\nof it"\n' + "".join(f'"n{number}\n""x""",{number}.5\n' for number in range(300))
PRICE = 'the "price"\nof it'


@pytest.mark.parametrize("split_size", [1, 1000, 1 << 20])
def test_reads_rows_of_quoted_csv(engine, write, tmp_path, split_size):
    write(CSV.encode(), "a.csv")
    write(CSV.encode(), "b.csv")
    rows = engine.rows(f"{tmp_path}/*.csv", split_size=split_size)
    assert [row["name"] for row in rows] == [f'n{number}\n"x"' for number in range(300)] * 2
    assert sum(float(row[PRICE]) for row in rows) == 2 * sum(number + 0.5 for number in range(300))


NASTY = (
    b'\xef\xbb\xbfskipped,"\n#comment,"\n\r\n"a\n1",b,"c ""c"""\r\n'
    b'\n1,"x\n\n#y",5\'8"\r\n\r\n#no "\n2,"",\n"3\r\n,",z\r,last\r\n'
    + b'4,"\r\n",""\n' * 30
)
CUT = {"comment": "#", "skip_rows": 1}


@pytest.mark.parametrize("split_size", [1, 20, 64, 1 << 20])
@pytest.mark.parametrize(("dialect", "header"), [("csv", True), ("csv", False), ("tsv", True), ("plain", False)])
def test_cuts_rows_as_riffle_io_does(engine, write, split_size, dialect, header):
    how = {"dialect": dialect, **(CUT if dialect == "csv" else {})}
    data = NASTY if dialect == "csv" else b"\xef\xbb\xbfa\tb\r\n\r\n1\t\"x\n2\t\r\n\n".replace(b"\t", b"\t" if dialect == "tsv" else b",")
    if dialect == "plain":
        data = data.replace(b"\n\r\n", b"\n").rstrip(b"\n") + b"\n"
    path = write(data)
    first, *rest = riffle_io.rows(path, encoding="utf-8", **how)
    names = first if header else [f"f{index}" for index in range(len(first))]
    wanted = rest if header else [first, *rest]
    assert [list(row.values()) for row in engine.rows(path, split_size=split_size, header=header, **how)] == wanted
    assert list(engine.rows(path, split_size=split_size, header=header, **how)[0]) == names


@pytest.mark.filterwarnings("ignore:cannot read all rows")
def test_columns_have_the_types_of_riffle_io(engine, write):
    path = write(b'name,day,price,time,ok\na,2024-02-29,1.50,2024-02-29T01:02:03.5Z,1\nx,"NA",,,\n,NA,,,\n')
    types = {"day": "date", "price": "decimal(10, 2)", "time": "timestamp[us]", "ok": "bool"}
    day = datetime.datetime(2024, 2, 29, 1, 2, 3, 500_000)
    rows = engine.rows(path, split_size=1, types=types, null=["NA"], quoted_null=False, bad_rows="skip")
    found, empty = [list(row.values()) for row in rows]
    assert found == ["a", day.date(), Decimal("1.50"), day, True]
    assert empty[0] == "" and not any(each == each for each in empty[1:] if each is not None)  # pandas has NaN and NaT
