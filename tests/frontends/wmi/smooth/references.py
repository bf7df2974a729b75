#!/usr/bin/env python3
"""Integrals of smooth functions with 30 digits, by mpmath: closed forms where there are any, otherwise
its own quadrature. Prints references.txt, which smooth_references_test.cpp compares with wmi.

    python3 references.py > references.txt
"""

from mpmath import (asin, atan, cos, cosh, e, erf, erfc, exp, fac, inf, log, mp, mpf, nstr,
                    pi, quad, sin, sqrt, tanh)

mp.dps = 60


def sigmoid(t):
    return 1 / (1 + exp(-t))


def softplus(t):
    return log(1 + exp(t))


def phi(t):
    return exp(-t * t / 2) / sqrt(2 * pi)


def below(t):
    """The cumulative distribution function of the standard normal law."""
    return erfc(-t / sqrt(2)) / 2


def number(value):
    """A literal: (- 2), (/ 1 3)."""
    text = str(abs(value))
    return f"(- {text})" if value < 0 else text


def box(names, low, high):
    return [f"(assert (<= {number(low)} {name} {number(high)}))" for name in names]


def problem(names, lines, weight, query="(get-wmi)"):
    return ([f"(declare-const {name} Real)" for name in names] + lines +
            ([f"(weight true {weight})"] if weight else []) + [query])


def correlated(names, matrix):
    """e^(-x.Px/2) for a precision matrix P, as a term."""
    terms = []
    for i, row in enumerate(matrix):
        for j, entry in enumerate(row):
            if entry:
                terms.append(f"(* {number(-mpf_text(entry))} {names[i]} {names[j]})")
    return f"(exp (* 0.5 (+ {' '.join(terms)})))"


class mpf_text(float):
    """A number with the decimals that it was written with."""


references = []


def reference(name, value, text):
    references.append((name, value, text))


# One dimension.
for low, high, mean, deviation in [(-1, 2, 0, 1), (0, 1, 40, 1), (7, 9, 0, 1), (-3, 5, 1.5, 0.25)]:
    value = (below((mpf(high) - mpf(mean)) / mpf(deviation)) -
             below((mpf(low) - mpf(mean)) / mpf(deviation)))
    if mean == 40:  # no difference of numbers near 1
        value = (erfc(mpf(39) / sqrt(2)) - erfc(mpf(40) / sqrt(2))) / 2
    if low == 7:
        value = (erfc(mpf(7) / sqrt(2)) - erfc(mpf(9) / sqrt(2))) / 2
    reference(f"normal law on [{low}, {high}], mean {mean}, deviation {deviation}", value,
              problem("x", box("x", low, high), f"(normal x {number(mean)} {deviation})"))
reference("normal tail of 1e-12", erfc(mpf(7) / sqrt(2)) / 2,
          problem("x", ["(assert (> x 7))"], "(normal x 0 1)"))
reference("mean beyond 30 deviations", phi(30) / (erfc(30 / sqrt(mpf(2))) / 2),
          problem("x", ["(assert (> x 30))"], "(normal x 0 1)", "(get-expectation x)"))
reference("sixth moment", mpf(15), problem("x", [], "(normal x 0 1)", "(get-moment x 6)"))
reference("E[ReLU]", mpf("0.3") * below(mpf("0.6")) + phi(mpf("0.6")) / 2,
          problem("x", [], "(normal x 0.3 0.5)", "(get-expectation (ite (> x 0) x 0))"))
reference("gamma law", fac(3) / 2**mpf(4),
          problem("x", ["(assert (> x 0))"], "(* x x x (exp (* (- 2) x)))"))
reference("Laplace law", mpf(2), problem("x", [], "(exp (ite (< x 0) x (- x)))"))
reference("Laplace variance", mpf(2),
          problem("x", [], "(exp (ite (< x 0) x (- x)))", "(get-variance x)"))
reference("exp", e - 1, problem("x", box("x", 0, 1), "(exp x)"))
reference("exp of exp", quad(lambda x: exp(exp(x)), [0, 1]),
          problem("x", box("x", 0, 1), "(exp (exp x))"))
