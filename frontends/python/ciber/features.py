"""The features of an estimator as columns of a table: arrays of numbers, and data frames whose
columns may also have words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy
from sklearn.utils.validation import check_array, validate_data

from .errors import Error
from .table import are_column_names, number_cells

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Features(NamedTuple):
    """A column for each feature."""

    names: list[str]
    columns: list[list[str]]
    words: frozenset[int]
    """The columns of words, which become an input for each word."""

    @property
    def rows(self) -> int:
        return len(self.columns[0])

    @property
    def word_names(self) -> list[str]:
        return [self.names[i] for i in sorted(self.words)]


def word_columns(X: Any) -> frozenset[int]:  # noqa: N803
    """The columns of a data frame that have words: categories, strings, and objects with some."""
    if not (hasattr(X, "dtypes") and hasattr(X, "iloc")):
        return frozenset()
    return frozenset(i for i, dtype in enumerate(X.dtypes) if _has_words(dtype, X.iloc[:, i]))


def _has_words(dtype: Any, column: Iterable[Any]) -> bool:
    name = str(dtype)
    if name == "object":
        return any(isinstance(value, str) for value in column)
    return name == "category" or name.startswith(("str", "large_string"))


def training_features(estimator: Any, X: Any, rows: int = 2) -> Features:  # noqa: N803
    """Checks the features as sklearn does and remembers their names. At least so many rows."""
    return _features(estimator, X, word_columns(X), reset=True, ensure_min_samples=rows)


def later_features(estimator: Any, X: Any, words: frozenset[int]) -> Features:  # noqa: N803
    """The same for rows to predict, of an estimator that was fitted with these columns of words."""
    return _features(estimator, X, words, reset=False)


def _features(
    estimator: Any,
    X: Any,  # noqa: N803
    words: frozenset[int],
    *,
    reset: bool,
    **checks: Any,
) -> Features:
    if not words:
        numbers = validate_data(estimator, X, reset=reset, dtype=numpy.float64, **checks)
        columns = [number_cells(numbers[:, i]) for i in range(numbers.shape[1])]
        return Features(_names(estimator, len(columns)), columns, words)
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    cells = X.to_numpy(dtype=object) if hasattr(X, "to_numpy") else numpy.asarray(X, dtype=object)
    plain = [i for i in range(cells.shape[1]) if i not in words]
    names = _names(estimator, cells.shape[1])
    numbers = check_array(
        cells[:, plain], dtype=numpy.float64, ensure_min_features=0, estimator=estimator, **checks
    )
    columns = [[] for _ in names]
    for place, i in enumerate(plain):
        columns[i] = number_cells(numbers[:, place])
    for i in words:
        columns[i] = _words(cells[:, i], names[i])
    return Features(names, columns, words)


def _words(values: NDArray[Any], name: str) -> list[str]:
    for row, value in enumerate(values):
        if value is None or value != value or str(value) == "<NA>":
            raise Error(f"column '{name}': row {row} has a missing value; fill it in")
    return [str(value) for value in values]


def _names(estimator: Any, count: int) -> list[str]:
    """The names that the estimator was fitted with, if a table can have them, else x0, x1, ..."""
    known = [str(name) for name in getattr(estimator, "feature_names_in_", ())]
    return known if known and are_column_names(known) else [f"x{i}" for i in range(count)]
