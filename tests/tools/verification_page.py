"""Runs `ciber verify` on networks of the verification competition and writes docs/verification.md.

    verification_page.py CIBER DATA JOURNALS DOCS [--tables-only]

DATA has vnncomp/ and onnx/. JOURNALS is a directory for results: what is there already is not run
again. The tables of DOCS/verification.md between `<!-- begin NAME -->` and `<!-- end -->` are
replaced, DOCS/results/acasxu.csv and the picture are written. With --tables-only nothing is run.
"""

import csv
import json
import os
import re
import subprocess
import sys
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
PIXELS = "X_376,X_377,X_378,X_379,X_404,X_405,X_406,X_407"
OTHERS = [("VertCAS_%d" % i, "vertcas") for i in (1, 3, 5, 7, 9)] + [
    ("auto_park_model_20", "auto_park"), ("auto_park_model", "auto_park"),
    ("cartpole", "cartpole"), ("lunarlander", "lunarlander")]


def run_instances(ciber, instances, journal, options):
    subprocess.run([sys.executable, os.path.join(HERE, "verify_instances.py"), ciber, instances,
                    journal, "--threads", "1"] + options, check=True)


def results(journal):
    with open(journal) as lines:
        return [json.loads(line) for line in lines]


def ends(result):
    p = result["probability"]
    return Decimal(p["lower"] or 0), Decimal(1 if p["upper"] is None else p["upper"])


def rounded(number, digits, rounding):
    context = Context(prec=digits, rounding=rounding)
    return "%g" % context.create_decimal(number)


def probability(result, digits=3):
    """With as many of these digits as are known: 0, 0.0123; bounds where none is."""
    low, high = ends(result)
    if high == 0:
        return "0"
    for known in range(digits, 0, -1):
        if low > 0 and (high - low) / low < Decimal(10) ** -known:
            return rounded((low + high) / 2, known, ROUND_HALF_EVEN)
    return "%s to %s" % (rounded(low, 2, ROUND_FLOOR), rounded(high, 2, ROUND_CEILING))


def median(numbers):
    return sorted(numbers)[len(numbers) // 2]


def seconds(number):
    return "%.2f" % number if number < 10 else "%.0f" % number


def acasxu_tables(rows, verdicts, folder):
    name = lambda r: r["network"][len("ACASXU_run2a_"):].split("_batch")[0]
    known = lambda r: verdicts[name(r), r["property"][:-len(".vnnlib")]]
    with open(os.path.join(folder, "results", "acasxu.csv"), "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["network", "property", "verifiers", "verdict", "lower", "upper", "width",
                      "no_counterexample", "witness", "seconds", "cells", "regions_decided_early"])
        for r in rows:
            low, high = ends(r)
            out.writerow([name(r), r["property"], known(r), r["verdict"], r["probability"]["lower"],
                          r["probability"]["upper"], "%.2g" % (high - low),
                          int(r.get("noCounterexample", False)), int(r["witness"] is not None),
                          r["seconds"], r["cells"], r["earlyDecisions"]])
    summary = ["| property | instances | as verifiers say | holds, all excluded | violated, with witness "
               "| least and greatest probability | stopped | seconds: median, longest |",
               "|---|---|---|---|---|---|---|---|"]
    for number in range(1, 11):
        some = [r for r in rows if r["property"] == "prop_%d.vnnlib" % number]
        if not some:
            continue
        violated = [r for r in some if r["verdict"] == "violated"]
        middle = sorted(violated, key=ends)
        least_and_most = dict.fromkeys(probability(r) for r in middle[:1] + middle[-1:])
        spread = "; ".join(least_and_most)
        summary.append("| %d | %d | %d | %d | %d | %s | %d | %s, %s |" % (
            number, len(some), sum(known(r) == r["verdict"] for r in some),
            sum(bool(r.get("noCounterexample")) for r in some),
            sum(r["witness"] is not None for r in violated), spread,
            sum(r["exit"] == 3 for r in some), seconds(median([r["seconds"] for r in some])),
            seconds(max(r["seconds"] for r in some))))
    by_network = {name(r): r for r in rows if r["property"] == "prop_2.vnnlib"}
    grid = ["| | " + " | ".join(str(j) for j in range(1, 10)) + " |", "|---" * 10 + "|"]
    for i in range(1, 6):
        grid.append("| **%d** | " % i + " | ".join(
            probability(by_network["%d_%d" % (i, j)]) for j in range(1, 10)
            if "%d_%d" % (i, j) in by_network) + " |")
    return {"acasxu": summary, "property 2": grid}


