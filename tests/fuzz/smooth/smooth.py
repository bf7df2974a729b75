#!/usr/bin/env python3
"""Smooth weights against polynomial ones: exp is replaced by its Taylor polynomial, whose remainder is
known, and the exact answers of `wmi` must lie in the enclosures, give or take that remainder.

    python3 smooth.py BIN-DIRECTORY [--problems N] [--seed S]

Random problems in one to three reals and a Boolean: cuts, pieces in the argument of exp, weights under
conditions, probabilities. Exits with 1 if an enclosure misses, or is wider than it should be.
"""

import argparse
import random
import subprocess
import sys
from fractions import Fraction
from math import factorial
from pathlib import Path

DEGREE = 12
DIGITS = 8
# |e^t - p(t)| <= e / 13! for |t| <= 1, and e^t >= 1/e: relative to e^t.
REMAINDER = Fraction(8) / factorial(DEGREE + 1)


def literal(number):
    return f"(- {-number})" if number < 0 else str(number)


class Problem:
    def __init__(self, rng):
        self.rng = rng
        self.names = "xyz"[:rng.choice([1, 1, 2, 2, 2, 3])]
        cuts = [self.comparison() for _ in range(rng.randrange(3))]
        self.head = [f"(declare-const {name} Real)" for name in self.names]
        self.head += ["(declare-const b Bool)"]
        self.head += [f"(assert (<= (- 1) {name} 1))" for name in self.names]
        self.head += [f"(assert (or b {cut}))" if rng.random() < 0.5 else f"(assert {cut})"
                      for cut in cuts]
        self.argument = self.form()
        if rng.random() < 0.5:
            self.argument = f"(ite {rng.choice(['b', self.comparison()])} {self.argument} {self.form()})"
        if rng.random() < 0.4:  # not a ridge
            self.argument = f"(* {self.argument} {self.form()})"
        self.condition = rng.choice(["true", "b", "(not b)", self.comparison()])
        square = f"(* {self.form()} {self.form()})"
        self.polynomial = rng.choice(["1", f"(+ 2 {self.form()})", f"(+ 1 (* {square} {square}))"])
        self.query = rng.choice(["(get-wmi)", f"(get-wmi {self.comparison()})"])

    def comparison(self):
        bound = self.rng.choice([f"(/ {self.rng.randrange(0, 4)} 10)", "0", "(- 1)"])
        return f"({self.rng.choice(['<', '>='])} {self.form()} {bound})"

    def form(self):
        """A linear form, at most 1 in size on the box."""
        rng = self.rng
        numbers = [rng.randrange(-4, 5) for _ in self.names]
        total = sum(map(abs, numbers)) + 3
        terms = " ".join(f"(* {literal(n)} {name})" for n, name in zip(numbers, self.names))
        return f"(/ (+ {literal(rng.randrange(-3, 4))} {terms}) {total})"

    def text(self, smooth):
        lines = self.head + [f"(define-fun t () Real {self.argument})"]
        if smooth:
            value = "(exp t)"
        else:
            value = "(+ " + " ".join(f"(/ (^ t {k}) {factorial(k)})" for k in range(DEGREE + 1)) + ")"
        lines += [f"(weight {self.condition} {value})", f"(weight true {self.polynomial})", self.query]
        return "\n".join(lines) + "\n"


def ask(wmi, text, *options):
    done = subprocess.run([wmi, "--threads", "1", *options, "-"], input=text, capture_output=True,
                          text=True)
    if done.returncode != 0:
        sys.exit(f"{text}\n{done.stdout}{done.stderr}exit {done.returncode}")
    return done.stdout.strip()


def interval(answer):
    if answer.startswith("["):
        return [Fraction(end) for end in answer[1:-1].split(", ")]
    return [Fraction(answer.split(" = ")[0])] * 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=Path)
    parser.add_argument("--problems", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    wmi = arguments.directory / "wmi"
    enclosed = 0
    for number in range(arguments.problems):
        problem = Problem(random.Random(f"{arguments.seed}-{number}"))
        exact = Fraction(ask(wmi, problem.text(False), "--exact").split(" = ")[0])
        lower, upper = interval(ask(wmi, problem.text(True), "--digits", str(DIGITS)))
        slack = REMAINDER * abs(exact)
        if lower > exact + slack or upper < exact - slack:
            sys.exit(f"{problem.text(True)}seed {arguments.seed}, problem {number}: "
                     f"[{float(lower)}, {float(upper)}] misses {float(exact)}")
        if upper - lower > abs(exact) / 10**DIGITS:
            sys.exit(f"{problem.text(True)}seed {arguments.seed}, problem {number}: too wide")
        enclosed += lower != upper
    print(f"{arguments.problems} problems, {enclosed} of them enclosed; none missed")


if __name__ == "__main__":
    main()
