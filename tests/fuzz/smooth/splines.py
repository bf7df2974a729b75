"""Normal laws of weights of a small network in `wmi`, against `gaussian(mean, deviation)` of `ciber
query`: that law is cut at four deviations, and its density is nowhere off by more than 5 e / deviation,
e = (1/8)^4 / 384 * 6/5 + 2^-70 (encoders/densities/gaussian.cpp), so that a probability is off by at most
40 e for each of them, and the mean of a term by at most 40 e times its largest size.
"""

import json
import struct
from fractions import Fraction

ERROR = 40 * (Fraction(1, 8)**4 / 384 * Fraction(6, 5) + Fraction(1, 2**70))


def write_network(path, layers, tensors, inputs):
    header = {"__metadata__": {"network": json.dumps({"input": [inputs], "layers": layers})}}
    data = b""
    for name, (shape, entries) in tensors.items():
        packed = struct.pack(f"<{len(entries)}d", *map(float, entries))
        header[name] = {"dtype": "F64", "shape": shape, "data_offsets": [len(data), len(data) + len(packed)]}
        data += packed
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def term(number):
    text = f"(/ {abs(number.numerator)} {number.denominator})"
    return f"(- {text})" if number < 0 else text


def relu(text):
    return f"(ite (> {text} 0) {text} 0)"


def compare(programs, rng):
    def number(most, parts):
        return Fraction(rng.randint(-most * parts, most * parts), parts)

    hidden = rng.randint(1, 2)
    weights = [number(2, 4) for _ in range(hidden)]
    biases = [number(1, 4) for _ in range(hidden)]
    out = [rng.choice([-1, 1]) * Fraction(rng.randint(1, 8), 4) for _ in range(hidden)]
    x = rng.choice([-1, 1]) * Fraction(rng.randint(1, 6), 2)
    path = programs.folder / "net.safetensors"
    write_network(path, [{"name": "a", "type": "linear"}, {"name": "r", "type": "relu"},
                         {"name": "b", "type": "linear"}],
                  {"a.weight": ([hidden, 1], weights), "a.bias": ([hidden], biases),
                   "b.weight": ([1, hidden], out), "b.bias": ([1], [0])}, 1)

    # What is unknown: a weight into the first unit; with some luck its bias, or one of the second unit.
    places = {"a.weight[0,0]": "w"}
    if rng.random() < 0.5:
        places[rng.choice(["a.bias[0]", f"a.bias[{hidden - 1}]"])] = "u"
    gaussian = {"w"} | ({"u"} if rng.random() < 0.1 else set())
    options, lines, slack = [], [], Fraction(0)
    most = {}  # the largest size of each
    for place, name in places.items():
        mean, deviation = number(2, 4), Fraction(rng.randint(1, 6), 4)
        reach = 4 * deviation if name in gaussian else deviation
        law = f"gaussian({mean},{deviation})" if name in gaussian else f"[{mean - reach},{mean + reach}]"
        options += ["--unknown", f"{place}={law}"]
        lines += [f"(declare-const {name} Real)",
                  f"(assert (<= {term(mean - reach)} {name} {term(mean + reach)}))"]
        if name in gaussian:
            lines.append(f"(weight true (normal {name} {term(mean)} {term(deviation)}))")
            slack += ERROR
        most[name] = abs(mean) + reach
    terms, size = [], Fraction(0)
    for unit in range(hidden):
        weight = places.get(f"a.weight[{unit},0]")
        bias = places.get(f"a.bias[{unit}]")
        before = f"(+ (* {term(x)} {weight or term(weights[unit])}) {bias or term(biases[unit])})"
        terms.append(f"(* {term(out[unit])} {relu(before)})")
        size += abs(out[unit]) * (abs(x) * most.get(weight, abs(weights[unit])) +
                                  most.get(bias, abs(biases[unit])))
    output = f"(+ 0 {' '.join(terms)})"
    if rng.random() < 0.3:
        question, query = ["--mean"], f"(get-expectation {output})"
        slack *= size
    else:
        bound = number(3, 4)
        question, query = ["--probability", f"out[0] > {bound}"], f"(get-probability (> {output} {term(bound)}))"
    answer = programs.ask("ciber", "query", path, "--threads", "1", "--exact", "--output", "out[0]",
                          "--input", x, *options, *question)
    exact = Fraction(answer.split(" = ")[0].split(" ")[-1])
    text = "\n".join(lines + [query]) + "\n"
    if exact == 0:
        return
    programs.check(text, exact, slack, 7)
