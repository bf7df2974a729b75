"""Exact integrals of piecewise polynomials by nested quadrature, with fractions and nothing else.

A function that is a polynomial on each cell of an arrangement of hyperplanes is integrated one
coordinate at a time. Along the first coordinate, the integral over the others is a polynomial
between two neighbouring abscissae of vertices of the arrangement, of a degree that is known; so a
rule that is exact for that degree, at rational points inside the interval, is exact. No cell is
ever cut out, no vertex is asked for its neighbours, and no term is simplified: the algorithm has
nothing in common with those of the solver.
"""

from fractions import Fraction
from functools import lru_cache
from itertools import combinations


@lru_cache(maxsize=None)
def rule(degree):
    """Points of (0, 1) and weights that integrate polynomials of this degree exactly."""
    count = degree + 1
    points = [Fraction(i + 1, count + 1) for i in range(count)]
    # Weights w with sum w_i t_i^k = 1/(k+1): integrate the Lagrange polynomials.
    weights = []
    for i in range(count):
        polynomial, scale = [Fraction(1)], Fraction(1)
        for j in range(count):
            if j == i:
                continue
            shifted = [Fraction(0)] + polynomial
            for k, c in enumerate(polynomial):
                shifted[k] -= points[j] * c
            polynomial = shifted
            scale *= points[i] - points[j]
        weights.append(sum(c / (k + 1) for k, c in enumerate(polynomial)) / scale)
    return list(zip(points, weights))


def solve_square(rows):
    """The solution of rows a . x + c = 0, or None if there is not exactly one."""
    n = len(rows)
    matrix = [list(row) for row in rows]
    for column in range(n):
        pivot = next((i for i in range(column, n) if matrix[i][column] != 0), None)
        if pivot is None:
            return None
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        head = matrix[column][column]
        matrix[column] = [entry / head for entry in matrix[column]]
        for i in range(n):
            if i != column and matrix[i][column] != 0:
                factor = matrix[i][column]
                matrix[i] = [a - factor * b for a, b in zip(matrix[i], matrix[column])]
    return [-matrix[i][n] for i in range(n)]


def abscissae(planes, dimension):
    """The first coordinates of all vertices of the arrangement, in order."""
    found = set()
    for rows in combinations(planes, dimension):
        vertex = solve_square(rows)
        if vertex is not None:
            found.add(vertex[0])
    return sorted(found)


def sliced(planes, value):
    """The arrangement at one value of the first coordinate."""
    rest = set()
    for plane in planes:
        row = plane[1:-1] + (plane[-1] + plane[0] * value,)
        if any(row[:-1]):
            scale = next(entry for entry in row if entry != 0)
            rest.add(tuple(entry / scale for entry in row))
    return rest


def integrals(planes, dimension, degree, holds, values, count):
    """The integrals of `count` functions over all points where `holds` is true.

    `planes` are rows (a_1, ..., a_n, c) of hyperplanes a . x + c = 0 that bound the region and
    between which `holds` is constant and `values` are polynomials of this degree together.
    """
    if dimension == 0:
        return list(values(())) if holds(()) else [Fraction(0)] * count
    return nested(planes, dimension, degree, holds, values, count, ())


def nested(planes, dimension, degree, holds, values, count, before):
    total = [Fraction(0)] * count
    stations = abscissae(planes, dimension)
    for start, end in zip(stations, stations[1:]):
        width = end - start
        if dimension == 1:
            if not holds(before + ((start + end) / 2,)):
                continue
            for point, weight in rule(degree):
                scale = weight * width
                for i, value in enumerate(values(before + (start + point * width,))):
                    total[i] += scale * value
            continue
        for point, weight in rule(degree + dimension - 1):
            x = start + point * width
            inner = nested(sliced(planes, x), dimension - 1, degree, holds, values, count,
                           before + (x,))
            scale = weight * width
            for i, value in enumerate(inner):
                if value:
                    total[i] += scale * value
    return total
