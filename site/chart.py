#!/usr/bin/env python3
"""Takes the first chart of a page of `riffle bench --html`, as the part of an HTML page: `chart.py PAGE > chart.svg`."""
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
print(re.search(r'<svg class="bars".*?</svg>', page, re.S)[0])
