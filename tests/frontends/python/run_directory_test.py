import pickle

import ciber
import pytest
from ciber.run_directory import RunDirectory

FILES = {"run.json": b'{"format": "ciber run 1"}', "samples/000.safetensors": b"\0\1"}


def test_a_run_directory_is_saved_and_loaded(tmp_path):
    run = RunDirectory(FILES)
    run.save(tmp_path / "a.run")
    assert RunDirectory.load(tmp_path / "a.run") == run
    assert run.description == {"format": "ciber run 1"}


def test_a_directory_that_is_there_already_is_kept(tmp_path):
    with pytest.raises(FileExistsError):
        RunDirectory(FILES).save(tmp_path)


def test_it_pickles():
    run = RunDirectory(FILES)
    assert pickle.loads(pickle.dumps(run)) == run


@pytest.mark.parametrize("name", ["../run.json", "/etc/x", "samples/../../x"])
def test_no_file_leaves_the_directory(name):
    with pytest.raises(ciber.Error, match="does not leave it"):
        RunDirectory({**FILES, name: b""})


def test_without_a_description_there_is_no_run():
    with pytest.raises(ciber.Error, match="has a file run"):
        RunDirectory({})
