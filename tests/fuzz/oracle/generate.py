"""Random problems and questions, with the oracle's answers."""

from fractions import Fraction

from problem import Conjunction, Problem, at_most
from syntax import Affine, Atom, Boolean, Choice, Connective, Named, Product, Truth, number

ONE = Fraction(1)


class Generator:
    def __init__(self, random):
        self.random = random

    def coefficient(self):
        return Fraction(self.random.choice([-3, -2, -1, -1, 1, 1, 2, 3]),
                        self.random.choice([1, 1, 1, 2]))

    def affine(self, names, constant=True):
        row = [self.coefficient() if self.random.random() < 0.7 else Fraction(0) for _ in names]
        if names and not any(row):
            row[self.random.randrange(len(names))] = self.coefficient()
        row.append(Fraction(self.random.randint(-6, 6), self.random.choice([1, 2, 3]))
                   if constant else Fraction(0))
        return Affine(tuple(row), names)

    def real(self, names, booleans, depth=1):
        """A piecewise affine term."""
        if depth == 0 or self.random.random() < 0.5:
            return self.affine(names)
        return Choice(self.formula(names, booleans, 0), self.affine(names), self.affine(names))

    def formula(self, names, booleans, depth, reals=()):
        kind = self.random.random()
        if depth == 0 or kind < 0.3:
            if booleans and self.random.random() < 0.35:
                index = self.random.randrange(len(booleans))
                return Boolean(booleans[index], index)
            term = self.random.choice(reals) if reals and self.random.random() < 0.4 \
                else self.affine(names)
            return Atom(term, self.random.random() < 0.5)
        name = self.random.choice(["and", "or", "or", "not", "=>", "xor", "="])
        count = 1 if name == "not" else self.random.choice([2, 3]) if name in ("and", "or") else 2
        return Connective(name, tuple(self.formula(names, booleans, depth - 1, reals)
                                      for _ in range(count)))

    def weight(self, names, booleans):
        """Of a sign that may change with probability 1/4: then quantiles and bounds are refused."""
        def square():
            base = self.affine(names)
            return Product((base, base))
        kind = self.random.random()
        if kind < 0.3:
            return Affine((Fraction(0),) * len(names) + (Fraction(self.random.randint(1, 5), 2),),
                          names)
        if kind < 0.75:
            return square()
        return self.affine(names)

    def problem(self, dimension):
        names = tuple(f"x{i}" for i in range(dimension))
        count = self.random.choice([0, 1, 2]) if dimension < 3 else self.random.choice([0, 1])
        booleans = tuple(f"b{i}" for i in range(count))
        box = tuple((low, low + self.random.choice([1, 2, 3]))
                    for low in (self.random.randint(-2, 1) for _ in names))
        problem = Problem(names, box, booleans, [], [])
        reals = []
        if self.random.random() < 0.4:
            reals.append(Named("d", self.real(names, booleans)))
            problem.defined.append(reals[-1])
        if self.random.random() < 0.35 and dimension < 3:
            meaning = Choice(self.formula(names, booleans, 0), self.affine(names),
                             self.affine(names))
            reals.append(Named("z", meaning))
            problem.derived.append(reals[-1])
        for _ in range(self.random.choice([0, 1, 1, 2]) if dimension < 3 else 1):
            problem.assertions.append(
                self.formula(names, booleans, 2 if dimension < 3 else 1, reals))
        for _ in range(self.random.choice([0, 1, 1, 2])):
            condition = Truth() if self.random.random() < 0.4 \
                else self.formula(names, booleans, 0 if dimension > 1 else 1, reals)
            problem.weights.append((condition, self.weight(names, booleans)))
        if dimension == 2 and not problem.derived and self.random.random() < 0.15:
            at = self.random.randrange(dimension)
            low, high = box[at]
            problem.observed = (at, low + (high - low) * Fraction(self.random.randint(1, 96), 97))
        self.reals = reals
        return problem

    def questions(self, problem, count):
        return [self.question(problem) for _ in range(count)]

    def given(self, problem):
        if self.random.random() < 0.6:
            return Truth(), ""
        given = self.formula(problem.names, problem.booleans, 0, self.reals)
        return given, f" :given {given.text()}"

    def question(self, problem):
        random, names, booleans = self.random, problem.names, problem.booleans
        kinds = ["wmi", "event", "probability", "expectation", "variance", "moment", "cdf"]
        if len(names) == 1 or (len(names) == 2 and random.random() < 0.3):
            kinds += ["density", "distribution", "quantile"]
        kind = random.choice(kinds)
        given, condition = self.given(problem)
        term = random.choice(self.reals) if self.reals and random.random() < 0.4 \
            else self.real(names, booleans)
        if kind == "wmi":
            return Exact("(get-wmi)", lambda: problem.sums([one])[0])
        if kind == "event":
            event = self.formula(names, booleans, 1, self.reals)
            return Exact(f"(get-wmi {event.text()})", lambda: problem.sums([one], event)[0])
        if kind == "probability":
            event = self.formula(names, booleans, 1, self.reals)
            return Exact(f"(get-probability {event.text()}{condition})", lambda: ratio(
                problem.sums([one], Conjunction(event, given))[0], problem.sums([one], given)[0]))
        if kind in ("expectation", "variance", "moment"):
            if random.random() < 0.4:
                term = Product((term, self.affine(names)))
            order = {"expectation": 1, "variance": 2}.get(kind) or random.choice([2, 3])

            def answer():
                powers = [lambda x, b, k=k: term.at(x, b) ** k for k in range(order + 1)]
                sums = problem.sums(powers, given, [term], degree=order * term.degree)
                if sums[0] == 0:
                    return None
                if kind == "variance":
                    return sums[2] / sums[0] - (sums[1] / sums[0]) ** 2
                return sums[order] / sums[0]
            word = f" {order}" if kind == "moment" else ""
            return Exact(f"(get-{kind} {term.text()}{word}{condition})", answer)
        value = Fraction(random.randint(-40, 40), random.choice([3, 7, 11]))
        if kind == "cdf":
            return Exact(f"(get-cdf {term.text()} :at {number(value)}{condition})", lambda: ratio(
                problem.mass_below(term, value, given), problem.sums([one], given)[0]))
        if kind == "density":
            return Exact(f"(get-density {term.text()} :at {number(value)}{condition})",
                         lambda: density(problem, term, value, given), may_be_refused=True)
        if kind == "distribution":
            return Distribution(f"(get-distribution {term.text()}{condition})", problem, term, given)
        share = Fraction(random.randint(1, 20), 20)
        return Quantile(f"(get-quantile {term.text()} {number(share)}{condition})", problem, term,
                        given, share)


