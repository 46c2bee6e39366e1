"""Why this file exists: the race's inputs: made up, the same bytes on every machine, and cheap to make."""

import os
import random
from pathlib import Path

BLOCK = 8 << 20  # this much is made up, then repeated: far more than a branch predictor remembers
FILES, FILE_SIZE = 20_000, 4096
VERSION = 1  # to be raised when the bytes change


def words(rng: random.Random, size: int) -> bytearray:
    """Text of words of 1 to 12 letters, short ones more often, with a comma or a full stop here and there."""
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    vocabulary = ["".join(letters[int(26 * rng.random() ** 2)] for _ in range(1 + int(12 * rng.random() ** 1.5)))
                  for _ in range(4096)]
    text, length = [], 0
    while length < size:
        word = vocabulary[int(4096 * rng.random() ** 2)] + (" " if rng.random() < 0.88 else ", ")
        text.append(word)
        length += len(word)
    return bytearray("".join(text)[:size], "ascii")


def text(mean: int) -> bytearray:
    """Lines whose sizes, newline included, are spread evenly over mean/2 to 3/2 mean."""
    rng = random.Random(mean)
    block = words(rng, BLOCK)
    at = -1
    while (at := at + max(1, mean // 2 + int((mean + 1) * rng.random()))) < BLOCK:
        block[at] = 10
    block[-1] = 10
    return block


def genome() -> bytes:
    """Lines of 60 bases, half of them in lower case, as masked genomes have them."""
    bases = random.Random(60).randbytes(BLOCK).translate(bytes(b"ACGTacgt"[i & 7] for i in range(256)))
    return b"".join(bases[i:i + 60] + b"\n" for i in range(0, BLOCK // 61 * 60, 60))


def utf8() -> bytes:
    """The text in a script of one, two, three and four bytes a character."""
    return text(67).decode("ascii").translate(str.maketrans("aeiouthr", "аéіöűт漢😀")).encode()


MAKERS = {"text": lambda: text(67), "lines67": lambda: text(67), "lines10": lambda: text(10),
          "lines4096": lambda: text(4096), "genome": genome, "utf8": utf8}


def write(path: Path, block: bytes, size: int) -> None:
    """Writes `block` over and over up to `size` bytes, and a newline last."""
    partial = path.with_suffix(".partial")
    with open(partial, "wb") as out:
        for _ in range((size - 1) // len(block)):
            out.write(block)
        out.write(block[:(size - 1) % len(block)].decode("utf-8", "ignore").encode() + b"\n")
    os.replace(partial, path)


def make(name: str, directory: Path, size: int) -> list:
    """The paths of the input `name`, made if they are not there."""
    directory.mkdir(parents=True, exist_ok=True)
    if name == "small":
        path, size, name = directory / f"small-{VERSION}", 1024, "text"
    elif name == "files":
        folder = directory / f"files-{VERSION}"
        paths = [folder / f"{i:05}" for i in range(FILES)]
        if not paths[-1].exists():
            folder.mkdir(exist_ok=True)
            block = text(67)
            for i, path in enumerate(paths):
                at = i * FILE_SIZE % (BLOCK - FILE_SIZE)
                path.write_bytes(block[at:at + FILE_SIZE])
        return paths
    else:
        name = "lines67" if name == "text" else name  # the same bytes
        path = directory / f"{name}-{size}-{VERSION}"
    if not path.exists():
        write(path, MAKERS[name](), size)
    return [path]


def evict(paths: list) -> None:
    """Drops the files from the page cache, so that the read that follows fills it as readahead does."""
    os.sync()  # only clean pages can be dropped
    for path in paths:
        file = os.open(path, os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)


def read(paths: list) -> int:
    """Reads the files, so that the next run finds them in the page cache; returns their size."""
    buffer, total = bytearray(1 << 20), 0
    for path in paths:
        file = os.open(path, os.O_RDONLY)
        while got := os.readv(file, [buffer]):
            total += got
        os.close(file)
    return total
