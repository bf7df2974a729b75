"""The programs that are compared, and what a comparison is."""

import subprocess
import tempfile
from fractions import Fraction
from pathlib import Path


class Missed(Exception):
    """An enclosure that misses, or a program that fails."""


class Programs:
    def __init__(self, directory):
        self.directory = directory
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)
        self.enclosed = 0

    def ask(self, program, *options, text=None):
        done = subprocess.run([self.directory / program, *map(str, options)], input=text,
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise Missed(f"{text}\n{options}\n{done.stdout}{done.stderr}exit {done.returncode}")
        return done.stdout.strip()

    def exact(self, text):
        answer = self.ask("wmi", "--threads", "1", "--exact", "-", text=text)
        return Fraction(answer.split(" = ")[0])

    def check(self, text, exact, slack, digits):
        """That wmi's enclosure reaches [exact - slack, exact + slack], and is narrow."""
        answer = self.ask("wmi", "--threads", "1", "--digits", digits, "-", text=text)
        lower, upper = interval(answer)
        if lower > exact + slack or upper < exact - slack:
            raise Missed(f"{text}[{lower}, {upper}] misses {float(exact)} by more than {float(slack)}")
        if upper - lower > min(abs(lower), abs(upper)) / 10**digits:
            raise Missed(f"{text}[{lower}, {upper}] is too wide")
        self.enclosed += lower != upper


def interval(answer):
    if answer.startswith("["):
        return [Fraction(end) for end in answer[1:-1].split(", ")]
    return [Fraction(answer.split(" = ")[0])] * 2
