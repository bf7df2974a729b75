"""Random trees of related variables, of any size, against messages by interpolation.

Each variable but the first has a parent, and formulas and weights relate it to that one alone. So
the integral over all that hangs on a variable is a function of it: two numbers for a Boolean; for a
real a polynomial between the values at which two lines meet that bound the cells of its own plane,
which is found from its values at as many points as its degree asks for. Each value is an integral
along one line. Nothing is cut, and no antiderivative is composed with anything.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product as cartesian

from generate import Exact, Generator, law_below, ratio
from problem import at_most
from quadrature import solve_square
from scripts import compared
from syntax import Affine, Atom, Choice, Connective, Named, Product, Truth, number


def multiplied(a, b):
    result = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                result[i + j] += x * y
    return result


def at(polynomial, x):
    result = Fraction(0)
    for coefficient in reversed(polynomial):
        result = result * x + coefficient
    return result


def interpolated(points, values):
    """The coefficients of the polynomial through these points, by divided differences."""
    table = list(values)
    for step in range(1, len(points)):
        for i in range(len(points) - 1, step - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (points[i] - points[i - step])
    result = [Fraction(0)]
    for point, difference in zip(reversed(points), reversed(table)):
        result = multiplied(result, [-point, Fraction(1)])
        result[0] += difference
    while len(result) > 1 and result[-1] == 0:
        result.pop()
    return result


def along(term, x, booleans):
    """A term as a polynomial of the last coordinate, near a point in which it is one."""
    if isinstance(term, Named):
        return along(term.meaning, x, booleans)
    if isinstance(term, Choice):
        chosen = term.then if term.condition.holds(x, booleans) else term.otherwise
        return along(chosen, x, booleans)
    if isinstance(term, Product):
        result = [Fraction(1)]
        for factor in term.factors:
            result = multiplied(result, along(factor, x, booleans))
        return result
    rest = sum((a * b for a, b in zip(term.row[:-2], x[:-1])), term.row[-1])
    return [rest, term.row[-2]]


class Piecewise:
    """A function of one real: a polynomial between each two neighbouring knots, 0 outside."""

    def __init__(self, knots, polynomials):
        self.knots, self.polynomials = knots, polynomials

    def near(self, x):
        i = bisect_right(self.knots, x) - 1
        return self.polynomials[i] if 0 <= i < len(self.polynomials) else [Fraction(0)]

    def degree(self):
        return max((len(each) - 1 for each in self.polynomials), default=0)

    def joined(self):
        """Without knots at which nothing changes."""
        knots, polynomials = self.knots[:1], []
        for end, polynomial in zip(self.knots[1:], self.polynomials):
            if polynomials and polynomials[-1] == polynomial:
                knots[-1] = end
            else:
                knots.append(end)
                polynomials.append(polynomial)
        return Piecewise(knots, polynomials)

    def integral(self):
        total = Fraction(0)
        for start, end, polynomial in zip(self.knots, self.knots[1:], self.polynomials):
            primitive = [Fraction(0)] + [c / (k + 1) for k, c in enumerate(polynomial)]
            total += at(primitive, end) - at(primitive, start)
        return total


@dataclass
class Edge:
    """What relates a variable to its parent; a variable without one has an edge to nothing."""

    parent: int  # or None
    child: int
    names: tuple  # of the reals among both, the child's last
    booleans: tuple  # of this edge alone, then those among both, the child's last
    assertions: list = field(default_factory=list)
    weights: list = field(default_factory=list)
    derived: list = field(default_factory=list)

    def planes(self):
        nodes = self.assertions + [node for pair in self.weights for node in pair]
        return [row for node in nodes for row in node.planes()]

    def weight(self, x, booleans):
        """A polynomial of the last coordinate near x, or None where an assertion fails."""
        if not all(each.holds(x, booleans) for each in self.assertions):
            return None
        result = [Fraction(1)]
        for condition, value in self.weights:
            if condition.holds(x, booleans):
                result = multiplied(result, along(value, x, booleans))
        return result


class Tree:
    def __init__(self, boxes, edges):
        self.boxes = boxes  # a pair of bounds for each variable, or None for a Boolean
        self.edges = edges  # the edge of each variable to its parent

    def is_real(self, variable):
        return variable is not None and self.boxes[variable] is not None

    def text(self):
        names = [f"x{i}" if self.is_real(i) else f"b{i}" for i in range(len(self.boxes))]
        lines = [f"(declare-const {name} {'Real' if name[0] == 'x' else 'Bool'})" for name in names]
        derived = [each for edge in self.edges for each in edge.derived]
        for edge in self.edges:
            own = edge.booleans[:own_booleans(edge, self)]
            lines += [f"(declare-const {name} Bool)" for name in own]
        lines += [f"(declare-const {each.name} Real)" for each in derived]
        if derived:
            lines.append(f"(integrate {' '.join(name for name in names if name[0] == 'x')})")
        for name, box in zip(names, self.boxes):
            if box is not None:
                lines.append(f"(assert (<= {number(box[0])} {name} {number(box[1])}))")
        for each in derived:
            choice, condition = each.meaning, each.meaning.condition.text()
            lines.append(f"(assert (=> {condition} (= {each.name} {choice.then.text()})))")
            lines.append(f"(assert (or {condition} (= {each.name} {choice.otherwise.text()})))")
        for edge in self.edges:
            lines += [f"(assert {each.text()})" for each in edge.assertions]
            lines += [f"(weight {condition.text()} {value.text()})"
                      for condition, value in edge.weights]
        return "\n".join(lines) + "\n"

    def integral(self, event=None):
        """The integral over all variables; an event is a child's number and a formula or a weight
        on its edge."""
        messages = {}
        for child in reversed(range(1, len(self.boxes))):
            edge = with_event(self.edges[child], child, event)
            messages.setdefault(edge.parent, []).append(self.message(edge, messages.get(child, [])))
        edge = with_event(self.edges[0], 0, event)
        return self.value(edge, messages.get(0, []), None)

    def message(self, edge, incoming):
        if not self.is_real(edge.parent):
            return {value: self.value(edge, incoming, value) for value in (False, True)}
        knots = self.knots(edge, incoming)
        degree = sum(value.degree for _, value in edge.weights) + 1
        if self.is_real(edge.child):
            degree += sum(each.degree() for each in incoming)
        polynomials = []
        for start, end in zip(knots, knots[1:]):
            points = [start + (end - start) * Fraction(i + 1, degree + 2) for i in range(degree + 1)]
            values = [self.value(edge, incoming, point) for point in points]
            polynomials.append(interpolated(points, values))
        return Piecewise(knots, polynomials).joined()

    def knots(self, edge, incoming):
        """Of a real parent: its bounds, and where lines of the plane meet in between."""
        low, high = self.boxes[edge.parent]
        rows = set()
        for row in edge.planes():
            if any(row[:-1]):
                scale = next(entry for entry in row if entry != 0)
                rows.add(tuple(Fraction(entry) / scale for entry in row))
        found = {Fraction(low), Fraction(high)}
        if self.is_real(edge.child):
            levels = set(self.boxes[edge.child])
            for each in incoming:
                levels.update(each.knots)
            rows |= {(Fraction(0), Fraction(1), -Fraction(level)) for level in levels}
            found |= {meet[0] for meet in map(solve_square, combinations(rows, 2)) if meet}
        found |= {-row[-1] / row[0] for row in rows if row[0] and not any(row[1:-1])}
        return sorted(knot for knot in found if low <= knot <= high)

    def value(self, edge, incoming, at_parent):
        """The integral over the child, and the sum over the edge's Booleans."""
        total = Fraction(0)
        fixed = () if edge.parent is None or self.is_real(edge.parent) else (at_parent,)
        x = (at_parent,) if self.is_real(edge.parent) else ()
        for own in cartesian((False, True), repeat=own_booleans(edge, self)):
            if self.is_real(edge.child):
                total += self.line(edge, incoming, x, own + fixed)
                continue
            for child in (False, True):
                # Without a real of its own, the weight is a number here.
                number_ = edge_number(edge, x, own + fixed + (child,))
                for each in incoming:
                    number_ *= each[child]
                total += number_
        return total

    def line(self, edge, incoming, x, booleans):
        """The integral along the child's axis."""
        low, high = self.boxes[edge.child]
        ends = {Fraction(low), Fraction(high)}
        for row in edge.planes():
            if row[-2]:
                rest = sum((a * b for a, b in zip(row[:-2], x)), row[-1])
                ends.add(-rest / row[-2])
        for each in incoming:
            ends.update(each.knots if isinstance(each, Piecewise) else ())
        ends = sorted(end for end in ends if low <= end <= high)
        polynomials = []
        for start, end in zip(ends, ends[1:]):
            middle = (start + end) / 2
            polynomial = edge.weight(x + (middle,), booleans) or [Fraction(0)]
            for each in incoming:
                polynomial = multiplied(polynomial, each.near(middle))
            polynomials.append(polynomial)
        return Piecewise(ends, polynomials).integral()


