#!/usr/bin/env python3
"""The scripts of the site: each page of docs has a place, and lists are as GitHub shows them.

usage: site.py SOURCES
"""
import pathlib
import sys

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


found = [*pages_without_place(), *lists()]
print(*found, sep="\n")
sys.exit(bool(found))
