"""The Python examples of the documents are true: sessions in fenced blocks marked `python`."""

import doctest
import re

import pytest

FENCED = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    ("document", "torch"),
    [("README.md", False), ("docs/python.md", False), ("docs/python.md", True)],
)
def test_the_examples_of_a_document_are_true(root, document, torch, monkeypatch):
    """Those with and those without torch by themselves, which may be missing."""
    if torch:
        pytest.importorskip("torch", reason="torch for Python is not installed")
    monkeypatch.chdir(root)
    text = (root / document).read_text()
    blocks = [
        "\n" * text[: match.start(1)].count("\n") + match.group(1)
        for match in FENCED.finditer(text)
        if bool(re.search(r"import .*\btorch\b", match.group(1))) == torch
    ]
    assert blocks
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(verbose=False)
    failures: list[str] = []
    for block in blocks:
        test = doctest.DocTestParser().get_doctest(block, names, document, document, 0)
        runner.run(test, out=failures.append, clear_globs=False)
        names.update(test.globs)
    assert not failures, "".join(failures)
