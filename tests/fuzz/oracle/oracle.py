#!/usr/bin/env python3
"""Compares the programs with an oracle that shares no code with them.

    oracle.py BIN [--problems N] [--seed S] [--seconds T] [--kinds KIND,...]

BIN is the directory of the programs. Each problem is random, is answered by `wmi` and by nested
exact quadrature, and every answer counts as one comparison. Exit status 1 at the first difference,
with the problem on standard output.
"""

import argparse
import collections
import random
import sys
import tempfile
import time
from pathlib import Path

from certificates import certificates
from jobs import jobs
from networks import networks
from programs import Programs
from scripts import bounded, exact, paths
from states import states
from sums import sums
from trees import trees

KINDS = {
    "exact": exact,  # all kinds of queries, each answer exact
    "paths": paths,  # the same by other enumerators, integrators and numbers of threads
    "bounded": bounded,  # stopped searches and rounded answers: enclosures hold the true value
    "sums": sums,  # laws of sums of many independent reals
    "trees": trees,  # of many variables, in which each is related to one before it
    "states": states,  # chains of reals and Booleans together
    "networks": networks,  # one or two unknowns
    "certificates": certificates,  # accepted, and rejected once they are changed
    "jobs": jobs,  # units solved by processes that are killed: the bytes of one process
}
SHARES = {"exact": 50, "paths": 20, "bounded": 10, "sums": 10, "trees": 5, "states": 5,
          "networks": 5, "certificates": 5, "jobs": 5}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=Path)
    parser.add_argument("--problems", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--kinds", default=",".join(KINDS))
    options = parser.parse_args()
    kinds = options.kinds.split(",")
    counts = collections.Counter()
    start = time.monotonic()
    batch = 20
    number = problems = 0
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(options.bin, Path(folder))
        while problems < options.problems and time.monotonic() - start < options.seconds:
            seed = f"{options.seed}-{number}"
            number += 1
            draw = random.Random(seed)
            kind = draw.choices(kinds, [SHARES[each] for each in kinds])[0]
            size = min(batch, options.problems - problems)
            found, wrong = KINDS[kind](programs, draw, size)
            problems += size
            counts[kind] += found
            if wrong:
                print(f"{kind}, seed {seed}:\n{wrong}")
                return 1
            if number % 100 == 0:
                print(f"{problems} problems, {sum(counts.values())} comparisons so far",
                      file=sys.stderr, flush=True)
    seconds = time.monotonic() - start
    parts = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])
    print(f"seed {options.seed}: {problems} problems, {sum(counts.values())} comparisons "
          f"({parts}) in {seconds:.0f} s, no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