def one(x, booleans):
    return ONE


def ratio(a, b):
    return None if b == 0 else a / b


def stations(problem, term, given):
    """Values of the term between which its distribution function is a polynomial: those at all
    vertices of the arrangement."""
    from itertools import combinations, product as cartesian

    from quadrature import solve_square
    planes = problem.planes([given] + ([term] if term.planes() else []))
    n = len(problem.names)
    found = set()
    at = problem.observed
    if at is not None:
        planes = set(planes) | {tuple(Fraction(int(i == at[0])) for i in range(n)) +
                                (-Fraction(at[1]),)}
    for rows in combinations(planes, n):
        vertex = solve_square(rows)
        if vertex is not None:
            for row in term.pieces():
                found.add(sum((a * b for a, b in zip(row, vertex)), row[-1]))
    return sorted(found)


def density(problem, term, value, given):
    """The derivative of the distribution function, by interpolation where it is a polynomial;
    `REFUSED` at a point mass, None if the condition has mass 0."""
    total = problem.sums([one], given)[0]
    if total == 0:
        return None
    known = stations(problem, term, given)
    mass = problem.mass_below(term, value, given) - problem.sums(
        [one], Conjunction(at_most(term, value, strict=True), given))[0]
    if mass != 0:
        return REFUSED
    # At a jump the density is the limit from the right.
    end = min((each for each in known if each > value), default=None)
    if end is None or value < known[0]:
        return Fraction(0)
    degree = sum(each.degree for _, each in problem.weights) + len(problem.names)
    points = [value + (end - value) * Fraction(i + 1, degree + 3) for i in range(degree + 1)]
    masses = [problem.mass_below(term, point, given) for point in points]
    return derivative(points, masses, value) / total


