#!/usr/bin/env python3
"""A second checker of certificates (docs/certificate.md), for small ones.

    check.py [FILE.smt2] CERTIFICATE

Without FILE, against the problem that the certificate carries.
It shares nothing with wmi-check: it reads SMT-LIB by itself, evaluates terms on syntax trees, and
integrates by substitution onto the standard simplex. Numbers are fractions. Prints the certified
answers, one line each; exit status 0 accepted, 4 rejected, 1 bad input.
"""

import sys
from fractions import Fraction
from itertools import product as every
from math import factorial, gcd


class Rejected(Exception):
    pass


# ---------------------------------------------------------------- numbers of the certificate

class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        if self.at >= len(self.data):
            raise Rejected("ends too early")
        self.at += 1
        return self.data[self.at - 1]

    def natural(self):
        value = shift = 0
        while True:
            group = self.byte()
            value |= (group & 127) << shift
            if group < 128:
                if group == 0 and shift > 0:
                    raise Rejected("a number has a leading zero")
                return value
            shift += 7

    def integer(self):
        code = self.natural()
        return code // 2 if code % 2 == 0 else -(code + 1) // 2

    def rational(self):
        numerator, denominator = self.integer(), self.natural()
        if denominator == 0:
            raise Rejected("a denominator is 0")
        return Fraction(numerator, denominator)

    def form(self, variables):
        """A linear form as {variable: coefficient}, the constant under None."""
        result, last = {}, -1
        for _ in range(self.natural()):
            variable, coefficient = self.natural(), self.integer()
            if not last < variable < variables or coefficient == 0:
                raise Rejected("a form is malformed")
            result[variable] = Fraction(coefficient)
            last = variable
        result[None] = Fraction(self.integer())
        if len(result) == 1:
            raise Rejected("a form is constant")
        return result


# ---------------------------------------------------------------- polynomials: {monomial: number}
# A monomial is a tuple of (variable, exponent), by variable.

def constant(number):
    return {(): Fraction(number)} if number else {}


def variable(index):
    return {((index, 1),): Fraction(1)}


def add(a, b, factor=1):
    result = dict(a)
    for monomial, coefficient in b.items():
        result[monomial] = result.get(monomial, 0) + factor * coefficient
        if result[monomial] == 0:
            del result[monomial]
    return result


def multiply(a, b):
    result = {}
    for m, c in a.items():
        for n, d in b.items():
            exponents = dict(m)
            for v, e in n:
                exponents[v] = exponents.get(v, 0) + e
            key = tuple(sorted(exponents.items()))
            result[key] = result.get(key, 0) + c * d
    return {m: c for m, c in result.items() if c != 0}


def combine(operator, values):
    """+, -, * or / of polynomials; divisors are constant."""
    if operator == "-" and len(values) == 1:
        return add({}, values[0], -1)
    result = values[0]
    for value in values[1:]:
        if operator in "+-":
            result = add(result, value, 1 if operator == "+" else -1)
        else:
            result = multiply(result, value if operator == "*" else constant(1 / value[()]))
    return result


def power(a, exponent):
    result = constant(1)
    for _ in range(exponent):
        result = multiply(result, a)
    return result


def substitute(polynomial, values):
    result = {}
    for monomial, coefficient in polynomial.items():
        term = constant(coefficient)
        for v, e in monomial:
            term = multiply(term, power(values[v] if v in values else variable(v), e))
        result = add(result, term)
    return result


def is_number(polynomial):
    return all(monomial == () for monomial in polynomial)


def linear(polynomial):
    """As a form {variable: coefficient, None: constant}; nothing if it is not linear."""
    result = {None: Fraction(0)}
    for monomial, coefficient in polynomial.items():
        if monomial == ():
            result[None] = coefficient
        elif len(monomial) == 1 and monomial[0][1] == 1:
            result[monomial[0][0]] = coefficient
        else:
            return None
    return result


def normal(form):
    """The form times a positive or negative number, and the sign of that number."""
    lead = form[min(v for v in form if v is not None)]
    return tuple(sorted(((-1 if v is None else v), c / lead) for v, c in form.items() if
                        v is None or c != 0)), (1 if lead > 0 else -1)


# ---------------------------------------------------------------- SMT-LIB

def tokens(text):
    i = 0
    while i < len(text):
        c = text[i]
        if c in " \t\r\n":
            i += 1
        elif c == ";":
            while i < len(text) and text[i] != "\n":
                i += 1
        elif c in "()":
            yield c
            i += 1
        elif c == '"':
            j = text.index('"', i + 1)
            yield text[i:j + 1]
            i = j + 1
        elif c == "|":
            j = text.index("|", i + 1)
            yield text[i + 1:j]
            i = j + 1
        else:
            j = i
            while j < len(text) and text[j] not in ' \t\r\n();"|':
                j += 1
            yield text[i:j]
            i = j