reference("quartic exponent", quad(lambda x: exp(-x**4), [-2, 0, 2]),
          problem("x", box("x", -2, 2), "(exp (- (* x x x x)))"))
reference("sigmoid", softplus(mpf(5)) - softplus(mpf(-3)),
          problem("x", box("x", -3, 5), "(sigmoid x)"))
reference("steep sigmoid", (softplus(mpf(200)) - softplus(mpf(-100))) / 100,
          problem("x", box("x", -1, 2), "(sigmoid (* 100 x))"))
reference("tanh", log(cosh(mpf(2))), problem("x", box("x", 0, 2), "(tanh x)"))
reference("erf", quad(erf, [-1, 0, 2]), problem("x", box("x", -1, 2), "(erf x)"))
reference("log", 3 * log(mpf(3)) - 2, problem("x", box("x", 1, 3), "(log x)"))
reference("sqrt from 0", mpf(16) / 3, problem("x", box("x", 0, 4), "(sqrt x)"))
reference("sqrt of a square", quad(lambda x: sqrt(1 + x * x), [-1, 0, 3]),
          problem("x", box("x", -1, 3), "(sqrt (+ 1 (* x x)))"))
reference("reciprocal", log(mpf(2)), problem("x", box("x", 0, 1), "(/ 1 (+ x 1))"))
reference("Cauchy density", 2 * atan(mpf(5)),
          problem("x", box("x", -5, 5), "(/ 1 (+ 1 (* x x)))"))
reference("entropy", mpf(1) / 2 + log(sqrt(2 * pi)),
          problem("x", [], "(normal x 0 1)",
                  "(get-expectation (+ (* 0.5 x x) (log (sqrt 6.283185307179586476925286766559005768394338798750211641949889))))"))
for mean, deviation in [(1, 2), (-3, 0.5), (0.25, 1)]:
    mean_, deviation_ = mpf(mean), mpf(deviation)
    law = lambda x: phi((x - mean_) / deviation_) / deviation_
    points = [-inf] + [mean_ + k * deviation_ for k in range(-8, 9, 2)] + [inf]
    reference(f"logistic-normal mean, {mean}, {deviation}",
              quad(lambda x: sigmoid(x) * law(x), points),
              problem("x", [], f"(normal x {number(mean)} {deviation})",
                      "(get-expectation (sigmoid x))"))
points = [-inf] + list(range(-8, 9, 2)) + [inf]
first = quad(lambda x: sigmoid(x) * phi(x), points)
reference("logistic-normal variance", quad(lambda x: sigmoid(x)**2 * phi(x), points) - first**2,
          problem("x", [], "(normal x 0 1)", "(get-variance (sigmoid x))"))
reference("two pieces", (e - 1) + (1 - exp(mpf(-1))),
          problem("x", box("x", -1, 1), "(exp (ite (< x 0) x (* x 1)))"))

# Two dimensions.
for text in ["0.5", "-0.5", "0.9", "-0.9", "0.99"]:
    r = mpf(text)
    given = f"(exp (* (- 0.5) (/ 1 (- 1 (* {number(float(text))} {number(float(text))}))) " \
            f"(+ (* x x) (* y y) (* (- 2) {number(float(text))} x y))))"
    reference(f"orthant, correlation {text}", mpf(1) / 4 + asin(r) / (2 * pi),
              problem("xy", [], given, "(get-probability (and (> x 0) (> y 0)))"))
reference("normal triangle",
          quad(lambda x: phi(x) * (below(1 - x) - mpf(1) / 2), [0, 1]),
          problem("xy", ["(assert (and (> x 0) (> y 0) (< (+ x y) 1)))"],
                  "(* (normal x 0 1) (normal y 0 1))"))
reference("normal polygon",
          quad(lambda x: phi(x) * (below(2 - abs(x)) - below(abs(x) - 1)), [-mpf(3) / 2, 0, mpf(3) / 2]),
          problem("xy", ["(assert (and (< (+ x y) 2) (< (- y x) 2) (> (- y x) (- 1)) (> (+ x y) (- 1))))"],
                  "(* (normal x 0 1) (normal y 0 1))"))