def derivative(points, values, at):
    """Of the polynomial through these points."""
    total = Fraction(0)
    for i, (point, value) in enumerate(zip(points, values)):
        scale = Fraction(1)
        for j, other in enumerate(points):
            if j != i:
                scale /= point - other
        slope = Fraction(0)
        for left in range(len(points)):
            if left == i:
                continue
            part = Fraction(1)
            for j, other in enumerate(points):
                if j not in (i, left):
                    part *= at - other
            slope += part
        total += value * scale * slope
    return total


REFUSED = "refused"


class Exact:
    """A question with one number as its answer; None: undefined."""

    def __init__(self, text, answer, may_be_refused=False):
        self.text, self.answer, self.may_be_refused = text, answer, may_be_refused

    def check(self, found):
        """What is wrong with an answer in JSON, or None."""
        expected = self.answer()
        if expected == REFUSED:
            return None if found is None else f"{expected} expected, not {found}"
        if expected is None:
            return None if found and "undefined" in found else f"undefined expected, not {found}"
        return None if holds_number(found, expected) else f"{expected} expected, not {found}"


def holds_number(found, expected):
    if not found:
        return False
    if found.get("exact") is not None:
        return Fraction(found["exact"]) == expected
    lower, upper = found.get("lower"), found.get("upper")
    if lower is None and upper is None and not found.get("stopped"):
        return False
    return (lower is None or Fraction(lower) <= expected) and \
        (upper is None or expected <= Fraction(upper))


class Distribution:
    """A law, compared with the distribution function at random values."""

    def __init__(self, text, problem, term, given):
        self.text, self.problem, self.term, self.given = text, problem, term, given

    def check(self, found):
        total = self.problem.sums([one], self.given)[0]
        if total == 0:
            return None if found and "undefined" in found else "undefined expected"
        if not found or "pieces" not in found:
            return f"a law expected, not {found}"
        known = stations(self.problem, self.term, self.given)
        middle = (known[0] + known[-1]) / 2
        for value in {known[0], middle + Fraction(1, 7), known[len(known) // 2], known[-1] + 1}:
            expected = self.problem.mass_below(self.term, value, self.given) / total
            if law_below(found, value) != expected:
                return f"P(<= {value}) is {expected}, not {law_below(found, value)}: {found}"
        return None


def law_below(law, value):
    total = sum(Fraction(atom["mass"]) for atom in law["atoms"] if Fraction(atom["at"]) <= value)
    for piece in law["pieces"]:
        start, end = Fraction(piece["from"]), min(Fraction(piece["to"]), value)
        if end > start:
            for power, c in enumerate(piece["coefficients"]):
                total += Fraction(c) * (end ** (power + 1) - start ** (power + 1)) / (power + 1)
    return total


class Quantile:
    def __init__(self, text, problem, term, given, share):
        self.text, self.problem, self.term, self.given = text, problem, term, given
        self.share = share

    def check(self, found):
        total = self.problem.sums([one], self.given)[0]
        if total == 0:
            return None if found and "undefined" in found else "undefined expected"
        if not found:
            return None  # refused: the law is negative somewhere
        if total < 0:
            return None
        exact = found.get("exact")
        lower = Fraction(exact if exact is not None else found["lower"])
        upper = Fraction(exact if exact is not None else found["upper"])
        above = self.problem.mass_below(self.term, upper, self.given) / total
        below = self.problem.sums(
            [one], Conjunction(at_most(self.term, lower, strict=True), self.given))[0] / total
        if above < self.share or below > self.share:
            return f"P(<= {upper}) = {above}, P(< {lower}) = {below}, asked {self.share}: {found}"
        return None
