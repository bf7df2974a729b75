"""Runs `ciber verify` on the instances of a competition, one after the other.

    verify_instances.py CIBER INSTANCES.csv JOURNAL.jsonl [options of ciber verify]

A line of INSTANCES.csv is NETWORK,PROPERTY,SECONDS; files are found beside it, compressed or not.
Each result is a line of the journal: the JSON of `ciber verify --json --stats` with the instance
and the exit status. Instances that the journal has already are not run again.
"""

import csv
import json
import os
import subprocess
import sys


def found(folder, name):
    for path in (os.path.join(folder, name), os.path.join(folder, name + ".gz")):
        if os.path.exists(path):
            return path
    sys.exit("verify_instances.py: there is no %s in %s" % (name, folder))


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    ciber, instances, journal = sys.argv[1:4]
    folder = os.path.dirname(os.path.abspath(instances))
    done = set()
    if os.path.exists(journal):
        with open(journal) as lines:
            for line in lines:
                result = json.loads(line)
                done.add((result["network"], result["property"]))
    with open(instances) as file, open(journal, "a") as out:
        for network, prop, seconds in csv.reader(file):
            if (network, prop) in done:
                continue
            command = [ciber, "verify", found(folder, network), found(folder, prop),
                       "--timeout", seconds, "--json", "--stats"] + sys.argv[4:]
            run = subprocess.run(command, capture_output=True, text=True)
            result = {"network": network, "property": prop, "exit": run.returncode}
            if run.stdout:
                result.update(json.loads(run.stdout.splitlines()[0]))
            else:
                result["error"] = run.stderr.strip()
            out.write(json.dumps(result) + "\n")
            out.flush()
            print(network, prop, result.get("verdict", result.get("error")),
                  result.get("seconds", ""), flush=True)


if __name__ == "__main__":
    main()
