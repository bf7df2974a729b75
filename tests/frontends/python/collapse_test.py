"""Collapsed torch modules against closed forms, certified answers and the command line."""

# ruff: noqa: E402

import csv
import json
import math
import os
import pickle
import signal
import struct
import threading
import time

import pytest

torch = pytest.importorskip("torch", reason="torch for Python is not installed")

import ciber


def features(outputs, seed=0):
    torch.manual_seed(seed)
    return torch.nn.Sequential(
        torch.nn.Linear(2, 6), torch.nn.ReLU(), torch.nn.Dropout(0.5), torch.nn.Linear(6, outputs)
    )


@pytest.fixture
def data():
    generator = torch.Generator().manual_seed(3)
    x = torch.randn(40, 2, generator=generator)
    return x, x[:, :1] - x[:, 1:] ** 2 + 0.1 * torch.randn(40, 1, generator=generator)


def states(outputs, count=3):
    return [features(outputs, seed).state_dict() for seed in range(count)]


def batches(x, y):
    return [(x[:15], y[:15]), (x[15:], y[15:])]


def test_a_linear_regression_has_its_closed_form():
    # One weight without bias, unit noise, prior precision 1, features 1 and 2, targets 1 and 2: the
    # posterior has the precision 1 + 1 + 4 = 6 and the mean 5/6. At x = 3 the outcome has the mean
    # 5/2 and the variance 9/6 + 1.
    model = torch.nn.Linear(1, 1, bias=False)
    collapse = ciber.Collapse(model, "regression", prior_precision=1, noise=1)
    rows = torch.tensor([[1.0], [2.0]])
    law = collapse.fit([(rows, rows)])(torch.tensor([[3.0]]))
    assert float(law.mean) == pytest.approx(2.5, abs=1e-12)
    assert float(law.std) == pytest.approx(math.sqrt(2.5), abs=1e-12)
    assert float(law.log_prob(2.5)) == pytest.approx(-0.5 * math.log(2 * math.pi * 2.5), abs=1e-9)
    parts = law.variance_parts
    assert float(parts["noise"]) == pytest.approx(1)
    assert float(parts["within"]) == pytest.approx(1.5)
    assert float(parts["between"]) == pytest.approx(0)


def test_certified_answers_enclose_those_in_doubles(data):
    x, y = data
    collapse = ciber.Collapse(features(1), "regression").fit(batches(x, y), samples=states(1))
    laws, certified = collapse(x[:2]), collapse(x[:2], digits=7)
    assert len(certified) == 2
    for row, law in enumerate(certified):
        assert float(law.mean) == pytest.approx(float(laws.mean[row]), rel=1e-12)
        assert math.sqrt(law.var) == pytest.approx(float(laws.std[row]), rel=1e-12)
        at = float(y[row])
        for found, doubles in (
            (law.cdf(at), laws.cdf(at)),
            (law.log_prob(at), laws.log_prob(at)),
            (law.quantile(0.05), laws.quantile(0.05)),
        ):
            assert found.lower <= found.upper
            assert float(found) == pytest.approx(float(doubles[row]), abs=1e-5)
    with pytest.raises(IndexError):
        certified[2]


def test_quantiles_invert_the_distribution_function(data):
    x, y = data
    laws = ciber.Collapse(features(2), "heteroscedastic").fit(batches(x, y), states(2))(x)
    lower, upper = laws.interval(0.8).T
    assert laws.cdf(lower).tolist() == pytest.approx([0.1] * 40)
    assert laws.cdf(upper).tolist() == pytest.approx([0.9] * 40)
    assert laws.quantile([0.1, 0.5]).shape == (40, 2)
    assert (laws.crps(laws.mean) < laws.crps(laws.mean + 5)).all()


@pytest.mark.parametrize("outputs", [1, 3])
def test_probabilities_of_classes_sum_to_1(data, outputs):
    x, y = data
    classes = (y[:, 0] > 0).long() + (y[:, 0] > 1).long() * (outputs == 3)
    collapse = ciber.Collapse(features(outputs), "classification").fit(
        batches(x, classes), states(outputs)
    )
    found = collapse(x)
    assert found.shape == (40, max(2, outputs))
    assert found.sum(dim=1).tolist() == pytest.approx([1] * 40)
    assert (found.argmax(dim=1) == classes).double().mean() > 0.6
    for row, doubles in zip(collapse(x[:2], digits=6), found, strict=False):
        assert [float(one) for one in row] == pytest.approx(doubles.tolist(), rel=1e-5)
        assert all(one.lower <= one.upper for one in row)