def parse(text):
    stack = [[]]
    for token in tokens(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


def literal(word):
    if not word[0].isdigit():
        return None
    return Fraction(word)


class Scope:
    """What is declared, and what has been said, at a place of the script."""

    def __init__(self):
        self.names = {}  # -> ("real", key) | ("bool", key) | ("macro", parameters, body)
        self.reals, self.booleans = [], []  # names, in order
        self.assertions, self.weights, self.observations = [], [], {}
        self.integrated, self.measured = [], False

    def copy(self):
        other = Scope()
        for name, value in vars(self).items():
            setattr(other, name, value if isinstance(value, bool) else value.copy())
        return other


def read_script(text):
    """The tasks: (scope, queries). A query is (kind, arguments, options)."""
    scope, scopes, tasks, queries, asked = Scope(), [], [], [], False

    def flush():
        nonlocal queries
        if queries:
            tasks.append((scope.copy(), queries))
            queries = []

    for command in parse(text):
        head = command[0]
        if head in ("declare-const", "declare-fun"):
            flush()
            kind = command[-1]
            scope.names[command[1]] = ("real" if kind == "Real" else "bool", command[1])
            (scope.reals if kind == "Real" else scope.booleans).append(command[1])
        elif head == "define-const":
            scope.names[command[1]] = ("macro", [], command[3], dict(scope.names))
        elif head == "define-fun":
            scope.names[command[1]] = ("macro", [p[0] for p in command[2]], command[4],
                                       dict(scope.names))
        elif head == "assert":
            flush()
            name_terms(command[1], scope.names)
            scope.assertions.append((command[1], dict(scope.names)))
        elif head == "weight":
            flush()
            scope.weights.append((command[1], command[2], dict(scope.names)))
        elif head == "integrate":
            flush()
            scope.measured = True
            scope.integrated.extend(command[1:])
        elif head == "observe":
            flush()
            value = Evaluation({}, {}, lambda form: None).term(command[2], {})
            scope.observations[command[1]] = value.get((), Fraction(0))
        elif head == "push":
            for _ in range(int(command[1]) if len(command) > 1 else 1):
                scopes.append(scope.copy())
        elif head == "pop":
            flush()
            for _ in range(int(command[1]) if len(command) > 1 else 1):
                scope = scopes.pop()
        elif head.startswith("get-") or head in ("check-sat", "echo"):
            asked = True
            arguments, options, i = [], {}, 1
            while i < len(command):
                if command[i] in (":given", ":at"):
                    options[command[i]] = command[i + 1]
                    i += 1
                else:
                    arguments.append(command[i])
                i += 1
            queries.append((head, arguments, options, dict(scope.names)))
        elif head == "exit":
            break
        elif head not in ("set-logic", "set-info", "set-option"):
            raise ValueError("unknown command " + str(head))
    if not asked:
        queries.append(("get-wmi", [], {}, dict(scope.names)))
    flush()
    return tasks


def name_terms(term, names):
    """(! t :named n) makes a name of t."""
    if isinstance(term, list):
        for part in term:
            name_terms(part, names)
        if term and term[0] == "!" and ":named" in term:
            names[term[term.index(":named") + 1]] = ("macro", [], term[1], dict(names))


# ---------------------------------------------------------------- evaluation

class Evaluation:
    """Formulas as True, False or None (unknown), terms as polynomials or None.

    reals: name -> polynomial; booleans: name -> bool, if known; sign(form): -1, 1, 0 or None, for a
    form that is not constant; 2 says "not 0"."""

    def __init__(self, reals, booleans, sign):
        self.reals, self.booleans, self.sign = reals, booleans, sign

    def look_up(self, word, names):
        entry = names.get(word)
        if entry is None:
            raise ValueError("'%s' is not declared" % word)
        return entry

    def bind(self, entry, arguments, names):
        _, parameters, body, scope = entry
        inner = dict(scope)
        for parameter, argument in zip(parameters, arguments):
            inner[parameter] = ("macro", [], argument, names)
        return body, inner

    def let(self, term, names):
        inner = dict(names)
        for name, value in term[1]:
            inner[name] = ("macro", [], value, names)
        return term[2], inner

    def is_formula(self, term, names):
        if isinstance(term, str):
            if term in ("true", "false"):
                return True
            if literal(term) is not None:
                return False
            entry = self.look_up(term, names)
            if entry[0] == "macro":
                return self.is_formula(*self.bind(entry, [], names))
            return entry[0] == "bool"
        head = term[0]
        if head in ("not", "and", "or", "=>", "xor", "=", "distinct", "<", "<=", ">", ">="):
            return True
        if head in ("+", "-", "*", "/", "^", "pow"):
            return False
        if head == "ite":
            return self.is_formula(term[2], names)
        if head == "!":
            return self.is_formula(term[1], names)
        if head == "let":
            return self.is_formula(*self.let(term, names))
        return self.is_formula(*self.bind(self.look_up(head, names), term[1:], names))

    def formula(self, term, names):
        if isinstance(term, str):
            if term in ("true", "false"):
                return term == "true"
            entry = self.look_up(term, names)
            if entry[0] == "macro":
                return self.formula(*self.bind(entry, [], names))
            return self.booleans.get(entry[1])
        head, rest = term[0], term[1:]
        if head == "not":
            return self.negated(self.formula(rest[0], names))
        if head in ("and", "or"):
            values = [self.formula(part, names) for part in rest]
            short = head == "or"
            return short if short in values else None if None in values else not short
        if head == "=>":
            value = self.formula(rest[-1], names)
            for part in reversed(rest[:-1]):
                condition = self.formula(part, names)
                value = (True if value is True or condition is False
                         else None if condition is None or value is None else value)
            return value
        if head == "xor":
            values = [self.formula(part, names) for part in rest]
            return None if None in values else sum(values) % 2 == 1
        if head == "ite":
            condition = self.formula(rest[0], names)
            if condition is not None:
                return self.formula(rest[1] if condition else rest[2], names)
            first, second = self.formula(rest[1], names), self.formula(rest[2], names)
            return first if first == second else None
        if head == "!":
            return self.formula(rest[0], names)
        if head == "let":
            return self.formula(*self.let(term, names))
        if head in ("=", "distinct") and self.is_formula(rest[0], names):
            values = [self.formula(part, names) for part in rest]
            if None in values:
                return None
            if head == "=":
                return len(set(values)) == 1
            return len(set(values)) == len(values)
        if head in ("=", "<", "<=", ">", ">="):
            return self.all(self.compare(head, a, b, names) for a, b in zip(rest, rest[1:]))
        if head == "distinct":
            return self.all(self.negated(self.compare("=", rest[i], rest[j], names))
                            for j in range(len(rest)) for i in range(j))
        return self.formula(*self.bind(self.look_up(head, names), rest, names))

    @staticmethod
    def negated(value):
        return None if value is None else not value

    @staticmethod
    def all(values):
        values = list(values)
        return False if False in values else None if None in values else True

    def compare(self, how, a, b, names):
        left, right = self.term(a, names), self.term(b, names)
        if left is None or right is None:
            return None
        if how in (">", ">="):
            left, right, how = right, left, "<" + how[1:]
        difference = add(left, right, -1)
        if is_number(difference):
            value = difference.get((), Fraction(0))
            return value == 0 if how == "=" else value < 0 if how == "<" else value <= 0
        form = linear(difference)
        if form is None:
            raise ValueError("a comparison is not linear")
        sign = self.sign(form)
        if how == "=":
            return False if sign in (-1, 1, 2) else True if sign == 0 else None
        return True if sign == -1 else False if sign == 1 else None

    def term(self, term, names):
        if isinstance(term, str):
            number = literal(term)
            if number is not None:
                return constant(number)
            entry = self.look_up(term, names)
            if entry[0] == "macro":
                return self.term(*self.bind(entry, [], names))
            return self.reals[entry[1]]
        head, rest = term[0], term[1:]
        if head == "ite":
            condition = self.formula(rest[0], names)
            if condition is not None:
                return self.term(rest[1] if condition else rest[2], names)
            first, second = self.term(rest[1], names), self.term(rest[2], names)
            return first if first is not None and first == second else None
        if head == "!":
            return self.term(rest[0], names)
        if head == "let":
            return self.term(*self.let(term, names))
        if head in ("^", "pow"):
            base = self.term(rest[0], names)
            return None if base is None else power(base, int(rest[1]))
        if head in ("+", "-", "*", "/"):
            values = [self.term(part, names) for part in rest]
            if head == "*" and {} in values:
                return {}
            if None in values:
                return None
            return combine(head, values)
        return self.term(*self.bind(self.look_up(head, names), rest, names))


# ---------------------------------------------------------------- cells

def solve(matrix, right):
    """The solution of a square system; nothing if it has none or many."""
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    n = len(rows)
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [entry / rows[k][k] for entry in rows[k]]
        for i in range(n):
            if i != k and rows[i][k] != 0:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k])]
    return [row[n] for row in rows]


