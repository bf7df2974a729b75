#!/usr/bin/env python3
"""UNITS | simulate.py: what a job would take on many cores, by a discrete-event model.

The model is fed with measured figures: `wmi units JOB --done` gives the seconds of each unit, which
are drawn again as often as a larger job has units. A worker takes the next unit, pays for starting
a process, and works on it until its budget ends; then it hands the rest back as new units. Workers
fail at random (exponentially); a unit in work is then lost, and is solved again elsewhere. Before
the first unit comes `split`, after the last one `join`, both on one core.

    wmi units job --done | simulate.py --units 100000 --cores 100 10000 --mtbf 3600
"""

import argparse
import heapq
import random
import sys


def simulate(seconds, cores, start, budget, into, split, join, mtbf, restart, seed):
    """The time until the answer is there, and how many units failed."""
    draw = random.Random(seed)
    waiting = list(reversed(seconds))
    free = [(split, core) for core in range(cores)]
    heapq.heapify(free)
    handed_back = []  # (when, seconds): units that become known later
    end, failures, done = split, 0, 0
    while waiting or handed_back:
        now, core = heapq.heappop(free)
        while handed_back and handed_back[0][0] <= now:
            waiting.append(heapq.heappop(handed_back)[1])
        if not waiting:  # idle until one hands work back
            heapq.heappush(free, (max(now, handed_back[0][0]), core))
            continue
        unit = waiting.pop()
        work = min(unit, budget)
        life = draw.expovariate(1 / mtbf) if mtbf else float("inf")
        if life < start + work:
            failures += 1
            heapq.heappush(handed_back, (now + life, unit))
            heapq.heappush(free, (now + life + restart, core))
            continue
        finish = now + start + work
        if unit > work:
            for _ in range(into):
                heapq.heappush(handed_back, (finish, (unit - work) / into))
        done += 1
        end = max(end, finish)
        heapq.heappush(free, (finish, core))
    return end + join * done, failures, done


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--units", type=int, help="draw so many (default: those that are given)")
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 100, 10_000])
    parser.add_argument("--start", type=float, default=0.1, help="seconds to start a process")
    parser.add_argument("--budget", type=float, default=float("inf"))
    parser.add_argument("--into", type=int, default=4)
    parser.add_argument("--split", type=float, default=1.0, help="seconds of split")
    parser.add_argument("--join", type=float, default=0.0002, help="seconds of join for each unit")
    parser.add_argument("--mtbf", type=float, default=0, help="mean seconds until a core fails")
    parser.add_argument("--restart", type=float, default=60, help="seconds until it is back")
    parser.add_argument("--scale", type=float, default=1, help="of the seconds of all units")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    measured = [float(line.split()[1]) * given.scale for line in sys.stdin if line.strip()]
    if not measured:
        parser.error("standard input has no units; pipe `wmi units JOB --done` into it")
    draw = random.Random(given.seed)
    seconds = [draw.choice(measured) for _ in range(given.units)] if given.units else measured
    alone = sum(seconds)
    print(f"{len(seconds)} units, {alone:.0f} s of work, the longest {max(seconds):.1f} s")
    print("cores  seconds  speed-up  efficiency  units  failures")
    for cores in given.cores:
        time, failures, done = simulate(
            seconds, cores, given.start, given.budget, given.into, given.split, given.join,
            given.mtbf, given.restart, given.seed,
        )  # fmt: skip
        gain = alone / time
        print(f"{cores:>5} {time:>8.1f} {gain:>9.1f} {gain / cores:>10.1%} {done:>6} {failures:>9}")


if __name__ == "__main__":
    main()
