"""The methods beside `ciber evaluate`: all run, and each against a case with a known answer."""

import importlib.util
import math
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

FOLDER = Path(__file__).resolve().parents[3] / "frontends/learning"
sys.path.insert(0, str(FOLDER))
rivals = pytest.importorskip("rivals")
torch = pytest.importorskip("torch")
networks = importlib.import_module("rival_networks")

# Methods that need a package besides sklearn and torch.
PACKAGES = {"ngboost": "ngboost", "laplace-torch": "laplace", "laplace-kfac": "laplace"}


def linear_task(rows=120, classes=0, seed=1):
    random = numpy.random.default_rng(seed)
    inputs = random.normal(size=(rows, 3))
    y = inputs @ [1.0, -0.5, 0.0] + 0.3 * random.normal(size=rows)
    if classes:
        y = numpy.searchsorted(numpy.quantile(y, numpy.arange(1, classes) / classes), y)
    return rivals.Task(classes, seed, inputs, y, random.normal(size=(7, 3)))


@pytest.mark.parametrize("classes", [0, 2, 3])
def test_every_method_forecasts_every_row(tmp_path, classes):
    task = linear_task(60, classes)
    numpy.savetxt(tmp_path / "train.csv", numpy.column_stack([task.X, task.y]), delimiter=",")
    numpy.savetxt(tmp_path / "test.csv", task.T, delimiter=",")
    kind = "classification" if classes else "regression"
    command = [
        sys.executable,
        FOLDER / "rivals.py",
        kind,
        classes,
        1,
        tmp_path / "train.csv",
        tmp_path / "test.csv",
    ]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    lines = {
        line.split(",")[0]: line.split(",")
        for line in done.stdout.splitlines()
        if not line.startswith("missing")
    }
    missing = [line for line in done.stdout.splitlines() if line.startswith("missing")]
    expected = set(rivals.METHODS) - ({"ridge", "neural-linear"} if classes else {"logistic"})
    for name, package in PACKAGES.items():
        if importlib.util.find_spec(package) is None:
            expected.discard(name)
            assert f"missing,{name},Python has no {package}" in missing
    assert set(lines) == expected, missing
    for name, cells in lines.items():
        count, numbers = int(cells[2]), numpy.array(cells[3:], dtype=float)
        assert float(cells[1]) >= 0
        if classes:
            shares = numbers.reshape(7, classes)
            assert numpy.allclose(shares.sum(1), 1, atol=1e-5), name
        else:
            parts = numbers.reshape(7, count, 2)
            assert (parts[:, :, 1] > 0).all(), name
            if name != "constant":  # all of them see the slope of the first input
                slope = numpy.polyfit(task.T[:, 0], parts[:, :, 0].mean(1), 1)[0]
                assert slope > 0.3, name


def test_elliptical_slices_sample_a_posterior_that_is_known():
    # A standard normal prior of two numbers, observed with noise: the posterior is normal.
    matrix = torch.tensor([[1.0, 0.5], [0.2, 2.0], [1.0, -1.0]], dtype=torch.double)
    seen, noise = torch.tensor([1.0, -0.5, 2.0], dtype=torch.double), 0.7

    def log_likelihood(z):
        return -0.5 * ((seen - matrix @ z) ** 2).sum() / noise**2

    precision = torch.eye(2, dtype=torch.double) + matrix.T @ matrix / noise**2
    covariance = torch.linalg.inv(precision)
    mean = covariance @ matrix.T @ seen / noise**2
    generator = torch.Generator().manual_seed(3)
    start = torch.zeros(2, dtype=torch.double)
    draws = networks.elliptical_slice(log_likelihood, start, 20000, generator)[200:]
    assert torch.allclose(draws.mean(0), mean, atol=0.03)
    assert torch.allclose(torch.cov(draws.T), covariance, atol=0.03)


def test_mean_field_finds_the_optimum_of_a_normal_law():
    # Of a normal law, the best independent laws have its mean and 1 / sqrt(precision_ii).
    precision = torch.tensor([[2.0, 0.9], [0.9, 1.0]], dtype=torch.double)
    middle = torch.tensor([1.0, -2.0], dtype=torch.double)
    torch.manual_seed(1)
    mean, deviation = networks.mean_field(
        lambda w: -0.5 * (w - middle) @ precision @ (w - middle),
        torch.zeros(2, dtype=torch.double),
        6000,
        0.01,
        0.3,
        draws=4,
    )
    assert torch.allclose(mean, middle, atol=0.03)
    assert torch.allclose(deviation, 1 / precision.diagonal().sqrt(), rtol=0.03)


