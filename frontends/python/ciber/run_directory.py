"""Run directories, as values: what `ciber train` writes and `ciber predict` reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from .errors import Error


class RunDirectory:
    """The files of a run directory: its network, samples of the weights and training rows.

    It is a value that pickles. Saved, it is a directory for the command line:

        estimator.run_.save("houses.run")     # then: ciber report houses.run --data later.csv
    """

    __slots__ = ("files",)

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files: dict[str, bytes] = {}
        for name in sorted(files):
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts:
                raise Error(f"{name}: a file of a run directory does not leave it")
            self.files[name] = bytes(files[name])
        if "run.json" not in self.files:
            raise Error("a run directory has a file run.json; this one has none")

    @classmethod
    def load(cls, path: str | Path) -> RunDirectory:
        """The files of a directory."""
        root = Path(path)
        return cls(
            {
                file.relative_to(root).as_posix(): file.read_bytes()
                for file in root.rglob("*")
                if file.is_file()
            }
        )

    def save(self, path: str | Path) -> None:
        """Makes the directory. Raises FileExistsError if there is something already."""
        root = Path(path)
        root.mkdir(parents=True)
        for name, data in self.files.items():
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)

    @property
    def description(self) -> dict[str, Any]:
        """What run.json says."""
        described: dict[str, Any] = json.loads(self.files["run.json"])
        return described

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RunDirectory) and self.files == other.files

    def __hash__(self) -> int:
        return hash(tuple(self.files.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return RunDirectory, (self.files,)

    def __repr__(self) -> str:
        size = sum(map(len, self.files.values()))
        return f"<RunDirectory: {len(self.files)} files, {size} bytes>"
