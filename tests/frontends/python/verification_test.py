"""`ciber.verify` finds what `ciber verify` prints."""

import json

import ciber
import pytest

NET = "docs/examples/net.onnx"  # which ends in a softmax
LOGITS = "docs/examples/net.safetensors"
PROPERTY = "docs/examples/net.vnnlib"


@pytest.fixture
def printed(wmi, root):
    """The JSON object of the command line."""

    def run(*arguments, property=PROPERTY):
        finished = wmi.run("ciber", "verify", root / NET, root / property, "--json", *arguments)
        assert finished.returncode == 0, finished.stderr
        return json.loads(finished.stdout)

    return run


CASES = {
    "uniform inputs": ({}, []),
    "a law for all inputs": ({"law": "triangular(0,1,2)"}, ["--law", "triangular(0,1,2)"]),
    "a normal law itself": (
        {"law": ciber.normal_law(1, "1/4"), "digits": 6},
        ["--law", "normal(1, 1/4)", "--digits", "6"],
    ),
    "a joint normal law of the inputs": (
        {"law": {(1, 0): ciber.joint_normal([0.5, 1], [[1, 0.5], [0.5, 1]])}, "digits": 6},
        ["--law", "X_1,X_0=normal([1/2,1],[[1,1/2],[1/2,1]])", "--digits", "6"],
    ),
    "a joint normal law of weights": (
        {
            "weights": {"fc2.bias[0..1]": ciber.joint_normal([0, 0], [[1, "1/2"], ["1/2", 1]])},
            "digits": 6,
        },
        ["--unknown", "fc2.bias[0..1]=normal([0,0],[[1,1/2],[1/2,1]])", "--digits", "6"],
    ),
    "a law of one input": (
        {"law": {0: ciber.triangular(0, 1, 2)}},
        ["--law", "X_0=triangular(0, 1, 2)"],
    ),
    "one free input": ({"free": [0]}, ["--free", "X_0"]),
    "one free input, the other given": (
        {"free": ["X_0"], "inputs": [1, "3/4"]},
        ["--free", "X_0", "--input", "1,3/4"],
    ),
    "a random weight": (
        {"weights": {"fc2.bias[0]": (-1, 1)}},
        ["--unknown", "fc2.bias[0]=[-1,1]"],
    ),
    "digits": ({"digits": 4}, ["--digits", "4"]),
    "a gap": ({"gap": "1/10"}, ["--gap", "1/10"]),
}


@pytest.mark.parametrize("name", CASES)
def test_findings_are_those_of_the_command_line(name, printed, root):
    keywords, arguments = CASES[name]
    found = ciber.verify(root / NET, root / PROPERTY, **keywords)
    expected = printed(*arguments)
    probability = expected["probability"]
    assert found.verdict == expected["verdict"]
    if probability["exact"] is not None:
        assert str(found.probability.exact) == probability["exact"]
    assert ciber._core.decimal(found.probability.lower, 17, "down") == probability["lower"]
    assert ciber._core.decimal(found.probability.upper, 17, "up") == probability["upper"]
    assert list(found.probability.assumptions) == expected["exactWithRespectTo"]
    witness = found.witness and {"inputs": [str(one) for one in found.witness.inputs]}
    assert witness == (expected["witness"] and {"inputs": expected["witness"]["inputs"]})


def test_a_property_that_holds_has_no_counterexample(root, tmp_path):
    text = (root / PROPERTY).read_text().replace("(>= Y_1 Y_0)", "(>= Y_1 100)")
    (tmp_path / "safe.vnnlib").write_text(text)
    found = ciber.verify(ciber.Network.load(root / LOGITS), tmp_path / "safe.vnnlib")
    assert (found.verdict, found.no_counterexample, found.witness) == ("holds", True, None)
    assert found.probability == 0
    assert repr(found) == "<Verification: holds, probability 0 = 0>"


def test_each_of_several_regions_has_its_probability(root, tmp_path):
    text = (root / PROPERTY).read_text().replace("(>= Y_1 Y_0)", "(or (>= Y_1 Y_0) (>= Y_0 1))")
    (tmp_path / "two.vnnlib").write_text(text)
    found = ciber.verify(root / LOGITS, tmp_path / "two.vnnlib")
    assert len(found.regions) == 2
    assert found.regions[0].probability == ciber.verify(root / NET, root / PROPERTY).probability
    parts = [one.probability.exact for one in found.regions]
    assert max(parts) <= found.probability.exact <= sum(parts)  # they may overlap


MISTAKES = {
    "law= ": {"law": "cauchy(0,1)"},
    "free=": {"free": [9]},
    "^inputs=: needs free=": {"inputs": [1, 1]},
    "^weights=: 'input.0.' is an input; .* law= X_0=LAW": {"weights": {"input[0]": (0, 1)}},
}


@pytest.mark.parametrize("message", MISTAKES)
def test_a_mistake_names_the_keyword(message, root):
    with pytest.raises(ciber.Error, match=message):
        ciber.verify(root / NET, root / PROPERTY, **MISTAKES[message])


def test_files_that_cannot_be_read_are_named(root, tmp_path):
    with pytest.raises(ciber.Error, match=r"nothing\.vnnlib: "):
        ciber.verify(root / NET, "nothing.vnnlib")
    (tmp_path / "bad.vnnlib").write_text("(assert")
    with pytest.raises(ciber.Error, match=r"bad\.vnnlib:1:"):
        ciber.verify(root / NET, tmp_path / "bad.vnnlib")


def test_a_timeout_gives_what_is_known(root):
    found = ciber.verify(root / NET, root / PROPERTY, timeout=0)
    assert found.verdict in ("unknown", "violated")


def test_what_is_no_network_is_refused(root):
    with pytest.raises(ciber.Error, match=r"Network.from_torch\(...\) makes"):
        ciber.verify(object(), root / PROPERTY)
