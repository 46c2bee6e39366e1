#!/usr/bin/env python3
"""The scripts of the site: each page of docs has a place, lists are as GitHub shows them, and bad links are found.

usage: site.py SOURCES
"""
import pathlib
import subprocess
import sys
import tempfile

sources = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(sources / "site"))
sys.dont_write_bytecode = True
import assemble  # noqa: E402


def pages_without_place():
    placed = {page for pages in assemble.PAGES.values() for page in pages}
    there = {str(path.relative_to(sources)) for path in [*sources.glob("docs/*.md"), *sources.glob("*.md")]}
    return [f"site/assemble.py: {page} has no place" for page in sorted(there - placed - {"README.md"})]


def lists():
    given = "A list:\n- one\n  goes on\n- two\n\n```\n- no list\n  x\n```\n1. a\n   b\n"
    expected = "A list:\n\n- one\n    goes on\n- two\n\n```\n- no list\n  x\n```\n\n1. a\n    b\n"
    found = assemble.as_python_markdown(given)
    return [] if found == expected else [f"site/assemble.py: a list became {found!r}"]


def bad_links():
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder)
        (site / "b.html").write_text('<h1 id="there">b</h1>')
        (site / "a.html").write_text('<a href="b.html#there">1</a><a href="b.html#not">2</a><a href="c.html">3</a>'
                                     '<a href="https://example.org">4</a><script src="https://example.org/x.js"></script>')
        run = subprocess.run([sys.executable, sources / "site/check_links.py", site], capture_output=True, text=True)
    expected = ["a.html: loads https://example.org/x.js", "a.html: b.html#not has no such anchor", "a.html: c.html leads nowhere"]
    found = run.stdout.splitlines()[:-1]
    return [] if found == expected and run.returncode == 1 else [f"site/check_links.py: it found {found}"]


found = [*pages_without_place(), *lists(), *bad_links()]
print(*found, sep="\n")
sys.exit(bool(found))
