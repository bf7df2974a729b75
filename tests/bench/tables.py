"""ciber without options beside other methods, on thirteen tables: docs/results/tables.md.

    python3 tests/bench/tables.py --ciber build/bin/ciber --data DIR --out build/tables
        [--only rivals|ciber] [--document docs/results/tables.md] [--splits N]

DIR holds the sets of uci_small and uci_large. Every finished method of a split is a file of --out,
so that the command goes on where it was stopped; --document writes the tables of what is there.
Needs numpy, scipy, sklearn, torch and laplace-torch: the virtual environment of `./run test`.

Rules: every method gets the same training rows and is scored on the same test rows, which nothing
sees before; of large tables the rows of a split are capped, chosen at random with a fixed seed.
Split 0 is left out, since the candidates of the search were drawn up with a view to it.
"""

import argparse
import csv
import gzip
import math
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy

SMALL = ["bostonHousing", "concrete", "energy", "yacht", "naval-propulsion-plant"]
LARGE = ["elevators", "keggdirected", "keggundirected", "pol", "protein", "skillcraft"]
# Classes made of numbers, by quantiles of the whole table: the name, its table, how many.
CLASSES = [("concrete, 3 classes", "concrete", 3), ("skillcraft, 2 classes", "skillcraft", 2)]
SPLITS = {name: 5 for name in ["bostonHousing", "concrete", "energy", "yacht"]}
SPLITS |= {"concrete, 3 classes": 3}
FEWER = 3  # splits of the others
FIRST_SPLIT = 5
MOST_TRAIN, MOST_TEST = 1000, 2000  # rows; what a Gaussian process can do in a minute

OTHERS = ["forest", "boosting", "gp", "deep-ensemble", "swag-torch", "laplace-torch", "ngboost"]
RIVALS = {
    "regression": ["constant", "ridge", *OTHERS],
    "classification": ["constant", "logistic", *OTHERS],
}
# Those that the default is to match; the others are shown beside them.
COMPARED = ["deep-ensemble", "swag-torch", "laplace-torch", "forest", "boosting", "gp", "logistic"]
OURS = {
    "ciber": [],
    "average": ["--partition", "none", "--recalibrate", "yes"],
    "conditional": ["--posterior", "conditional", "--recalibrate", "yes"],
}


def tables():
    return SMALL + LARGE + [name for name, _, _ in CLASSES]


def split_count(table):
    return SPLITS.get(table, FEWER)


def load(data, table):
    """All rows with the target last, and the test rows of a split as a function."""
    folder = data / "uci_small" / table
    if folder.exists():
        file = folder / "data.txt"
        rows = numpy.loadtxt(file if file.exists() else f"{file}.gz")
        inputs = numpy.loadtxt(folder / "index_features.txt").astype(int)
        target = int(numpy.loadtxt(folder / "index_target.txt"))
        rows = numpy.column_stack([rows[:, inputs], rows[:, target]])
        return rows, lambda s: numpy.loadtxt(folder / f"index_test_{s}.txt").astype(int)
    folder = data / "uci_large" / table
    with gzip.open(folder / "data.csv.gz") as file:
        rows = numpy.loadtxt(file, delimiter=",")
    with gzip.open(folder / "test_mask.csv.gz") as file:
        mask = numpy.loadtxt(file, delimiter=",")
    return rows, lambda s: numpy.flatnonzero(mask[:, s])


