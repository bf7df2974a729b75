"""Networks with one or two unknown weights, asked by `ciber query`."""

import json
import struct
from fractions import Fraction

from problem import Problem
from syntax import Affine, Atom, Choice, Truth


def safetensors(path, layers, tensors, inputs):
    header = {"__metadata__": {"network": json.dumps({"input": [inputs], "layers": layers})}}
    data = b""
    for name, (shape, entries) in tensors.items():
        packed = struct.pack(f"<{len(entries)}d", *map(float, entries))
        header[name] = {"dtype": "F64", "shape": shape,
                        "data_offsets": [len(data), len(data) + len(packed)]}
        data += packed
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def networks(programs, random, count):
    compared = 0
    for _ in range(max(1, count // 4)):
        inputs, hidden = random.randint(1, 2), random.randint(1, 3)

        def weights(*shape):
            size = 1
            for length in shape:
                size *= length
            return list(shape), [Fraction(random.randint(-8, 8), 4) for _ in range(size)]

        tensors = {"a.weight": weights(hidden, inputs), "a.bias": weights(hidden),
                   "b.weight": weights(1, hidden), "b.bias": weights(1)}
        path = programs.folder / "net.safetensors"
        safetensors(path, [{"name": "a", "type": "linear"}, {"name": "r", "type": "relu"},
                           {"name": "b", "type": "linear"}], tensors, inputs)
        x = [Fraction(random.randint(-6, 6), 2) for _ in range(inputs)]
        # The unknowns are in one layer, so that every unit is affine in them.
        tensor = random.choice(["a.weight", "a.bias", "b.weight"])
        shape, entries = tensors[tensor]
        which = random.sample(range(len(entries)), min(len(entries), random.randint(1, 2)))
        box = tuple((low, low + random.randint(1, 3))
                    for low in (random.randint(-2, 1) for _ in which))
        names = tuple(f"u{i}" for i in range(len(which)))

        def entry(name, index):
            if name == tensor and index in which:
                row = [Fraction(int(i == which.index(index))) for i in range(len(which))]
                return Affine(tuple(row) + (Fraction(0),), names)
            return Affine((Fraction(0),) * len(which) + (tensors[name][1][index],), names)

        def plus(*terms):
            return Affine(tuple(map(sum, zip(*(term.row for term in terms)))), names)

        def times(a, b):  # one of them is a number
            if any(a.row[:-1]):
                a, b = b, a
            return Affine(tuple(a.row[-1] * c for c in b.row), names)

        def constant(value):
            return Affine((Fraction(0),) * len(which) + (Fraction(value),), names)

        units = [plus(entry("a.bias", j), *(times(entry("a.weight", j * inputs + i), constant(v))
                                            for i, v in enumerate(x))) for j in range(hidden)]
        if tensor == "b.weight":
            active = [max(unit.row[-1], Fraction(0)) for unit in units]
            output = plus(entry("b.bias", 0), *(times(entry("b.weight", j), constant(active[j]))
                                                for j in range(hidden)))
        else:
            output = Sum([Scaled(tensors["b.weight"][1][j],
                                 Choice(Atom(units[j], False), constant(0), units[j]))
                          for j in range(hidden)] + [entry("b.bias", 0)])
        problem = Problem(names, box, (), [], [])
        moments = problem.sums([lambda p, b, k=k: output.at(p, b) ** k for k in range(3)], Truth(),
                               [output], degree=2)
        mean = moments[1] / moments[0]
        expected = {"mean": mean, "variance": moments[2] / moments[0] - mean ** 2}
        arguments = ["query", path, "--json", "--input", ",".join(map(str, x)), "--mean",
                     "--variance"]
        for index, (low, high) in zip(which, box):
            place = str(index) if len(shape) == 1 else f"{index // shape[1]},{index % shape[1]}"
            arguments += ["--unknown", f"{tensor}[{place}]=[{low},{high}]"]
        done = programs.run("ciber", arguments)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        for (what, value), answer in zip(expected.items(), answers):
            compared += 1
            if Fraction(answer["exact"]) != value:
                return compared, f"{tensors} {arguments}: {what} {value} expected, not {answer}"
        if len(answers) != 2:
            return compared, f"{tensors} {arguments}: {done.stdout}{done.stderr}"
    return compared, None


class Scaled:
    """A number times a piecewise affine term"""

    degree = 1

    def __init__(self, factor, term):
        self.factor, self.term = factor, term

    def at(self, x, booleans):
        return self.factor * self.term.at(x, booleans)

    def planes(self):
        return self.term.planes()


class Sum:
    degree = 1

    def __init__(self, terms):
        self.terms = terms

    def at(self, x, booleans):
        return sum(term.at(x, booleans) for term in self.terms)

    def planes(self):
        return [plane for term in self.terms for plane in term.planes()]
