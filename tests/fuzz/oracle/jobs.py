"""Jobs: what `join` prints is what one process prints, byte for byte, however the units were solved;
so is the certificate."""

import shutil
import subprocess

from generate import Generator
from trees import TreeGenerator

OPTIONS = [[], [], [], ["--digits", "6"], ["--enumerator", "exact-split"], ["--enumerator", "z3"],
           ["--integrator", "triangulation"], ["--integrator", "mpfr", "--precision", "80"]]
NOT_DIVIDED = ("are not divided into work units", "cannot be certified")
MOST_ROUNDS = 8


def script(random):
    """Questions of one to three tasks, behind push and pop."""
    if random.random() < 0.2:
        generator = TreeGenerator(random)
        tree = generator.tree()
        return tree.text() + "".join(each.text + "\n" for each in generator.tree_questions(tree))
    generator = Generator(random)
    problem = generator.problem(random.choice([1, 1, 1, 2, 2, 3]))
    text = problem.text() + questions(generator, problem)
    for _ in range(random.choice([0, 0, 1, 2])):
        inner = generator.formula(problem.names, problem.booleans, 1, generator.reals)
        text += f"(push 1)\n(assert {inner.text()})\n{questions(generator, problem)}(pop 1)\n"
        text += questions(generator, problem) if random.random() < 0.5 else ""
    return text


def questions(generator, problem):
    return "".join(each.text + "\n" for each in generator.questions(problem, 3))


class Job:
    def __init__(self, programs, random, file, options):
        self.programs, self.random, self.file, self.options = programs, random, file, options
        self.place = programs.folder / "job"
        shutil.rmtree(self.place, ignore_errors=True)

    def run(self, command, *arguments):
        return self.programs.run("wmi", [command, *arguments])

    def made(self):
        parts = self.random.choice([1, 2, 3, 5, 8, 20, 100])
        return self.run("split", self.file, "--out", self.place, "--parts", parts, *self.options)

    def solve_all(self):
        """All units, of which some are killed, and some hand most of their work back."""
        while units := self.run("units", self.place).stdout.split():
            self.random.shuffle(units)
            while units:
                count = min(len(units), self.random.choice([1, 1, 2, 5]))
                self.solve(",".join(units.pop() for _ in range(count)))

    def solve(self, units):
        command = [self.programs.directory / "wmi", "part", self.place, "--unit", units]
        if self.random.random() < 0.5:
            command += ["--budget", self.random.choice(["0.000001", "0.001", "0.01"])]
            command += ["--into", str(self.random.choice([1, 2, 4, 10]))]
        processes = [subprocess.Popen(command, stderr=subprocess.DEVNULL)
                     for _ in range(self.random.choice([1] * 9 + [2]))]  # perhaps twice at once
        if self.random.random() < 0.3:
            try:
                processes[0].wait(self.random.choice([0.002, 0.005, 0.01, 0.02]))
            except subprocess.TimeoutExpired:
                processes[0].kill()
        for each in processes:
            each.wait()

    def joined(self, *options):
        for _ in range(MOST_ROUNDS):
            self.solve_all()
            done = self.run("join", self.place, "--json", *options)
            if done.returncode != 3 or "round" not in done.stderr:
                break
        return done


def described(done):
    return f"exit {done.returncode}\n{done.stdout}{done.stderr}"


def of_answers(programs, random, file):
    """A difference, or None."""
    options = random.choice(OPTIONS)
    whole = programs.run("wmi", ["--json", "--threads", "1", *options, file])
    job = Job(programs, random, file, options)
    made = job.made()
    if made.returncode != 0:
        if any(each in made.stderr for each in NOT_DIVIDED):
            return None
        same = made.returncode == whole.returncode and made.stderr == whole.stderr
        return None if same else f"{options} {described(made)}but {described(whole)}"
    found = job.joined("--recheck", random.choice([0, 1, 1000]))
    if described(found) != described(whole):
        return f"{options} {described(found)}but {described(whole)}"
    return None


def of_certificates(programs, random, file):
    proof, joined = programs.folder / "p.proof", programs.folder / "joined.proof"
    for each in (proof, joined):
        each.unlink(missing_ok=True)
    whole = programs.run("wmi", ["--json", "--certificate", proof, file])
    job = Job(programs, random, file, ["--proof"])
    made = job.made()
    if made.returncode != 0:
        if any(each in made.stderr for each in NOT_DIVIDED):
            return None
        same = made.returncode == whole.returncode and made.stderr == whole.stderr
        return None if same else f"proof {described(made)}but {described(whole)}"
    found = job.joined("--certificate", joined, "--recheck", random.choice([0, 1, 1000]))
    if described(found) != described(whole):
        return f"proof {described(found)}but {described(whole)}"
    if proof.exists() != joined.exists():
        return f"a proof is there: {proof.exists()}, of the job: {joined.exists()}"
    if proof.exists() and proof.read_bytes() != joined.read_bytes():
        return "the proofs differ"
    checked = programs.run("wmi-check", [file, joined]) if joined.exists() else None
    if checked is not None and checked.returncode != 0:
        return f"the joined proof is rejected: {described(checked)}"
    return None


def jobs(programs, random, count):
    compared = 0
    file = programs.folder / "p.smt2"
    for _ in range(max(1, count // 5)):
        text = script(random)
        file.write_text(text)
        compare = of_certificates if random.random() < 0.25 else of_answers
        wrong = compare(programs, random, file)
        compared += 1
        if wrong:
            return compared, f"{text}\n{wrong}"
    return compared, None