def determinant(matrix):
    rows, result = [list(row) for row in matrix], Fraction(1)
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            result = -result
        result *= rows[k][k]
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return result


def barycentric(simplex, point):
    matrix = [[Fraction(1)] * len(simplex)]
    matrix += [[corner[j] for corner in simplex] for j in range(len(point))]
    return solve(matrix, [Fraction(1)] + list(point))


def standard_integral(polynomial, dimension):
    """Over the standard simplex: of u^k it is k! / (d + |k|)!."""
    total = Fraction(0)
    for monomial, coefficient in polynomial.items():
        top, degree = 1, 0
        for _, exponent in monomial:
            top *= factorial(exponent)
            degree += exponent
        total += coefficient * Fraction(top, factorial(dimension + degree))
    return total


class Block:
    def __init__(self, reader, allowed):
        self.coordinates = [reader.natural() for _ in range(reader.natural())]
        if not self.coordinates or sorted(set(self.coordinates)) != self.coordinates or \
                not set(self.coordinates) <= allowed:
            raise Rejected("the coordinates of a block are wrong")
        self.vertices = []
        for _ in range(reader.natural()):
            q = reader.natural()
            if q == 0:
                raise Rejected("a vertex has the denominator 0")
            self.vertices.append([Fraction(reader.integer(), q) for _ in self.coordinates])
        if not self.vertices:
            raise Rejected("a block has no vertices")

    def at(self, form, vertex, with_constant=True):
        value = form[None] if with_constant else Fraction(0)
        for place, coordinate in enumerate(self.coordinates):
            value += form.get(coordinate, 0) * self.vertices[vertex][place]
        return value

    def check(self, rows):
        """Divides the hull of the vertices into simplices, and checks that these tile the region:
        then the vertices are all there are."""
        for row in rows:
            if any(self.at(row, v) > 0 for v in range(len(self.vertices))):
                raise Rejected("a vertex is not in the region of its path")
        tight = [frozenset(v for v in range(len(self.vertices)) if self.at(row, v) == 0)
                 for row in rows]
        self.simplices = self.triangulated(frozenset(range(len(self.vertices))), tight, {})
        if not self.simplices or any(len(s) != len(self.coordinates) + 1 for s in self.simplices):
            raise Rejected("a cell is not the hull of its vertices")
        inner = {}
        for simplex in self.simplices:
            corners = [self.vertices[v] for v in simplex]
            for omitted in simplex:
                facet = tuple(v for v in simplex if v != omitted)
                if any(all(self.at(row, v) == 0 for v in facet) for row in rows):
                    continue
                inner.setdefault(facet, []).append(omitted)
            if determinant([[a - b for a, b in zip(c, corners[0])] for c in corners[1:]]) == 0:
                raise Rejected("a simplex has no volume")
        for facet, opposite in inner.items():
            if len(opposite) != 2:
                raise Rejected("a facet is neither shared by two nor on the boundary")
            # The weight of one simplex's apex with respect to the other must be negative.
            apexes = [self.vertices[v] for v in opposite]
            corners = [apexes[0]] + [self.vertices[v] for v in facet]
            if barycentric(corners, apexes[1])[0] >= 0:
                raise Rejected("two simplices lie on the same side of a facet")
        first = [self.vertices[v] for v in self.simplices[0]]
        middle = [sum(entries) / len(first) for entries in zip(*first)]
        for simplex in self.simplices[1:]:
            if min(barycentric([self.vertices[v] for v in simplex], middle)) >= 0:
                raise Rejected("two simplices overlap")

    def triangulated(self, face, tight, known):
        """By pyramids over the facets without the first vertex. A face is a set of vertices, a facet
        a largest part of it that a row cuts out. Nothing here is trusted: see `check`."""
        if face not in known:
            cuts = {face & row for row in tight} - {face, frozenset()}
            facets = [cut for cut in cuts if not any(cut < other for other in cuts)]
            apex = min(face)
            known[face] = [sorted([apex] + simplex) for facet in facets if apex not in facet
                           for simplex in self.triangulated(facet, tight, known)] or [[apex]]
        return known[face]

    def integrate(self, polynomial, form=None):
        """The integral over the block, as a polynomial in what other coordinates there are; or over
        the slice form = 0, divided by the length of the form's gradient."""
        result = {}
        for simplex in self.simplices:
            corners = simplex if form is None else [v for v in simplex if self.at(form, v) == 0]
            dimension = len(self.coordinates) - (form is not None)
            if len(corners) != dimension + 1:
                continue
            points = [self.vertices[v] for v in corners]
            edges = [[a - b for a, b in zip(p, points[0])] for p in points[1:]]
            scale = Fraction(1)
            if form is not None:  # without one coordinate that the form has
                gone = next(i for i, c in enumerate(self.coordinates) if form.get(c, 0) != 0)
                scale /= abs(form[self.coordinates[gone]])
                volume = [[e for i, e in enumerate(edge) if i != gone] for edge in edges]
            else:
                volume = edges
            scale *= abs(determinant(volume))
            values = {}
            for place, coordinate in enumerate(self.coordinates):
                value = constant(points[0][place])
                for k, edge in enumerate(edges):
                    if edge[place] != 0:
                        value = add(value, multiply(constant(edge[place]), variable(("u", k))))
                values[coordinate] = value
            for monomial, coefficient in polynomial.items():
                own = tuple(p for p in monomial if p[0] in values)
                rest = tuple(p for p in monomial if p[0] not in values)
                part = substitute({own: coefficient}, values)
                result = add(result, {rest: scale * standard_integral(part, dimension)})
        return {m: c for m, c in result.items() if c != 0}


