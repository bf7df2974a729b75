"""Questions about networks are answered as the command line answers them."""

import json
import pickle
from fractions import Fraction

import ciber
import numpy as np
import pytest

NET = "docs/examples/net.safetensors"
SMOOTH = "docs/examples/smooth.safetensors"


@pytest.fixture
def net(root):
    return ciber.Network.load(root / NET)


@pytest.fixture
def smooth(root):
    return ciber.Network.load(root / SMOOTH)


@pytest.fixture
def query(wmi, root):
    """The answers of `ciber query`, as they are printed in JSON."""

    def run(file, *arguments):
        finished = wmi.run("ciber", "query", root / file, "--json", *arguments)
        assert finished.returncode == 0, finished.stderr
        return [json.loads(line) for line in finished.stdout.splitlines()]

    return run


def decimals(answer):
    return [
        ciber._core.decimal(answer.lower, 17, "down"),
        ciber._core.decimal(answer.upper, 17, "up"),
    ]


def test_a_network_says_what_it_is_made_of(net):
    assert net.input_shape == (2,)
    assert net.output_size == len(net.outputs) == 2
    assert [layer.type for layer in net.layers] == ["linear", "relu", "linear"]
    assert net.layers[1].inputs == ("fc1",)
    assert net.parameters["fc1.weight"] == (3, 2)
    assert net.parameter("fc1.bias") == [Fraction(1, 2), 0, -1]
    assert repr(net) == "<Network: 2 inputs, 3 layers, 2 outputs>"


def test_an_onnx_model_has_a_note_of_what_was_left_out(root):
    network = ciber.Network.from_onnx(root / "docs/examples/net.onnx")
    assert "Softmax" in network.notes[0]


def test_numbers_run_exactly_and_arrays_in_floats(net):
    # relu(1 - 1/2 + 1/2) + relu(1/2 + 1/8)/2 = 21/16
    assert net([1, "1/2"]) == (Fraction(21, 16), Fraction(3, 8))
    batch = net(np.array([[1, 0.5], [0, 0]]))
    assert batch.tolist() == [[1.3125, 0.375], [0.5, -0.375]]
    assert net(np.array([1, 0.5])).tolist() == [1.3125, 0.375]


def test_a_network_is_saved_and_pickled(net, tmp_path):
    net.save(tmp_path / "copy.safetensors")
    for copy in (
        ciber.Network.load(tmp_path / "copy.safetensors"),
        pickle.loads(pickle.dumps(net)),
    ):
        assert copy.layers == net.layers
        assert copy([1, 2]) == net([1, 2])


def test_questions_have_the_answers_of_the_command_line(net, query):
    setting = {"inputs": {0: 1, 1: (0, 1)}, "weights": {"fc1.weight[0,0]": "triangular(-1,0,1)"}}
    arguments = [
        *("--input", "1,0", "--unknown", "input[1]=[0,1]"),
        *("--unknown", "fc1.weight[0,0]=triangular(-1,0,1)", "--output", "out[1]"),
        *("--given", "out[0] > 1/4", "--mean", "--variance", "--cdf", "0", "--density", "-1/4"),
        *("--quantile", "0.3", "--probability", "out[0] < out[1] or relu1[0] = 0"),
        *("--largest", "1", "--distribution"),
    ]
    asked = {"given": lambda out: out[0] > "1/4", **setting}
    event = (net.outputs[0] < net.outputs[1]) | (net.outputs["relu1[0]"] == 0)
    answers = [
        net.mean(1, **asked),
        net.variance(1, **asked),
        net.cdf(0, output=1, **asked),
        net.density("-1/4", output=1, **asked),
        net.quantile("0.3", output=1, **asked),
        net.probability(event, **asked),
        net.largest(1, **asked),
    ]
    printed = query(NET, *arguments)
    assert [one["decimal"] for one in printed[:-1]] == [
        ciber._core.decimal((one.lower + one.upper) / 2, 17) for one in answers
    ]
    for one, answer in zip(printed, answers, strict=False):
        if answer.exact is not None:
            assert one["exact"] == str(answer.exact)
    law = net.law(1, **asked)
    assert [str(mass) for _, mass in law.atoms] == [one["mass"] for one in printed[-1]["atoms"]]
    assert [str(start) for start, _, _ in law.pieces] == [
        one["from"] for one in printed[-1]["pieces"]
    ]