reference("correlated triangle",
          quad(lambda x: quad(lambda y: exp(x * y - x * x - y * y), [0, 1 - x]), [0, 1]),
          problem("xy", ["(assert (and (> x 0) (> y 0) (< (+ x y) 1)))"],
                  "(exp (- (* x y) (* x x) (* y y)))"))
reference("E[max] of two", 1 / sqrt(pi),
          problem("xy", [], "(* (normal x 0 1) (normal y 0 1))",
                  "(get-expectation (ite (< x y) y x))"))
spread = sqrt(mpf(2))  # of X - Y: means 0.5 and 0, variances 1 and 1
reference("E[max] of two, apart",
          mpf("0.5") * below(mpf("0.5") / spread) + spread * phi(mpf("0.5") / spread),
          problem("xy", [], "(* (normal x 0.5 1) (normal y 0 1))",
                  "(get-expectation (ite (< x y) y x))"))
reference("tail of a sum, 1e-12", erfc(mpf(5)) / 2,
          problem("xy", ["(assert (> (+ x y) 10))"], "(* (normal x 0 1) (normal y 0 1))"))
reference("corner of 1e-11", (erfc(5 / sqrt(mpf(2))) / 2) * (erfc(4 / sqrt(mpf(2))) / 2),
          problem("xy", ["(assert (and (> x 5) (> y 4)))"], "(* (normal x 0 1) (normal y 0 1))"))
reference("correlated corner",
          quad(lambda x: phi(x) * erfc((4 - x / 2) / sqrt(mpf(3) / 4) / sqrt(mpf(2))) / 2,
               [4, 5, 6, 8, 12, inf]),
          problem("xy", ["(assert (and (> x 4) (> y 4)))"],
                  "(* (normal x 0 1) (exp (* (- (/ 2 3)) (- y (* 0.5 x)) (- y (* 0.5 x)))))",
                  "(get-wmi)"))
references[-1] = (references[-1][0], references[-1][1] * sqrt(2 * pi * mpf(3) / 4),
                  references[-1][2])
reference("sigmoid of a sum",
          quad(lambda y: softplus(1 + y) - softplus(y - 1), [-1, 1]),
          problem("xy", box("xy", -1, 1), "(sigmoid (+ x y))"))
reference("exp of a product", quad(lambda y: (exp(y) - 1) / y, [0, 1]),
          problem("xy", box("xy", 0, 1), "(exp (* x y))"))
reference("reciprocal on a triangle", 1 - log(mpf(2)),
          problem("xy", ["(assert (and (> x 0) (> y 0) (< (+ x y) 1)))"], "(/ 1 (+ 1 x y))"))
reference("logistic regression",
          quad(lambda t: sigmoid(t) * phi((t - 1) / sqrt(mpf(5))) / sqrt(mpf(5)),
               [-inf, -8, -4, -2, 0, 2, 4, 8, 12, inf]),
          problem("t", [], "(exp (* (- 0.1) (- t 1) (- t 1)))", "(get-expectation (sigmoid t))"))
reference("tanh times erf", quad(tanh, [0, 2]) * quad(erf, [0, 1]),
          problem("xy", ["(assert (and (< 0 x 2) (< 0 y 1)))"], "(* (tanh x) (erf y))"))
reference("sigmoids of two forms",
          quad(lambda x: sigmoid(x) * (softplus(1 + 2 * x) - softplus(2 * x - 1)), [-1, 0, 1]),
          problem("xy", box("xy", -1, 1), "(* (sigmoid x) (sigmoid (+ y (* 2 x))))"))
reference("sqrt on a triangle", quad(lambda s: s * sqrt(1 + s), [0, 1]),
          problem("xy", ["(assert (and (> x 0) (> y 0) (< (+ x y) 1)))"], "(sqrt (+ 1 x y))"))
reference("a Boolean, too", (e - 1) + 1,
          problem("x", ["(declare-const b Bool)"] + box("x", 0, 1), None) [:-1] +
          ["(weight b (exp x))", "(get-wmi)"])

# Polygons, by Owen's T function (Owen, 1956): the triangle of the origin, the foot of its perpendicular
# on a line at the distance h, and a point of the line at the distance a h from the foot, has the mass
# atan(a)/(2 pi) - T(h, a).
def owen(h, a):
    return quad(lambda t: exp(-h * h * (1 + t * t) / 2) / (1 + t * t), [0, a / 4, a / 2, a]) / (2 * pi)


