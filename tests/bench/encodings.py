#!/usr/bin/env python3
"""What the encoding of inputs does for `ciber train`: an ablation on splits of UCI tables.

    tests/bench/encodings.py build/bin/ciber --data DIR --tables yacht concrete --splits 1 2

DIR has a folder for each table as in uci_small: data.txt, index_features.txt, index_target.txt,
index_train_K.txt and index_test_K.txt. For each variant, the mean log likelihood of validation rows
in standardised units (all rows of the training, by cross-validation, as choices.txt has it), that
of the test rows in the target's units, and processor seconds of the training. Split 0 is not used:
it was looked at when candidates were drawn up.
"""

import argparse
import gzip
import json
import pathlib
import resource
import subprocess
import tempfile

VARIANTS = {
    "plain": ["--bins", "0", "--input-scales", "no"],
    "scales": ["--bins", "0"],
    "bins": ["--bins", "16", "--input-scales", "no"],
    "bins and scales": ["--bins", "16"],
    "chosen": [],
    "drawn": ["--hidden-weights", "drawn"],
    "robust scaling": ["--scaling", "robust"],
    "coslog4": ["--schedule", "coslog4"],
    "fan-in rates": ["--weight-rates", "fan-in", "--rate", "0.03"],
    "tails student": ["--tails", "student"],
    "tails two-scale": ["--tails", "two-scale"],
}


def lines(path):
    if not path.exists():
        return gzip.open(f"{path}.gz", "rt").read().splitlines()
    return path.read_text().splitlines()


def numbers(path):
    return [int(float(word)) for line in lines(path) for word in line.split()]


def write_table(path, cells, rows, columns):
    with path.open("w") as out:
        out.write(",".join([f"x{j}" for j in range(len(columns) - 1)] + ["y"]) + "\n")
        for row in rows:
            out.write(",".join(cells[row][column] for column in columns) + "\n")


def processor_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def measure(ciber, folder, split, options, scratch):
    """Validation score, test log likelihood and processor seconds of one training."""
    cells = [line.split() for line in lines(folder / "data.txt") if line.strip()]
    columns = numbers(folder / "index_features.txt") + numbers(folder / "index_target.txt")
    for name in ("train", "test"):
        write_table(scratch / f"{name}.csv", cells, numbers(folder / f"index_{name}_{split}.txt"),
                    columns)
    run = scratch / "run"
    before = processor_seconds()
    subprocess.run([ciber, "train", scratch / "train.csv", "--target", "y", "--out", run,
                    "--threads", "1", *options], check=True, stdout=subprocess.DEVNULL)
    seconds = processor_seconds() - before
    choices = (run / "choices.txt").read_text().splitlines()
    at = next(i for i, line in enumerate(choices) if line.startswith("Predictions, by"))
    scored = subprocess.run([ciber, "evaluate", run, "--data", scratch / "test.csv", "--json"],
                            check=True, capture_output=True, text=True).stdout.splitlines()
    chosen = next(each for each in map(json.loads, scored) if each["method"] == "chosen")
    return float(choices[at + 1].rsplit(": ", 1)[1]), chosen["log_likelihood"]["value"], seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ciber")
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--tables", nargs="+", required=True)
    parser.add_argument("--splits", nargs="+", type=int, default=[1])
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    given = parser.parse_args()
    print("| table | inputs | validation | test | seconds |\n|---|---|---|---|---|")
    for table in given.tables:
        for variant in given.variants:
            found = []
            for split in given.splits:
                with tempfile.TemporaryDirectory() as scratch:
                    found.append(measure(given.ciber, given.data / table, split, VARIANTS[variant],
                                         pathlib.Path(scratch)))
            means = [sum(column) / len(found) for column in zip(*found, strict=True)]
            print(f"| {table} | {variant} | {means[0]:.3f} | {means[1]:.3f} | {means[2]:.0f} |",
                  flush=True)


if __name__ == "__main__":
    main()
