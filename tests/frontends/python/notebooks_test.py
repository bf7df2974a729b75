"""The notebooks of docs/notebooks run, and print what is stored in them; pictures are not compared.

`WMI_UPDATE=1` stores the outputs of the run, pictures too.
"""

import os
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")

NOTEBOOKS = sorted((Path(__file__).resolve().parents[3] / "docs/notebooks").glob("*.ipynb"))
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def read(file):
    return nbformat.read(file, as_version=4)


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def imports(notebook):
    """The modules that it imports, without those inside of them."""
    text = "\n".join(cell.source for cell in code(notebook))
    return sorted(set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)))


def shown(cell):
    """What a cell prints and shows: text as it is, a picture by its type."""
    result = []
    for output in cell.outputs:
        if output.output_type == "stream":
            result.append((output.name, output.text))
        elif output.output_type == "error":
            result.append(("error", output.evalue))
        else:
            for kind, content in sorted(output.data.items()):
                result.append((kind, "" if kind.startswith("image/") else content))
    return result


def run(notebook, file):
    """The notebook with the outputs of a run."""
    result = nbformat.from_dict(notebook)
    for cell in code(result):
        cell.outputs, cell.execution_count = [], None
    client = nbclient.NotebookClient(
        result,
        timeout=600,
        kernel_name="python3",
        coalesce_streams=True,
        resources={"metadata": {"path": str(file.parent)}},
    )
    client.execute()
    for cell in result.cells:
        cell.metadata.pop("execution", None)  # its time
    result.metadata = nbformat.from_dict(METADATA)
    return result


def test_there_are_notebooks():
    names = {file.stem for file in NOTEBOOKS}
    assert names == {"certificates", "intervals", "violations", "wmi"}


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_prints_what_it_says(file, build, tmp_path, monkeypatch):
    stored = read(file)
    for module in imports(stored):
        if module != "ciber" and find_spec(module) is None:
            pytest.skip(f"{file.name} needs {module}, which is not installed")
    monkeypatch.setenv("PYTHONPATH", str(build / "python"))
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "TMPDIR"):
        monkeypatch.setenv(name, str(tmp_path))
    found = run(stored, file)
    if os.environ.get("WMI_UPDATE"):
        nbformat.write(found, file)
        return
    for expected, cell in zip(code(stored), code(found), strict=True):
        assert shown(cell) == shown(expected), f"cell {cell.id} of {file.name}"


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_is_stored_as_it_ran_once_from_top_to_bottom(file):
    notebook = read(file)
    nbformat.validate(notebook)
    assert notebook.metadata == METADATA
    assert [cell.execution_count for cell in code(notebook)] == list(
        range(1, len(code(notebook)) + 1)
    )
    for cell in code(notebook):
        assert not {"stderr", "error"} & {kind for kind, _ in shown(cell)}, cell.id
        assert cell.metadata == {}
    # A page that people read and a repository keeps.
    assert file.stat().st_size < 400_000
    assert any(kind == "image/png" for cell in code(notebook) for kind, _ in shown(cell))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_the_links_of_a_notebook_lead_somewhere(file):
    texts = [cell.source for cell in read(file).cells if cell.cell_type == "markdown"]
    for target in re.findall(r"\]\(([^)#]+)", "\n".join(texts)):
        assert target.startswith("https://") or (file.parent / target).exists(), target
