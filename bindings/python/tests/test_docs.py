"""Runs every Python block of a page, top to bottom as one program, and compares what it prints.

A block of text after `<!-- prints -->` is the output of the block before it; a line `...` stands for any lines. A
block after `<!-- not run: REASON -->` is compiled only. One after `<!-- needs FORMAT -->` is run if the module decodes it.
"""

import contextlib
import csv
import fileinput
import gzip
import io
import pathlib
import re
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


def rows_of_idioms():
    section = (ROOT / "docs/python.md").read_text().partition("## Replacing open()")[2].partition("\n## ")[0]
    return re.findall(r"^\| `(.*)` \| `(.*)` \|$", section, re.MULTILINE)


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


def test_there_are_idioms():
    assert len(rows_of_idioms()) > 15
