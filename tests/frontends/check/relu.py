#!/usr/bin/env python3
"""A layer of ReLUs with unknown weights, as a problem.

    relu.py UNKNOWNS UNITS [SEED]

Each unit is the positive part of an affine form in the unknowns, which are uniform on [-1, 1]; the
output is a sum of units. Asks for its mean, variance, a probability and a density.
"""

import random
import sys


def main(unknowns, units, seed=1):
    draw = random.Random(seed)

    def number():
        n = draw.randint(-9, 9)
        return "(/ %d 4)" % n if n >= 0 else "(- (/ %d 4))" % -n

    for i in range(unknowns):
        print("(declare-const w%d Real) (assert (<= (- 1) w%d 1))" % (i, i))
    for j in range(units):
        terms = " ".join("(* %s w%d)" % (number(), i) for i in range(unknowns))
        print("(define-fun a%d () Real (+ %s %s))" % (j, number(), terms))
        print("(define-fun z%d () Real (ite (> a%d 0) a%d 0))" % (j, j, j))
    output = " ".join("(* %s z%d)" % (number(), j) for j in range(units))
    print("(define-fun out () Real (+ 0 %s))" % output)
    print("(get-expectation out) (get-variance out) (get-probability (> out 1))")
    print("(get-density out :at 0.5)")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
