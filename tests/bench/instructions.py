#!/usr/bin/env python3
"""Compares two builds of wmi by the instructions that they need, which other work does not change.

    tests/bench/instructions.py OLD/build/bin/wmi build/bin/wmi FILE ...

Prints for each file the millions of instructions of both (valgrind --tool=callgrind, one thread,
the whole process), the ratio new over old, and whether both print the same.
"""

import re
import subprocess
import sys
from pathlib import Path


def measure(program, file):
    """What the program prints, and how many instructions it needs."""
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "--threads", "1",
         file], capture_output=True, text=True, check=True)
    return run.stdout, int(re.search(r"Collected : (\d+)", run.stderr)[1])


def main():
    old, new, *files = sys.argv[1:]
    for file in files:
        (before, many), (after, more) = measure(old, file), measure(new, file)
        same = "same" if before == after else "different"
        print(f"{Path(file).name}: {many / 1e6:.1f} to {more / 1e6:.1f}, {more / many:.3f}, {same}",
              flush=True)


if __name__ == "__main__":
    main()