class Split:
    """The rows of one split of a table, as files for `ciber` and for rivals.py."""

    def __init__(self, data, table, number, folder):
        made_of = {name: (source, classes) for name, source, classes in CLASSES}
        source, self.classes = made_of.get(table, (table, 0))
        rows, test_of = load(data, source)
        if self.classes:
            cuts = numpy.quantile(rows[:, -1], numpy.arange(1, self.classes) / self.classes)
            rows = rows.copy()
            rows[:, -1] = numpy.searchsorted(cuts, rows[:, -1], side="left")
        test = test_of(number)
        train = numpy.setdiff1d(numpy.arange(len(rows)), test)
        random = numpy.random.default_rng(1000 + number)
        train = random.permutation(train)[:MOST_TRAIN]
        test = random.permutation(test)[:MOST_TEST]
        self.train, self.test = rows[train], rows[test]
        self.folder, self.seed = folder, number
        folder.mkdir(parents=True, exist_ok=True)
        centre, scale = self.train.mean(0), self.train.std(0)
        kept = numpy.flatnonzero(numpy.ptp(self.train[:, :-1], axis=0) > 0)
        if self.classes:
            centre[-1], scale[-1] = 0, 1
        self.log_scale = math.log(scale[-1])
        self.standard = [
            (part[:, [*kept, -1]] - centre[[*kept, -1]]) / scale[[*kept, -1]]
            for part in (self.train, self.test)
        ]

    def file(self, name):
        return self.folder / name

    def write_ours(self):
        header = ",".join([*(f"x{i}" for i in range(self.train.shape[1] - 1)), "y"])
        for name, rows in (("train.csv", self.train), ("test.csv", self.test)):
            with open(self.file(name), "w") as file:
                print(header, file=file)
                for row in rows:
                    last = f"class{int(row[-1])}" if self.classes else repr(float(row[-1]))
                    print(*(repr(float(each)) for each in row[:-1]), last, sep=",", file=file)

    def write_rivals(self):
        form = "%.17g"
        numpy.savetxt(self.file("rivals-train.csv"), self.standard[0], form, delimiter=",")
        numpy.savetxt(self.file("rivals-test.csv"), self.standard[1][:, :-1], form, delimiter=",")

    def remove(self, *names):
        for name in names:
            self.file(name).unlink(missing_ok=True)


def score_mixture(split, numbers, count):
    """Log densities of the test outcomes, and whether they lie in central 90 % intervals."""
    from scipy.special import logsumexp
    from scipy.stats import norm

    outcomes = split.standard[1][:, -1]
    parts = numbers.reshape(len(outcomes), count, 2)
    laws = norm(parts[:, :, 0], parts[:, :, 1])
    logs = logsumexp(laws.logpdf(outcomes[:, None]), axis=1) - math.log(count) - split.log_scale
    levels = laws.cdf(outcomes[:, None]).mean(1)
    return logs, (levels >= 0.05) & (levels <= 0.95)


def save_scores(split, method, seconds, logs, hits, remark):
    path = split.file(f"{method}.csv")
    with open(f"{path}.new", "w") as file:
        print(f"# {seconds:.3f} processor seconds; {remark}", file=file)
        for log, hit in zip(logs, hits, strict=True):
            print(f"{float(log)!r},{int(hit)}", file=file)
    os.replace(f"{path}.new", path)


def run_rivals(split):
    kind = "classification" if split.classes else "regression"
    missing = [m for m in RIVALS[kind] if not split.file(f"{m}.csv").exists()]
    if not missing:
        return
    split.write_rivals()
    script = Path(__file__).resolve().parents[2] / "frontends/learning/rivals.py"
    command = [
        sys.executable,
        script,
        kind,
        split.classes,
        split.seed,
        split.file("rivals-train.csv"),
        split.file("rivals-test.csv"),
        ",".join(missing),
    ]
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True) as child:
        for line in child.stdout:
            cells = line.strip().split(",")
            if cells[0] == "missing":
                print(f"    {cells[1]}: {cells[2]}", flush=True)
                continue
            count, numbers = int(cells[2]), numpy.array(cells[3:], dtype=float)
            if split.classes:
                shares = numbers.reshape(len(split.test), count)
                chosen = shares[numpy.arange(len(shares)), split.test[:, -1].astype(int)]
                logs, hits = numpy.log(chosen), shares.argmax(1) == split.test[:, -1]
            else:
                logs, hits = score_mixture(split, numbers, count)
            save_scores(split, cells[0], float(cells[1]), logs, hits, "rivals.py")
            print(f"    {cells[0]}: {logs.mean():.3f} ({float(cells[1]):.0f} s)", flush=True)
    split.remove("rivals-train.csv", "rivals-test.csv")


