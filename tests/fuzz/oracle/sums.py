"""Laws of sums of independent reals, against the formula of inclusion and exclusion: the volume of
a box below a hyperplane is an alternating sum over the corners of the box."""

from fractions import Fraction
from itertools import product
from math import factorial

from generate import law_below
from syntax import number


def below(coefficients, box, value):
    """P(sum a_i x_i <= value) for independent x_i, uniform on [low_i, high_i]."""
    # Shift and mirror: x_i = low_i + w_i t_i, and t_i -> 1 - t_i where the coefficient is negative.
    scales = []
    for a, (low, high) in zip(coefficients, box):
        value -= a * (low if a > 0 else high)
        scales.append(abs(a) * (high - low))
    n = len(scales)
    total = Fraction(0)
    for corner in product((0, 1), repeat=n):
        rest = value - sum(scale for scale, bit in zip(scales, corner) if bit)
        if rest > 0:
            total += (-1) ** sum(corner) * rest ** n
    volume = Fraction(factorial(n))
    for scale in scales:
        volume *= scale
    return total / volume


def sums(programs, random, count):
    texts, asked = [], []
    for _ in range(count):
        n = random.randint(1, 6)
        box = [(Fraction(low), low + Fraction(random.randint(1, 5), 2))
               for low in (random.randint(-2, 2) for _ in range(n))]
        coefficients = [Fraction(random.choice([-3, -2, -1, 1, 2, 3]), random.choice([1, 2]))
                        for _ in range(n)]
        term = f"(+ 0 {' '.join(f'(* {number(a)} x{i})' for i, a in enumerate(coefficients))})"
        least = sum(min(a * low, a * high) for a, (low, high) in zip(coefficients, box))
        most = sum(max(a * low, a * high) for a, (low, high) in zip(coefficients, box))
        values = [least + (most - least) * Fraction(random.randint(-2, 42), 40) for _ in range(4)]
        lines = [f"(declare-const x{i} Real)\n(assert (<= {number(low)} x{i} {number(high)}))"
                 for i, (low, high) in enumerate(box)]
        queries = [f"(get-cdf {term} :at {number(value)})" for value in values]
        queries.append(f"(get-distribution {term})")
        texts.append("\n".join(lines + queries) + "\n")
        asked.append((coefficients, box, values, queries))
    found, errors = programs.answers(texts)
    compared = 0
    for text, (coefficients, box, values, queries), answers in zip(texts, asked, found):
        law = answers.get(queries[-1], [None])[0]
        for value, query in zip(values, queries):
            expected = below(coefficients, box, value)
            answer = answers.get(query, [None])[0]
            compared += 2
            if answer is None or law is None or Fraction(answer["exact"]) != expected or \
                    law_below(law, value) != expected:
                return compared, f"{text}{query}: {expected} expected, not {answer} {law}\n{errors}"
    return compared, None
