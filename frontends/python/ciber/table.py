"""Tables for the program `ciber`: columns of numbers or words, written as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from math import isfinite

_MISSING = frozenset({"", "na", "n/a", "nan", "null", "?", "none", "-nan"})


def csv_text(names: Sequence[str], columns: Sequence[Sequence[str]]) -> str:
    """The table with a header. Everything is quoted, so that spaces stay and separate nothing."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(names)
    writer.writerows(zip(*columns, strict=True))
    return text.getvalue()


def number_cells(numbers: Iterable[float]) -> list[str]:
    """Each number in the fewest digits that are read back as the same number."""
    return [repr(float(number)) for number in numbers]


def are_plain_words(words: Iterable[str]) -> bool:
    """Whether a table can have all of these words: none is empty or stands for a missing value."""
    return all(word.lower() not in _MISSING and _is_text(word) for word in words)


def are_column_names(names: Sequence[str]) -> bool:
    """Whether a header of these names is read as one, and options can list them."""
    return len(set(names)) == len(names) and all(
        name.strip() == name
        and name != ""
        and "," not in name
        and not _is_number(name)
        and _is_text(name)
        for name in names
    )


def _is_text(word: str) -> bool:
    """Whether UTF-8 can write it, and nothing takes it for the end of a text."""
    try:
        return b"\0" not in word.encode()
    except UnicodeEncodeError:
        return False


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False