def mnist_table(rows):
    table = ["| network | instances | holds, all excluded | violated | seconds: median, longest |",
             "|---|---|---|---|---|"]
    for net in sorted({r["network"] for r in rows}):
        some = [r for r in rows if r["network"] == net]
        table.append("| %s | %d | %d | %d | %s, %s |" % (
            net, len(some), sum(bool(r.get("noCounterexample")) for r in some),
            sum(r["verdict"] == "violated" for r in some),
            seconds(median([r["seconds"] for r in some])),
            seconds(max(r["seconds"] for r in some))))
    return table


def other_table(rows):
    table = ["| network | property | verdict | probability | seconds | cells |",
             "|---|---|---|---|---|---|"]
    for r in rows:
        table.append("| %s | [%s](examples/properties/%s) | %s | %s | %s | %d |" % (
            r["network"], r["property"], r["property"], r["verdict"], probability(r, 4),
            seconds(r["seconds"]), r["cells"]))
    return table


def replace_tables(page, tables):
    with open(page) as file:
        text = file.read()
    for name, lines in tables.items():
        pattern = re.compile("(<!-- begin %s -->\n).*?(<!-- end -->)" % re.escape(name), re.DOTALL)
        assert pattern.search(text), name
        text = pattern.sub(lambda m: m[1] + "\n".join(lines) + "\n" + m[2], text)
    with open(page, "w") as file:
        file.write(text)


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    ciber, data, journals, docs = sys.argv[1:5]
    os.makedirs(journals, exist_ok=True)
    acasxu, mnist, others = (os.path.join(journals, name + ".jsonl")
                             for name in ("acasxu", "mnistfc", "others"))
    folder = os.path.join(data, "vnncomp", "acasxu")
    if "--tables-only" not in sys.argv:
        instances = os.path.join(journals, "others.csv")
        with open(instances, "w") as file:
            for network, prop in OTHERS:
                file.write("%s,%s,60\n" % (
                    os.path.join(os.path.abspath(data), "onnx", network + ".onnx"),
                    os.path.join(os.path.abspath(docs), "examples", "properties", prop + ".vnnlib")))
        run_instances(ciber, instances, others, ["--gap", "1e-6"])
        run_instances(ciber, os.path.join(data, "vnncomp", "mnistfc", "mnistfc_instances.csv"), mnist,
                      ["--free", PIXELS, "--gap", "1e-4"])
        run_instances(ciber, os.path.join(folder, "acasxu_instances.csv"), acasxu, ["--gap", "1e-5"])
        subprocess.run([ciber, "verify",
                        os.path.join(folder, "ACASXU_run2a_2_1_batch_2000.onnx.gz"),
                        os.path.join(docs, "examples", "properties", "acasxu_advisories.vnnlib"),
                        "--digits", "3", "--plot",
                        os.path.join(docs, "pictures", "advisories.svg")], check=True)
    with open(os.path.join(folder, "verdicts.csv")) as file:
        verdicts = {(n, p): v for n, p, v in csv.reader(file)}
    rows = results(others)
    for r in rows:
        r["network"] = os.path.basename(r["network"])
        r["property"] = os.path.basename(r["property"])
    tables = acasxu_tables(results(acasxu), verdicts, docs)
    tables["mnistfc"] = mnist_table(results(mnist))
    tables["others"] = other_table(rows)
    replace_tables(os.path.join(docs, "verification.md"), tables)


if __name__ == "__main__":
    main()
