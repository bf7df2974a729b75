#!/usr/bin/env python3
"""What problems with structure cost: chains, trees, stars, sums and ladders of n reals.

    tests/bench/structure.py build/bin/wmi [--only NAME ...] [--seconds S] [--picture FILE.svg]
        [--write FOLDER]

Prints for each problem the processor seconds and the peak megabytes of `wmi --threads 1`, the whole
process, and the same by a search of the whole (`--enumerator exact-split`) where that takes at most
S seconds. Problems are random with fixed seeds. --picture draws tables `tenths` and `unrelated`,
--write keeps the files. The tables of docs/performance.md, "Chains, trees and sums".
"""

import argparse
import math
import os
import random
import resource
import tempfile
from fractions import Fraction
from pathlib import Path

SEARCH = ("--enumerator", "exact-split")
DIGITS = ("--digits", "12")


def number(value):
    value = Fraction(value)
    text = str(abs(value.numerator)) + (f" {value.denominator}" if value.denominator != 1 else "")
    text = f"(/ {text})" if " " in text else text
    return f"(- {text})" if value < 0 else text


def total(terms):
    terms = list(terms)
    return f"(+ {' '.join(terms)})" if len(terms) > 1 else terms[0]


class Script:
    """An SMT-LIB script over n reals in [0, 1]."""

    def __init__(self, n, booleans=0):
        self.lines = [f"(declare-const x{i} Real)" for i in range(n)]
        self.lines += [f"(declare-const b{i} Bool)" for i in range(booleans)]
        self.lines += [f"(assert (<= 0 x{i} 1))" for i in range(n)]

    def at_most(self, i, j, bound):
        """x_j is at most so much above x_i."""
        self.lines.append(f"(assert {difference(i, j, bound)})")

    def text(self, *queries):
        return "\n".join([*self.lines, *(queries or ["(get-wmi)"])]) + "\n"


def difference(i, j, bound):
    return f"(<= (- x{j} x{i}) {number(bound)})"


def tenths(draw):
    return Fraction(draw.randint(1, 7), 10)


def unrelated(draw):
    return Fraction(draw.randint(10**5, 7 * 10**5), 10**6)


def squares(script, n, draw):
    """A weight of degree 2 on each real."""
    for i in range(n):
        a, b = draw.randint(1, 9), draw.randint(1, 9)
        script.lines.append(f"(weight true (+ (* {a} x{i} x{i}) {b}))")


def chain(n, bounds, booleans=False):
    draw = random.Random(n)
    script = Script(n, n - 1 if booleans else 0)
    for i in range(1, n):
        script.at_most(i - 1, i, bounds(draw))
        script.at_most(i, i - 1, bounds(draw))
        if booleans:
            one, other = difference(i - 1, i, bounds(draw)), difference(i, i - 1, bounds(draw))
            script.lines.append(f"(assert (ite b{i - 1} {one} {other}))")
            script.lines.append(f"(weight b{i - 1} (+ x{i} {draw.randint(1, 5)}))")
    return script


def tree(n, bounds, parent):
    """Weights of degree 2, and three constraints on each edge."""
    draw = random.Random(n)
    script = Script(n)
    for i in range(1, n):
        above = parent(draw, i)
        script.at_most(above, i, bounds(draw))
        script.at_most(i, above, bounds(draw))
        script.lines.append(f"(assert (<= (+ x{above} x{i}) {number(1 + bounds(draw))}))")
    squares(script, n, draw)
    return script


def any_before(draw, i):
    return draw.randrange(i)


def the_first(draw, i):
    return 0


def under_forms(k, forms, coefficient, weights=False):
    """A box below one or two linear forms, each with a bound in the middle of its range."""
    draw = random.Random(k)
    script = Script(k)
    for _ in range(forms):
        row = [coefficient(draw) for _ in range(k)]
        text = total(f"(* {number(a)} x{i})" for i, a in enumerate(row))
        bound = sum(row) / 2 + Fraction(1, 7)
        script.lines.append(f"(assert (<= {text} {number(bound)}))")
    if weights:
        squares(script, k, draw)
    return script


def one(draw):
    return Fraction(1)


def six_digits(draw):
    return Fraction(draw.randint(10**5, 10**6), 10**6)


def three_digits(draw):
    return Fraction(draw.randint(100, 999), 1000)


def ordered(n):
    """A Boolean chooses the direction of a chain, and weights."""
    draw = random.Random(n)
    script = Script(n, 1)
    for i in range(1, n):
        bound = tenths(draw)
        script.lines.append(f"(assert (ite b0 {difference(i - 1, i, bound)}"
                            f" {difference(i, i - 1, bound)}))")
    script.lines += [f"(weight b0 (+ x{i} 1))" for i in range(n)]
    return script


