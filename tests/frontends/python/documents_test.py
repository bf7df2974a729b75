"""The Python of the documents is true: fenced blocks marked `python`, sessions and programs."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
FENCED = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
USES_TORCH = re.compile(r"import .*\btorch\b")


def blocks(document):
    """Each with as many lines before it as in the document."""
    text = (ROOT / document).read_text()
    return [
        "\n" * text[: match.start(1)].count("\n") + match.group(1)
        for match in FENCED.finditer(text)
    ]


def is_session(block):
    return block.lstrip().startswith(">>> ")


DOCUMENTS = sorted(
    file.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/**/*.md")
    for file in ROOT.glob(pattern)
    if FENCED.search(file.read_text())
)
SESSIONS = [
    (document, torch)
    for document in DOCUMENTS
    for torch in (False, True)
    if any(is_session(one) and bool(USES_TORCH.search(one)) == torch for one in blocks(document))
]
PROGRAMS = [
    (document, i)
    for document in DOCUMENTS
    for i, block in enumerate(blocks(document))
    if not is_session(block)
]


def test_the_documents_were_found():
    assert {"README.md", "docs/python.md", "docs/guide.md"} <= {one for one, _ in SESSIONS}
    assert {"docs/network.md", "docs/run-directory.md"} == {one for one, _ in PROGRAMS}


@pytest.mark.parametrize(("document", "torch"), SESSIONS)
def test_the_sessions_of_a_document_are_true(document, torch, monkeypatch):
    """Those with and those without torch by themselves, which may be missing."""
    if torch:
        pytest.importorskip("torch", reason="torch for Python is not installed")
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(verbose=False)
    failures: list[str] = []
    for block in blocks(document):
        if not is_session(block) or bool(USES_TORCH.search(block)) != torch:
            continue
        test = doctest.DocTestParser().get_doctest(block, names, document, document, 0)
        runner.run(test, out=failures.append, clear_globs=False)
        names.update(test.globs)
    assert not failures, "".join(failures)


@pytest.mark.parametrize(("document", "number"), PROGRAMS)
def test_the_programs_of_a_document_run(document, number, monkeypatch, tmp_path):
    """What they write is tested where its readers are."""
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks(document)[number], document, "exec"), {})