def polygon_mass(vertices):
    """Under independent standard normal laws; vertices counter-clockwise."""
    total = mpf(0)
    for (px, py), (qx, qy) in zip(vertices, vertices[1:] + vertices[:1]):
        length = sqrt((qx - px)**2 + (qy - py)**2)
        h = (px * qy - qx * py) / length  # signed: negative where the edge is seen from behind
        for sign, (vx, vy) in ((1, (qx, qy)), (-1, (px, py))):
            along = ((qx - px) * vx + (qy - py) * vy) / length
            if h:
                total += sign * (atan(along / h) / (2 * pi) - owen(h, along / h))
    return total


def sides(vertices):
    """The inequalities of a convex polygon."""
    lines = []
    for (px, py), (qx, qy) in zip(vertices, vertices[1:] + vertices[:1]):
        lines.append(f"(assert (>= (- (* {number(qx - px)} (- y {number(py)})) "
                     f"(* {number(qy - py)} (- x {number(px)}))) 0))")
    return lines


for name, vertices in [("pentagon", [(-2, -1), (1, -2), (3, 0), (1, 2), (-1, 1)]),
                       ("triangle beside the origin", [(1, 0), (3, 1), (2, 3)]),
                       ("far triangle, 1e-12", [(5, 5), (9, 6), (6, 8)]),
                       ("thin quadrilateral", [(-3, 0), (0, -1), (4, 0), (0, 1)])]:
    reference(f"Owen's T: {name}", polygon_mass([(mpf(x), mpf(y)) for x, y in vertices]),
              problem("xy", sides(vertices), "(* (normal x 0 1) (normal y 0 1))"))
# y = x/2 + z/2 with independent standard normal x and z: polygons become polygons.
vertices = [(-1, -2), (2, -1), (2, 1), (0, 2)]
reference("Owen's T: correlated quadrilateral",
          polygon_mass([(mpf(x), 2 * mpf(y) - x) for x, y in vertices]),
          problem("xy", sides(vertices), "(* (normal x 0 1) (normal y (* 0.5 x) 0.5))"))

# Three dimensions.
reference("E[max] of three", 3 / (2 * sqrt(pi)),
          problem("xyz", [], "(* (normal x 0 1) (normal y 0 1) (normal z 0 1))",
                  "(get-expectation (ite (< x y) (ite (< y z) z y) (ite (< x z) z x)))"))
reference("normal simplex",
          quad(lambda x: phi(x) * quad(lambda y: phi(y) * (below(1 - x - y) - mpf(1) / 2),
                                       [0, 1 - x]), [0, 1]),
          problem("xyz", ["(assert (and (> x 0) (> y 0) (> z 0) (< (+ x y z) 1)))"],
                  "(* (normal x 0 1) (normal y 0 1) (normal z 0 1))"))
reference("exp on a cube", (e - 1)**3,
          problem("xyz", box("xyz", 0, 1), "(exp (+ x y z))"))
reference("sigmoid on a cube",
          quad(lambda y: quad(lambda z: softplus(1 + 2 * y - z) - softplus(2 * y - z), [0, 1]), [0, 1]),
          problem("xyz", box("xyz", 0, 1), "(sigmoid (+ x (* 2 y) (- z)))"))
reference("orthant of one axis", mpf(1) / 8,
          problem("xyz", [], "(* (normal x 0 1) (normal y 0 2) (normal z 0 3))",
                  "(get-probability (and (> x 0) (> y 0) (> z 0)))"))
# x, y = x/2 + e, z = y/2 + f with independent standard normal x, e, f.
r_xy, r_yz = mpf(1) / 2 / sqrt(mpf(5) / 4), (mpf(5) / 8) / sqrt(mpf(5) / 4 * (mpf(21) / 16))
r_xz = mpf(1) / 4 / sqrt(mpf(21) / 16)
reference("orthant in three dimensions",
          mpf(1) / 8 + (asin(r_xy) + asin(r_yz) + asin(r_xz)) / (4 * pi),
          problem("xyz", [], "(* (normal x 0 1) (normal y (* 0.5 x) 1) (normal z (* 0.5 y) 1))",
                  "(get-probability (and (> x 0) (> y 0) (> z 0)))"))