class Cell:
    def __init__(self, reader, dimensions, rows):
        self.blocks, left = [], set(dimensions)
        for _ in range(reader.natural()):
            self.blocks.append(Block(reader, left))
            left -= set(self.blocks[-1].coordinates)
        if left:
            raise Rejected("the blocks do not share out the integrated reals")
        own = [[] for _ in self.blocks]
        for row in rows:
            touched = self.touched(row)
            if len(touched) == 1:
                own[touched[0]].append(row)
        for block, its in zip(self.blocks, own):
            block.check(its)
        for row in rows:
            if self.side(row) != -1:
                raise Rejected("a cell is not within a halfspace of its path")

    def touched(self, form):
        return [i for i, block in enumerate(self.blocks)
                if any(form.get(c, 0) != 0 for c in block.coordinates)]

    def range(self, form):
        """The least and the greatest value; nothing if the form has other reals."""
        here = {c for block in self.blocks for c in block.coordinates}
        if any(v is not None and c != 0 and v not in here for v, c in form.items()):
            return None
        low = high = form[None]
        for block in self.blocks:
            values = [block.at(form, v, False) for v in range(len(block.vertices))]
            low, high = low + min(values), high + max(values)
        return low, high

    def side(self, form):
        found = self.range(form)
        return None if found is None else -1 if found[1] <= 0 else 1 if found[0] >= 0 else None

    def integral(self, polynomial, form=None):
        sliced = self.touched(form) if form else []
        if form and len(sliced) != 1:
            return Fraction(0)
        for i, block in enumerate(self.blocks):
            polynomial = block.integrate(polynomial, form if [i] == sliced else None)
        return polynomial.get((), Fraction(0))


# ---------------------------------------------------------------- intervals: (lower, upper)

def plus(a, b):
    return a[0] + b[0], a[1] + b[1]


def times(a, b):
    ends = [x * y for x in a for y in b]
    return min(ends), max(ends)


def hull(a, b):
    return min(a[0], b[0]), max(a[1], b[1])


def extent(a, b):
    """Sums of products of numbers of a and b, whichever of them are left out: what is above 0 and
    what is below, added up apart."""
    p, n, q, m = max(a[1], 0), max(-a[0], 0), max(b[1], 0), max(-b[0], 0)
    return -(p * m + n * q), p * q + n * m


def to_power(a, exponent):
    ends = sorted(x ** exponent for x in a)
    return (Fraction(0) if exponent % 2 == 0 and exponent > 0 and a[0] <= 0 <= a[1] else ends[0],
            ends[1])


def over(a, b):
    return times(a, (1 / b[1], 1 / b[0]))


class Ranges:
    """Intervals that hold all values of terms on a cell. A term is a polynomial in reals and in its
    choices (ite), which are numbered from `first` on."""

    first = 10 ** 9

    def __init__(self, evaluation, cell):
        self.evaluation, self.cell = evaluation, cell
        self.numbers, self.choices, self.scopes = {}, [], {}

    def inner(self, key, kept, make):
        """The same scope for the same place, so that a choice is one symbol wherever it stands."""
        if key not in self.scopes:
            self.scopes[key] = make(), kept
        return self.scopes[key][0]

    def written(self, term, names):
        ev = self.evaluation
        if isinstance(term, str):
            if literal(term) is not None:
                return constant(literal(term))
            entry = ev.look_up(term, names)
            if entry[0] != "macro":
                return ev.reals[entry[1]]
            return self.written(*self.inner(id(entry), entry, lambda: ev.bind(entry, [], names)))
        head, rest = term[0], term[1:]
        if head == "ite":
            key = id(term), id(names)
            if key not in self.numbers:
                self.numbers[key] = self.first + len(self.choices)
                self.choices.append((term, names))
            return variable(self.numbers[key])
        if head == "!":
            return self.written(rest[0], names)
        if head == "let":
            return self.written(*self.inner((id(term), id(names)), (term, names),
                                            lambda: ev.let(term, names)))
        if head in ("^", "pow"):
            return power(self.written(rest[0], names), int(rest[1]))
        if head not in ("+", "-", "*", "/"):
            return self.written(*ev.bind(ev.look_up(head, names), rest, names))
        values = [self.written(part, names) for part in rest]
        return combine(head, values)

    def of(self, term, names):
        known = self.evaluation.term(term, names)
        if known is not None and linear(known) is not None:
            return self.of_form(linear(known))
        return self.of_polynomial(self.written(term, names))

    def of_form(self, form):
        found = self.cell.range(form)
        if found is None:
            raise Rejected("a term has reals that are not bounded where a place is left open")
        return found

    def of_polynomial(self, polynomial):
        result = Fraction(0), Fraction(0)
        for monomial, coefficient in polynomial.items():
            product = coefficient, coefficient
            for number, exponent in monomial:
                base = self.of_form({number: Fraction(1), None: Fraction(0)}) \
                    if number < self.first else self.of_choice(*self.choices[number - self.first])
                product = times(product, to_power(base, exponent))
            result = plus(result, product)
        return result

    def of_choice(self, term, names):
        known = self.evaluation.term(term, names)
        if known is not None and linear(known) is not None:
            return self.of_form(linear(known))
        condition = self.evaluation.formula(term[1], names)
        if condition is not None:
            return self.of(term[2] if condition else term[3], names)
        return hull(self.of(term[2], names), self.of(term[3], names))


