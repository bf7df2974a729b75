"""What an installed package answers by itself, without numpy, torch or a program of the system."""

import pickle
from fractions import Fraction

import ciber

x, y = ciber.reals("x y")
problem = ciber.Problem(bounds={x: (0, 1), y: (0, 1)}, weights=[2 * x])
answer = problem.probability(x + y <= 1, certify=True)
assert answer.exact == Fraction(1, 3)
assert answer.certificate.check().answers[0].exact == Fraction(1, 3)
assert problem.distribution(ciber.relu(x - y)).mean == Fraction(1, 4)
assert pickle.loads(pickle.dumps(problem)).probability(x + y <= 1) == answer

found = ciber.verify("net.safetensors", "net.vnnlib")
assert (found.verdict, found.probability.exact) == ("violated", Fraction(49, 380))
network = ciber.Network.load("net.safetensors")
assert network.mean(inputs={0: (0, 1)}).exact == Fraction(9, 8)
