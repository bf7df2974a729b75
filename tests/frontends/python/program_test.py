import os
import signal
import subprocess
import sys
import time

import ciber
import pytest
from ciber.program import find_program, run_program


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Makes `ciber` a script."""

    def make(text):
        monkeypatch.setenv("CIBER_PROGRAM", str(script(tmp_path / "fake", text)))

    return make


def test_the_program_of_the_build_tree_is_found(monkeypatch):
    monkeypatch.delenv("CIBER_PROGRAM", raising=False)
    assert find_program().name == "ciber"


def test_a_variable_names_the_program(program, tmp_path):
    program("echo hello")
    assert find_program() == tmp_path / "fake"
    assert run_program([], tmp_path) == "hello\n"


def test_a_program_that_can_train_is_preferred(monkeypatch, tmp_path):
    monkeypatch.delenv("CIBER_PROGRAM", raising=False)
    monkeypatch.setattr("ciber.program._beside_package", lambda name: None)
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        script(tmp_path / name / "ciber", "true")
    monkeypatch.setenv("PATH", f"{tmp_path}/first:{tmp_path}/second:/usr/bin:/bin")
    assert find_program() == tmp_path / "first" / "ciber"
    script(tmp_path / "second" / "ciber-learning", "true")
    assert find_program() == tmp_path / "second" / "ciber"
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ciber.Error, match="CIBER_PROGRAM"):
        find_program()


def test_a_program_that_is_missing_is_named(monkeypatch):
    monkeypatch.setenv("CIBER_PROGRAM", "/no/such/program")
    with pytest.raises(ciber.Error, match="CIBER_PROGRAM=/no/such/program"):
        find_program()


def test_its_message_is_the_error(program, tmp_path):
    program("echo working >&2; echo 'ciber: data.csv:3: this is wrong' >&2; exit 1")
    with pytest.raises(ciber.Error, match=r"^data.csv:3: this is wrong$"):
        run_program(["train"], tmp_path)


def test_a_program_that_was_stopped_gave_up(program, tmp_path):
    program("exit 3")
    with pytest.raises(ciber.GaveUp):
        run_program(["train"], tmp_path)
    program("kill -9 $$")
    with pytest.raises(ciber.GaveUp, match="signal 9"):
        run_program(["train"], tmp_path)


def test_an_interrupt_kills_the_program_and_what_it_has_started(tmp_path):
    fake = script(
        tmp_path / "fake", "trap '' INT; sleep 100 & echo $! $$ > pids.new; mv pids.new pids; wait"
    )
    code = "import pathlib, ciber.program as p, sys; p.run_program([], pathlib.Path(sys.argv[1]))"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        env={
            **os.environ,
            "CIBER_PROGRAM": str(fake),
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        pids = tmp_path / "pids"
        assert becomes_true(pids.exists)
        child.send_signal(signal.SIGINT)
        _, messages = child.communicate(timeout=30)
    assert "KeyboardInterrupt" in messages
    for pid in pids.read_text().split():
        assert becomes_true(lambda pid=pid: has_ended(pid))


def becomes_true(condition):
    for _ in range(1000):
        if condition():
            return True
        time.sleep(0.02)
    return False


def has_ended(pid):
    """No longer there, or only until someone asks how it ended."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.parametrize("name", ["ciber", "wmi", "wmi-check"])
def test_a_command_of_the_package_is_its_program(name, build):
    code = f"from ciber import program; program.run_{name.replace('-', '_')}()"
    finished = subprocess.run(
        [sys.executable, "-c", code, "--help"],
        env={**os.environ, "PYTHONPATH": str(build / "python")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert finished.stdout.startswith(f"usage: {name} ")
