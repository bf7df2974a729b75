"""The Python examples of the documents are true: sessions in fenced blocks marked `python`."""

import doctest
import re

import pytest

FENCED = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("document", ["README.md", "docs/python.md"])
def test_the_examples_of_a_document_are_true(root, document, monkeypatch):
    monkeypatch.chdir(root)
    text = (root / document).read_text()
    blocks = [
        "\n" * text[: match.start(1)].count("\n") + match.group(1)
        for match in FENCED.finditer(text)
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
