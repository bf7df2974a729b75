"""The programs, run on batches of files."""

import json
import subprocess


class Programs:
    def __init__(self, directory, folder):
        self.directory, self.folder = directory, folder

    def run(self, name, arguments, timeout=600):
        return subprocess.run([str(self.directory / name), *map(str, arguments)],
                              capture_output=True, text=True, timeout=timeout, check=False)

    def answers(self, texts, options=()):
        """The JSON objects of each text's answers, in order, and what was printed as errors."""
        files = []
        for i, text in enumerate(texts):
            files.append(self.folder / f"{i:03}.smt2")
            files[-1].write_text(text)
        if len(files) == 1:  # so that objects name their file
            files.append(self.folder / "none.smt2")
            files[-1].write_text('(echo "none")\n(check-sat)\n')
        done = self.run("wmi", ["--json", *options, *files])
        if done.returncode not in (0, 1, 3):
            raise AssertionError(f"wmi ended with {done.returncode}: {done.stderr}")
        found = {str(file): {} for file in files}
        for line in done.stdout.splitlines():
            answer = json.loads(line)
            if "query" in answer:
                found[answer["file"]].setdefault(answer["query"], []).append(answer)
        return [found[str(file)] for file in files[:len(texts)]], done.stderr