# ---------------------------------------------------------------- the tree

class Goal:
    """An integral where the conditions hold: of the weight times a power of a term (or of a
    monomial); with a value of it, over the slice where the term has this value."""

    def __init__(self, conditions, term=None, order=0, at=None, monomial=None):
        self.conditions, self.term, self.order, self.at = conditions, term, order, at
        self.monomial = monomial
        self.sums = dict.fromkeys(("sum", "left", "right"), Fraction(0))
        self.open, self.unbounded = (Fraction(0), Fraction(0)), False

    def total(self):
        return plus((self.sums["sum"], self.sums["sum"]), self.open)

    def value(self, evaluation):
        if self.monomial is not None:
            return {self.monomial: Fraction(1)}
        return evaluation.term(*self.term) if self.order else constant(1)


def goals_of(query):
    """In the order in which a certificate numbers them."""
    kind, arguments, options, names = query
    given = [(options.get(":given", "true"), names)]
    event = [(arguments[0] if arguments else "true", names)]
    term = event[0]
    if kind == "get-wmi":
        return [Goal(event)]
    if kind == "get-probability":
        return [Goal(given), Goal(given + event)]
    if kind == "get-cdf":
        return [Goal(given), Goal(given + [(["<=", arguments[0], options[":at"]], names)])]
    if kind == "get-density":
        return [Goal(given), Goal(given, term, 1, (options[":at"], names))]
    if kind == "get-variance":
        return [Goal(given), Goal(given, term, 1), Goal(given, term, 2)]
    return [Goal(given), Goal(given, term, int(arguments[1]) if kind == "get-moment" else 1)]


class Part:
    """What is summed up below a node: in some reals and Booleans, where formulas hold."""

    def __init__(self, reals, booleans, formulas, weights, goals):
        self.reals, self.booleans, self.formulas = reals, booleans, formulas
        self.weights, self.goals = weights, goals


