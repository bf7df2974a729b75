#!/usr/bin/env python3
"""What certificates cost: size for each cell, and time to check against time to solve.

    figures.py BIN FILE...

BIN is the directory of wmi and wmi-check. Seconds are processor time with one thread, the least of
three runs, or of as many as fit in a second.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile


def seconds(command):
    taken = []
    while len(taken) < 3 or sum(taken) < 1:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(taken), done


def main(arguments):
    programs, files = arguments[0], arguments[1:]
    print("file,cells,bytes,bytes per cell,solve,certify,check,check / solve")
    for file in files:
        with tempfile.TemporaryDirectory() as directory:
            proof = os.path.join(directory, "certificate")
            wmi = [os.path.join(programs, "wmi"), "--threads", "1"]
            solve, _ = seconds(wmi + [file])
            certify, written = seconds(wmi + ["--certificate", proof, file])
            name = os.path.basename(file)
            if not os.path.exists(proof):
                print("%s,,,,%.3f,,,%s" % (name, solve, written.stderr.strip()[-60:]))
                continue
            check, checked = seconds([os.path.join(programs, "wmi-check"), file, proof])
            counts = re.search(r"(\d+) cells", checked.stdout)
            if checked.returncode != 0 or not counts:
                print("%s: %s" % (name, checked.stderr.strip()))
                return 1
            cells, size = int(counts[1]), os.path.getsize(proof)
            print("%s,%d,%d,%.0f,%.3f,%.3f,%.3f,%.2f" % (
                name, cells, size, size / max(cells, 1), solve, certify - solve, check,
                check / max(solve, 1e-3)))
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
