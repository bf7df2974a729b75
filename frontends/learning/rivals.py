"""Forecasts of other methods, for `ciber evaluate TABLE.csv`, which starts this with a Python.

    python3 rivals.py TASK CLASSES SEED TRAIN TEST [METHODS]

TRAIN has standardised rows with the target last, TEST rows without one; both are CSV without a
header. Each method prints a line `NAME,SECONDS,COUNT,NUMBERS...`: its processor time, and for each
row COUNT pairs of a mean and a deviation, a mixture of normal laws; or COUNT probabilities of
classes. A method that cannot run prints `missing,NAME,REASON`. METHODS are names with commas
between them; without it, the usual ones run. Networks are in rival_networks.py.
"""

import os
import sys
import time
import warnings
from dataclasses import dataclass

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # rows are few, and several of these may run

try:
    import numpy
    import sklearn  # noqa: F401
except ImportError as error:
    print(f"missing,all,Python has no {error.name}")
    sys.exit(0)

MOST_GP_ROWS = 2000
MOST_GP_CLASS_ROWS = 1000
MOST_GP_LENGTH_ROWS = 300  # of classes


@dataclass
class Task:
    """Rows to learn from and rows to forecast; `classes` is 0 for numbers."""

    classes: int
    seed: int
    X: numpy.ndarray
    y: numpy.ndarray
    T: numpy.ndarray

    @property
    def regression(self):
        return self.classes == 0


def read_task(kind, classes, seed, train_file, test_file):
    train = numpy.loadtxt(train_file, delimiter=",", ndmin=2)
    targets = train[:, -1] if kind == "regression" else train[:, -1].astype(int)
    count = 0 if kind == "regression" else int(classes)
    tests = numpy.loadtxt(test_file, delimiter=",", ndmin=2)
    return Task(count, int(seed), train[:, :-1], targets, tests)


def normal(mean, deviation):
    return numpy.column_stack([mean, numpy.broadcast_to(deviation, len(mean))])


def all_classes(task, model):
    """Probabilities with a column for each class, also for one that the rows did not have."""
    result = numpy.full((len(task.T), task.classes), 1e-12)
    result[:, model.classes_.astype(int)] = numpy.maximum(model.predict_proba(task.T), 1e-12)
    return result / result.sum(axis=1, keepdims=True)


def residual_deviation(task, make):
    """The deviation of an outcome around its prediction from four fifths of the rows."""
    from sklearn.model_selection import cross_val_predict

    found = cross_val_predict(make(), task.X, task.y, cv=5)
    return numpy.sqrt(numpy.mean((found - task.y) ** 2))


def constant(task):
    if task.regression:
        return normal(numpy.full(len(task.T), task.y.mean()), task.y.std())
    shares = numpy.maximum(numpy.bincount(task.y, minlength=task.classes), 0.5)
    return numpy.tile(shares / shares.sum(), (len(task.T), 1))


def ridge(task):
    from sklearn.linear_model import BayesianRidge

    numbers_only(task)
    return normal(*BayesianRidge().fit(task.X, task.y).predict(task.T, return_std=True))


def logistic(task):
    from sklearn.linear_model import LogisticRegressionCV

    if task.regression:
        raise ImportError("is for classes")
    least = numpy.bincount(task.y, minlength=task.classes)
    folds = int(max(2, min(5, least[least > 0].min())))
    model = LogisticRegressionCV(cv=folds, scoring="neg_log_loss", max_iter=2000)
    return all_classes(task, model.fit(task.X, task.y))


def forest(task):
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    options = dict(n_estimators=500, min_samples_leaf=2, random_state=task.seed)
    if not task.regression:
        return all_classes(task, RandomForestClassifier(**options).fit(task.X, task.y))
    model = RandomForestRegressor(oob_score=True, **options).fit(task.X, task.y)
    errors = model.oob_prediction_ - task.y
    return normal(model.predict(task.T), numpy.sqrt(numpy.nanmean(errors**2)))


def boosting(task):
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    options = dict(early_stopping=True, random_state=task.seed)
    if not task.regression:
        return all_classes(task, HistGradientBoostingClassifier(**options).fit(task.X, task.y))
    deviation = residual_deviation(task, lambda: HistGradientBoostingRegressor(**options))
    model = HistGradientBoostingRegressor(**options).fit(task.X, task.y)
    return normal(model.predict(task.T), deviation)


