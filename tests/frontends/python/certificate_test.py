import contextlib
from fractions import Fraction

import ciber
import pytest

x, y = ciber.reals("x y")
a = ciber.boolean("a")
QUERIES = [ciber.Probability(a), ciber.Expectation(ciber.relu(x - y)), ciber.Density(x, at="1/2")]


def problem():
    return ciber.Problem(
        bounds={x: (0, 1), y: (0, 1)},
        assertions=[ciber.implies(a, x + y <= 1)],
        weights=[(2 * x, a)],
    )


def test_a_certificate_proves_the_answers():
    answers = problem().ask(QUERIES, certify=True)
    report = ciber.check(answers[0].certificate, problem(), QUERIES)
    assert [one.exact for one in report.answers] == [one.exact for one in answers]
    assert all(one.certified for one in report.answers)
    assert report.nodes > 0
    assert report.cells > 0
    assert report.open == 0
    assert answers[0].certificate.check() == report


def test_a_certificate_is_checked_by_the_program_too(wmi, tmp_path):
    answer = problem().probability(a, certify=True)
    proof, text = tmp_path / "proof", tmp_path / "problem.smt2"
    answer.certificate.save(proof, problem=text)
    finished = wmi.run("wmi-check", text, proof)
    assert finished.stdout.startswith(f"{answer}\naccepted: "), finished.stderr
    assert ciber.check(proof, text).answers[0].exact == answer.exact
    assert ciber.check(str(proof), ciber.read(text)).answers[0].exact == answer.exact
    assert ciber.check(proof.read_bytes(), text).answers[0].exact == answer.exact


def test_the_command_line_writes_the_same_certificate(wmi, tmp_path):
    certificate = problem().ask(QUERIES, certify=True)[0].certificate
    text, proof = tmp_path / "problem.smt2", tmp_path / "proof"
    text.write_text(certificate.problem)
    assert wmi.run("wmi", "--certificate", proof, text).returncode == 0
    assert proof.read_bytes() == certificate.data


def test_a_certificate_proves_nothing_else():
    certificate = problem().probability(a, certify=True).certificate
    with pytest.raises(ciber.Rejected, match="rejected at byte"):
        ciber.check(certificate, problem(), [ciber.Probability(x < "1/3")])
    other = problem()
    other.add(x < "1/2")
    with pytest.raises(ciber.Rejected, match="rejected at byte"):
        ciber.check(certificate, other, [ciber.Probability(a)])


def test_no_changed_byte_is_accepted_with_another_answer():
    certificate = problem().probability(a, certify=True).certificate
    answer = ciber.check(certificate).answers
    for i in range(len(certificate.data)):
        changed = bytearray(certificate.data)
        changed[i] ^= 1
        with contextlib.suppress(ciber.Rejected):
            assert ciber.check(bytes(changed), problem(), [ciber.Probability(a)]).answers == answer


def test_bounds_of_a_gap_are_proven():
    event = ciber.relu(x - y) + ciber.relu(y - x / 2) <= "1/3"
    answer = problem().probability(event, gap="1/5", certify=True)
    proven = answer.certificate.check().answers[0]
    assert proven.lower <= answer.lower <= answer.upper <= proven.upper


def test_what_certificates_do_not_cover_is_not_certified():
    queries = [ciber.Wmi(), ciber.Quantile(x, "1/2"), ciber.Distribution(x)]
    answers = problem().ask(queries, certify=True)
    report = answers[0].certificate.check()
    assert [one.certified for one in report.answers] == [True, False, False]


def test_a_script_of_several_problems_has_one_certificate():
    script = ciber.parse(
        "(declare-const x Real) (assert (<= 0 x 2)) (get-wmi)"
        "(push 1) (assert (< x 1)) (get-probability (< x (/ 1 2))) (pop 1)"
    )
    answers = script.answers(certify=True)
    report = ciber.check(answers[0].certificate, script)
    assert [one.exact for one in report.answers] == [2, Fraction(1, 2)]


def test_what_is_missing_is_said():
    certificate = problem().probability(a, certify=True).certificate
    with pytest.raises(ciber.Error, match="problem="):
        ciber.check(certificate.data)
    with pytest.raises(ciber.Error, match="queries="):
        ciber.check(certificate, problem())
    with pytest.raises(ciber.Error, match="leave out queries="):
        ciber.check(certificate, ciber.parse(certificate.problem), QUERIES)
    with pytest.raises(ciber.Error, match="cannot be read"):
        ciber.check("/nowhere/proof", ciber.parse(certificate.problem))
    with pytest.raises(ciber.Error, match=r"such as answer\.certificate"):
        ciber.check(problem().probability(a))
    assert problem().probability(a).certificate is None