class Checker:
    def __init__(self, scope, queries, reader):
        self.reader, self.scope = reader, scope
        self.names = [name for name in scope.reals if name not in scope.observations]
        self.numbers = {name: i for i, name in enumerate(self.names)}
        self.integrated = [not scope.measured or name in scope.integrated for name in self.names]
        self.derived = [i for i, yes in enumerate(self.integrated) if not yes]
        self.dimensions = [i for i, yes in enumerate(self.integrated) if yes]
        self.queries = [q for q in queries if q[0] not in
                        ("check-sat", "echo", "get-distribution", "get-quantile")]
        self.goals, self.places = [], []
        for query in self.queries:
            self.places.append(len(self.goals))
            self.goals += goals_of(query)
        self.part = Part(set(self.dimensions), set(scope.booleans), scope.assertions,
                         scope.weights, self.goals)
        self.booleans, self.signs, self.pins, self.rows = {}, {}, [], []
        self.excluded, self.refuting, self.implied = [], 0, set()
        self.active, self.open = list(range(len(self.goals))), 0

    def evaluation(self, cell=None):
        reals = {name: constant(value) for name, value in self.scope.observations.items()}
        for name, number in self.numbers.items():
            reals[name] = self.without_pinned(variable(number))

        def sign(form):
            key, direction = normal(form)
            if any(v in self.derived for v in form):
                return 2 if key in self.excluded else None
            if key in self.signs:
                return self.signs[key] * direction
            found = cell.side(form) if cell else None
            return found if found is not None else 2

        return Evaluation(reals, self.booleans, sign)

    def without_pinned(self, polynomial):
        for pinned, value in self.pins:
            polynomial = substitute(polynomial, {pinned: value})
        return polynomial

    def node(self):
        stack = [self.enter]
        while stack:
            todo = stack.pop()()
            stack.extend(reversed(todo or []))

    def enter(self):
        tag, r = self.reader.byte(), self.reader
        if tag == 0:
            return self.falsehood()
        if tag == 1:
            return self.thin()
        if tag == 2:
            form = r.form(len(self.names))
            if any(v is not None and v not in self.part.reals for v in form):
                raise Rejected("a split has a real that is not integrated here")
            opposite = {v: -c for v, c in form.items()}
            before = dict(self.signs)

            def side(row):
                def go():
                    self.rows.append(row)
                    key, direction = normal(row)
                    self.signs.setdefault(key, -direction)
                return go

            def leave():
                self.rows.pop()
                self.signs = dict(before)
                self.implied.discard(len(self.rows))

            def note():  # was the first child a thin leaf?
                if r.data[start] == 1:
                    self.implied.add(len(self.rows) - 1)
            start = r.at
            return [side(form), self.enter, leave, side(opposite), note, self.enter, leave]
        if tag in (3, 4):
            index = r.natural()
            if index >= len(self.scope.booleans):
                raise Rejected("no such Boolean")
            name = self.scope.booleans[index]
            if name not in self.part.booleans:
                raise Rejected("a Boolean is not of this part")
            if name in self.booleans:
                raise Rejected("a Boolean is branched on twice")

            def value(holds):
                return lambda: self.booleans.__setitem__(name, holds)

            def leave():
                del self.booleans[name]
            return [value(tag == 4), self.enter, leave, value(tag == 3), self.enter, leave]
        if tag == 5:
            form = r.form(len(self.names))
            polynomial = {((v, 1),) if v is not None else (): c for v, c in form.items() if c != 0}
            form = linear(self.without_pinned(polynomial))
            pivot = next((v for v in form if v in self.derived), None)
            if pivot is None:
                raise Rejected("an equation pins no derived real")

            def refute():
                self.refuting += 1
                self.excluded.append(normal(form)[0])

            def hold():
                self.refuting -= 1
                self.excluded.pop()
                value = {((v, 1),) if v is not None else (): -c / form[pivot]
                         for v, c in form.items() if v != pivot and c != 0}
                self.pins.append((pivot, value))

            def leave():
                self.pins.pop()
            return [refute, self.enter, hold, self.enter, leave]
        if tag == 6:
            groups = [[r.natural() for _ in range(r.natural())] for _ in range(r.natural())]
            if sorted(sum(groups, [])) != sorted(self.active) or [] in groups:
                raise Rejected("a fork does not share out its integrals")
            before = self.active

            def turn(group):
                return lambda: setattr(self, "active", group)
            steps = []
            for group in groups:
                steps += [turn(group), self.enter]
            return steps + [turn(before)]
        if tag == 7:
            return self.cell()
        if tag == 8:
            return self.product()
        if tag == 9:
            return self.cell(True)
        raise Rejected("no kind of node")

    def product(self):
        """The parts share no real and no Boolean. Each row, each formula that is not known and each
        weight has to do with one part alone; known weights may have several."""
        if self.refuting:
            raise Rejected("a product where an equation that must hold does not")
        if self.unpinned():
            raise Rejected("a derived real is not pinned at a product")
        r, before, active = self.reader, self.part, self.active
        parts, owner = [], {}
        for number in range(r.natural()):
            reals = [r.natural() for _ in range(r.natural())]
            booleans = [r.natural() for _ in range(r.natural())]
            if any(b >= len(self.scope.booleans) for b in booleans):
                raise Rejected("no such Boolean")
            names = [self.scope.booleans[b] for b in booleans]
            things = [v for v in reals if v in before.reals] + \
                [b for b in names if b in before.booleans and b not in self.booleans]
            if len(things) < len(reals) + len(names) or len(set(things)) < len(things) or \
                    any(thing in owner for thing in things):
                raise Rejected("the parts of a product do not share out what there is")
            owner.update((thing, number) for thing in things)
            parts.append(Part(set(reals), set(names), [], [], []))
        if not parts or any(v not in owner for v in before.reals):
            raise Rejected("the parts of a product do not share out its reals")

        def only(things):
            numbers = {owner.get(thing) for thing in things}
            if len(numbers) != 1 or None in numbers:
                raise Rejected("the parts of a product hang together")
            return numbers.pop()

        for i, row in enumerate(self.rows):
            reals = {v for v, c in row.items() if v is not None and c != 0}
            if i not in self.implied and reals & before.reals:
                only(reals)
        evaluation, conditions, products = self.evaluation(), None, []
        for i in active:
            goal = before.goals[i]
            own = [c for c in goal.conditions if evaluation.formula(*c) is not True]
            if any(evaluation.formula(*c) is False for c in own):
                continue
            if conditions is not None and conditions != own:
                raise Rejected("the integrals of a product have different conditions")
            conditions = own
            products.append((goal, []))
        for formula, names in before.formulas + (conditions or []):
            for part, scope in self.conjuncts(evaluation, formula, names):
                own = 0 if evaluation.formula(part, scope) is False else \
                    only(self.touched(evaluation, part, scope))
                parts[own].formulas.append((part, scope))
        free = [b for b in before.booleans if b not in self.booleans and b not in owner]
        common = constant(2 ** len(free))
        for weight in before.weights:
            condition, term, names = weight
            value = self.one_weight(evaluation, condition, term, names)
            if value is None:
                things = self.touched(evaluation, condition, names) | \
                    self.touched(evaluation, term, names)
                parts[only(things)].weights.append(weight)
                continue
            reals = {v for monomial in value for v, _ in monomial}
            if len({owner[v] for v in reals}) == 1:
                parts[only(reals)].weights.append(weight)
            else:
                common = multiply(common, value)
        for goal, terms in products:
            if goal.at is not None:
                raise Rejected("a density in a product")
            term = goal.value(evaluation)
            if term is None:
                raise Rejected("a term is not determined at a product")
            for monomial, coefficient in multiply(common, power(term, goal.order)).items():
                shares = []
                for number, part in enumerate(parts):
                    own = tuple(p for p in monomial if owner[p[0]] == number)
                    place = next((i for i, g in enumerate(part.goals) if g.monomial == own), None)
                    if place is None:
                        place = len(part.goals)
                        part.goals.append(Goal([], None, 1, None, own))
                    shares.append(part.goals[place])
                terms.append((coefficient, shares))

        def turn(part):
            def go():
                self.part, self.active = part, list(range(len(part.goals)))
            return go

        def finish():
            self.part, self.active = before, active
            for goal, terms in products:
                for coefficient, shares in terms:
                    number = coefficient, coefficient
                    for share in shares:
                        number = times(number, share.total())
                    goal.open = plus(goal.open, number)
        steps = []
        for part in parts:
            steps += [turn(part), self.enter]
        return steps + [finish]

    def conjuncts(self, evaluation, formula, names):
        """What the formula is a conjunction of, without what is true."""
        if evaluation.formula(formula, names) is True:
            return []
        found = self.opened(evaluation, formula, names)
        if found is None:
            return [(formula, names)]
        return [part for piece, scope in found for part in self.conjuncts(evaluation, piece, scope)]

    def opened(self, evaluation, formula, names):
        """The formulas that all hold if and only if this one does; nothing if it is one."""
        if isinstance(formula, str):
            entry = names.get(formula)
            return [evaluation.bind(entry, [], names)] if entry and entry[0] == "macro" else None
        head, rest = formula[0], formula[1:]
        if head == "and":
            return [(part, names) for part in rest]
        if head in ("<", "<=", ">", ">=", "=") and len(rest) > 2:
            return [([head, a, b], names) for a, b in zip(rest, rest[1:])]
        if head == "!":
            return [(rest[0], names)]
        if head == "let":
            return [evaluation.let(formula, names)]
        if head == "ite":
            condition = evaluation.formula(rest[0], names)
            if condition is not None:
                return [(rest[1] if condition else rest[2], names)]
        if head == "=>" and len(rest) == 2 and evaluation.formula(rest[0], names) is True:
            return [(rest[1], names)]
        if head == "=>" and len(rest) == 2 and evaluation.formula(rest[1], names) is False:
            return [(["not", rest[0]], names)]
        if head == "not":
            inner = rest[0]
            name = inner if isinstance(inner, str) else inner[0]
            if name in names and names[name][0] == "macro":
                body, scope = evaluation.bind(
                    names[name], [] if isinstance(inner, str) else inner[1:], names)
                return [(["not", body], scope)]
            if isinstance(inner, str):
                return None
            if inner[0] == "ite" and evaluation.formula(inner[1], names) is not None:
                chosen = inner[2] if evaluation.formula(inner[1], names) else inner[3]
                return [(["not", chosen], names)]
            if inner[0] == "not":
                return [(inner[1], names)]
            if inner[0] == "or":
                return [(["not", part], names) for part in inner[1:]]
            if inner[0] == "=>" and len(inner) == 3:
                return [(inner[1], names), (["not", inner[2]], names)]
        if head == "or":
            unknown = [part for part in rest if evaluation.formula(part, names) is not False]
            if len(unknown) == 1 and len(rest) > 1:
                return [(unknown[0], names)]
        if head in names and names[head][0] == "macro":
            return [evaluation.bind(names[head], rest, names)]
        return None

    def touched(self, evaluation, term, names):
        """The reals and undecided Booleans that it may depend on: all that stand in it, but where
        it is known, or chosen by what is known."""
        formula = evaluation.is_formula(term, names)
        if formula and evaluation.formula(term, names) is not None:
            return set()
        if not formula:
            value = evaluation.term(term, names)
            if value is not None:
                return {v for monomial in value for v, _ in monomial}
        if isinstance(term, str):
            entry = evaluation.look_up(term, names)
            if entry[0] == "macro":
                return self.touched(evaluation, *evaluation.bind(entry, [], names))
            return {entry[1]}  # a Boolean: reals have a value
        head, rest = term[0], term[1:]
        if head == "ite":
            condition = evaluation.formula(rest[0], names)
            if condition is not None:
                return self.touched(evaluation, rest[1] if condition else rest[2], names)
        if head == "!":
            rest = rest[:1]
        if head == "let":
            return self.touched(evaluation, *evaluation.let(term, names))
        if head in names and names[head][0] == "macro":
            return self.touched(evaluation, *evaluation.bind(names[head], rest, names))
        result = set()
        for part in rest:
            result |= self.touched(evaluation, part, names)
        return result

    def unpinned(self):
        for number in self.derived:
            value = self.without_pinned(variable(number))
            if any(v in self.derived for monomial in value for v, _ in monomial):
                return True
        return False

    def falsehood(self):
        evaluation = self.evaluation()
        if any(evaluation.formula(f, names) is False for f, names in self.part.formulas):
            return
        if self.refuting:
            raise Rejected("the formula is not false where an equation does not hold")
        for condition, term, names in self.part.weights:
            if evaluation.formula(condition, names) is True and evaluation.term(term, names) == {}:
                return
        for i in self.active:
            if all(evaluation.formula(*c) is not False for c in self.part.goals[i].conditions):
                raise Rejected("the formula is not false under the path")

    def thin(self):
        total, last = {}, -1
        count = self.reader.natural()
        for _ in range(count):
            row, multiplier = self.reader.natural(), self.reader.natural()
            if not last < row < len(self.rows) or multiplier == 0:
                raise Rejected("a multiplier is malformed")
            last = row
            for v, c in self.rows[row].items():
                total[v] = total.get(v, 0) + multiplier * c
        if count == 0 or any(c != 0 for v, c in total.items() if v is not None) or total[None] < 0:
            raise Rejected("the multipliers do not show that the path has no volume")

    def weight(self, evaluation):
        """Summed over the Booleans that are not decided."""
        free = [b for b in self.scope.booleans
                if b in self.part.booleans and b not in self.booleans]
        settled, waiting = constant(1), []
        for condition, term, names in self.part.weights:
            value = self.one_weight(evaluation, condition, term, names)
            if value is None:
                waiting.append((condition, term, names))
            else:
                settled = multiply(settled, value)
        if not waiting:
            return multiply(settled, constant(2 ** len(free)))
        total = {}
        for values in every((False, True), repeat=len(free)):
            self.booleans.update(zip(free, values))
            product = constant(1)
            for condition, term, names in waiting:
                value = self.one_weight(evaluation, condition, term, names)
                if value is None:
                    raise Rejected("a weight is not determined in a cell")
                product = multiply(product, value)
            total = add(total, product)
        for name in free:
            del self.booleans[name]
        return multiply(settled, total)

    @staticmethod
    def one_weight(evaluation, condition, term, names):
        holds = evaluation.formula(condition, names)
        return constant(1) if holds is False else evaluation.term(term, names) if holds else None

    def bound(self, cell, evaluation):
        """What a place that is left open may add: its volume times the ranges of weight and term."""
        ranges, alone, most = Ranges(evaluation, cell), {}, (Fraction(0), Fraction(1))
        for condition, term, names in self.part.weights:
            holds = evaluation.formula(condition, names)
            if holds is False:
                continue
            value, boolean = ranges.of(term, names), self.boolean(evaluation, condition, names)
            if holds:
                most = extent(most, value)
            elif boolean:
                ways = alone.setdefault(boolean[0], [(Fraction(0), Fraction(1))] * 2)
                ways[boolean[1]] = extent(ways[boolean[1]], value)
            else:
                most = extent(most, hull(value, (Fraction(1), Fraction(1))))
        for a, b in alone.values():
            most = extent(most, plus(a, b))
        free = [b for b in self.part.booleans if b not in self.booleans and b not in alone]
        scale = 2 ** len(free) * cell.integral(constant(1))
        most = times(most, (scale, scale))
        self.open += 1
        for i in self.active:
            goal = self.part.goals[i]
            if evaluation.all(evaluation.formula(*c) for c in goal.conditions) is False:
                continue
            if goal.order == 0:
                goal.open = plus(goal.open, most)
                continue
            if goal.monomial is not None:
                form = linear({goal.monomial: Fraction(1)})
                term = ranges.of_form(form) if form else \
                    ranges.of_polynomial({goal.monomial: Fraction(1)})
            else:
                term = ranges.of(*goal.term)
            if goal.at is None:
                goal.open = plus(goal.open, extent(most, to_power(term, goal.order)))
            elif term[0] <= evaluation.term(*goal.at).get((), Fraction(0)) <= term[1]:
                goal.unbounded = True

    def boolean(self, evaluation, condition, names):
        """The Boolean that the condition is, and whether it is its negation; nothing if it is not."""
        if isinstance(condition, str):
            entry = evaluation.look_up(condition, names) if condition not in ("true", "false") \
                else ("constant",)
            if entry[0] == "macro":
                return self.boolean(evaluation, *evaluation.bind(entry, [], names))
            return (entry[1], 0) if entry[0] == "bool" else None
        if condition[0] == "!":
            return self.boolean(evaluation, condition[1], names)
        if condition[0] == "not":
            inner = self.boolean(evaluation, condition[1], names)
            return inner and (inner[0], 1 - inner[1])
        return None

    def cell(self, leave_open=False):
        if self.refuting:
            raise Rejected("a cell where an equation that must hold does not")
        rows = [row for row in self.rows  # others have reals of other parts alone, or are implied
                if all(v is None or c == 0 or v in self.part.reals for v, c in row.items())]
        cell = Cell(self.reader, self.part.reals, rows)
        evaluation = self.evaluation(cell)
        for formula, names in [] if leave_open else self.part.formulas:
            holds = evaluation.formula(formula, names)
            if holds is None:
                raise Rejected("an assertion is not determined in a cell")
            if not holds:
                return
        if self.unpinned():
            raise Rejected("a derived real is not pinned in a cell")
        if leave_open:
            return self.bound(cell, evaluation)
        weight = self.weight(evaluation)
        whole = cell.integral(weight)
        for i in self.active:
            goal = self.part.goals[i]
            holds = evaluation.all(evaluation.formula(*c) for c in goal.conditions)
            if holds is None:
                raise Rejected("the condition or event of a query is not determined in a cell")
            if not holds:
                continue
            if goal.order == 0:
                goal.sums["sum"] += whole
                continue
            term = goal.value(evaluation)
            if term is None:
                raise Rejected("a term is not determined in a cell")
            if goal.at is None:
                goal.sums["sum"] += cell.integral(multiply(weight, power(term, goal.order)))
                continue
            at = evaluation.term(*goal.at).get((), Fraction(0))
            form = linear(add(term, constant(at), -1))
            if len(form) == 1:
                goal.sums["sum"] += whole if form[None] == 0 else 0
                continue
            side = cell.side(form)
            if side is None:
                raise Rejected("a cell lies on both sides of the value of a density")
            goal.sums["left" if side < 0 else "right"] += cell.integral(weight, form)

    def claims(self):
        for (kind, *_), place in zip(self.queries, self.places):
            tag, wanted, values = self.reader.byte(), (1, 2), []
            total = self.goals[place].total()
            if tag == 4 and self.open:
                wanted = (4,)
            elif kind == "get-wmi":
                values = [total]
            elif total == (0, 0):
                wanted = (0,)
            elif total[0] <= 0 <= total[1] or self.goals[place + 1].unbounded:
                wanted = (4,)
            else:
                first = self.goals[place + 1]
                values = [over(first.total(), total)]
                if kind == "get-variance":
                    square = to_power(values[0], 2)
                    values = [plus(over(self.goals[place + 2].total(), total),
                                   (-square[1], -square[0]))]
                if kind == "get-density":
                    wanted = (1, 2) if first.total() == (0, 0) else (3,)
                    values = [over((first.sums[way],) * 2, total) for way in ("right", "left")
                              if wanted != (3,)]
            if tag not in wanted:
                raise Rejected("a claim of the wrong kind")
            for value in values:
                lower = self.reader.rational()
                upper = lower if tag == 1 else self.reader.rational()
                if not lower <= value[0] <= value[1] <= upper:
                    raise Rejected("the claim is not what the cells add up to, %s to %s" % value)
            if not values:
                yield "undefined"
            elif values[0][0] == values[0][1]:
                yield str(values[0][0])
            else:
                yield "at least %s, at most %s" % values[0]


