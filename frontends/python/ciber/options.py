"""How a question is answered."""

from __future__ import annotations

import os
from typing import Any, TypedDict

from . import _core
from .errors import Error
from .numbers import Number, exact


class Options(TypedDict, total=False):
    """The keywords of every question."""

    digits: int | None
    """Significant digits that are enough; without it, answers are exact."""
    gap: Number | None
    """An enclosure of this width is enough."""
    timeout: float | None
    """Seconds, after which the bounds reached so far are the answer."""
    threads: int | None
    """How many work on it (all cores); the answer does not depend on it."""
    certify: bool
    """Also find a proof, which `ciber.check` checks."""
    client: Any
    """A `distributed.Client`, whose workers find the answer in units; needs a journal."""
    journal: str | os.PathLike[str] | None
    """A directory of work units. What is there is not computed again: see docs/scale.md."""


_NAMES = ("digits", "gap", "timeout", "threads", "certify", "client", "journal")
_STANDARD = _core.Options(0, None, None, 0, False)


def core_options(options: Options) -> _core.Options:
    """The options as the engine takes them."""
    if not options:
        return _STANDARD
    for name in options:
        if name not in _NAMES:
            raise TypeError(f"no option is called {name!r}; there are {', '.join(_NAMES)}")
    if options.get("client") is not None or options.get("journal") is not None:
        raise Error("client=, journal=: only `Problem.ask` and its questions are answered in units")
    gap, timeout = options.get("gap"), options.get("timeout")
    if gap is not None and not exact(gap) > 0:
        raise Error(f"gap={gap}: expected a positive number")
    if timeout is not None and not 0 <= float(timeout) < 1e9:
        raise Error(f"timeout={timeout}: expected a number of seconds")
    return _core.Options(
        _count("digits", options.get("digits"), 1_000_000),
        None if gap is None else exact(gap),
        None if timeout is None else float(timeout),
        _count("threads", options.get("threads"), 4096),
        bool(options.get("certify", False)),
    )


def takes_units(options: Options) -> bool:
    """Are the answers to be found in work units? Raises Error for what does not go with it."""
    client, journal = options.get("client"), options.get("journal")
    if client is None and journal is None:
        return False
    if journal is None:
        raise Error("client=: name a directory for the units as well, journal='job'")
    for name in ("gap", "timeout", "certify"):
        if options.get(name):
            raise Error(f"{name}=: does not go with journal=")
    return True


def _count(name: str, value: object, most: int) -> int:
    """A positive number; 0 if there is none."""
    if value is None:
        return 0
    number = exact(value)
    if number.denominator != 1 or not 1 <= number <= most:
        raise Error(f"{name}={value}: expected a natural number from 1 to {most}")
    return int(number)
