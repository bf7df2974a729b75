"""Problems as SMT-LIB files, answered by `wmi`."""

from generate import Generator


def draw_problems(random, count, dimensions):
    result = []
    for _ in range(count):
        generator = Generator(random)
        problem = generator.problem(random.choice(dimensions))
        questions = {each.text: each for each in generator.questions(problem, 5)}
        result.append((problem, list(questions.values())))
    return result


def compared(programs, drawn, options=()):
    """How many answers were compared, and what is wrong with the first wrong one."""
    texts = [problem.text() + "\n".join(question.text for question in questions) + "\n"
             for problem, questions in drawn]
    found, errors = programs.answers(texts, options)
    count = 0
    for text, (_, questions), answers in zip(texts, drawn, found):
        for question in questions:
            answer = answers.get(question.text, [None])[0]
            if answer is None and "--timeout" in options:
                continue  # not read, or not started
            if answer is not None and "error" in answer:
                answer = None  # refused
            wrong = question.check(answer)
            count += 1
            if wrong:
                return count, f"{text}{question.text}\n{wrong}\n{' '.join(options)}\n{errors}"
    return count, None


DIMENSIONS = [1] * 12 + [2] * 6 + [3]


def exact(programs, random, count):
    return compared(programs, draw_problems(random, count, DIMENSIONS))


def paths(programs, random, count):
    """The oracle's answers are computed once for each way of solving."""
    ways = [["--enumerator", "z3"], ["--enumerator", "exact-split"],
            ["--integrator", "triangulation"], ["--integrator", "face-lattice"],
            ["--threads", "1"], ["--enumerator", "z3", "--integrator", "face-lattice"]]
    drawn = draw_problems(random, max(1, count // 3), [1, 1, 1, 2])
    total = 0
    for way in random.sample(ways, 3):
        found, wrong = compared(programs, drawn, way)
        total += found
        if wrong:
            return total, wrong
    return total, None


def bounded(programs, random, count):
    """Each answer is an enclosure: the search is stopped, or numbers are rounded."""
    ways = [["--gap", "1/10"], ["--gap", "1/1000"], ["--digits", "4"], ["--digits", "12"],
            ["--integrator", "mpfr", "--precision", "53"], ["--timeout", "0.02"]]
    drawn = draw_problems(random, count, [1, 1, 2])
    for _, questions in drawn:  # laws are exact or nothing
        questions[:] = [each for each in questions if each.text.split()[0] not in
                        ("(get-distribution", "(get-quantile", "(get-density")]
    return compared(programs, [pair for pair in drawn if pair[1]], random.choice(ways))