def test_digits_and_gaps_are_those_of_the_command_line(net, query):
    arguments = ["--unknown", "input[0]=[-1,1]", "--unknown", "input[1]=gaussian(0,1)", "--mean"]
    printed = query(NET, *arguments, "--output", "out[0]", "--digits", "6")[0]
    answer = net.mean(inputs=[(-1, 1), ciber.gaussian(0, 1)], digits=6)
    assert decimals(answer) == [printed["lower"], printed["upper"]]
    assert list(answer.assumptions) == printed["exactWithRespectTo"]
    assert "gaussian" in answer.assumptions[0] or "normal" in answer.assumptions[0]


def test_joint_normal_laws_are_those_of_the_command_line(net, query):
    law = "normal([0, 1], [[1, 1/2], [1/2, 2]])"
    joint = ciber.joint_normal(np.array([0, 1]), [[1, "1/2"], [0.5, 2]])
    printed = query(NET, "--input", "1,1/2", "--unknown", f"fc2.bias[0..1]={law}",
                    "--probability", "out[0] > out[1]", "--mean", "--digits", "8")  # fmt: skip
    given = {"inputs": [1, 0.5], "weights": {"fc2.bias": joint}, "digits": 8}
    answers = [
        net.probability(lambda out: out[0] > out[1], **given),
        net.mean(0, **given),
        net.mean(1, **given),
    ]
    for answer, one in zip(answers, printed, strict=True):
        assert decimals(answer) == [one["lower"], one["upper"]]
    printed = query(NET, "--unknown", f"input[0..1]={law}", "--mean", "--output", "out[0]",
                    "--digits", "8")[0]  # fmt: skip
    for inputs in (joint, {"input[0..1]": joint}, {"input[0],input[1]": joint}):
        answer = net.mean(0, inputs=inputs, digits=8)
        assert decimals(answer) == [printed["lower"], printed["upper"]]


def test_what_has_a_joint_law_is_a_term_of_the_problem(net):
    # Two normal numbers with a correlation of 1/2 are both positive: 1/3.
    joint = ciber.joint_normal([0, 0], [[1, 1], [1, 4]])
    problem = net.problem(inputs=[1, 1], weights={"fc2.bias": joint})
    first, second = ciber.real("fc2.bias[0]"), ciber.real("fc2.bias[1]")
    assert float(problem.probability((first > 0) & (second > 0))) == pytest.approx(1 / 3, rel=1e-6)
    again = pickle.loads(pickle.dumps(problem))
    assert float(again.expectation(first * second)) == pytest.approx(1, rel=1e-6)


def test_smooth_networks_have_the_enclosures_of_the_command_line(smooth, query):
    arguments = [
        *("--unknown", "input[0]=[-1,1]", "--width", "1/100", "--mean", "--variance"),
        *("--cdf", "0", "--quantile", "1/2", "--probability", "out[0] > fc1[0] and out[0] < 1"),
    ]
    setting = {"inputs": {0: (-1, 1)}, "width": "1/100"}
    answers = [
        smooth.mean(**setting),
        smooth.variance(**setting),
        smooth.cdf(0, **setting),
        smooth.quantile("1/2", **setting),
        smooth.probability(lambda out: (out[0] > out["fc1[0]"]) & (out[0] < 1), **setting),
    ]
    printed = query(SMOOTH, *arguments)
    assert [[one["lower"], one["upper"]] for one in printed] == [decimals(one) for one in answers]


def test_conditions_on_smooth_outputs_are_enclosed_as_by_the_command_line(smooth, query):
    arguments = ["--unknown", "input[0]=[-1,1]", "--given", "out[0] > -1/2", "--mean"]
    setting = {"inputs": {0: (-1, 1)}, "given": lambda out: out[0] > "-1/2"}
    answers = [smooth.mean(**setting), smooth.probability(lambda out: out[0] > 1, **setting)]
    printed = query(SMOOTH, *arguments, "--probability", "out[0] > 1")
    assert [[one["lower"], one["upper"]] for one in printed] == [decimals(one) for one in answers]


