"""Runs every Python block of a page, top to bottom as one program, and compares what it prints.

A block of text after `<!-- prints -->` is the output of the block before it; a line `...` stands for any lines. A
block after `<!-- not run: REASON -->` is compiled only. One after `<!-- needs FORMAT -->` is run if the module decodes it.
"""

import contextlib
import io
import pathlib
import re

import pytest
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
