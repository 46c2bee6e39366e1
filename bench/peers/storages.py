"""Makes the storage that a file is read from: slow, fast, compressed, throttled. Needs root."""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path


class Missing(Exception):
    """A facility that this machine lacks."""


def run(*words) -> str:
    try:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    except FileNotFoundError as absent:
        raise Missing(f"{words[0]} is not installed") from absent
    if done.returncode != 0:
        raise Missing(f"{words[0]}: {(done.stderr.strip() or 'failed').splitlines()[-1]}")
    return done.stdout.strip()


@dataclass
class Storage:
    paths: list
    device: str = ""  # which caches too
    start: object = lambda words: words  # makes a command of another's words


def slow(stack, program: Path, source: Path, files: int, latency: int, served: int) -> Storage:
    """riffle-slow-fs with that latency in microseconds, which serves so many requests at once."""
    if not program.exists():
        raise Missing(f"{program} was not built: it needs libfuse3-dev")
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="far-", dir=source.parent)))
    # In a session of its own, so that Ctrl-C ends it after the program that reads.
    process = stack.enter_context(subprocess.Popen(
        [program, f"--latency={latency}", f"--served={served}", f"--files={files}", source, folder],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True))
    stack.callback(process.terminate)
    if not process.stdout.readline():
        raise Missing(process.stderr.read().strip())
    return Storage([folder / str(number + 1) for number in range(files)])


def undo(what, *given) -> None:
    """Others, such as udev, may have a device or a file open for a moment."""
    for _ in range(100):
        try:
            return what(*given)
        except (Missing, OSError) as busy:
            failure = busy
            time.sleep(0.1)
    print(f"storage: cannot undo {given}: {failure}", file=sys.stderr)


def mount(stack, folder: Path, *words) -> None:
    run("mount", *words, folder)
    stack.callback(undo, run, "umount", folder)


def loop(stack, image: Path) -> str:
    device = run("losetup", "--find", "--show", "--direct-io=on", image)
    stack.callback(undo, run, "losetup", "--detach", device)
    return device


def zram(stack, size: int) -> str:
    control = Path("/sys/class/zram-control")
    if not control.exists():
        raise Missing("the OS kernel has no zram")
    number = (control / "hot_add").read_text(encoding="ascii").strip()
    stack.callback(undo, (control / "hot_remove").write_text, number)
    Path(f"/sys/block/zram{number}/disksize").write_text(str(size), encoding="ascii")
    return f"/dev/zram{number}"


# name: (how to make it on a device, how to mount it)
FORMATS = {"ext4": ("mkfs.ext4 -q -F", "rw"), "xfs": ("mkfs.xfs -q -f", "rw"), "btrfs": ("mkfs.btrfs -q -f", "rw"),
           "btrfs-zstd": ("mkfs.btrfs -q -f", "compress-force=zstd")}
IMAGES = {"squashfs": "mksquashfs {folder} {image} -quiet -no-progress -noappend",
          "erofs": "mkfs.erofs -zlz4 {image} {folder}"}


def copy(source: Path, folder: Path) -> Path:
    run("cp", "--reflink=never", source, folder / "file")
    run("sync", "-f", folder)
    return folder / "file"


def storage(name: str, stack, source: Path) -> Storage:
    """The file `source` on a storage called DEVICE-FORMAT, or disk, overlay, tmpfs; undone by the stack."""
    room = source.stat().st_size * 5 // 4 + (320 << 20)  # mkfs.xfs wants 300 MiB
    work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="storage-", dir=source.parent)))
    folder, image, device = work / "mounted", work / "image", ""
    folder.mkdir()
    if name == "disk":
        return Storage([copy(source, folder)])
    if name == "overlay":
        for layer in ("lower", "upper", "work"):
            (work / layer).mkdir()
        copy(source, work / "lower")
        layers = f"lowerdir={work}/lower,upperdir={work}/upper,workdir={work}/work"
        mount(stack, folder, "-t", "overlay", "-o", layers, "overlay")
        return Storage([folder / "file"])
    if name == "tmpfs":
        mount(stack, folder, "-t", "tmpfs", "-o", f"size={room}", "tmpfs")
        return Storage([copy(source, folder)])
    kind, _, form = name.partition("-")
    if form in IMAGES:
        content = work / "content"
        content.mkdir()
        os.link(source, content / "file")
        run(*IMAGES[form].format(folder=content, image=image).split())
        device = loop(stack, image)
        mount(stack, folder, "-o", "ro", device)
        return Storage([folder / "file"], device)
    if kind == "loop":
        run("truncate", "-s", room, image)
    device = loop(stack, image) if kind == "loop" else zram(stack, room)
    make, how = FORMATS[form]
    run(*make.split(), device)
    mount(stack, folder, "-o", how, device)
    return Storage([copy(source, folder)], device)