MARK = b"wmi-certificate 2\n"


QUERY_MARK = b"query-certificate 1\n"


def embedded(reader):
    """The problem that the certificate carries, or None."""
    if not reader.data.startswith(QUERY_MARK):
        return None
    reader.at = len(QUERY_MARK)

    def text():
        size = reader.natural()
        reader.at += size
        return reader.data[reader.at - size:reader.at].decode("utf-8")

    result = []
    for _ in range(reader.natural()):
        name, kind = text(), reader.byte()
        if kind == 0:
            result.append("(declare-const |%s| Real)" % name)
        elif kind == 1:
            value = reader.rational()
            size = "(/ %d %d)" % (abs(value.numerator), value.denominator)
            result.append("(define-fun |%s| () Real %s)" %
                          (name, size if value >= 0 else "(- %s)" % size))
        else:
            raise Rejected("a value is neither unknown nor a number")
    return "\n".join(result) + "\n" + text() + text()


def check(text, data):
    """The certified answers, in the order of the queries that have one."""
    reader = Reader(data)
    problem = embedded(reader)
    if text is None:
        text = problem
    if text is None:
        raise ValueError("the certificate carries no problem; give the FILE that it is about")
    if data[reader.at:reader.at + len(MARK)] != MARK:
        raise Rejected("not a certificate of this version")
    reader.at += len(MARK)
    answers = []
    for scope, queries in read_script(text):
        checker = Checker(scope, queries, reader)
        if checker.queries:
            checker.node()
            answers.extend(checker.claims())
    if reader.at != len(data):
        raise Rejected("the certificate goes on after its end")
    return answers


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    sys.setrecursionlimit(100000)
    try:
        text = None
        if len(arguments) == 2:
            with open(arguments[0], encoding="utf-8") as problem:
                text = problem.read()
        with open(arguments[-1], "rb") as proof:
            answers = check(text, proof.read())
    except Rejected as why:
        print("check.py: rejected: %s" % why, file=sys.stderr)
        return 4
    except (OSError, ValueError, IndexError, KeyError) as why:
        print("check.py: %s" % why, file=sys.stderr)
        return 1
    for answer in answers:
        print(answer)
    print("accepted")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
