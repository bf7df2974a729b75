"""Certificates about networks are those of the command line, and checked against the network."""

import struct

import ciber
import pytest

NET = "docs/examples/net.safetensors"
PROPERTY = "docs/examples/net.vnnlib"
RANDOM = {"fc1.weight[0,0]": (-1, 1)}
UNKNOWN = ["--input", "1,1/2", "--unknown", "fc1.weight[0,0]=[-1,1]"]


@pytest.fixture
def net(root):
    return ciber.Network.load(root / NET)


@pytest.fixture
def written(wmi, root, tmp_path):
    """The certificate that a command of `ciber` writes."""

    def run(command, *arguments):
        file = tmp_path / "proof"
        finished = wmi.run("ciber", command, root / NET, *arguments, "--certificate", file)
        assert finished.returncode == 0, finished.stderr
        return file.read_bytes()

    return run


QUESTIONS = {
    "mean": (lambda net, **how: net.mean(0, **how), ["--mean", "--output", "out[0]"]),
    "variance": (lambda net, **how: net.variance(1, **how), ["--variance", "--output", "out[1]"]),
    "probability": (
        lambda net, **how: net.probability(lambda out: out[0] > out[1], **how),
        ["--probability", "out[0] > out[1]"],
    ),
    "unit": (
        lambda net, **how: net.cdf(1, output="relu1[0]", **how),
        ["--cdf", "1", "--output", "relu1[0]"],
    ),
    "density of an outcome": (
        lambda net, **how: net.density(1, likelihood="triangular(2)", **how),
        ["--likelihood", "triangular(2)", "--density", "1"],
    ),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_has_the_certificate_of_the_command_line(name, net, written):
    ask, arguments = QUESTIONS[name]
    answer = ask(net, inputs=[1, "1/2"], weights=RANDOM, certify=True)
    assert answer.certificate.data == written("query", *UNKNOWN, *arguments)
    assert answer.exact == ask(net, inputs=[1, "1/2"], weights=RANDOM).exact
    report = ciber.check(answer.certificate, network=net)
    assert report.answers[0].exact == answer.exact
    assert report.trust.startswith("network: re-encoded, 2 linear, 1 relu")
    assert ciber.check(answer.certificate).trust == "trusted: encoder"


def test_a_verification_has_the_certificate_of_the_command_line(net, written, root, tmp_path):
    found = ciber.verify(net, root / PROPERTY, certify=True)
    certificate = found.probability.certificate
    assert certificate.data == written("verify", root / PROPERTY)
    certificate.save(tmp_path / "saved")
    report = ciber.check(tmp_path / "saved", network=root / NET)
    assert report.answers[0].exact == found.probability.exact
    assert report.trust.startswith("network: re-encoded")
    assert found.verdict == ciber.verify(net, root / PROPERTY).verdict


def test_a_certificate_about_another_network_is_rejected(net, root, tmp_path):
    answer = net.ask(
        [ciber.Expectation(one) for one in net.outputs], inputs={0: (0, 1)}, certify=True
    )[0]
    other = bytearray((root / NET).read_bytes())
    other[-4:] = struct.pack("<f", 16)  # the last weight
    (tmp_path / "other.safetensors").write_bytes(other)
    with pytest.raises(ciber.Rejected, match="rejected at byte"):
        ciber.check(answer.certificate, network=tmp_path / "other.safetensors")


def test_a_law_that_was_found_can_be_certified(net):
    found = net.law(0, inputs={0: (-1, 1)})
    answer = net.mean(0, inputs={1: found}, certify=True)
    assert ciber.check(answer.certificate, network=net).answers[0].exact == answer.exact


def test_a_smooth_network_has_a_certificate_that_trusts_the_encoder(root):
    smooth = ciber.Network.load(root / "docs/examples/smooth.safetensors")
    answer = smooth.mean(0, inputs={0: (0, 1)}, certify=True)
    report = ciber.check(answer.certificate, network=smooth)
    assert report.trust.startswith("trusted: encoder (")
    assert len(report.answers) == 2
    assert report.answers[0].lower <= answer.lower <= answer.upper <= report.answers[1].upper


def test_what_does_not_go_together_is_said(net):
    certificate = net.mean(0, inputs={0: (0, 1)}, certify=True).certificate
    with pytest.raises(ciber.Error, match="leave out problem="):
        ciber.check(certificate, "problem.smt2", network=net)
    plain = ciber.Problem(bounds={ciber.real("x"): (0, 1)}).wmi(certify=True).certificate
    with pytest.raises(ciber.Rejected, match="contains no problem"):
        ciber.check(plain, network=net)
