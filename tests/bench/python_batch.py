"""Predictions of many rows: processor time of `ciber predict` and of the package's `Collapse`.

    python3 tests/bench/python_batch.py [BUILD]

Trains a network of 50 units on a synthetic table of 8 inputs, then predicts 10 000 rows with its 40
samples: mean, deviation and a 90 % interval of each row; with density, cdf and CRPS of the outcome;
and certified to 9 digits (300 rows). One thread; the time to start and to read the run, taken from
a table of one row, is left out.
"""

import csv
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy

BUILD = Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
sys.path.insert(0, str(BUILD / "python"))
ROWS, CERTIFIED_ROWS, INPUTS = 10_000, 300, 8
TRAINING = (
    "--hidden 50 --epochs 20 --samples 40 --every 1 --search no --trajectories 1 "
    "--link exponential --input-scales no --threads 1"
)


def synthetic(rows, seed):
    random = numpy.random.default_rng(seed)
    inputs = random.normal(size=(rows, INPUTS)).astype(numpy.float32).astype(float)
    noise = 0.3 * random.normal(size=rows)
    return inputs, inputs[:, 0] + numpy.sin(2 * inputs[:, 1]) * inputs[:, 2] + noise


def write(path, inputs, outcomes=None):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"x{i}" for i in range(INPUTS)] + ([] if outcomes is None else ["y"]))
        for i, row in enumerate(inputs):
            writer.writerow(
                [*map(repr, map(float, row))] + ([] if outcomes is None else [float(outcomes[i])])
            )


def child_seconds(words):
    def used():
        found = resource.getrusage(resource.RUSAGE_CHILDREN)
        return found.ru_utime + found.ru_stime

    before = used()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return used() - before


def predict_seconds(folder, table, rows, *options):
    """Of `ciber predict` for these rows, the least of three, without those of one row."""
    start = [str(BUILD / "bin/ciber"), "predict", str(folder / "run")]
    words = ["--intervals", "0.9", "--threads", "1", *options]
    one = folder / f"one-{table}"
    one.write_text("".join((folder / table).open().readlines()[:2]))
    some = folder / f"some-{table}"
    some.write_text("".join((folder / table).open().readlines()[: rows + 1]))
    least = min(child_seconds([*start, str(one), *words]) for _ in range(3))
    return min(child_seconds([*start, str(some), *words]) for _ in range(3)) - least


def collapse_seconds(folder, training, test):
    """Of `Collapse` on the samples of the run: fitted once, then what `ciber predict` prints."""
    import ciber
    import torch

    torch.set_num_threads(1)
    model = torch.nn.Sequential(
        torch.nn.Linear(INPUTS, 50), torch.nn.ReLU(), torch.nn.Linear(50, 2)
    )
    samples = read_samples(folder / "run")
    centre, scale = training[0].mean(0), training[0].std(0)
    middle, spread = training[1].mean(), training[1].std()

    def tensor(values):
        return torch.tensor(values, dtype=torch.float32)

    x, y = tensor((training[0] - centre) / scale), tensor((training[1] - middle) / spread)
    collapse = ciber.Collapse(model, "heteroscedastic").fit([(x, y)], samples=samples)
    inputs, outcomes = tensor((test[0] - centre) / scale), (test[1] - middle) / spread
    found = []
    for scored in (False, True):
        times = []
        for _ in range(3):
            before = time.process_time()
            laws = collapse(inputs)
            _ = laws.mean, laws.std, laws.interval(0.9)
            if scored:
                _ = laws.log_prob(outcomes), laws.cdf(outcomes), laws.crps(outcomes)
            times.append(time.process_time() - before)
        found.append(min(times))
    return found


def read_samples(run):
    """The weights of a run directory, as the network above names them."""
    import json
    import struct

    import torch

    result = []
    for entry in json.loads((run / "run.json").read_text())["samples"]:
        raw = (run / entry["file"]).read_bytes()
        (length,) = struct.unpack("<Q", raw[:8])
        header, data = json.loads(raw[8 : 8 + length]), raw[8 + length :]
        state = {}
        for name, place in header.items():
            if name == "__metadata__":
                continue
            start, end = place["data_offsets"]
            values = torch.frombuffer(bytearray(data[start:end]), dtype=torch.float32)
            layer = {"fc1": "0", "fc2": "2"}[name.split(".")[0]]
            state[f"{layer}.{name.split('.')[1]}"] = values.reshape(place["shape"])
        result.append(state)
    return result


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        training, test = synthetic(1000, 1), synthetic(ROWS, 2)
        write(folder / "train.csv", *training)
        write(folder / "scored.csv", *test)
        write(folder / "plain.csv", test[0])
        words = [str(BUILD / "bin/ciber"), "train", str(folder / "train.csv"), "--target", "y"]
        subprocess.run(
            [*words, "--out", str(folder / "run"), *TRAINING.split()],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        plain = predict_seconds(folder, "plain.csv", ROWS)
        scored = predict_seconds(folder, "scored.csv", ROWS)
        certified = predict_seconds(folder, "plain.csv", CERTIFIED_ROWS, "--digits", "9")
        print(f"ciber predict, {ROWS} rows: {plain:.2f} s, {ROWS / plain:.0f} rows/s")
        print(f"  with scores of outcomes: {scored:.2f} s, {ROWS / scored:.0f} rows/s")
        print(
            f"  certified to 9 digits, {CERTIFIED_ROWS} rows: {certified:.2f} s, "
            f"{CERTIFIED_ROWS / certified:.0f} rows/s"
        )
        python_plain, python_scored = collapse_seconds(folder, training, test)
        print(f"Collapse, {ROWS} rows: {python_plain:.2f} s, with scores {python_scored:.2f} s")


if __name__ == "__main__":
    main()