def test_what_bounds_cannot_answer_is_refused(smooth):
    setting = {"inputs": {0: (-1, 1)}}
    with pytest.raises(ciber.Error, match="say nothing of a density"):
        smooth.law(**setting)
    with pytest.raises(ciber.Error, match="the condition depends on a smooth layer"):
        smooth.variance(given=lambda out: out[0] > 0, **setting)
    with pytest.raises(ciber.Error, match=r"network\.bounds\(x\)"):
        smooth([0])


LIKELIHOODS = {
    "triangular(2)": (
        ["--mean", "--density", "1"],
        lambda net, how: [net.mean(**how), net.density(1, **how)],
    ),
    "cubic(3)": (["--class"], lambda net, how: [net.mean(**how)]),
}


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
@pytest.mark.parametrize("condition", [None, "out[0] > 1"])
def test_outcomes_have_the_answers_of_the_command_line(net, query, likelihood, condition):
    arguments, ask = LIKELIHOODS[likelihood]
    if condition:
        arguments = [*arguments, "--given", condition]
    printed = query(NET, "--unknown", "input[0]=[0,1]", "--likelihood", likelihood, *arguments)
    how = {"inputs": {0: (0, 1)}, "likelihood": likelihood}
    if condition:
        how["given"] = net.outputs[0] > 1
    answers = ask(net, how)
    assert [str(one.exact) for one in answers] == [one["exact"] for one in printed]
    assert list(answers[0].assumptions) == printed[0]["exactWithRespectTo"]


def test_outcomes_of_a_smooth_network_are_enclosed(smooth, query):
    for likelihood, argument in (("triangular(2)", "--mean"), ("cubic(3)", "--class")):
        printed = query(SMOOTH, "--unknown", "input[0]=[0,1]", "--likelihood", likelihood, argument)
        answer = smooth.mean(inputs={0: (0, 1)}, likelihood=likelihood)
        assert decimals(answer) == [printed[0]["lower"], printed[0]["upper"]]


def test_a_problem_of_a_network_survives_pickling(net):
    out, unit = ciber.real("out[0]"), ciber.real("relu1[0]")
    problem = net.problem({0: (0, 1), 1: (0, 1)}, units=["relu1[0]"], likelihood="triangular(2)")
    again = pickle.loads(pickle.dumps(problem))
    asked = [ciber.Expectation(out * unit), ciber.Probability(ciber.real("y") > out)]
    answers, expected = again.ask(asked), problem.ask(asked)
    assert [one.exact for one in answers] == [one.exact for one in expected]
    assert answers[0].assumptions == expected[0].assumptions != ()


def test_several_questions_are_asked_at_once(net):
    asked = net.ask(
        lambda out: [ciber.Expectation(out[0] * out[1]), ciber.Probability(out[0] > 1)],
        inputs={0: (0, 1)},
    )
    # out[0] = 5x/4 + 1/2 and out[1] = 1/8 - (x + 1/2) + x = -3/8
    assert [one.exact for one in asked] == [Fraction(-27, 64), Fraction(3, 5)]


def test_any_term_of_the_package_can_be_asked_about(net):
    # out[0] = 5x/4 + 1/2 for x in [0, 1], y = 0
    setting = {"inputs": {0: (0, 1)}}
    assert net.mean(lambda out: abs(out[0] - 1), **setting).exact == Fraction(13, 40)
    assert net.probability(lambda out: ciber.maximum(*out) > 1, **setting).exact == Fraction(3, 5)
    problem = net.problem(units=["fc1[0]"], **setting)
    assert problem.reals == ["input[0]"]
    assert problem.expectation(ciber.real("fc1[0]")).exact == 1


def test_a_proof_of_an_answer_is_accepted(net):
    answer = net.probability(lambda out: out[0] > 1, inputs={0: (0, 1), 1: (0, 1)}, certify=True)
    assert ciber.check(answer.certificate).answers[0].exact == answer.exact == Fraction(9, 35)


