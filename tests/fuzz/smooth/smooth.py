#!/usr/bin/env python3
"""Enclosures of integrals with smooth functions, against exact answers for piecewise polynomials that
are near them, by a known error:

    python3 smooth.py BIN-DIRECTORY [--kinds KIND,...] [--problems N] [--seconds S] [--seed S]

taylor    exp is replaced by its Taylor polynomial, in random problems with one to three reals and a
          Boolean: cuts, pieces in the argument of exp, weights under conditions, probabilities
products  the same with small arguments that are products of forms. No closed form fits, so that the
          bound on the remainder of the quadrature is tested, far more finely than the digits asked for
splines   normal weights of a small network, against `gaussian(mean, deviation)` of `ciber query`,
          which has the normal density in cubic pieces

tails     exponentials and normal densities on unbounded cones, whose integrals are rational numbers

Exits with 1 if an enclosure misses, or is wider than it should be.
"""

import argparse
import random
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent))

import splines  # noqa: E402
import tails  # noqa: E402
import taylor  # noqa: E402
from programs import Missed, Programs  # noqa: E402

KINDS = {"taylor": taylor.compare, "products": taylor.compare_products, "splines": splines.compare,
         "tails": tails.compare}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=Path)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--problems", type=int, default=60, help="of each kind")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    programs = Programs(arguments.directory)
    stop = time.monotonic() + arguments.seconds
    count = dict.fromkeys(arguments.kinds.split(","), 0)
    for number in range(arguments.problems):
        for kind in count:
            if time.monotonic() > stop:
                break
            try:
                KINDS[kind](programs, random.Random(f"{arguments.seed}-{kind}-{number}"))
            except Missed as missed:
                sys.exit(f"{missed}\n{kind}, seed {arguments.seed}, problem {number}")
            count[kind] += 1
    print(f"{', '.join(f'{n} {kind}' for kind, n in count.items())}; none missed "
          f"({programs.enclosed} enclosures)")


if __name__ == "__main__":
    main()
