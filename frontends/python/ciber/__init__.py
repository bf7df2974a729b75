"""Exact probabilities, expectations and laws, from Python.

>>> import ciber
>>> x, y = ciber.reals("x y")
>>> problem = ciber.Problem(bounds={x: (0, 1), y: (0, 1)}, weights=[2 * x])
>>> problem.probability(x + y <= 1)
Answer(1/3 = 0.33333333333333333)
"""

from typing import TYPE_CHECKING, Any

from ._core import version as __version__
from .answer import Answer
from .cells import Cell, Cells
from .certificate import Certificate, Proven, Report, check
from .errors import Error, GaveUp, ModelWarning, Rejected
from .functions import (
    absolute,
    between,
    boolean,
    booleans,
    conjunction,
    disjunction,
    erf,
    exp,
    implies,
    ite,
    log,
    maximum,
    minimum,
    normal,
    real,
    reals,
    relu,
    sigmoid,
    sqrt,
    tanh,
    total,
)
from .law import Law
from .network import Network
from .network_parts import Layer, Outputs, Pattern
from .options import Options
from .problem import Problem
from .queries import (
    Cdf,
    Density,
    Distribution,
    Expectation,
    Moment,
    Probability,
    Quantile,
    Query,
    Satisfiable,
    Variance,
    Wmi,
)
from .random_values import (
    JointNormal,
    NamedLaw,
    bspline,
    gaussian,
    joint_normal,
    normal_law,
    piecewise,
    triangular,
    uniform,
)
from .script import Script, parse, read
from .terms import Expression, Formula, Term
from .verification import UnsafeRegion, Verification, Witness, verify

if TYPE_CHECKING:
    from .collapse import Collapse as Collapse
    from .estimators import CollapsedClassifier as CollapsedClassifier
    from .estimators import CollapsedRegressor as CollapsedRegressor
    from .trajectory import sgd_trajectory as sgd_trajectory

# What needs other packages is imported when it is used.
_LATER = {
    "Collapse": "collapse",
    "CollapsedClassifier": "estimators",
    "CollapsedRegressor": "estimators",
    "sgd_trajectory": "trajectory",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_LATER[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})


__all__ = [
    "Answer",
    "Cdf",
    "Cell",
    "Cells",
    "Certificate",
    "Density",
    "Distribution",
    "Error",
    "Expectation",
    "Expression",
    "Formula",
    "GaveUp",
    "JointNormal",
    "Law",
    "Layer",
    "ModelWarning",
    "Moment",
    "NamedLaw",
    "Network",
    "Options",
    "Outputs",
    "Pattern",
    "Probability",
    "Problem",
    "Proven",
    "Quantile",
    "Query",
    "Rejected",
    "Report",
    "Satisfiable",
    "Script",
    "Term",
    "UnsafeRegion",
    "Variance",
    "Verification",
    "Witness",
    "Wmi",
    "__version__",
    "absolute",
    "between",
    "boolean",
    "booleans",
    "bspline",
    "check",
    "conjunction",
    "disjunction",
    "erf",
    "exp",
    "gaussian",
    "implies",
    "ite",
    "joint_normal",
    "log",
    "maximum",
    "minimum",
    "normal",
    "normal_law",
    "parse",
    "piecewise",
    "read",
    "real",
    "reals",
    "relu",
    "sigmoid",
    "sqrt",
    "tanh",
    "total",
    "triangular",
    "uniform",
    "verify",
]