# Independent numbers a, b, c and x, y, z = L (a, b, c): the law that (normal y (* l x) s) describes.
def chained(l_y, s_y, l_zx, l_zy, s_z):
    rows = [[1, 0, 0], [l_y, s_y, 0], [l_zx + l_zy * l_y, l_zy * s_y, s_z]]
    covariance = [[sum(a * b for a, b in zip(p, q)) for q in rows] for p in rows]
    weight = (f"(* (normal x 0 1) (normal y (* {number(l_y)} x) {s_y}) "
              f"(normal z (+ (* {number(l_zx)} x) (* {number(l_zy)} y)) {s_z}))")
    return covariance, weight


for l_y, s_y, l_zx, l_zy, s_z in [(0.5, 1, -0.75, 0.25, 0.5), (-1.5, 0.5, -0.25, -2, 1),
                                  (1, 0.0009765625, 0.5, 0, 1), (-0.25, 1, -0.125, 0.5, 0.03125)]:
    covariance, weight = chained(mpf(l_y), mpf(s_y), mpf(l_zx), mpf(l_zy), mpf(s_z))
    _, weight = chained(l_y, s_y, l_zx, l_zy, s_z)
    correlation = lambda i, j: covariance[i][j] / sqrt(covariance[i][i] * covariance[j][j])
    reference(f"orthant in three dimensions, {l_y}, {s_y}, {l_zx}, {l_zy}, {s_z}",
              mpf(1) / 8 + (asin(correlation(0, 1)) + asin(correlation(0, 2)) +
                            asin(correlation(1, 2))) / (4 * pi),
              problem("xyz", [], weight, "(get-probability (and (> x 0) (> y 0) (> z 0)))"))
    spread = lambda i, j: sqrt(covariance[i][i] + covariance[j][j] - 2 * covariance[i][j])
    reference(f"E[max] of three, correlated, {l_y}, {s_y}, {l_zx}, {l_zy}, {s_z}",
              (spread(0, 1) + spread(0, 2) + spread(1, 2)) / (2 * sqrt(2 * pi)),
              problem("xyz", [], weight,
                      "(get-expectation (ite (< x y) (ite (< y z) z y) (ite (< x z) z x)))"))
reference("mean in a quadrant, correlation 3/5", (1 + mpf(3) / 5) / (2 * sqrt(2 * pi)),
          problem("xy", ["(assert (and (> x 0) (> y 0)))"],
                  "(* x (normal x 0 1) (normal y (* 0.6 x) 0.8))"))
reference("strip in three dimensions", below(1 / sqrt(mpf(3))) - below(-1 / sqrt(mpf(3))),
          problem("xyz", [], "(* (normal x 0 1) (normal y 0 1) (normal z 0 1))",
                  "(get-probability (< (- 1) (+ x y z) 1))"))

# Four and five dimensions.
reference("exp on a simplex in four dimensions", quad(lambda s: s**3 / 6 * exp(s), [0, 1]),
          problem("wxyz", ["(assert (and (> w 0) (> x 0) (> y 0) (> z 0) (< (+ w x y z) 1)))"],
                  "(exp (+ w x y z))"))
reference("normal simplex in four dimensions",
          quad(lambda s: s * quad(lambda y: phi(y) * (below(1 - s - y) - mpf(1) / 2), [0, 1 - s]), [0, 1]),
          problem("wxyz", ["(assert (and (> w 0) (> x 0) (> y 0) (> z 0) (< (+ w x y z) 1)))"],
                  "(* (normal y 0 1) (normal z 0 1))"))
reference("normal box in five dimensions", (below(mpf(1)) - below(mpf(-1)))**5,
          problem("vwxyz", box("vwxyz", -1, 1),
                  "(* (normal v 0 1) (normal w 0 1) (normal x 0 1) (normal y 0 1) (normal z 0 1))"))
