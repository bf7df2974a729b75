"""Certificates: the checker accepts them with the oracle's answers, and a changed one either not at
all or with the same answers."""

from fractions import Fraction

from generate import REFUSED, Exact
from scripts import draw_problems

MUTATIONS = 12


def lines_of(text):
    return [line for line in text.splitlines() if not line.startswith(("accepted", "trust"))]


def mutated(random, bytes_before):
    result = bytearray(bytes_before)
    for _ in range(random.choice([1, 1, 2, 5])):
        kind, at = random.random(), random.randrange(len(result))
        if kind < 0.6:
            result[at] = random.randrange(256)
        elif kind < 0.8:
            del result[at]
        else:
            result.insert(at, random.randrange(256))
        if not result:
            return bytes([0])
    return bytes(result)


def certificates(programs, random, count):
    compared = 0
    for problem, questions in draw_problems(random, max(1, count // 5), [1, 1, 2]):
        asked = [each for each in questions if isinstance(each, Exact)
                 and each.answer() not in (None, REFUSED)]
        if not asked:
            continue
        text = problem.text() + "\n".join(each.text for each in asked) + "\n"
        file, proof = programs.folder / "p.smt2", programs.folder / "p.proof"
        file.write_text(text)
        proof.unlink(missing_ok=True)
        done = programs.run("wmi", ["--certificate", proof, file])
        if not proof.exists():
            compared += 1
            if "no certificate" in done.stderr or done.returncode == 3:
                continue  # such a proof is not found, and the message says so
            return compared, f"{text}{done.stdout}{done.stderr}"
        whole = proof.read_bytes()
        checked = programs.run("wmi-check", [file, proof])
        answers = lines_of(checked.stdout)
        compared += len(asked)
        expected = [each.answer() for each in asked]
        if checked.returncode != 0 or len(answers) != len(asked) or any(
                value_of(line) != value for line, value in zip(answers, expected)):
            return compared, f"{text}{expected} expected: {checked.stdout}{checked.stderr}"
        for _ in range(MUTATIONS):
            changed = mutated(random, whole)
            if changed == whole:
                continue
            proof.write_bytes(changed)
            again = programs.run("wmi-check", ["--memory", "2G", "--timeout", "60", file, proof])
            compared += 1
            if again.returncode not in (0, 1, 3, 4):
                return compared, f"{text}wmi-check ended with {again.returncode}: {changed!r}"
            if again.returncode == 0 and not all(
                    holds(line, value) for line, value in zip(lines_of(again.stdout), expected)):
                return compared, f"{text}a wrong proof was accepted: {changed!r} {again.stdout}"
    return compared, None


def value_of(line):
    """Of `3/4 = 0.75`, perhaps behind `(get-wmi): `"""
    return Fraction(line.split(" = ")[0].split(": ")[-1].split()[-1])


def holds(line, value):
    if " = " in line:
        return value_of(line) == value
    words = line.replace(",", "").split()
    lower = Fraction(words[words.index("least") + 1]) if "least" in words else None
    upper = Fraction(words[words.index("most") + 1]) if "most" in words else None
    return (lower is None or lower <= value) and (upper is None or value <= upper)
