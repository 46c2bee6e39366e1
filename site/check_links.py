#!/usr/bin/env python3
"""Checks a built site: every link leads to a file of it, every anchor exists, and no page loads what another host has.

usage: check_links.py SITE
"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads = {"", "__top"}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids.add(given.get("id") or "")
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in ("script", "img", "iframe", "source") and given.get("src"):
            self.loads.append(given["src"])
        if tag == "link" and given.get("rel") in ("stylesheet", "preload", "preconnect", "icon", "prefetch"):
            self.loads.append(given.get("href") or "")


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text()) for path in root.rglob("*.html")}
    findings, checked = [], 0
    for path, page in pages.items():
        here = path.relative_to(root)
        findings += [f"{here}: loads {url}" for url in page.loads if urllib.parse.urlsplit(url).netloc]
        for link in [*page.links, *page.loads]:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc or here.name == "404.html":
                continue
            checked += 1
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                findings.append(f"{here}: {link} leads nowhere")
            elif target in pages and urllib.parse.unquote(url.fragment) not in pages[target].ids:
                findings.append(f"{here}: {link} has no such anchor")
    for style in root.rglob("*.css"):
        if "url(http" in style.read_text() or "url(//" in style.read_text():
            findings.append(f"{style.relative_to(root)}: loads from another host")
    print(*findings, sep="\n", end="\n" if findings else "")
    print(f"{len(pages)} pages, {checked} links, {len(findings)} findings")
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())
