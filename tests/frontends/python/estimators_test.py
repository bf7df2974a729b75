"""The estimators against sklearn's own checks and against the command line."""

# ruff: noqa: E402

import csv
import json
import pickle

import pytest

numpy = pytest.importorskip("numpy", reason="numpy is not installed")
pandas = pytest.importorskip("pandas", reason="pandas is not installed")
pytest.importorskip("sklearn", reason="scikit-learn is not installed")

import ciber
from ciber.program import find_program
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

try:
    learning = find_program().with_name("ciber-learning").exists()
except ciber.Error:
    learning = False
if not learning:
    pytest.skip("ciber-learning is not built: no LibTorch", allow_module_level=True)

# A training of a moment. The rate of the sampling would be chosen on validation rows otherwise.
SMALL = {"hidden": 10, "epochs": 40, "samples": 4, "every": 1, "sampling_rate": 0.01, "threads": 1}
ESTIMATORS = (ciber.CollapsedRegressor, ciber.CollapsedClassifier)


@pytest.fixture(scope="module")
def frame():
    rng = numpy.random.default_rng(7)
    return pandas.DataFrame({"area": rng.uniform(1, 3, 40), "year built": rng.normal(size=40)})


@pytest.fixture(scope="module")
def price(frame):
    return (2 * frame["area"] + frame["year built"]).rename("price")


@pytest.fixture(scope="module")
def regressor(frame, price):
    return ciber.CollapsedRegressor(**SMALL).fit(frame, price)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_checks_of_sklearn_pass(estimator):
    results = check_estimator(estimator(**SMALL), on_skip=None)
    skipped = {result["check_name"] for result in results if result["status"] != "passed"}
    assert skipped <= {"check_array_api_input"}  # which needs a variable of the environment


def test_the_command_line_gives_the_same_bytes(regressor, frame, price, wmi, tmp_path):
    frame.assign(price=price).to_csv(tmp_path / "data.csv", index=False)
    options = ["--task", "regression", "--hidden", 10, "--epochs", 40, "--samples", 4]
    options += ["--every", 1, "--sampling-rate", 0.01, "--threads", 1]
    run = tmp_path / "houses.run"
    trained = wmi.run(
        "ciber", "train", tmp_path / "data.csv", "--target", "price", "--out", run, *options
    )
    assert trained.returncode == 0, trained.stderr
    files = {
        str(file.relative_to(run)): file.read_bytes() for file in run.rglob("*") if file.is_file()
    }
    ours = dict(regressor.run_.files)
    descriptions = [json.loads(found.pop("run.json")) for found in (ours, files)]
    for description in descriptions:
        del description["recipe"]["data"]  # the name of the file
    assert ours == files
    assert descriptions[0] == descriptions[1]

    printed = wmi.run("ciber", "predict", run, tmp_path / "data.csv", "--intervals", "0.8")
    rows = list(csv.DictReader(printed.stdout.splitlines()))
    mean, deviation = regressor.predict(frame, return_std=True)
    assert mean.tolist() == [float(row["mean"]) for row in rows]
    assert deviation.tolist() == [float(row["deviation"]) for row in rows]
    interval = regressor.predict_interval(frame, confidence_level=0.8)
    assert interval.tolist() == [[float(row["low_0.8"]), float(row["high_0.8"])] for row in rows]


def test_names_of_features_are_kept(regressor, frame):
    assert regressor.n_features_in_ == 2
    assert regressor.feature_names_in_.tolist() == ["area", "year built"]
    assert regressor.run_.description["schema"]["target"] == "price"
    with pytest.raises(ValueError, match="feature names"):
        regressor.predict(frame[["year built", "area"]])


