"""What docs/python.md and README.md show is right, and type checkers accept it and what else people write.

Every Python block of a page runs, top to bottom as one program. A block of text after `<!-- prints -->` is the output of
the block before it; a line `...` stands for any lines. A block after `<!-- not run: REASON -->` is compiled only. One after
`<!-- needs FORMAT -->` is run if the module decodes it.
"""

import ast
import contextlib
import csv
import fileinput
import gzip
import importlib.util
import io
import json
import os
import pathlib
import re
import subprocess
import sys
from array import array

import pytest
import riffle_io
from oracle import decodes

ROOT = pathlib.Path(__file__).parents[3]
BLOCK = re.compile(r"(?:<!-- (?P<mark>.*?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def matches(expected, printed):
    pattern = re.escape(expected).replace(re.escape("...\n"), "(?:.*\n)*?")
    return re.fullmatch(pattern, printed) is not None


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # The shell of README.md makes it.
    (tmp_path / "access.log").write_text("".join(f"line {number} of a log\n" for number in range(1, 1_000_001)))
    text = (ROOT / page).read_text()
    names, printed, ran = {"__name__": "__main__"}, None, 0
    for block in BLOCK.finditer(text):
        where = f"{page}:{text[: block.start('text')].count(chr(10)) + 1}"
        mark = block["mark"] or ""
        if block["language"] == "python":
            code = compile("\n" * text[: block.start("text")].count("\n") + block["text"], page, "exec")
            if mark.startswith("not run") or (mark.startswith("needs") and not decodes(mark.split()[1])):
                printed = None
                continue
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(code, names)
            printed, ran = output.getvalue(), ran + 1
        elif block["language"] == "text" and mark == "prints" and printed is not None:
            assert matches(block["text"], printed), f"{where} says\n{block['text']}but the block printed\n{printed}"
    assert ran > 0


def test_each_error_class_is_on_the_page():
    source = "".join(path.read_text() for path in (ROOT / "bindings/python").glob("[nr]*i*/**/*.*p*") if path.suffix != ".pyc")
    raised = {*re.findall(r"(?:raise\(|SetString\(|handle\()PyExc_(\w+)", source), *re.findall(r"raise (?:\w+\.)?([A-Z]\w+)", source)}
    page = (ROOT / "docs/python.md").read_text()
    assert len(raised) >= 9 and {name for name in raised if f"{name}`" not in page} == set()


def rows_of_idioms():
    section = (ROOT / "docs/python.md").read_text().partition("## Replacing open()")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(.*)` \| `(.*)` \|$", section, re.MULTILINE)
    assert len(rows) > 15
    return rows


@pytest.mark.parametrize(("has", "writes"), rows_of_idioms())
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_an_idiom_gives_the_same(has, writes, tmp_path):
    text = "".join(f"GET /{i} of é GET{chr(13) * (i % 3 == 0)}\n" for i in range(9)) + "the end"
    table = 'id,text\n1,"two\nlines"\n2,"a ""quote"""\n'
    files = {
        "p": text.encode(), "q": b"more\n", "names": b"a\0b c\0", "gz": gzip.compress(text.encode()), "table": table.encode(),
        "numbers": array("q", range(-5, 5)).tobytes(),
    }  # fmt: skip
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    names = {"riffle_io": riffle_io, "array": array, "csv": csv, "fileinput": fileinput, "gzip": gzip}
    names |= {name: tmp_path / name for name in files}
    assert eval(writes, names) == eval(has, names)


# pyarrow has no types, and the pages import a module once a section.
NO_TYPES = [f"report{rule}=false" for rule in "UnknownMemberType UnknownVariableType UnknownArgumentType MissingTypeStubs DuplicateImport".split()]
PROGRAM = """# pyright: strict
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool
from typing_extensions import assert_type

import riffle_io

index = riffle_io.line_index(b"a")
offsets: memoryview = memoryview(index)
first: bytes = index[0]
some: list[bytes] = index[:1]
held: bool = b"a" in index
for line in index:
    line.split()
numbers = riffle_io.values(b"", "u1")
count: int = len(numbers)
listed: list[int] = numbers.tolist()
mean: float = riffle_io.sum(b"", "u1") / 2
for batch in riffle_io.lines(b"").batches():
    rows: int = len(batch)
for each in riffle_io.lines("a.gz", decode="automatic", max_size=1 << 30):
    each.split()
lines: int = riffle_io.count_lines("a.gz", threads=2, decode="gzip", max_size=None)
parts: list[riffle_io.Split] = riffle_io.splits("a.gz", decode="gzip")
version: str = riffle_io.__version__
for row in riffle_io.rows("a.csv"):
    bytes_of_row: list[bytes] = row
with riffle_io.rows("a.csv", separator="\t", header=True, encoding="utf-8") as table:
    price: str = next(table)["price"]
held_rows: riffle_io.Rows[list[str]] = riffle_io.rows(b"", encoding="utf-8")
pairs: list[tuple[bytes, ...]] = list(riffle_io.rows("a.tsv", [0, 2], dialect="tsv"))
columns: riffle_io.Columns = riffle_io.columns("a.csv", {"price": "f64"}, others="timestamp[us, UTC]", threads=2)
columns = riffle_io.sum_by(columns_of := "a.csv", "a", ["b"], stats=True, table=True, encoding="utf-8")
columns = riffle_io.value_counts(columns_of, ["a"], table=True, null=["NA"], top=9)
sums: dict[str, float] = riffle_io.sum_by("a.csv", "a", "b")
counts: dict[bytes, int] = dict.fromkeys(riffle_io.words("a.txt"), 0)
texts: riffle_io.Words[str] = riffle_io.words("a.txt", encoding="utf-8")
fieldnames: list[str] | None = riffle_io.rows("a.csv", header=True, encoding="utf-8").fieldnames
with open("a.csv", newline="") as text_file:
    assert_type(riffle_io.rows(riffle_io.from_lines(text_file), encoding="utf-8"), riffle_io.Rows[list[str]])
downloaded: int = riffle_io.count_lines(riffle_io.from_chunks(iter([b"a\\n"])))

for record in riffle_io.fastq("a.fastq.gz"):
    assert_type(record, tuple[bytes, bytes, bytes])
for name, sequence, quality in riffle_io.fastq(["a", b"b"], encoding="ascii", errors="replace", max_length=1000):
    assert_type(quality, str)
with riffle_io.fasta("a.fasta", encoding="ascii", decode="gzip") as sequences:
    assert_type(sequences, riffle_io.Fasta[str])
    assert_type(next(sequences), tuple[str, str])
    assert_type(sequences.offset, int | None)
held_reads: riffle_io.Fastq[bytes] = riffle_io.fastq(b"")

for of_bytes in riffle_io.lines("a"):
    assert_type(of_bytes, bytes)
for text in riffle_io.lines(["a", b"b"], encoding="utf-8"):
    assert_type(text, str)
def either(encoding: str | None) -> None:
    for one in riffle_io.lines("a", encoding=encoding):
        assert_type(one, bytes | str)
    for part in riffle_io.read_split(parts[0], encoding=encoding):
        assert_type(part, bytes | str)
with riffle_io.lines("a") as lines_of_file:
    assert_type(lines_of_file, riffle_io.Lines[bytes])
    assert_type(lines_of_file.offset, int | None)
def work(split: riffle_io.Split) -> int:
    return sum(len(line) for line in riffle_io.read_split(split, encoding="utf-8"))
with ProcessPoolExecutor(2) as pool:
    total: int = sum(riffle_io.map_splits(work, "a", map=pool.map))
    assert_type(riffle_io.number_splits(parts, map=pool.map), list[tuple[riffle_io.Split, int]])
    words: int = sum(riffle_io.map_splits(riffle_io.count_words, "a", split_size=10_000, map=pool.map))
with Pool(2) as processes:
    results: list[int] = riffle_io.map_splits(work, "a", map=processes.map)
    riffle_io.number_splits(parts, map=processes.map)
first_result: int = next(riffle_io.map_splits(work, "a"))
"""

ENGINES = {"dask": "dask", "pyspark": "spark", "ray": "ray"}


def run(*command, folder):
    # pyright looks for the package by the first Python on the PATH.
    path = f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command, environment = [sys.executable, "-m", *command], os.environ | {"PATH": path}
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder, env=environment)


def texts():
    yield "program", PROGRAM
    for page in "README.md", "docs/python.md":
        blocks = BLOCK.finditer((ROOT / page).read_text())
        yield page, f"# pyright: strict, {', '.join(NO_TYPES)}\n" + "\n".join(block["text"] for block in blocks if block["language"] == "python")


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
@pytest.mark.parametrize(("name", "text"), list(texts()))
def test_checkers_accept_what_people_write(checker, name, text, tmp_path):
    pytest.importorskip(checker, reason=f"{checker} is not installed")
    (tmp_path / "program.py").write_text(text)
    if checker == "mypy":  # pyarrow has no types
        done = run("mypy", "--strict", "--disable-error-code=import-untyped", "--cache-dir", "cache", "program.py", folder=tmp_path)
    else:
        done = run("pyright", "program.py", folder=tmp_path)
    errors = [line for line in done.stdout.splitlines() if " error: " in line or " - error" in line]
    assert [error for error in errors if 'module "pyarrow' not in error] == [], done.stdout
    assert "program" in done.stdout or "informations" in done.stdout or "Success" in done.stdout, done.stdout + done.stderr


def test_checkers_refuse_what_is_wrong(tmp_path):
    (tmp_path / "program.py").write_text("import riffle_io\nfor line in riffle_io.lines('a'):\n    line.encode()\n")
    assert '"bytes" has no attribute "encode"' in run("mypy", "program.py", folder=tmp_path).stdout


WRONG = (
    "lines('a', decode='gz')", "lines('a', method='map')", "open('a', decode='gz')", "count_lines('a', decode='gz')",
    "columns('a', {'a': 7})", "rows('a', dialect='excel')", "splits('a', decode='gz')", "values('a', 'u1', method='map')",
    "columns('a', {'a': 'f64'}, bad_rows='drop')", "fastq('a', encoding=1)", "fasta('a', strip_cr=True)",
    "fastq('a', decode='gz')", "from_lines(5)", "from_chunks([5])", "rows(['a']).fieldnames.x",
)  # fmt: skip


def test_checkers_refuse_names_that_riffle_refuses(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    (tmp_path / "program.py").write_text("import riffle_io\n" + "".join(f"riffle_io.{call}\n" for call in WRONG))
    found = run("mypy", "program.py", folder=tmp_path).stdout
    assert {int(line.split(":")[1]) for line in found.splitlines() if " error: " in line} == set(range(2, len(WRONG) + 2)), found


def test_the_names_of_the_stubs_are_those_of_riffle():
    stubs = (pathlib.Path(riffle_io.__file__).parent / "_riffle.pyi").read_text()

    def names(alias):
        return list(ast.literal_eval(re.search(rf"^{alias} = Literal(\[[^]]*\])", stubs, re.MULTILINE)[1]))

    assert names("_Decode") == ["automatic", "none", *riffle_io.decoders()]
    with pytest.raises(ValueError) as refused:
        riffle_io.lines(b"", method="map")
    assert ", ".join(names("_Method")) in str(refused.value)
    for name in names("_DialectName"):
        riffle_io.rows(b"", dialect=name)


def test_each_public_type_is_known(tmp_path):
    pytest.importorskip("pyright", reason="pyright is not installed")
    done = run("pyright", "--verifytypes", "riffle_io", "--ignoreexternal", "--outputjson", folder=tmp_path)
    symbols = json.loads(done.stdout)["typeCompleteness"]["symbols"]
    # A class of an engine that is not installed is unknown.
    missing = tuple(f"riffle_io.{name}." for engine, name in ENGINES.items() if importlib.util.find_spec(engine) is None)
    unknown = [each["name"] for each in symbols if not each["isTypeKnown"] and not each["name"].startswith(missing)]
    assert len(symbols) > 200 and [name for name in unknown if name.startswith("riffle_io.")] == []


def test_the_package_uses_its_own_types_rightly(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    done = run("mypy", "--ignore-missing-imports", "--disable-error-code=import-untyped", "-p", "riffle_io", folder=tmp_path)
    assert done.returncode == 0, done.stdout