def test_a_plain_average_collapses_nothing(data):
    x, y = data
    model = features(1).eval()
    collapse = ciber.Collapse(model, "regression", subset="none").fit(batches(x, y))
    assert collapse(x).mean.tolist() == pytest.approx(model(x)[:, 0].tolist(), rel=1e-6)


@pytest.mark.parametrize("posterior", ["conditional-box", "moment", "minmax", "triangular"])
def test_the_other_posteriors_have_certified_answers_too(data, posterior):
    x, y = data
    collapse = ciber.Collapse(features(1), "regression", "last:2", posterior)
    collapse.fit(batches(x, y), states(1))
    doubles, law = collapse(x[:1]), collapse(x[:1], digits=6)[0]
    assert float(law.cdf(0)) == pytest.approx(float(doubles.cdf(0)), abs=1e-5)


def test_a_trajectory_trains_on_and_gives_samples(data):
    x, y = data
    model = features(1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    loss = torch.nn.MSELoss()
    before = loss(model.eval()(x), y).item()
    found = ciber.sgd_trajectory(model, batches(x, y), optimizer, loss, samples=4, every=5)
    assert len(found) == 4
    assert not model.training
    assert loss(model(x), y).item() < before
    assert found[0]["0.weight"].tolist() != found[1]["0.weight"].tolist()
    laws = ciber.Collapse(model, "regression").fit(batches(x, y), samples=found)(x)
    assert float(loss(laws.mean[:, None], y)) < before


def test_it_is_saved_loaded_and_pickled(data, tmp_path):
    x, y = data
    for subset, posterior in (("last", "conditional"), ("last:2", "moment"), ("none", "moment")):
        collapse = ciber.Collapse(features(1), "regression", subset, posterior)
        collapse.fit(batches(x, y), states(1))
        collapse.save(tmp_path / "model")
        mean = collapse(x).mean.tolist()
        assert ciber.Collapse.load(tmp_path / "model", features(1, 9))(x).mean.tolist() == mean
        assert pickle.loads(pickle.dumps(collapse))(x).mean.tolist() == mean


def test_a_file_that_was_tampered_with_is_refused(data, tmp_path):
    x, y = data
    collapse = ciber.Collapse(features(1), "regression").fit(batches(x, y))
    collapse.save(tmp_path / "model")
    content = torch.load(tmp_path / "model", weights_only=True)
    version, *parts, samples = content["state"]
    variance, [[weights, bias, inputs, marginals, mean, covariance, box]] = samples[0]
    for row in (
        (weights[:3], bias, inputs, marginals, mean, covariance, box),
        (weights, bias, inputs, marginals, mean[:2], covariance, box),
        (weights, bias, inputs, marginals, mean, covariance[:2], box),
        (weights, bias, [10**9, *inputs[1:]], marginals, mean, covariance, box),
        (weights * math.nan, bias, inputs, marginals, mean, covariance, box),
        (weights, bias),
    ):
        content["state"] = (version, *parts, [(variance, [row])])
        torch.save(content, tmp_path / "model")
        with pytest.raises(ciber.Error):
            ciber.Collapse.load(tmp_path / "model", features(1))(x)
    torch.save({"likelihood": "regression"}, tmp_path / "model")
    with pytest.raises(ciber.Error, match="no saved Collapse"):
        ciber.Collapse.load(tmp_path / "model", features(1))


def test_what_does_not_fit_is_said(data):
    x, y = data
    with pytest.raises(ciber.Error, match="no likelihood is called"):
        ciber.Collapse(features(1), "poisson")
    with pytest.raises(ciber.Error, match="noise=-1"):
        ciber.Collapse(features(1), "regression", noise=-1)
    with pytest.raises(ciber.Error, match="call fit"):
        ciber.Collapse(features(1), "regression")(x)
    with pytest.raises(ciber.Error, match="the module has 2 outputs"):
        ciber.Collapse(features(2), "regression", noise=1).fit(batches(x, y))
    with pytest.raises(ciber.Error, match="no batches"):
        ciber.Collapse(features(1), "regression").fit([])
    softmax = torch.nn.Sequential(features(2), torch.nn.Softmax(dim=1))
    with pytest.raises(ciber.Error, match="does not come from a linear layer"):
        ciber.Collapse(softmax, "classification").fit(batches(x, y))
    with pytest.raises(ciber.Error, match="a sample has no tensor"):
        ciber.Collapse(features(1), "regression").fit(batches(x, y), [{"fc": torch.zeros(1)}])
    with pytest.raises(ciber.Error, match="a class is its number, from 0 to 1"):
        ciber.Collapse(features(2), "classification").fit(batches(x, y))
    with pytest.raises(ciber.Error, match="choose none, last"):
        ciber.Collapse(features(1), "regression", subset="first").fit(batches(x, y))
    fitted = ciber.Collapse(features(1), "regression").fit(batches(x, y))
    with pytest.raises(ciber.Error, match="not finite"):
        fitted(x * math.inf)
    with pytest.raises(ciber.Error, match="40 rows and 2 outcomes"):
        fitted(x).cdf([1, 2])


def tensors(data):
    """Those of a safetensors file, of 32-bit or 64-bit floats."""
    (length,) = struct.unpack("<Q", data[:8])
    kinds = {"F32": torch.float32, "F64": torch.float64}
    return {
        name: torch.frombuffer(
            bytearray(data[8 + length :][slice(*entry["data_offsets"])]),
            dtype=kinds[entry["dtype"]],
        ).reshape(entry["shape"])
        for name, entry in json.loads(data[8 : 8 + length]).items()
        if name != "__metadata__"
    }


def test_the_command_line_predicts_the_same_from_the_same_weights(data, wmi, tmp_path):
    x, y = data
    table = tmp_path / "data.csv"
    rows = [f"{a!r},{b!r},{c!r}" for a, b, c in torch.cat([x, y], dim=1).tolist()]
    table.write_text("\n".join(["a,b,y", *rows]))
    run = tmp_path / "data.run"
    options = ["--hidden", 6, "--epochs", 20, "--samples", 3, "--every", 1, "--search", "no"]
    options += ["--trajectories", 1, "--link", "exponential", "--likelihood", "heteroscedastic"]
    options += ["--input-scales", "no"]
    trained = wmi.run("ciber", "train", table, "--target", "y", "--out", run, *options)
    if "ciber-learning" in trained.stderr:
        pytest.skip("ciber-learning is not built: no LibTorch")
    assert trained.returncode == 0, trained.stderr
    printed = wmi.run("ciber", "predict", run, table, "--intervals", "0.9").stdout
    expected = list(csv.DictReader(printed.splitlines()))

    model = torch.nn.Sequential()
    model.add_module("fc1", torch.nn.Linear(2, 6))
    model.add_module("relu1", torch.nn.ReLU())
    model.add_module("fc2", torch.nn.Linear(6, 2))
    samples = [tensors(file.read_bytes()) for file in sorted((run / "samples").iterdir())]
    training = tensors((run / "training.safetensors").read_bytes())
    scales = json.loads((run / "run.json").read_text())["standardisation"]
    collapse = ciber.Collapse(model, "heteroscedastic").fit(
        [(training["inputs"].float(), training["targets"])], samples=samples
    )
    inputs = (x - torch.tensor(scales["inputMean"])) / torch.tensor(scales["inputScale"])
    laws = collapse(inputs)
    means = scales["targetMean"] + scales["targetScale"] * laws.mean
    assert means.tolist() == pytest.approx([float(row["mean"]) for row in expected], abs=1e-5)
    upper = scales["targetMean"] + scales["targetScale"] * laws.quantile(0.95)
    assert upper.tolist() == pytest.approx([float(row["high_0.9"]) for row in expected], abs=1e-5)


def test_ctrl_c_stops_the_computation_itself(data):
    x, y = data
    classes = (y[:, 0] > 0).long()
    collapse = ciber.Collapse(features(3), "classification").fit([(x, classes)], samples=states(3))
    threads = len(os.listdir("/proc/self/task"))
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        collapse(x.repeat(2000, 1), digits=30)
    timer.join()
    deadline = time.monotonic() + 60
    while len(os.listdir("/proc/self/task")) > threads and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(os.listdir("/proc/self/task")) <= threads


def test_validation_rows_give_the_noise(data):
    x, y = data
    model = features(1)
    with torch.no_grad():
        residuals = (model.eval()(x[25:]) - y[25:]).double()
    collapse = ciber.Collapse(model, "regression").fit(
        [(x[:25], y[:25])], validation=batches(x, y)[1:]
    )
    held_out = (model(batches(x, y)[1][0]) - batches(x, y)[1][1]).double()
    noise = collapse(x).variance_parts["noise"]
    assert noise.tolist() == pytest.approx([float((held_out**2).mean())] * len(x))
    assert not torch.allclose(noise[0], (residuals**2).mean())
    with pytest.raises(ciber.Error, match="validation rows are for"):
        ciber.Collapse(model, "regression", noise=1).fit([(x, y)], validation=[(x, y)])


def test_laws_of_rows_survive_pickling(data):
    x, y = data
    laws = ciber.Collapse(features(1), "regression").fit([(x, y)], samples=states(1))(x)
    again = pickle.loads(pickle.dumps(laws))
    assert torch.equal(again.interval(0.9), laws.interval(0.9))
    assert torch.equal(again.std, laws.std)


MISTAKES = {
    r"gives batches \(x, y\); for one batch write \[\(x, y\)\]": lambda c, x, y: c.fit((x, y, x)),
    "expected a tensor of inputs, not ndarray": lambda c, x, y: c.fit([(x, y)])(x.numpy()),
    "a batch without rows": lambda c, x, y: c.fit([(x, y)])(x[:0]),
    "samples is a list of state dicts": lambda c, x, y: c.fit([(x, y)], features(1).state_dict()),
    "a sample is a state dict of the module, not int": lambda c, x, y: c.fit([(x, y)], [3]),
    "a sample has no tensor '0.weight'": lambda c, x, y: c.fit([(x, y)], [{"a": x}]),
    "'0.weight' is not a tensor of shape": lambda c, x, y: c.fit(
        [(x, y)], [{**features(1).state_dict(), "0.weight": x}]
    ),
    "validation has no batches": lambda c, x, y: c.fit([(x, y)], validation=[]),
    "the level of an interval": lambda c, x, y: c.fit([(x, y)])(x).interval([0.5, 0.9]),
}


@pytest.mark.parametrize("message", MISTAKES)
def test_a_mistake_is_one_line_that_says_what_is_expected(message, data):
    with pytest.raises(ciber.Error, match=message):
        MISTAKES[message](ciber.Collapse(features(1), "regression"), *data)


def test_a_saved_collapse_is_for_a_module_of_the_same_layers(data, tmp_path):
    ciber.Collapse(features(1), "regression").fit([data]).save(tmp_path / "saved")
    with pytest.raises(ciber.Error, match="saved has no tensor"):
        ciber.Collapse.load(tmp_path / "saved", torch.nn.Linear(2, 1))


class Changed(torch.nn.Module):
    """A linear layer whose output is changed in place."""

    def __init__(self, change):
        super().__init__()
        self.head, self.skip, self.change = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1), change

    def forward(self, x):
        return self.change(self, self.head(x), x)


@pytest.mark.parametrize(
    "change",
    [
        lambda m, out, x: out.mul_(10),
        lambda m, out, x: out.add_(m.skip(x)),
        lambda m, out, x: out.exp_(),
    ],
)
def test_an_output_that_is_changed_in_place_is_refused(change, data):
    with pytest.raises(ciber.Error, match="does not come from a linear layer"):
        ciber.Collapse(Changed(change), "regression").fit([data])


def test_quantiles_in_the_tails(data):
    x, y = data
    collapse = ciber.Collapse(features(1), "regression", noise=1).fit([(x, y)])
    law = collapse(x[:1], digits=6)[0]
    for p in ("1e-12", "1e-30"):
        found = law.quantile(p)
        assert float(found.upper - found.lower) < 1e-5
    with pytest.raises(ciber.Error, match="ask with digits="):
        collapse(x).quantile(1e-12)


def test_a_refused_call_leaves_no_trace(data):
    x, y = data
    collapse = ciber.Collapse(features(1), "regression").fit([(x, y), (x[:0], y[:0])])
    with pytest.raises(ciber.Error, match="expected a tensor"):
        collapse(x.numpy())
    assert torch.equal(pickle.loads(pickle.dumps(collapse))(x).mean, collapse(x).mean)