reference("five functions on a box",
          (e - 1) * (softplus(1) - softplus(0)) * quad(erf, [0, 1]) * log(cosh(mpf(1))) * log(mpf(2)),
          problem("vwxyz", box("vwxyz", 0, 1),
                  "(* (exp v) (sigmoid w) (erf x) (tanh y) (/ 1 (+ 1 z)))"))
reference("exp on a simplex in five dimensions", quad(lambda s: s**4 / 24 * exp(-s), [0, 1]),
          problem("vwxyz", ["(assert (and (> v 0) (> w 0) (> x 0) (> y 0) (> z 0) (< (+ v w x y z) 1)))"],
                  "(exp (- (+ v w x y z)))"))
reference("half-space in five dimensions", below(-3 / sqrt(mpf(5))),
          problem("vwxyz", [],
                  "(* (normal v 0 1) (normal w 0 1) (normal x 0 1) (normal y 0 1) (normal z 0 1))",
                  "(get-probability (> (+ v w x y z) 3))"))

# Chains: each variable is connected with the next one by an analytic function, so that the integral is
# one of one variable after the other, for values of the next: by Gauss's rule on [0, 1], or from 0 to
# the next one, between which values a polynomial of Chebyshev interpolates.
def gauss(count, end=1):
    """The rule on [0, end]."""
    nodes, weights = mp.gauss_quadrature(count, "legendre")
    return [end * (1 + node) / 2 for node in nodes], [end * weight / 2 for weight in weights]


def box_chain(links, end, count=36):
    """Over the cube [0, end]^n: of the product of links[i](x_i, x_(i+1))."""
    nodes, weights = gauss(count, end)
    values = [mpf(1)] * count
    for link in links:
        values = [sum(w * value * link(x, y) for x, w, value in zip(nodes, weights, values)) for y in nodes]
    return sum(w * value for w, value in zip(weights, values))


def ordered_chain(links, end, count=36):
    """The same over 0 < x_0 < x_1 < ... < end."""
    nodes, weights = gauss(count)
    places = [end * (1 - cos(pi * (2 * k + 1) / (2 * count))) / 2 for k in range(count)]
    barycentric = [(-1)**k * sin(pi * (2 * k + 1) / (2 * count)) for k in range(count)]

    def interpolated(values, x):
        parts = [b / (x - p) for b, p in zip(barycentric, places)]
        return sum(part * value for part, value in zip(parts, values)) / sum(parts)

    values = [mpf(1)] * count
    for link in links:
        values = [sum(w * y * interpolated(values, y * u) * link(y * u, y) for u, w in zip(nodes, weights))
                  for y in places]
    return sum(w * end * interpolated(values, end * u) for u, w in zip(nodes, weights))


autoregressive = lambda x, y: exp(-(y - x / 2)**2 / 2)
coupled = lambda x, y: exp(x * y)
logistic = lambda x, y: sigmoid(x - 2 * y)
terms = {autoregressive: "(exp (* (- 0.5) (- {1} (* 0.5 {0})) (- {1} (* 0.5 {0}))))",
         coupled: "(exp (* {0} {1}))", logistic: "(sigmoid (- {0} (* 2 {1})))"}
for kind, names, links, end, ordered in [
        ("normal", "wxyz", [autoregressive] * 3, 1, False),
        ("normal", "wxyz", [autoregressive] * 3, 1, True),
        ("mixed", "wxyz", [coupled, logistic, autoregressive], 1, True),
        ("normal", "vwxyz", [autoregressive] * 4, mpf(1) / 4, True),
        ("mixed", "vwxyz", [coupled, autoregressive, logistic, coupled], mpf(1) / 4, True)]:
    weight = "(* " + " ".join(terms[link].format(x, y) for link, x, y in zip(links, names, names[1:])) + ")"
    if ordered:
        lines = [f"(assert (< 0 {' '.join(names)} {nstr(mpf(end), 3)}))"]
    else:
        lines = box(names, 0, end)
    reference(f"{kind} {'ordered ' if ordered else ''}chain in {len(names)} dimensions",
              (ordered_chain if ordered else box_chain)(links, end), problem(names, lines, weight))

for name, value, lines in references:
    print(f"; {name}")
    for line in lines:
        print(line)
    print(f"= {nstr(value, 30, strip_zeros=False, min_fixed=-1, max_fixed=1)}")
