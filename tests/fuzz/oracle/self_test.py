#!/usr/bin/env python3
"""The oracle itself, on integrals that can be checked by hand, and on answers that are wrong."""

import unittest
from fractions import Fraction
from random import Random

from generate import REFUSED, Distribution, Exact, Generator, Quantile, density, one
from problem import Conjunction, Problem
from quadrature import integrals, rule
from scripts import draw_problems
from states import States
from sums import below
from syntax import Affine, Atom, Boolean, Choice, Connective, Product, Truth
from trees import Edge, Tree, TreeGenerator, TreeLaw, interpolated

X = Affine((Fraction(1), Fraction(0)), ("x",))


def above(bound):
    """x > bound"""
    return Atom(Affine((Fraction(-1), Fraction(bound)), ("x",)), True)


class OracleTest(unittest.TestCase):
    def test_rules_are_exact(self):
        for degree in range(8):
            for power in range(degree + 1):
                total = sum(weight * point ** power for point, weight in rule(degree))
                self.assertEqual(total, Fraction(1, power + 1))

    def test_triangle(self):
        # x y over 0 <= x, y and x + y <= 1: 1/24.
        planes = {(Fraction(1), Fraction(0), Fraction(0)), (Fraction(0), Fraction(1), Fraction(0)),
                  (Fraction(1), Fraction(1), Fraction(-1))}
        found = integrals(planes, 2, 2, lambda p: min(p) > 0 and sum(p) < 1,
                          lambda p: [p[0] * p[1], 1], 2)
        self.assertEqual(found, [Fraction(1, 24), Fraction(1, 2)])

    def test_weights_and_booleans(self):
        # Under b, weight x^2 on [0, 1]: 1/3. Otherwise weight 1: 1.
        b = Boolean("b", 0)
        problem = Problem(("x",), ((0, 1),), ("b",), [], [(b, Product((X, X)))])
        self.assertEqual(problem.sums([one])[0], Fraction(4, 3))
        self.assertEqual(problem.sums([one], Conjunction(b, above(Fraction(1, 2))))[0],
                         Fraction(7, 24))

    def test_density_and_point_mass_of_a_rectified_real(self):
        relu = Choice(above(0), X, Affine((Fraction(0), Fraction(0)), ("x",)))
        problem = Problem(("x",), ((-3, 3),), (), [], [])
        self.assertEqual(density(problem, relu, Fraction(1), Truth()), Fraction(1, 6))
        self.assertEqual(density(problem, relu, Fraction(0), Truth()), REFUSED)

    def test_sum_of_two_uniform_reals(self):
        box = [(Fraction(0), Fraction(1))] * 2
        self.assertEqual(below([Fraction(1), Fraction(1)], box, Fraction(1, 2)), Fraction(1, 8))
        self.assertEqual(below([Fraction(1), Fraction(-1)], box, Fraction(0)), Fraction(1, 2))

    def test_polynomials_are_found_from_values(self):
        points = [Fraction(i) for i in range(4)]
        self.assertEqual(interpolated(points, [2 * x ** 2 - x for x in points]), [0, -1, 2])

    def test_trees(self):
        # x0 <= x1 <= x2 <= x3 in [0, 1]: 1/24. With the weight x3, E[max] = 4/5 of that.
        def ordered(child):
            names = (f"x{child - 1}", f"x{child}")
            rising = Atom(Affine((Fraction(1), Fraction(-1), Fraction(0)), names), False)
            return Edge(child - 1, child, names, (), [rising])
        box = (Fraction(0), Fraction(1))
        first = Edge(None, 0, ("x0",), ())
        chain = Tree([box] * 4, [first, ordered(1), ordered(2), ordered(3)])
        self.assertEqual(chain.integral(), Fraction(1, 24))
        last = Affine((Fraction(0), Fraction(1), Fraction(0)), ("x2", "x3"))
        self.assertEqual(chain.integral((3, [], [(Truth(), last)])), Fraction(1, 30))
        # Under b1, x0 <= 1/2; b1 tells whether x2 >= 1/4. With b1 1/2 * 3/4, otherwise 1/4.
        half = Atom(Affine((Fraction(1), Fraction(-1, 2)), ("x0",)), False)
        quarter = Atom(Affine((Fraction(-1), Fraction(1, 4)), ("x2",)), False)
        tree = Tree([box, None, box],
                    [first, Edge(0, 1, ("x0",), ("b1",), [Connective("=>", (Boolean("b1", 0), half))]),
                     Edge(1, 2, ("x2",), ("b1",), [Connective("=", (Boolean("b1", 0), quarter))])])
        self.assertEqual(tree.integral(), Fraction(3, 8) + Fraction(1, 4))

    def test_states(self):
        """x <= y where both hold or neither does, else y <= x; weight 1, or 2 x where a does."""
        box = (Fraction(0), Fraction(1))
        rise = Atom(Affine((Fraction(1), Fraction(-1), Fraction(0)), ("x0", "x1")), False)
        fall = Atom(Affine((Fraction(-1), Fraction(1), Fraction(0)), ("x0", "x1")), False)
        step = {(a, b): rise if a == b else fall for a in (True, False) for b in (True, False)}
        one_of_x = Affine((Fraction(0), Fraction(1)), ("x0",))
        twice = Affine((Fraction(2), Fraction(0)), ("x0",))
        states = States([box, box], [step], [{True: twice, False: one_of_x},
                                             {True: one_of_x, False: one_of_x}])
        # The integral of 2 x is 1/3 below the diagonal and 2/3 above it.
        self.assertEqual(states.integral({0: True, 1: True}), Fraction(1, 3))
        self.assertEqual(states.integral({0: True}), 1)
        self.assertEqual(states.integral(), 2)
        low = Atom(Affine((Fraction(1), Fraction(-1, 2)), ("x1",)), False)
        self.assertEqual(states.integral({0: False}, (1, [low], [])), Fraction(1, 2))

    def test_trees_agree_with_quadrature(self):
        # One edge is a problem of two reals.
        for seed in range(12):
            generator = TreeGenerator(Random(seed))
            generator.model = [Fraction(1, 3), Fraction(1, 5)]
            boxes = [(Fraction(0), Fraction(1)), (Fraction(-1), Fraction(1))]
            edge = generator.edge(boxes, 0, 1)
            tree = Tree(boxes, [Edge(None, 0, ("x0",), ()), edge])
            problem = Problem(edge.names, boxes, edge.booleans, edge.assertions, edge.weights)
            self.assertEqual(tree.integral(), problem.sums([one])[0])

    def test_wrong_answers_are_found(self):
        problem = Problem(("x",), ((0, 1),), (), [], [])
        question = Exact("(get-wmi)", lambda: Fraction(1))
        self.assertIsNone(question.check({"exact": "1"}))
        self.assertIsNone(question.check({"exact": None, "lower": "0.9", "upper": "1.1"}))
        for wrong in (None, {"exact": "2"}, {"undefined": "why", "exact": None},
                      {"exact": None, "lower": "1.01", "upper": "1.1"}):
            self.assertIsNotNone(question.check(wrong))
        law = Distribution("", problem, X, Truth())
        piece = {"from": "0", "to": "1", "coefficients": ["1"]}
        self.assertIsNone(law.check({"atoms": [], "pieces": [piece]}))
        self.assertIsNotNone(law.check({"atoms": [], "pieces": [{**piece, "to": "1/2"}]}))
        law = TreeLaw("", lambda value: Fraction(1) if value is None else value, [Fraction(1, 3)])
        self.assertIsNone(law.check({"atoms": [], "pieces": [piece]}))
        self.assertIsNotNone(law.check({"atoms": [], "pieces": [{**piece, "coefficients": ["2"]}]}))
        median = Quantile("", problem, X, Truth(), Fraction(1, 2))
        self.assertIsNone(median.check({"exact": "1/2"}))
        self.assertIsNotNone(median.check({"exact": "1/3"}))
        self.assertIsNotNone(median.check({"exact": None, "lower": "0.6", "upper": "0.7"}))

    def test_the_same_seed_draws_the_same_problems(self):
        def texts(seed):
            return [problem.text() for problem, _ in draw_problems(Random(seed), 5, [1, 2])]
        self.assertEqual(texts("7"), texts("7"))
        self.assertNotEqual(texts("7"), texts("8"))


if __name__ == "__main__":
    unittest.main()