def test_a_proof_of_an_enclosure_is_accepted(smooth):
    answer = smooth.mean(inputs={0: (-1, 1)}, certify=True)
    proven = ciber.check(answer.certificate).answers
    assert (proven[0].exact, proven[1].exact) == (answer.lower, answer.upper)


def test_an_explanation_is_that_of_the_command_line(net, wmi, root):
    arguments = ["--unknown", "input[0]=[-1,1]", "--unknown", "input[1]=[-1,1]", "--explain"]
    finished = wmi.run("ciber", "query", root / NET, "--mean", "--json", *arguments)
    printed = json.loads(finished.stdout.splitlines()[-1])
    patterns = net.explain(inputs=ciber.uniform(-1, 1))
    assert list(patterns[0].active) == printed["explain"]
    assert [(str(one.probability), one.cells) for one in patterns] == [
        (one["share"], one["cells"]) for one in printed["patterns"]
    ]
    assert ["".join("01"[holds] for holds in one.active.values()) for one in patterns] == [
        one["holds"] for one in printed["patterns"]
    ]


def test_a_law_that_was_found_is_the_law_of_an_input(net):
    law = net.law(inputs={0: (0, 1)})  # of 5x/4 + 1/2: no point masses
    assert law.mean == Fraction(9, 8)
    assert net.mean("input[0]", inputs={0: law}).exact == law.mean


def test_a_timeout_gives_bounds(root):
    network = ciber.Network.load(root / NET)
    law = ciber.triangular(-1, 0, 1)
    answer = network.probability(
        lambda out: out[0] < out[1],
        inputs=[1, 0.5],
        weights={"fc1.weight": law, "fc1.bias": law},  # nine dimensions, which take many seconds
        timeout=0,
    )
    assert not answer.complete
    assert 0 <= answer.lower < answer.upper <= 1


MISTAKES = {
    "there is no 'fc9[0]'": lambda net: net.mean("fc9[0]"),
    "'fc9.weight[0,0]'": lambda net: net.mean(weights={"fc9.weight[0,0]": (0, 1)}),
    "no density named 'cauchy'": lambda net: net.mean(weights={"fc1.bias[0]": "cauchy(0,1)"}),
    "3 values for an input of shape [2]": lambda net: net([1, 2, 3]),
    "7 is no input": lambda net: net.mean(inputs={7: 0}),
    "input 0: a pair of numbers is a uniform law": lambda net: net.mean(inputs={0: (1, 2, 3)}),
    "is given twice": lambda net: net.mean(inputs={0: 0, "input[0]": 1}),
    "there is no tensor 'fc9.bias'": lambda net: net.parameter("fc9.bias"),
    "has no point masses": lambda net: net.mean(inputs={0: ciber.Law([(0, "1/2"), (1, "1/2")])}),
    "nothing.safetensors: ": lambda net: ciber.Network.load("nothing.safetensors"),
}


@pytest.mark.parametrize("message", MISTAKES)
def test_a_mistake_is_one_line_that_names_it(net, message):
    with pytest.raises(ciber.Error) as refused:
        MISTAKES[message](net)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_unknown_keywords_are_refused(net):
    with pytest.raises(TypeError, match="'weight'"):
        net.mean(weight={})
    with pytest.raises(TypeError, match="'digits'"):
        net.explain(digits=3)
    with pytest.raises(IndexError, match="there is no output 2; there are 2"):
        net.mean(2)


def test_inputs_of_a_run_are_numbers_in_order(net):
    for wrong in ({0: 1, 1: 2}, "12"):
        with pytest.raises(ciber.Error, match="expected 2 numbers in order"):
            net(wrong)


@pytest.mark.parametrize("likelihood", ["foo(1)", " cubic(3)", ciber.triangular(-1, 0, 1)])
def test_an_unknown_likelihood_is_refused(net, likelihood):
    with pytest.raises(ciber.Error, match="triangular"):
        net.mean(inputs={0: (0, 1)}, likelihood=likelihood)
