"""Forecasts of other methods, for `ciber evaluate TABLE.csv`, which starts this with a Python.

    python3 - TASK CLASSES SEED TRAIN TEST < rivals.py

TRAIN has standardised rows with the target last, TEST rows without one; both are CSV without a
header. Each method prints a line `NAME,MEAN,DEVIATION,MEAN,DEVIATION,...` or, of classes,
`NAME,P,P,...`, row by row. A method that cannot run prints `missing,NAME,REASON`.
"""

import sys
import warnings

warnings.filterwarnings("ignore")

try:
    import numpy
    import sklearn  # noqa: F401
except ImportError as error:
    print(f"missing,all,{error.name}")
    sys.exit(0)

task, classes, seed, train_file, test_file = sys.argv[1:]
regression = task == "regression"
classes, seed = int(classes), int(seed)
train = numpy.loadtxt(train_file, delimiter=",", ndmin=2)
X, y = train[:, :-1], train[:, -1] if regression else train[:, -1].astype(int)
T = numpy.loadtxt(test_file, delimiter=",", ndmin=2)
rows = len(X)
most_gp_rows = 2000


def normal(mean, deviation):
    return numpy.column_stack([mean, numpy.broadcast_to(deviation, len(mean))])


def all_classes(model):
    """Probabilities with a column for each class, also for one that the rows did not have."""
    result = numpy.full((len(T), classes), 1e-12)
    result[:, model.classes_.astype(int)] = numpy.maximum(model.predict_proba(T), 1e-12)
    return result / result.sum(axis=1, keepdims=True)


def residual_deviation(make):
    """The deviation of an outcome around its prediction from four fifths of the rows."""
    from sklearn.model_selection import cross_val_predict

    return numpy.sqrt(numpy.mean((cross_val_predict(make(), X, y, cv=5) - y) ** 2))


def constant():
    if regression:
        return normal(numpy.full(len(T), y.mean()), y.std())
    shares = numpy.maximum(numpy.bincount(y, minlength=classes), 0.5)
    return numpy.tile(shares / shares.sum(), (len(T), 1))


def linear():
    if regression:
        from sklearn.linear_model import BayesianRidge

        return normal(*BayesianRidge().fit(X, y).predict(T, return_std=True))
    from sklearn.linear_model import LogisticRegressionCV

    least = numpy.bincount(y, minlength=classes)
    folds = int(max(2, min(5, least[least > 0].min())))
    return all_classes(LogisticRegressionCV(cv=folds, scoring="neg_log_loss", max_iter=2000).fit(X, y))


def forest():
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    options = dict(n_estimators=500, min_samples_leaf=2, random_state=seed)
    if not regression:
        return all_classes(RandomForestClassifier(**options).fit(X, y))
    model = RandomForestRegressor(oob_score=True, **options).fit(X, y)
    return normal(model.predict(T), numpy.sqrt(numpy.nanmean((model.oob_prediction_ - y) ** 2)))


def boosting():
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    options = dict(early_stopping=True, random_state=seed)
    if not regression:
        return all_classes(HistGradientBoostingClassifier(**options).fit(X, y))
    deviation = residual_deviation(lambda: HistGradientBoostingRegressor(**options))
    return normal(HistGradientBoostingRegressor(**options).fit(X, y).predict(T), deviation)


def gp():
    from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    if rows > most_gp_rows:
        raise ImportError(f"more than {most_gp_rows} rows")
    kernel = ConstantKernel() * RBF(numpy.full(X.shape[1], numpy.sqrt(X.shape[1])), (1e-2, 1e4))
    if not regression:
        return all_classes(GaussianProcessClassifier(kernel, random_state=seed).fit(X, y))
    model = GaussianProcessRegressor(kernel + WhiteKernel(0.1), random_state=seed).fit(X, y)
    return normal(*model.predict(T, return_std=True))


def ngboost():
    from ngboost import NGBClassifier, NGBRegressor
    from ngboost.distns import k_categorical

    if regression:
        law = NGBRegressor(verbose=False, random_state=seed).fit(X, y).pred_dist(T)
        return normal(law.params["loc"], law.params["scale"])
    model = NGBClassifier(Dist=k_categorical(classes), verbose=False, random_state=seed)
    return numpy.maximum(model.fit(X, y).predict_proba(T), 1e-12)