def own_booleans(edge, tree):
    both = [each for each in (edge.parent, edge.child) if each is not None]
    return len(edge.booleans) - sum(not tree.is_real(each) for each in both)


def edge_number(edge, x, booleans):
    if not all(each.holds(x, booleans) for each in edge.assertions):
        return Fraction(0)
    result = Fraction(1)
    for condition, value in edge.weights:
        if condition.holds(x, booleans):
            result *= value.at(x, booleans)
    return result


def with_event(edge, child, event):
    if event is None or event[0] != child:
        return edge
    _, assertions, weights = event
    return Edge(edge.parent, edge.child, edge.names, edge.booleans, edge.assertions + assertions,
                edge.weights + weights, edge.derived)


class TreeLaw:
    """A law of a term of one edge, compared at some values."""

    def __init__(self, text, below, values):
        self.text, self.below, self.values = text, below, values

    def check(self, found):
        total = self.below(None)
        if total == 0:
            return None if found and "undefined" in found else "undefined expected"
        if not found or "pieces" not in found:
            return f"a law expected, not {found}"
        for value in self.values:
            expected = self.below(value) / total
            if law_below(found, value) != expected:
                return f"P(<= {value}) is {expected}, not {law_below(found, value)}: {found}"
        return None


class TreeGenerator(Generator):
    def tree(self):
        random = self.random
        count = random.choice([7, 8, 9, 10])
        spread = random.choice([1, 2, count])  # a chain, nearly one, any tree
        boxes, edges = [], []
        self.model = []  # of all assertions, most often
        for child in range(count):
            low = random.randint(-1, 0)
            boxes.append(None if random.random() < 0.12 and child else
                         (Fraction(low), low + Fraction(random.choice([2, 3, 4]), 2)))
            parent = random.randrange(max(0, child - spread), child) if child else None
            self.model.append(random.random() < 0.5 if boxes[child] is None else
                              boxes[child][0] + Fraction(random.randint(1, 96), 97) *
                              (boxes[child][1] - boxes[child][0]))
            edges.append(self.edge(boxes, parent, child))
        return Tree(boxes, edges)

    def edge(self, boxes, parent, child):
        random = self.random
        both = [each for each in (parent, child) if each is not None]
        names = tuple(f"x{each}" for each in both if boxes[each] is not None)
        own = (f"c{child}",) if random.random() < 0.25 else ()
        edge = Edge(parent, child, names,
                    own + tuple(f"b{each}" for each in both if boxes[each] is None))
        reals = ()
        if names and random.random() < 0.12:
            choice = Choice(self.formula(names, edge.booleans, 0), self.affine(names),
                            self.affine(names))
            edge.derived.append(Named(f"z{child}", choice))
            reals = tuple(edge.derived)
        if not names:
            if edge.booleans:
                edge.assertions.append(self.true(edge, self.formula((), edge.booleans, 0)))
            return edge
        for _ in range(random.choice([0, 1, 1, 1, 1, 2, 2])):
            edge.assertions.append(self.true(edge, self.near(edge, reals)))
        if random.random() < 0.35:
            condition = Truth() if random.random() < 0.5 else self.formula(names, edge.booleans, 0)
            edge.weights.append((condition, self.weight(names, edge.booleans)))
        return edge

    def true(self, edge, formula):
        """The formula or its negation, whichever holds in the model; rarely the other."""
        ends = [self.model[each] for each in (edge.parent, edge.child) if each is not None]
        x = tuple(each for each in ends if not isinstance(each, bool))
        booleans = tuple(each for each in ends if isinstance(each, bool))
        own = (True,) * (len(edge.booleans) - len(booleans))
        holds = formula.holds(x, own + booleans)
        return formula if holds == (self.random.random() < 0.98) else Connective("not", (formula,))

    def near(self, edge, reals):
        """A difference of two neighbours that is not far from 0, or any formula."""
        if len(edge.names) == 2 and self.random.random() < 0.5:
            sign = self.random.choice([-1, 1])
            form = Affine((Fraction(sign), Fraction(-sign), -Fraction(self.random.randint(1, 9), 10)),
                          edge.names)
            return Atom(form, False)
        return self.formula(edge.names, edge.booleans, 1 if self.random.random() < 0.3 else 0, reals)

    def tree_questions(self, tree):
        random = self.random
        result = [Exact("(get-wmi)", tree.integral)]
        for _ in range(2):
            child = random.randrange(len(tree.edges))
            edge = tree.edges[child]
            if not edge.names:
                continue
            event = self.formula(edge.names, edge.booleans, 1)
            term = self.affine(edge.names)
            value = Fraction(random.randint(-9, 9), 7)

            def below(value, child=child, term=term):
                event = None if value is None else (child, [at_most(term, value)], [])
                return tree.integral(event)

            def mean(child=child, term=term):
                return ratio(tree.integral((child, [], [(Truth(), term)])), tree.integral())
            result += [
                Exact(f"(get-probability {event.text()})", lambda child=child, event=event: ratio(
                    tree.integral((child, [event], [])), tree.integral())),
                Exact(f"(get-expectation {term.text()})", mean),
                Exact(f"(get-cdf {term.text()} :at {number(value)})",
                      lambda value=value, below=below: ratio(below(value), below(None)))]
            if random.random() < 0.5:
                result.append(TreeLaw(f"(get-distribution {term.text()})", below,
                                      [value, value + Fraction(1, 2)]))
        return list({each.text: each for each in result}.values())


WAYS = [[], ["--threads", "2"], ["--threads", "1"], ["--gap", "1/1000"], ["--digits", "6"],
        ["--timeout", "0.02"]]


def trees(programs, random, count):
    drawn = []
    for _ in range(count):
        generator = TreeGenerator(random)
        tree = generator.tree()
        drawn.append((tree, generator.tree_questions(tree)))
    way = random.choice(WAYS)
    if way and way[0] in ("--gap", "--timeout"):  # laws are exact or nothing
        for _, questions in drawn:
            questions[:] = [each for each in questions if isinstance(each, Exact)]
    return compared(programs, drawn, way)