def gp(task):
    from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    rows, width = task.X.shape
    most = MOST_GP_ROWS if task.regression else MOST_GP_CLASS_ROWS
    if rows > most:
        raise ImportError(f"more than {most} rows")
    kernel = ConstantKernel() * RBF(numpy.full(width, numpy.sqrt(width)), (1e-2, 1e4))
    if not task.regression:
        # Lengths from some of the rows: each step of their search costs the cube of the rows.
        some = numpy.random.default_rng(task.seed).permutation(rows)[:MOST_GP_LENGTH_ROWS]
        if len(numpy.unique(task.y[some])) < len(numpy.unique(task.y)):
            some = numpy.arange(rows)
        found = GaussianProcessClassifier(kernel, random_state=task.seed)
        found.fit(task.X[some], task.y[some])
        kernels = getattr(found.kernel_, "kernels", [found.kernel_])
        models = [
            GaussianProcessClassifier(each, optimizer=None).fit(task.X, task.y == k)
            for k, each in zip(found.classes_[-len(kernels) :], kernels, strict=True)
        ]
        shares = numpy.full((len(task.T), task.classes), 1e-12)
        for k, model in zip(found.classes_[-len(kernels) :], models, strict=True):
            shares[:, int(k)] = model.predict_proba(task.T)[:, 1]
        if len(kernels) == 1:  # of two classes, one model
            shares[:, int(found.classes_[0])] = 1 - shares[:, int(found.classes_[1])]
        shares = numpy.maximum(shares, 1e-12)
        return shares / shares.sum(axis=1, keepdims=True)
    model = GaussianProcessRegressor(kernel + WhiteKernel(0.1), random_state=task.seed)
    return normal(*model.fit(task.X, task.y).predict(task.T, return_std=True))


def ngboost(task):
    from ngboost import NGBClassifier, NGBRegressor
    from ngboost.distns import k_categorical

    if task.regression:
        model = NGBRegressor(verbose=False, random_state=task.seed)
        law = model.fit(task.X, task.y).pred_dist(task.T)
        return normal(law.params["loc"], law.params["scale"])
    if len(numpy.unique(task.y)) < task.classes:
        raise ImportError("the training rows lack a class")
    model = NGBClassifier(Dist=k_categorical(task.classes), verbose=False, random_state=task.seed)
    found = numpy.maximum(model.fit(task.X, task.y).predict_proba(task.T), 1e-12)
    return found / found.sum(axis=1, keepdims=True)


def numbers_only(task):
    if not task.regression:
        raise ImportError("is for numbers")


def network(name):
    """A method of rival_networks.py, which needs torch."""

    def run(task):
        import rival_networks

        return getattr(rival_networks, name)(task)

    run.needs_torch = True
    return run


def load(method):
    """Loads torch before the clock starts: a second or two that are no part of a method."""
    if getattr(method, "needs_torch", False):
        import rival_networks

        rival_networks.warm_up()


METHODS = {
    "constant": constant,
    "ridge": ridge,
    "logistic": logistic,
    "forest": forest,
    "boosting": boosting,
    "gp": gp,
    "ngboost": ngboost,
    "deep-ensemble": network("deep_ensemble"),
    "swag-torch": network("swag"),
    "laplace-torch": network("last_layer_laplace"),
    "laplace-kfac": network("kfac_laplace"),
    "neural-linear": network("neural_linear"),
    "mean-field-vi": network("mean_field_vi"),
    "subspace-ess": network("subspace_ess"),
    "subspace-vi": network("subspace_vi"),
}


def forecast_line(name, seconds, count, found):
    return ",".join([name, f"{seconds:.3f}", str(count), *map(repr, map(float, found.ravel()))])


def run(task, names):
    for name in names:
        try:
            load(METHODS[name])
            started = time.process_time()
            found = METHODS[name](task)
            if not numpy.isfinite(found).all():
                raise ValueError("a forecast is no number")
            count = task.classes or found.shape[1] // 2
            print(forecast_line(name, time.process_time() - started, count, found))
        except ImportError as error:
            reason = f"Python has no {error.name}" if error.name else str(error)
            print("missing", name, reason, sep=",")
        except Exception as error:  # another method may still run
            reason = " ".join(str(error).split()).replace(",", ";")
            print("missing", name, f"{type(error).__name__}: {reason}", sep=",")
        sys.stdout.flush()


def main():
    warnings.filterwarnings("ignore")
    task = read_task(*sys.argv[1:6])
    other = "logistic" if task.regression else "ridge"
    names = sys.argv[6].split(",") if len(sys.argv) > 6 else [m for m in METHODS if m != other]
    run(task, names)


if __name__ == "__main__":
    main()