def trained_network(number, outputs, loss):
    """A perceptron of 50 units, by Adam with early stopping on a tenth of the rows."""
    import torch

    torch.manual_seed(1000 * seed + number)
    torch.set_num_threads(1)
    order = torch.randperm(rows)
    held = max(1, rows // 10)
    inputs = torch.tensor(X, dtype=torch.float32)
    targets = torch.tensor(y, dtype=torch.float32 if regression else torch.long)
    kept, rest = order[:held], order[held:]
    net = torch.nn.Sequential(
        torch.nn.Linear(X.shape[1], 50), torch.nn.ReLU(), torch.nn.Linear(50, outputs)
    )
    steps = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=1e-4)
    best, best_state, since = float("inf"), net.state_dict(), 0
    for _ in range(1000):
        for batch in rest[torch.randperm(len(rest))].split(64):
            steps.zero_grad()
            loss(net(inputs[batch]), targets[batch]).backward()
            steps.step()
        with torch.no_grad():
            found = float(loss(net(inputs[kept]), targets[kept]))
        since += 1
        if found < best:
            best, since = found, 0
            best_state = {name: value.clone() for name, value in net.state_dict().items()}
        if since == 30:
            break
    net.load_state_dict(best_state)
    return net


def ensemble():
    import torch

    def normal_loss(found, targets):
        variance = torch.nn.functional.softplus(found[:, 1]) + 1e-6
        return (0.5 * (torch.log(variance) + (targets - found[:, 0]) ** 2 / variance)).mean()

    tests = torch.tensor(T, dtype=torch.float32)
    loss = normal_loss if regression else torch.nn.functional.cross_entropy
    with_members = []
    for number in range(5):
        net = trained_network(number, 2 if regression else classes, loss)
        with torch.no_grad():
            with_members.append(net(tests).double())
    if not regression:
        return torch.stack([torch.softmax(each, 1) for each in with_members]).mean(0).numpy()
    means = torch.stack([each[:, 0] for each in with_members])
    variances = torch.stack(
        [torch.nn.functional.softplus(each[:, 1]) + 1e-6 for each in with_members]
    )
    mean = means.mean(0)
    variance = (variances + means**2).mean(0) - mean**2  # of the normal law, as in the paper
    return normal(mean.numpy(), variance.sqrt().numpy())


def laplace():
    import torch
    from laplace import Laplace

    loss = torch.nn.MSELoss() if regression else torch.nn.CrossEntropyLoss()

    def squared(found, targets):
        return loss(found[:, 0] if regression else found, targets)

    net = trained_network(0, 1 if regression else classes, squared)
    inputs = torch.tensor(X, dtype=torch.float32)
    targets = torch.tensor(y, dtype=torch.float32 if regression else torch.long)
    data = torch.utils.data.TensorDataset(inputs, targets[:, None] if regression else targets)
    model = Laplace(net, "regression" if regression else "classification",
                    subset_of_weights="last_layer", hessian_structure="full")
    model.fit(torch.utils.data.DataLoader(data, batch_size=256))
    model.optimize_prior_precision()
    tests = torch.tensor(T, dtype=torch.float32)
    if not regression:
        return model(tests).detach().numpy()
    with torch.no_grad():
        noise = float(((net(inputs)[:, 0] - targets) ** 2).mean())
    mean, variance = model(tests)
    mean, variance = mean.detach().numpy()[:, 0], variance.detach().numpy()[:, 0, 0]
    return normal(mean, numpy.sqrt(variance + noise))


METHODS = {
    "constant": constant,
    "ridge" if regression else "logistic": linear,
    "forest": forest,
    "boosting": boosting,
    "gp": gp,
    "ngboost": ngboost,
    "deep-ensemble": ensemble,
    "laplace-torch": laplace,
}

for name, method in METHODS.items():
    try:
        found = method()
        print(name, *(repr(float(each)) for each in found.ravel()), sep=",")
    except ImportError as error:
        reason = f"Python has no {error.name}" if error.name else str(error)
        print("missing", name, reason, sep=",")
    except Exception as error:  # another method may still run
        reason = " ".join(str(error).split()).replace(",", ";")
        print("missing", name, f"{type(error).__name__}: {reason}", sep=",")
    sys.stdout.flush()