def test_a_subspace_holds_the_iterates_that_lie_in_it():
    torch.manual_seed(2)
    basis = torch.randn(2, 30, dtype=torch.double)
    found = torch.randn(50, 2, dtype=torch.double) @ basis + 5
    mean, directions = networks.subspace(found, 5)
    assert torch.allclose(mean, found.mean(0))
    left = found - mean
    plane = directions[:, :2]
    inside = plane @ torch.linalg.lstsq(plane, left.T).solution
    assert torch.allclose(inside.T, left, atol=1e-8)
    # A standard normal number times a direction has the iterates' variance along it.
    assert torch.allclose(directions @ directions.T, torch.cov(found.T), atol=1e-8)


def test_swag_draws_have_the_moments_of_the_iterates():
    torch.manual_seed(3)
    found = torch.randn(20, 4, dtype=torch.double) * torch.tensor([1.0, 2.0, 0.5, 0.0]) + 1
    draws = torch.stack(networks.swag_draws(found, 20000))
    assert torch.allclose(draws.mean(0), found.mean(0), atol=0.05)
    # Half of the diagonal, and half of the covariance of the iterates.
    expected = 0.5 * torch.diag(found.var(0, unbiased=False)) + 0.5 * torch.cov(found.T)
    assert torch.allclose(torch.cov(draws.T), expected, atol=0.1)


@pytest.mark.parametrize(("weights", "hessian"), [("last_layer", "full"), ("all", "kron")])
def test_laplace_of_a_linear_network_is_bayesian_regression(weights, hessian):
    pytest.importorskip("laplace")
    task = linear_task()
    net = torch.nn.Sequential(torch.nn.Identity(), torch.nn.Linear(3, 1))
    inputs, targets = networks.tensors(task)
    design = torch.cat([inputs, torch.ones(len(inputs), 1)], 1)
    best = torch.linalg.lstsq(design, targets).solution
    with torch.no_grad():
        net[1].weight.copy_(best[None, :3])
        net[1].bias.copy_(best[3:])
    model = networks.laplace(task, net, weights, hessian)
    found = networks.laplace_forecasts(task, model)
    noise, prior = float(model.sigma_noise), float(model.prior_precision.mean())
    gram = (design.T @ design).double() / noise**2 + prior * torch.eye(4)
    tests = torch.tensor(numpy.column_stack([task.T, numpy.ones(7)]))
    deviations = (noise**2 + ((tests @ torch.linalg.inv(gram)) * tests).sum(1)).sqrt()
    means = (tests.float() @ best).double()
    assert numpy.allclose(found[:, 0], means, atol=1e-4)
    # KFAC of one layer multiplies the prior's root into both factors: near, not equal.
    assert numpy.allclose(found[:, 1], deviations, rtol=1e-4 if hessian == "full" else 2e-2)


def test_neural_linear_is_bayesian_ridge_on_the_features(monkeypatch):
    task = linear_task()

    class Same(torch.nn.Module):
        def forward(self, x):
            return x

        def __getitem__(self, _):
            return self

    monkeypatch.setattr(networks, "trained", lambda *_: Same())
    assert numpy.allclose(networks.neural_linear(task), rivals.ridge(task), atol=1e-5)


def test_an_ensemble_is_a_mixture_of_its_members(monkeypatch):
    task = linear_task()
    torch.manual_seed(4)
    nets = [networks.perceptron(3, 2) for _ in range(5)]
    monkeypatch.setattr(networks, "trained", lambda task, number, *_: nets[number])
    found = networks.deep_ensemble(task)
    assert found.shape == (7, 10)
    for k, net in enumerate(nets):
        out = net(torch.tensor(task.T, dtype=torch.float32)).detach().double()
        assert numpy.allclose(found[:, 2 * k], out[:, 0])
        expected = [math.sqrt(math.log1p(math.exp(raw)) + 1e-6) for raw in out[:, 1]]
        assert numpy.allclose(found[:, 2 * k + 1], expected)


def test_a_gaussian_process_of_classes_is_that_of_sklearn(monkeypatch):
    from sklearn.gaussian_process import GaussianProcessClassifier
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel

    for classes in (2, 3):
        task = linear_task(60, classes)
        kernel = ConstantKernel() * RBF(numpy.full(3, numpy.sqrt(3)), (1e-2, 1e4))
        whole = GaussianProcessClassifier(kernel, random_state=1).fit(task.X, task.y)
        assert numpy.allclose(rivals.gp(task), whole.predict_proba(task.T), atol=1e-6)
        with monkeypatch.context() as some:  # lengths from some rows only: near, not equal
            some.setattr(rivals, "MOST_GP_LENGTH_ROWS", 40)
            assert numpy.abs(rivals.gp(task) - whole.predict_proba(task.T)).max() < 0.2