def test_laws_agree_with_predictions(regressor, frame, price):
    laws = regressor.predict_law(frame)
    assert len(laws) == 40
    lower, median, upper = laws.quantile([0.05, 0.5, 0.95]).T
    assert (lower < median).all()
    assert (median < upper).all()
    assert laws.quantile(0.5).tolist() == median.tolist()
    assert laws.cdf(median) == pytest.approx(0.5)
    assert laws.cdf(upper) == pytest.approx(0.95)
    # A density is the slope of the distribution function.
    step = 1e-4
    slope = (laws.cdf(price + step) - laws.cdf(price - step)) / (2 * step)
    assert laws.log_prob(price) == pytest.approx(numpy.log(slope), abs=1e-5)
    assert (laws.crps(price) < laws.crps(price + 3 * laws.std)).all()


@pytest.mark.parametrize("probability", [0, 1, -1, 2, float("nan"), [[0.5]]])
def test_a_probability_is_between_0_and_1(regressor, frame, probability):
    with pytest.raises(ciber.Error, match="between 0 and 1"):
        regressor.predict_law(frame).quantile(probability)


def test_a_level_is_between_0_and_1(regressor, frame):
    with pytest.raises(ciber.Error, match="between 0 and 1"):
        regressor.predict_interval(frame, confidence_level=90)


def test_a_copy_that_was_pickled_predicts_the_same(regressor, frame):
    copy = pickle.loads(pickle.dumps(regressor))
    assert (copy.predict(frame) == regressor.predict(frame)).all()


def test_parameters_are_options_and_are_checked_by_the_engine(frame, price):
    model = clone(ciber.CollapsedRegressor(**SMALL)).set_params(hidden=(6, 4), epochs=2)
    assert model.get_params()["hidden"] == (6, 4)
    assert model.fit(frame, price).run_.description["recipe"]["hidden"] == "6,4"
    with pytest.raises(ciber.Error, match="epochs="):
        clone(model).set_params(epochs=-1).fit(frame, price)
    with pytest.raises(ciber.Error, match="activation="):
        clone(model).set_params(activation={"relu": 1}).fit(frame, price)


def test_classes_may_be_any_labels(frame, price):
    for labels in (["dear", "cheap"], [True, False], [3, -1], ["none", ""]):
        kinds = numpy.where(price > price.median(), *labels)
        model = ciber.CollapsedClassifier(**SMALL).fit(frame, kinds)
        assert model.classes_.tolist() == sorted(labels)
        probabilities = model.predict_proba(frame)
        assert probabilities.sum(axis=1) == pytest.approx(1)
        assert (model.predict(frame) == model.classes_[probabilities.argmax(axis=1)]).all()
        assert model.score(frame, kinds) > 0.8


def test_columns_of_words_become_inputs(frame, price):
    colours = pandas.Series(["red", "blue"] * 20, dtype="category")
    table = frame.assign(colour=colours)
    model = ciber.CollapsedRegressor(**SMALL).fit(table, price + 5 * (colours == "red"))
    assert model.score(table, price + 5 * (colours == "red")) > 0.8
    features = model.run_.description["schema"]["features"]
    assert features[2] == {"name": "colour", "categories": ["blue", "red"]}
    with pytest.raises(ciber.Error, match="'green' was not among the training rows"):
        model.predict(table.assign(colour="green"))
    with pytest.raises(ciber.Error, match="column 'colour': row 0 has a missing value"):
        model.predict(table.assign(colour=None))


def test_names_that_a_table_cannot_have_are_replaced(frame, price):
    odd = frame.set_axis(["1", "2"], axis=1)
    model = ciber.CollapsedRegressor(**SMALL).fit(odd, price.rename("1"))
    assert model.feature_names_in_.tolist() == ["1", "2"]
    assert model.predict(odd).shape == (40,)


def test_the_tools_of_sklearn_work_with_it(frame, price):
    pipeline = make_pipeline(StandardScaler(), ciber.CollapsedRegressor(**SMALL))
    search = GridSearchCV(pipeline, {"collapsedregressor__epochs": [1, 40]}, cv=2)
    assert search.fit(frame, price).best_params_ == {"collapsedregressor__epochs": 40}
    classifier = ciber.CollapsedClassifier(**SMALL)
    found = cross_val_predict(classifier, frame, price > 4, cv=2, method="predict_proba")
    assert found.shape == (40, 2)
