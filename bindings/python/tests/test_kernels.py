"""Tests that the extension, however it was compiled, finds the processor's SIMD instructions."""

import os
import platform
import subprocess
import sys

import pytest

import riffle_io


def test_finds_what_the_processor_has():
    if platform.machine() != "x86_64":
        pytest.skip(f"knows the instructions of x86-64, not of {platform.machine()}")
    with open("/proc/cpuinfo") as file:
        flags = next(line for line in file if line.startswith("flags")).split()
    assert ("avx2" in riffle_io.kernels()) == ("avx2" in flags)
    assert riffle_io.kernels()[-1] == "scalar"


def test_reports_an_unknown_name():
    code = "import riffle_io\ntry: riffle_io.kernels()\nexcept riffle_io.RiffleError as error: print(error)"
    environment = os.environ | {"RIFFLE_KERNEL": "none"}
    said = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert "RIFFLE_KERNEL" in said.stdout, said.stderr