def choices(n, m):
    """A chain in which m Booleans choose a bound each, and weights of two reals far away."""
    draw = random.Random(100 * n + m)
    script = Script(n, m)
    for i in range(1, n):
        script.at_most(i - 1, i, tenths(draw))
    for j in range(m):
        i, far = 1 + j % (n - 1), (1 + j + n // 2) % n
        script.lines.append(f"(assert (ite b{j} {difference(i - 1, i, tenths(draw))}"
                            f" {difference(i, i - 1, tenths(draw))}))")
        script.lines += [f"(weight b{j} (+ x{k} 1))" for k in (far, (far + 3) % n)]
    return script


def states(n, bounds):
    """States of a real and a Boolean: a step depends on both Booleans, and so does its weight."""
    draw = random.Random(n)
    script = Script(n, n)
    for i in range(1, n):
        steps = [f"(ite b{i} {difference(i - 1, i, bounds(draw))}"
                 f" {difference(i, i - 1, bounds(draw))})" for _ in range(2)]
        script.lines.append(f"(assert (ite b{i - 1} {steps[0]} {steps[1]}))")
        script.lines.append(f"(weight (= b{i - 1} b{i}) {draw.randint(2, 9)})")
        script.lines.append(f"(weight b{i} (+ x{i} {draw.randint(1, 5)}))")
    return script


def ladder(n):
    """Two chains of n, with rungs: each rung is a pair that separates the rest."""
    draw = random.Random(n)
    script = Script(2 * n)
    for i in range(n):
        edges = [(2 * i, 2 * i + 1)]
        if i > 0:
            edges += [(2 * i - 2, 2 * i), (2 * i - 1, 2 * i + 1)]
        for one_end, other in edges:
            script.at_most(one_end, other, tenths(draw))
            script.at_most(other, one_end, tenths(draw))
    return script


SECOND = {"mean": "(get-expectation x1)", "probability": "(get-probability (<= x1 (/ 1 3)))"}


def two(script):
    return script.text("(get-wmi)", SECOND["probability"])


# By name of a table: what it shows, and rows (name, text, options, searched as well?).
def tables():
    def chains(ns, bounds, searched=0):
        return [(n, chain(n, bounds).text(), (), n <= searched) for n in ns]

    yield "tenths", "chains, constants in tenths", chains(
        (4, 6, 8, 10, 12, 20, 30, 50, 70, 100, 150, 200), tenths, 10)
    yield "unrelated", "chains, unrelated constants of six digits", chains(
        (4, 6, 8, 10, 12, 14, 20, 30), unrelated)
    yield "booleans", "a Boolean and a choice on each edge, two queries", [
        (f"tenths {n}", two(chain(n, tenths, True)), (), False) for n in (12, 50, 100)
    ] + [("unrelated 14", two(chain(14, unrelated, True)), (), False)]
    yield "trees", "weights of degree 2 and three constraints on each edge, two queries", [
        (f"{shape} {n}, {constants.__name__}", two(tree(n, constants, parent)), (), False)
        for shape, parent in (("tree", any_before), ("star", the_first))
        for n, constants in ((12, tenths), (50, tenths), (14, unrelated), (50, unrelated))
    ]
    yield "sums", "a box below one form", [
        ("sum of 12", under_forms(12, 1, one).text(), (), True),
        ("sum of 20", under_forms(20, 1, one).text(), (), False),
        ("sum of 20, weights of degree 2", under_forms(20, 1, one, True).text(), (), False),
        ("unrelated 20", under_forms(20, 1, six_digits).text(), (), False),
        ("unrelated 20, weights", under_forms(20, 1, six_digits, True).text(), (), False),
        ("sum of 40", under_forms(40, 1, one).text(), (), False),
        ("sum of 60", under_forms(60, 1, one).text(), (), False),
    ] + [(f"unrelated {k}, digits", under_forms(k, 1, six_digits).text(), DIGITS, False)
         for k in (30, 40, 60)]
    yield "two_cuts", "a box below two unrelated forms, coefficients of three digits", [
        (k, under_forms(k, 2, three_digits).text(), (), False) for k in (10, 12, 16, 20)
    ] + [(f"{k}, weights of degree 2", under_forms(k, 2, three_digits, True).text(), (), False)
         for k in (8, 12, 16, 20)]
    yield "cases", "a Boolean chooses the order of a chain", [
        (n, ordered(n).text(), (), n <= 10) for n in (8, 10, 14)
    ] + [(f"{n}, {m} choices", choices(n, m).text(), (), n <= 9)
         for n, m in ((8, 4), (9, 6), (10, 8), (12, 10))]
    yield "states", "a chain of states, each a real and a Boolean", [
        (f"{constants.__name__} {n}", states(n, constants).text("(get-wmi)",
         "(get-probability b1)", SECOND["mean"]), (), n <= 8)
        for constants, ns in ((tenths, (4, 6, 8, 10, 12, 50, 100)), (unrelated, (10, 14)))
        for n in ns]
    yield "ladders", "two chains of n with rungs", [
        (n, ladder(n).text(), (), n <= 5) for n in (3, 4, 5, 6, 8, 10, 20)]


def run(program, file, options, limit):
    """Processor seconds and megabytes of the program, or None if it took too long."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execv(program, [program, "--threads", "1", *options, str(file)])
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        return None
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def shown(found, limit):
    return f"not in {limit} s" if found is None else f"{found[0]:.3f} s, {found[1]:.0f} MB"


def picture(found, path, limit):
    """Seconds against n, both logarithmic."""
    left, right, top, bottom = 76, 690, 60, 360
    ns, decades = (4, 200), (-3, 1.5)

    def x(n):
        return left + (right - left) * math.log(n / ns[0]) / math.log(ns[1] / ns[0])

    def y(seconds):
        return bottom - (bottom - top) * (math.log10(seconds) - decades[0]) / (
            decades[1] - decades[0])

    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="720" height="420" '
           'viewBox="0 0 720 420">',
           "<title>seconds for a chain of n variables</title>",
           "<style>text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:13px;"
           "fill:#333}.title{font-size:17px;fill:#111}.grid{stroke:#e7e7e7;stroke-width:1}"
           ".axis{stroke:#333;stroke-width:1}.old{fill:none;stroke:#c0392b;stroke-width:2}"
           ".new{fill:none;stroke:#1f5fa8;stroke-width:2}"
           ".odd{fill:none;stroke:#1f5fa8;stroke-width:2;stroke-dasharray:6 4}</style>",
           '<rect width="100%" height="100%" fill="#fff"/>',
           '<text class="title" x="360" y="30" text-anchor="middle">'
           "processor seconds for a chain of n variables</text>"]
    for power in range(-3, 2):
        at = y(10.0**power)
        out.append(f'<line class="grid" x1="{left}" y1="{at:.1f}" x2="{right}" y2="{at:.1f}"/>'
                   f'<text x="{left - 8}" y="{at + 4.5:.1f}" text-anchor="end">'
                   f"{10.0**power:g} s</text>")
    for n in (4, 6, 8, 10, 12, 20, 30, 50, 100, 200):
        out.append(f'<line class="grid" x1="{x(n):.1f}" y1="{top}" x2="{x(n):.1f}" y2="{bottom}"/>'
                   f'<text x="{x(n):.1f}" y="{bottom + 18}" text-anchor="middle">{n}</text>')
    out.append(f'<line class="axis" x1="{left}" y1="{bottom}" x2="{right}" y2="{bottom}"/>'
               f'<line class="axis" x1="{left}" y1="{top}" x2="{left}" y2="{bottom}"/>')
    lines = {"old": {n: search for n, (_, search, _) in found["tenths"].items() if search},
             "new": {n: new for n, (new, _, _) in found["tenths"].items() if new},
             "odd": {n: new for n, (new, _, _) in found["unrelated"].items() if new}}
    late = [n for n, (_, search, tried) in found["tenths"].items() if tried and not search]
    remark = f" ({late[0]}: not in {limit} s)" if late else ""
    labels = {"old": f"search of the whole{remark}", "new": "messages, tenths",
              "odd": "messages, unrelated constants"}
    for name, points in lines.items():
        path_of = "L".join(f"{x(n):.1f} {y(each[0]):.1f}" for n, each in points.items())
        out.append(f'<path class="{name}" d="M{path_of}"/>')
        n, last = list(points.items())[-1]
        place = (x(n) + 10, y(last[0]) - 40, "start")
        if name == "new":
            place = (x(100), y(points[100][0]) + 32, "middle")
        elif name == "odd":
            place = (x(n), y(last[0]) - 12, "middle")
        out.append(f'<text x="{place[0]:.1f}" y="{place[1]:.1f}" text-anchor="{place[2]}">'
                   f"{labels[name]}</text>")
    out.append("</svg>")
    path.write_text("\n".join(out) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.write or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for name, title, rows in tables():
            if options.only and name not in options.only:
                continue
            print(f"\n{name}: {title}")
            for row, text, flags, searched in rows:
                file = folder / f"{name}-{str(row).replace(' ', '-').replace(',', '')}.smt2"
                file.write_text(text)
                new = run(options.program, file, flags, options.seconds)
                old = run(options.program, file, SEARCH, options.seconds) if searched else None
                found.setdefault(name, {})[row] = (new, old, searched)
                line = f"  {row}: {shown(new, options.seconds)}"
                if searched:
                    line += f"; a search of the whole {shown(old, options.seconds)}"
                print(line, flush=True)
    if options.picture:
        picture(found, options.picture, options.seconds)


if __name__ == "__main__":
    main()
