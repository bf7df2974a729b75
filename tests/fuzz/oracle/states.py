"""Random chains of states, each a real and a Boolean, by brute force over the Booleans.

A step from one state to the next depends on the reals and the Booleans of both, so no real
separates by itself. Given all Booleans what is left is a chain of reals (trees.py), and the
integral is the sum of as many chains as there are values of the Booleans.
"""

from fractions import Fraction
from itertools import product as cartesian

from generate import Exact, ratio
from scripts import compared
from syntax import Affine, Atom, Truth, number
from trees import WAYS, Edge, Tree


class States:
    def __init__(self, boxes, steps, weights):
        self.boxes = boxes
        self.steps = steps  # between neighbours: an atom for each value of both Booleans
        self.weights = weights  # of a state: a term where its Boolean holds, and where not

    def text(self):
        count = range(len(self.boxes))
        lines = [f"(declare-const {name}{i} {sort})"
                 for name, sort in (("x", "Real"), ("b", "Bool")) for i in count]
        for i in count:
            low, high = self.boxes[i]
            lines.append(f"(assert (<= {number(low)} x{i} {number(high)}))")
            then, otherwise = (self.weights[i][value].text() for value in (True, False))
            lines.append(f"(weight b{i} {then})")
            lines.append(f"(weight true (ite b{i} 1 {otherwise}))")
        for i, step in enumerate(self.steps):
            rows = [f"(ite b{i + 1} {step[a, True].text()} {step[a, False].text()})"
                    for a in (True, False)]
            lines.append(f"(assert (ite b{i} {rows[0]} {rows[1]}))")
        return "\n".join(lines) + "\n"

    def integral(self, booleans={}, event=None):
        """Where these Booleans have these values; an event is a state and an atom or a weight."""
        total = Fraction(0)
        for values in cartesian((False, True), repeat=len(self.boxes)):
            if any(values[i] != value for i, value in booleans.items()):
                continue
            edges = []
            for i in range(len(self.boxes)):
                names = (f"x{i - 1}", f"x{i}") if i else ("x0",)
                edge = Edge(i - 1 if i else None, i, names, ())
                if i:
                    edge.assertions.append(self.steps[i - 1][values[i - 1], values[i]])
                edge.weights.append((Truth(), widened(self.weights[i][values[i]], names)))
                if event and event[0] == i:
                    edge.assertions += [Atom(widened(each.term, names), each.strict)
                                        for each in event[1]]
                    edge.weights += [(Truth(), widened(each, names)) for each in event[2]]
                edges.append(edge)
            total += Tree(self.boxes, edges).integral()
        return total


def widened(term, names):
    """A term of a state's real, among those of an edge."""
    return Affine((Fraction(0),) * (len(names) - 1) + term.row, names)


def draw_states(random):
    count = 5  # fewer are not worth messages, more take long here
    boxes = []
    for _ in range(count):
        low = Fraction(random.randint(-1, 0))
        boxes.append((low, low + Fraction(random.choice([2, 3, 4]), 2)))
    steps = []
    for i in range(count - 1):
        names = (f"x{i}", f"x{i + 1}")

        def atom():
            sign = random.choice([-1, 1])
            slope = random.choice([1, 1, 1, 2])
            bound = Fraction(random.randint(-3, 15), 10)
            return Atom(Affine((Fraction(sign), Fraction(-sign * slope), -bound), names), False)
        steps.append({key: atom() for key in cartesian((False, True), repeat=2)})
    weights = [{value: Affine((Fraction(random.randint(-1, 2)), Fraction(random.randint(1, 3))),
                              (f"x{i}",)) for value in (False, True)} for i in range(count)]
    return States(boxes, steps, weights)


def questions(states, random):
    count = len(states.boxes)
    boolean, real = random.randrange(count), random.randrange(count)
    term = Affine((Fraction(random.choice([-2, 1, 3])), Fraction(random.randint(-2, 2))),
                  (f"x{real}",))
    atom = Atom(Affine((Fraction(1), -Fraction(random.randint(-9, 9), 7)), (f"x{real}",)), False)
    return [
        Exact("(get-wmi)", states.integral),
        Exact(f"(get-probability b{boolean})",
              lambda: ratio(states.integral({boolean: True}), states.integral())),
        Exact(f"(get-probability {atom.text()} :given (not b{boolean}))",
              lambda: ratio(states.integral({boolean: False}, (real, [atom], [])),
                            states.integral({boolean: False}))),
        Exact(f"(get-expectation {term.text()})",
              lambda: ratio(states.integral({}, (real, [], [term])), states.integral())),
    ]


def states(programs, random, count):
    drawn = []
    for _ in range(max(1, count // 10)):
        chain = draw_states(random)
        drawn.append((chain, questions(chain, random)))
    return compared(programs, drawn, random.choice(WAYS))
