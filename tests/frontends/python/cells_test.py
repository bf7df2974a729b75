import pickle
from fractions import Fraction

import ciber
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

x, y, z = ciber.reals("x y z")
a, b = ciber.booleans("a b")


def square(**parts):
    return ciber.Problem(bounds={x: (0, 1), y: (0, 1)}, **parts)


def area(polygon):
    """By the shoelace formula: positive if the vertices are in counterclockwise order."""
    after = polygon[1:] + polygon[:1]
    return sum(p[0] * q[1] - q[0] * p[1] for p, q in zip(polygon, after, strict=True)) / 2


def test_a_cell_has_vertices_a_weight_and_a_mass():
    (cell,) = square(weights=[2 * x]).cells(x + y <= 1)
    assert set(cell.vertices) == {(0, 0), (1, 0), (0, 1)}
    assert str(cell.weight) == "2*x"
    assert cell.mass == Fraction(1, 3)
    assert cell.centre == (Fraction(1, 3), Fraction(1, 3))


def test_vertices_in_the_plane_are_in_order_around_the_cell():
    cells = square().cells((x + y >= "1/2") & (x + y <= "3/2"))
    assert sum(area(cell.vertices) for cell in cells) == Fraction(3, 4)
    assert all(area(cell.vertices) > 0 for cell in cells)


def test_cells_are_summed_over_booleans():
    problem = square(weights=[(2 * x, a)])
    problem.add(ciber.implies(a, x + y <= 1))
    assert problem.cells().mass == Fraction(4, 3)
    assert [str(cell.weight) for cell in problem.cells(a)] == ["2*x"]
    assert [str(cell.weight) for cell in problem.cells(~a)] == ["1"]


def test_independent_factors_are_multiplied_out():
    # Each of x and y has two halves with different weights, so there are four cells.
    problem = square(weights=[(2, x < "1/2"), (3 * y, y < "1/2"), (5, b)])
    cells = problem.cells()
    assert len(cells) == 4
    assert sum(area(cell.vertices) for cell in cells) == 1
    # (2 + 1)/2 * (3/8 + 1/2) * (5 + 1)
    assert cells.mass == Fraction(63, 8) == problem.wmi().exact


def test_cells_of_a_slice_have_a_dimension_less():
    problem = square(assertions=[x + y <= 1])
    problem.observe(y, "1/4")
    cells = problem.cells()
    assert cells.variables == ("x",)
    assert [cell.vertices for cell in cells] == [((0,), (Fraction(3, 4),))]


def test_cells_of_a_network_that_is_searched_in_doubles_are_exact(root):
    network = ciber.Network.load(root / "docs/examples/net.onnx")
    problem = network.problem({0: (0, 1), 1: (0, 1)})
    event = ciber.real("out[0]") > 1
    cells = problem.cells(event)
    assert cells.variables == ("input[0]", "input[1]")
    assert cells.mass == problem.wmi(event).exact


def test_cells_have_any_number_of_dimensions():
    cube = ciber.Problem(bounds={x: (0, 1), y: (0, 1), z: (0, 1)})
    (cell,) = cube.cells()
    assert len(cell.vertices) == 8
    assert list(cell.vertices) == sorted(cell.vertices)
    (alone,) = ciber.Problem(assertions=[a]).cells()
    assert (alone.vertices, alone.mass) == (((),), 1)
    assert len(square().cells(x > 2)) == 0
    assert square().cells(x > 2).mass == 0


def test_what_cannot_be_listed_is_refused():
    with pytest.raises(ciber.Error, match="bound 'x' above"):
        ciber.Problem(bounds={x: (0, None)}).cells()
    box = ciber.Problem(bounds={one: (0, 1) for one in ciber.reals([f"z{i}" for i in range(14)])})
    with pytest.raises(ciber.GaveUp, match="vertices"):
        box.cells()
    with pytest.raises(ciber.Error, match="w"):
        square().cells(ciber.real("w") > 0)
    with pytest.raises(ciber.Error, match="timeout"):
        square().cells(timeout=-1)


def test_cells_are_a_sequence_that_pickles():
    cells = square().cells(x > y)
    assert repr(cells) == "<Cells: 1 over x, y>"
    assert len(cells[:1]) == 1
    assert cells[:1].variables == ("x", "y")
    assert pickle.loads(pickle.dumps(cells))[0].mass == cells[0].mass


def test_a_picture_has_a_polygon_for_each_cell():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, ax = pyplot.subplots()
    cells = square(weights=[(2, x > y)]).cells()
    assert cells.plot(ax, label="all") is ax
    assert len(ax.collections[0].get_paths()) == len(cells) == 2
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x", "y")
    assert ax.get_legend_handles_labels()[1] == ["all"]
    pyplot.close(figure)
    with pytest.raises(ciber.Error, match="two dimensions"):
        ciber.Problem(bounds={x: (0, 1)}).cells().plot()


def half_planes():
    number = st.integers(-3, 3)
    return st.tuples(number, number, number).map(lambda c: c[0] * x + c[1] * y <= c[2])


@settings(max_examples=60, deadline=None)
@given(st.lists(half_planes(), min_size=1, max_size=4), st.integers(0, 3))
def test_random_cells_are_disjoint_and_add_up(planes, power):
    problem = ciber.Problem(bounds={x: (-2, 2), y: (-2, 2)})
    event = planes[0]
    for i, plane in enumerate(planes[1:]):
        event = event | plane if i % 2 else event ^ plane
        problem.weight(2 + x**power, when=plane)
    cells = problem.cells(event)
    assert cells.mass == problem.wmi(event).exact
    # They cover the event and do not overlap: their areas are the area of the event.
    plain = ciber.Problem(bounds={x: (-2, 2), y: (-2, 2)})
    assert sum(area(cell.vertices) for cell in cells) == plain.wmi(event).exact
