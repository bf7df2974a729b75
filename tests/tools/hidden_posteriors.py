"""Joint normal laws of weights into hidden units beside boxes: figures of docs/predictive.md.

    hidden_posteriors.py CIBER DATA RUNS [--sets boston,...] [--splits N]

DATA has the small sets of the UCI collection: a folder each, with data.txt, perhaps compressed, and
index_test_I.txt. For each split there is one training of 20 samples (RUNS keeps it), and for each
posterior of the two weights into hidden units with the largest variance the mean log density and the
mean CRPS of the test rows. Prints a table in Markdown: gains in log density over the plain average of
the samples, differences in CRPS, and the processor time of all predictions.
"""

import argparse
import csv
import gzip
import os
import resource
import subprocess
from pathlib import Path
from statistics import mean, stdev

POSTERIORS = ["minmax", "moment", "swag", "conditional", "laplace"]
# Folder, and how it is trained: epochs, rate, rate while sampling, epochs between samples.
SETS = {
    "boston": ("bostonHousing", 150, 0.01, 0.03, 5),
    "yacht": ("yacht", 600, 0.03, 0.01, 10),
    "energy": ("energy", 300, 0.03, 0.01, 10),
}


def lines(path):
    packed = Path(f"{path}.gz")
    opened = gzip.open(packed, "rt") if packed.exists() else open(path)
    with opened as file:
        return [line.split() for line in file if line.strip()]


def split(folder, number, runs):
    """The files of the training and the test rows."""
    rows = lines(folder / "data.txt")
    inputs = [int(float(row[0])) for row in lines(folder / "index_features.txt")]
    target = int(float(lines(folder / "index_target.txt")[0][0]))
    test = {int(float(row[0])) for row in lines(folder / f"index_test_{number}.txt")}
    paths = []
    for part, wanted in ("train", False), ("test", True):
        path = runs / f"{folder.name}-{number}-{part}.csv"
        with open(path, "w", newline="") as file:
            out = csv.writer(file)
            out.writerow([f"x{i}" for i in inputs] + ["y"])
            for i, row in enumerate(rows):
                if (i in test) == wanted:
                    out.writerow([row[k] for k in [*inputs, target]])
        paths.append(path)
    return paths


def scores(ciber, run, test, *options):
    """The mean log density and CRPS of the rows, and the seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([ciber, "predict", run, test, "--threads", "1", *options],
                          capture_output=True, text=True, check=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    found = list(csv.DictReader(done.stdout.splitlines()))
    return (mean(float(row["log_density"]) for row in found),
            mean(float(row["crps"]) for row in found), seconds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ciber")
    parser.add_argument("data", type=Path)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--splits", type=int, default=5)
    arguments = parser.parse_args()
    os.makedirs(arguments.runs, exist_ok=True)
    names = arguments.sets.split(",")
    gains = {(name, posterior): [] for name in names for posterior in POSTERIORS}
    plain = {name: [] for name in names}
    seconds = dict.fromkeys(POSTERIORS, 0.0)
    for name in names:
        folder, epochs, rate, sampling, every = SETS[name]
        for number in range(arguments.splits):
            train, test = split(arguments.data / folder, number, arguments.runs)
            run = arguments.runs / f"{name}-{number}.run"
            if not run.exists():
                subprocess.run([arguments.ciber, "train", train, "--target", "y", "--out", run,
                                "--hidden", "50", "--search", "no", "--trajectories", "1",
                                "--samples", "20", "--epochs", str(epochs), "--optimizer", "sgd",
                                "--rate", str(rate), "--sampling-rate", str(sampling),
                                "--every", str(every), "--seed", str(number + 1)],
                               capture_output=True, check=True)
            base = scores(arguments.ciber, run, test, "--partition", "none")
            plain[name].append(base)
            for posterior in POSTERIORS:
                found = scores(arguments.ciber, run, test, "--partition", "second:2",
                               "--posterior", posterior)
                gains[name, posterior].append([a - b for a, b in zip(found[:2], base)])
                seconds[posterior] += found[2]

    def shown(values, places):
        return f"{mean(values):.{places}f} +- {stdev(values):.{places}f}"

    print("| posterior | " + " | ".join(names) + " | seconds |")
    print("|---" * (len(names) + 2) + "|")
    print("| plain average: log density, CRPS | " + " | ".join(
        f"{mean(one[0] for one in plain[name]):.3f}, {mean(one[1] for one in plain[name]):.3f}"
        for name in names) + " | |")
    for posterior in POSTERIORS:
        cells = [f"{shown([one[0] for one in gains[name, posterior]], 4)}, "
                 f"{shown([one[1] for one in gains[name, posterior]], 4)}" for name in names]
        print(f"| `{posterior}` | " + " | ".join(cells) + f" | {seconds[posterior]:.1f} |")


if __name__ == "__main__":
    main()
