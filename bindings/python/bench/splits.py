"""Measures what splits of 100 TB cost before any is read: the time of the call and the bytes of their descriptions.

    build/python/venv/bin/python bindings/python/bench/splits.py [FOLDER]

FOLDER must be on a file system that takes a sparse file of 100 TB: tmpfs, XFS or Btrfs. The default is /dev/shm.
"""

import pickle
import sys
import tempfile
import time

import riffle_io

SIZE = 10**14

with tempfile.NamedTemporaryFile(dir=sys.argv[1] if len(sys.argv) > 1 else "/dev/shm") as file:
    file.truncate(SIZE)
    start = time.perf_counter()
    splits = riffle_io.splits(file.name, split_size=1 << 30)
    seconds = time.perf_counter() - start
    described = sum(len(pickle.dumps(split)) for split in splits)
    print(
        f"{len(splits)} splits in {seconds:.3f} s, {described / len(splits):.0f} bytes each, {described / 1e6:.0f} MB"
    )
