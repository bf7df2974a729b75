"""Estimators of sklearn: networks trained by `ciber train`, with the last layer averaged exactly.

>>> import ciber, numpy
>>> X = numpy.linspace(-1, 1, 40).reshape(-1, 1)
>>> model = ciber.CollapsedRegressor(epochs=20, samples=4, every=1).fit(X, X[:, 0] ** 2)
>>> mean, deviation = model.predict(X, return_std=True)
>>> model.predict_interval(X, confidence_level=0.9).shape
(40, 2)
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_y,
    check_consistent_length,
    check_is_fitted,
)

from .errors import Error
from .features import Features, later_features, training_features
from .predicted_laws import PredictedLaws
from .program import run_program, working_directory
from .run_directory import RunDirectory
from .table import are_column_names, are_plain_words, csv_text, number_cells

if TYPE_CHECKING:
    from typing_extensions import Self

Array = Any  # of numpy
Hidden = int | Sequence[int]

# The option of the program for each parameter.
_TRAINING = {
    "hidden": "hidden",
    "activation": "activation",
    "dropout": "dropout",
    "likelihood": "likelihood",
    "tails": "tails",
    "epochs": "epochs",
    "batch": "batch",
    "rate": "rate",
    "weight_decay": "weight-decay",
    "samples": "samples",
    "every": "every",
    "sampling_rate": "sampling-rate",
    "trajectories": "trajectories",
    "validation": "validation",
    "seed": "seed",
    "threads": "threads",
}
_PREDICTION = {
    "partition": "partition",
    "posterior": "posterior",
    "prior_precision": "lambda",
    "temperature": "temperature",
    "threads": "threads",
}


class _CollapsedEstimator(BaseEstimator):  # type: ignore[misc]
    """What both estimators share. A parameter that is None has the default of `ciber train` or
    `ciber predict`."""

    _task: str

    def __init__(
        self,
        *,
        hidden: Hidden | None = None,
        activation: str | None = None,
        dropout: float | None = None,
        likelihood: str | None = None,
        tails: str | None = None,
        epochs: int | None = None,
        batch: int | None = None,
        rate: float | None = None,
        weight_decay: float | None = None,
        samples: int | None = None,
        every: int | str | None = None,
        sampling_rate: float | None = None,
        trajectories: int | None = None,
        validation: float | None = None,
        partition: str | None = None,
        posterior: str | None = None,
        prior_precision: float | None = None,
        temperature: float | None = None,
        seed: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.hidden = hidden
        self.activation = activation
        self.dropout = dropout
        self.likelihood = likelihood
        self.tails = tails
        self.epochs = epochs
        self.batch = batch
        self.rate = rate
        self.weight_decay = weight_decay
        self.samples = samples
        self.every = every
        self.sampling_rate = sampling_rate
        self.trajectories = trajectories
        self.validation = validation
        self.partition = partition
        self.posterior = posterior
        self.prior_precision = prior_precision
        self.temperature = temperature
        self.seed = seed
        self.threads = threads

    def _train(self, features: Features, target: str, outcomes: list[str]) -> None:
        arguments = ["train", "data.csv", "--target", target, "--task", self._task]
        if features.words:
            arguments += ["--categorical", ",".join(features.word_names)]
        arguments += [*self._options(_TRAINING), "--out", "run"]
        with working_directory() as directory:
            text = csv_text([*features.names, target], [*features.columns, outcomes])
            (directory / "data.csv").write_text(text, encoding="utf-8")
            _run(arguments, directory)
            self.run_ = RunDirectory.load(directory / "run")
        self.word_columns_ = features.words
        self.target_name_ = target

    def _ask(
        self, features: Features, options: Sequence[str] = (), outcomes: Any = None
    ) -> dict[str, list[str]]:
        """The columns that `ciber predict` prints, by name and in their order."""
        names, columns = list(features.names), list(features.columns)
        if outcomes is not None:
            names.append(self.target_name_)
            columns.append(number_cells(outcomes))
        with working_directory() as directory:
            self.run_.save(directory / "run")
            (directory / "rows.csv").write_text(csv_text(names, columns), encoding="utf-8")
            arguments = ["predict", "run", "rows.csv", *self._options(_PREDICTION), *options]
            printed = _run(arguments, directory)
        header, *rows = csv.reader(StringIO(printed, newline=""))  # words may have line breaks
        return dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))

    def _later(self, X: Any) -> Features:  # noqa: N803
        check_is_fitted(self)
        return later_features(self, X, self.word_columns_)

    def _options(self, table: dict[str, str]) -> list[str]:
        result: list[str] = []
        for parameter, option in table.items():
            value = getattr(self, parameter)
            if value is not None:
                result += [f"--{option}", _option_text(parameter, value)]
        return result

    def _target_name(self, y: Any, features: Features) -> str:
        """The name of a Series, if a table can have it, else `target` with as many underscores as
        make it new."""
        name = getattr(y, "name", None)
        if isinstance(name, str) and are_column_names([*features.names, name]):
            return name
        name = "target"
        while name in features.names:
            name += "_"
        return name


class CollapsedRegressor(RegressorMixin, _CollapsedEstimator):  # type: ignore[misc]
    """Predicts numbers, each with its law.

    `ciber train` trains a network and keeps samples of its weights; `ciber predict` averages over
    them, and over the weights of the last layer exactly. Parameters are the options of these
    commands; None stands for their defaults. `run_` is the run directory.
    """

    _task = "regression"

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803
        """Trains on rows and their outcomes. The same seed gives the same numbers."""
        features, outcomes = _checked(self, X, y, numeric=True)
        self._train(features, self._target_name(y, features), number_cells(outcomes))
        return self

    def predict(self, X: Any, return_std: bool = False) -> Any:  # noqa: N803
        """The mean of the outcome for each row, and with `return_std` its standard deviation."""
        laws = self.predict_law(X)
        return (laws.mean, laws.std) if return_std else laws.mean

    def predict_interval(self, X: Any, confidence_level: float = 0.9) -> Array:  # noqa: N803
        """The central interval that has the outcome with this probability: two columns."""
        return self.predict_law(X).interval(confidence_level)

    def predict_law(self, X: Any) -> PredictedLaws:  # noqa: N803
        """The laws of the outcomes: mean, std, quantile, interval, cdf, log_prob, crps."""
        features = self._later(X)
        return PredictedLaws(features.rows, partial(_predicted, self, features))


class CollapsedClassifier(ClassifierMixin, _CollapsedEstimator):  # type: ignore[misc]
    """Predicts classes with their probabilities.

    As CollapsedRegressor; the probability of a class is averaged over the samples of the weights,
    and over the weights of the last layer.
    """

    _task = "classification"

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803
        """Trains on rows and their classes. The same seed gives the same numbers."""
        features, outcomes = _checked(self, X, y, numeric=False)
        check_classification_targets(outcomes)
        self.classes_, numbers = numpy.unique(outcomes, return_inverse=True)
        if len(self.classes_) < 2:
            raise Error(f"{type(self).__name__}: there is only one class, {self.classes_[0]!r}")
        words = _class_words(self.classes_.tolist())
        self._train(features, self._target_name(y, features), [words[k] for k in numbers])
        self.class_words_ = words
        return self

    def predict(self, X: Any) -> Array:  # noqa: N803
        """The likeliest class of each row."""
        likeliest = self.predict_proba(X).argmax(axis=1)
        return self.classes_[likeliest]

    def predict_proba(self, X: Any) -> Array:  # noqa: N803
        """The probability of each class, in the order of `classes_`."""
        found = self._ask(self._later(X))
        columns = [numpy.array(found[f"p_{word}"], dtype=float) for word in self.class_words_]
        return numpy.stack(columns, axis=1)


def _predicted(
    estimator: CollapsedRegressor, features: Features, levels: Sequence[float], outcomes: Any
) -> dict[str, Any]:
    """What `ciber predict` says of these rows, as PredictedLaws asks for it."""
    options = ["--intervals", ",".join(map(repr, levels))] if levels else []
    found = estimator._ask(features, options, outcomes)
    del found["row"]
    return {name: numpy.array(column, dtype=float) for name, column in found.items()}


def _checked(estimator: Any, X: Any, y: Any, *, numeric: bool) -> tuple[Features, Any]:  # noqa: N803
    if y is None:
        raise Error(f"{type(estimator).__name__} requires y to be passed, but the target y is None")
    features = training_features(estimator, X)
    outcomes = _check_y(y, y_numeric=numeric, estimator=estimator)
    check_consistent_length(features.columns[0], outcomes)
    return features, outcomes


def _class_words(classes: Sequence[object]) -> list[str]:
    """A word for each class: itself, or its number if a table cannot tell the words apart."""
    words = [str(one) for one in classes]
    distinct = len(set(words)) == len(words) and are_plain_words(words)
    return words if distinct else [str(k) for k in range(len(words))]


_PARAMETERS = {option: parameter for parameter, option in {**_TRAINING, **_PREDICTION}.items()}
_OPTION = re.compile(r"--([a-z]+(?:-[a-z]+)*)")


def _run(arguments: Sequence[str], directory: Path) -> str:
    """Runs the program; its errors name parameters instead of options."""
    try:
        return run_program(arguments, directory)
    except Error as error:
        named = _OPTION.sub(
            lambda option: _PARAMETERS[option[1]] + "=" if option[1] in _PARAMETERS else option[0],
            str(error),
        )
        raise type(error)(named) from None


def _option_text(parameter: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float, Sequence, numpy.generic)):
        raise Error(f"{parameter}={value!r}: expected a number or a text")
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return ",".join(_option_text(parameter, one) for one in value)
    return repr(value.item() if isinstance(value, numpy.generic) else value)