def child_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def version(program):
    return subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip()


def run_ours(split, program, remark):
    if all(split.file(f"{method}.csv").exists() for method in OURS):
        return
    split.write_ours()
    run = split.file("run")
    subprocess.run(["rm", "-rf", run], check=True)
    before = child_seconds()
    training = [
        program,
        "train",
        split.file("train.csv"),
        "--target",
        "y",
        "--out",
        run,
        "--seed",
        split.seed,
        "--threads",
        1,
    ]
    subprocess.run(
        list(map(str, training)), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    trained = child_seconds() - before
    for method, options in OURS.items():
        before = child_seconds()
        predicting = [
            program,
            "predict",
            run,
            split.file("test.csv"),
            "--threads",
            1,
            "--intervals",
            0.9,
            *options,
        ]
        text = subprocess.run(
            list(map(str, predicting)), check=True, capture_output=True, text=True
        ).stdout
        rows = list(csv.DictReader(text.splitlines()))
        seconds = trained + child_seconds() - before
        if split.classes:
            logs = [float(row["log_probability"]) for row in rows]
            hits = [
                row["class"] == f"class{int(y)}"
                for row, y in zip(rows, split.test[:, -1], strict=True)
            ]
        else:
            logs = [float(row["log_density"]) for row in rows]
            hits = [0.05 <= float(row["cdf"]) <= 0.95 for row in rows]
        save_scores(split, method, seconds, logs, hits, remark)
        print(f"    {method}: {numpy.mean(logs):.3f} ({seconds:.0f} s)", flush=True)
    subprocess.run(["rm", "-rf", run], check=True)
    split.remove("train.csv", "test.csv")


# The document.


def read_scores(folder, table, number, method):
    path = folder / table.replace(", ", "-").replace(" ", "-") / str(number) / f"{method}.csv"
    if not path.exists():
        return None
    lines = path.read_text().splitlines()
    values = numpy.array([line.split(",") for line in lines[1:]], dtype=float)
    return float(lines[0].split()[1]), values[:, 0], values[:, 1], lines[0].split("; ", 1)[1]


class Scores:
    """What is there of one table: by method, a list over the splits that all of them have."""

    def __init__(self, folder, table):
        self.table, self.classes = table, table in [name for name, _, _ in CLASSES]
        rivals = RIVALS["classification" if self.classes else "regression"]
        found = {}
        for method in [*OURS, *rivals]:
            found[method] = {s: read_scores(folder, table, s, method) for s in splits_of(table)}
            found[method] = {s: v for s, v in found[method].items() if v is not None}
        found = {method: scores for method, scores in found.items() if scores}
        self.splits = sorted(
            set.intersection(*(set(scores) for scores in found.values())) if found else set()
        )
        self.methods = {m: [v[s] for s in self.splits] for m, v in found.items() if self.splits}
        self.complete = {*OURS, "deep-ensemble"} <= set(self.methods)

    def mean(self, method):
        return numpy.mean([logs.mean() for _, logs, _, _ in self.methods[method]])

    def seconds(self, method):
        return numpy.mean([seconds for seconds, _, _, _ in self.methods[method]])

    def pairs(self, first, second):
        return list(zip(self.methods[first], self.methods[second], strict=True))

    def difference(self, first, second):
        """The mean difference, and its standard error from the differences of all test rows."""
        rows = numpy.concatenate([a[1] - b[1] for a, b in self.pairs(first, second)])
        means = [(a[1] - b[1]).mean() for a, b in self.pairs(first, second)]
        return numpy.mean(means), rows.std(ddof=1) / math.sqrt(len(rows))

    def hits(self, method):
        every = numpy.concatenate([hits for _, _, hits, _ in self.methods[method]])
        return int(every.sum()), len(every)

    def best(self):
        return max((m for m in COMPARED if m in self.methods), key=self.mean)


def splits_of(table):
    return range(FIRST_SPLIT, FIRST_SPLIT + split_count(table))


def exact_limits(hits, count):
    """95 % limits of a proportion (Clopper and Pearson 1934)."""
    from scipy.stats import beta

    low = beta.ppf(0.025, hits, count - hits + 1) if hits else 0.0
    return low, beta.ppf(0.975, hits + 1, count - hits) if hits < count else 1.0


def figure(value, error=None):
    return f"{value:.3f}" if error is None else f"{value:.3f} +- {error:.3f}"


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def document(folder):
    found = [scores for scores in (Scores(folder, table) for table in tables()) if scores.complete]
    rows, all_rows, wins, close = [], [], 0, 0
    shown = [
        "deep-ensemble",
        "swag-torch",
        "laplace-torch",
        "forest",
        "boosting",
        "gp",
        "logistic",
        "ridge",
        "ngboost",
        "constant",
    ]
    for scores in found:
        best = scores.best()
        difference, error = scores.difference("ciber", best)
        wins, close = wins + (difference >= 0), close + (-error <= difference < 0)
        average, average_error = scores.difference("conditional", "average")
        hits, count = scores.hits("ciber")
        low, high = exact_limits(hits, count)
        held = f"{hits / count:.3f} ({low:.3f} to {high:.3f})"
        rows.append(
            [
                scores.table,
                f"{len(scores.splits)}, {count}",
                figure(scores.mean("ciber")),
                f"{best} {figure(scores.mean(best))}",
                figure(difference, error),
                figure(average, average_error),
                "" if scores.classes else held,
                f"{scores.seconds('ciber'):.0f} / {scores.seconds('deep-ensemble'):.0f}"
                if "deep-ensemble" in scores.methods
                else "",
            ]
        )
        all_rows.append(
            [
                scores.table,
                figure(scores.mean("ciber")),
                *(figure(scores.mean(m)) if m in scores.methods else "" for m in shown),
            ]
        )
    text = markdown(
        [
            "table",
            "splits, test rows",
            "`ciber`",
            "best of the seven",
            "difference",
            "`conditional` minus `average`",
            "in 90 % intervals",
            "processor s: `ciber` / deep ensemble",
        ],
        rows,
    )
    text += (
        f"\nAt or above the best of the seven on {wins} of {len(found)} tables, within one "
        f"standard error below it on {close} more.\n\nLog likelihood of all methods:\n\n"
    )
    text += markdown(["table", "`ciber`", *shown], all_rows)
    remarks = {remark for scores in found for _, _, _, remark in scores.methods["ciber"]}
    return text + "\nFigures of `ciber` are of " + " and ".join(sorted(remarks)) + ".\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ciber", default="build/bin/ciber")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", choices=["rivals", "ciber", "nothing"])
    parser.add_argument("--remark", default="", help="the version of ciber, as the document says")
    parser.add_argument("--document", type=Path)
    options = parser.parse_args()
    remark = options.remark or version(options.ciber)
    jobs = [(number, table) for table in tables() for number in splits_of(table)]
    jobs.sort(key=lambda job: (job[0], tables().index(job[1])))  # all tables once, then again
    for i, (number, table) in enumerate(jobs):
        if options.only == "nothing":
            break
        print(f"{i + 1} of {len(jobs)}: {table}, split {number}", flush=True)
        folder = options.out / table.replace(", ", "-").replace(" ", "-") / str(number)
        split = Split(options.data, table, number, folder)
        if options.only != "ciber":
            run_rivals(split)
        if options.only != "rivals":
            run_ours(split, options.ciber, remark)
    if options.document:
        before = options.document.read_text() if options.document.exists() else ""
        mark = "<!-- what follows is written by tests/bench/tables.py -->\n"
        options.document.write_text(before.split(mark)[0] + mark + "\n" + document(options.out))


if __name__ == "__main__":
    main()
