#!/usr/bin/env python3
"""planes.py N: a problem with N planes through a cube, on one side of which the weight is larger.

Its cells are many, 17 338 for N = 130, with weights of a high degree: docs/scale.md measures them.
"""

import sys


def planes(count):
    """The problem as SMT-LIB, with two queries."""
    lines = [
        "(declare-const x Real) (declare-const y Real) (declare-const z Real)",
        "(assert (and (<= 0 x 1) (<= 0 y 1) (<= 0 z 1)))",
    ]
    for i in range(1, count + 1):
        a, b, c = (i * 7) % 11, (i * 5) % 13, (i * 37) % 29
        form = f"(+ x (* (- {a} 5) y) (* (- {b} 6) z))"
        lines.append(f"(weight (< {form} (/ (- {c} 9) 7)) (+ 1 (/ x {i + 1})))")
    return "\n".join([*lines, "(get-wmi)", "(get-probability (< x y))"])


if __name__ == "__main__":
    print(planes(int(sys.argv[1])))
