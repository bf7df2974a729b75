"""Jobs by Dask under attack: killed workers, a full disk, a dead scheduler, a host that is cut off.

The joined answer is that of one process, byte for byte.
"""

import contextlib
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="no distributed")

from ciber.jobs import Job

LONG = "WMI_LONG" in os.environ


@pytest.fixture
def small(tmp_path, wmi, planes):
    """A job of some seconds, and its answer by one process."""
    file = tmp_path / "problem.smt2"
    file.write_text(planes(65))
    made = wmi.run("wmi", "split", file, "--out", tmp_path / "job", "--parts", 20)
    assert made.returncode == 0, made.stderr
    return Job(tmp_path / "job"), wmi.run("wmi", file, "--json").stdout


@pytest.fixture
def large(tmp_path, wmi, root):
    """A property of ACAS Xu with 52 771 cells."""
    data = Path(os.environ.get("WMI_DATA", root.parent / "shared/data")) / "vnncomp/acasxu"
    if not data.is_dir():
        pytest.skip("no ACAS Xu networks")
    files = [data / "ACASXU_run2a_4_5_batch_2000.onnx.gz", data / "prop_2.vnnlib"]
    asked = ["ciber", "verify", *files, "--digits", "4"]
    made = wmi.run(*asked, "--parts", 50, "--job", tmp_path / "job")
    assert made.returncode == 0, made.stderr
    return Job(tmp_path / "job"), wmi.run(*asked, "--json").stdout


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """A scheduler and workers, as processes of their own, perhaps on several hosts."""

    def __init__(self, environment, host="127.0.0.1"):
        self.environment, self.host, self.port = environment, host, free_port()
        self.address = f"tcp://{host}:{self.port}"
        self.processes = []

    def start(self, module, *arguments, host=()):
        command = [*host, sys.executable, "-m", f"distributed.cli.{module}", *map(str, arguments)]
        self.processes.append(
            subprocess.Popen(command, env=self.environment, stderr=subprocess.DEVNULL)
        )
        return self.processes[-1]

    def scheduler(self, host=()):
        arguments = ["--port", self.port, "--no-dashboard", "--host", self.host]
        return self.start("dask_scheduler", *arguments, host=host)

    def worker(self, host=()):
        options = ["--nthreads", 1, "--no-dashboard", "--no-nanny", "--death-timeout", 60]
        return self.start("dask_worker", self.address, *options, host=host)

    def restarted_worker(self):
        """A shell that starts a worker again when it dies; a nanny gives up if it dies early."""
        return self.worker(host=("sh", "-c", 'while :; do "$@"; sleep 0.1; done', "sh"))

    def program(self, job, budget, host=()):
        command = [*host, sys.executable, "-m", "ciber.dask_program", str(job.directory)]
        command += ["--scheduler", self.address, "--budget", str(budget), "--", "--json"]
        return subprocess.Popen(
            command,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in self.processes:
            rest = children(one.pid)
            one.kill()
            one.wait()
            for child in rest:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)


def children(pid):
    """The processes that a process has started, and theirs."""
    result = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                result += [int(child), *children(int(child))]
    return result


def solves_a_unit(pid):
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip() in ("wmi", "ciber")
    except OSError:
        return False


class Killer(threading.Thread):
    """Kills a process that solves a unit, or now and then its worker, every so many seconds.

    The first is killed as soon as it is seen, so that one dies on fast machines too.
    """

    def __init__(self, workers, seconds):
        super().__init__()
        self.workers, self.seconds = workers, seconds
        self.over, self.killed = threading.Event(), 0

    def run(self):
        last = -self.seconds
        while not self.over.wait(0.005):
            if time.monotonic() - last < self.seconds:
                continue
            running = [child for one in self.workers for child in children(one.pid)]
            units = [child for child in running if solves_a_unit(child)]
            if not units:
                continue  # between two units, or the workers have just been started again
            with contextlib.suppress(ProcessLookupError):
                os.kill(random.choice(units if self.killed % 4 != 3 else running), signal.SIGKILL)
                self.killed += 1
                last = time.monotonic()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()


def solved(job, count):
    """Waits until so many units are done."""
    deadline = time.monotonic() + 600
    while job.done() < count and time.monotonic() < deadline:
        time.sleep(0.05)
    assert job.done() >= count


def attack(job, environment, seconds, budget):
    """What ciber-dask prints in the end, and how many processes were killed."""
    killed = 0
    with Cluster(environment) as first:
        scheduler = first.scheduler()
        workers = [first.restarted_worker(), first.restarted_worker()]
        full = first.worker()
        program = first.program(job, budget)
        with Killer(workers, seconds) as killer:
            solved(job, 3)
            # From now on this worker, and what it starts, can write nothing.
            resource.prlimit(full.pid, resource.RLIMIT_FSIZE, (0, 0))
            solved(job, 8)
            scheduler.kill()
            output, errors = program.communicate(timeout=600)
        killed += killer.killed
        if program.returncode == 0:
            return output, killed
        assert program.returncode == 3, errors
        assert "the scheduler is gone" in errors
    with Cluster(environment) as second:
        second.scheduler()
        workers = [second.restarted_worker(), second.restarted_worker()]
        full = second.worker()
        resource.prlimit(full.pid, resource.RLIMIT_FSIZE, (0, 0))
        program = second.program(job, budget)
        with Killer(workers, seconds) as killer:
            output, errors = program.communicate(timeout=3600)
        assert program.returncode == 0, errors
        return output, killed + killer.killed


def test_killed_workers_a_full_disk_and_a_dead_scheduler_change_nothing(small, environment, wmi):
    job, whole = small
    output, killed = attack(job, environment, 2.0, 0.5)
    assert output == whole
    assert killed
    assert wmi.run("wmi", "join", job.directory, "--json", "--recheck", 3).stdout == whole


def test_so_with_more_than_50_000_cells_of_acas_xu(request, environment, wmi):
    if not LONG:
        pytest.skip("takes minutes; WMI_LONG is not set")
    job, whole = request.getfixturevalue("large")
    start = time.monotonic()
    output, killed = attack(job, environment, 10.0, 5)
    print(f"{time.monotonic() - start:.0f} s, {killed} killed, {job.done()} units")
    assert output == whole
    assert '"cells":52771' in whole
    assert killed
    assert wmi.run("ciber", "join", job.directory, "--json", "--recheck", 3).stdout == whole


@pytest.fixture
def two_hosts():
    """Two network namespaces with a cable between them."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("no right to make network namespaces")
    mark = uuid.uuid4().hex[:8]
    one, other = f"wmi-{mark}-a", f"wmi-{mark}-b"

    def ip(*words):
        return subprocess.run(["ip", *words], capture_output=True, text=True, check=False)

    try:
        for name in (one, other):
            made = ip("netns", "add", name)
            if made.returncode != 0:
                pytest.skip(f"no network namespaces: {made.stderr.strip()}")
        cable = ["link", "add", f"a{mark}", "netns", one, "type", "veth", "peer", "name"]
        made = ip(*cable, f"b{mark}", "netns", other)
        if made.returncode != 0:
            pytest.skip(f"no network namespaces: {made.stderr.strip()}")
        for name, link, address in (
            (one, f"a{mark}", "10.213.7.1/24"),
            (other, f"b{mark}", "10.213.7.2/24"),
        ):
            ip("-n", name, "address", "add", address, "dev", link)
            ip("-n", name, "link", "set", link, "up")
            ip("-n", name, "link", "set", "lo", "up")
        yield (
            ("ip", "netns", "exec", one),
            ("ip", "netns", "exec", other),
            lambda state: ip("-n", other, "link", "set", f"b{mark}", state),
        )
    finally:
        ip("netns", "delete", one)
        ip("netns", "delete", other)


def test_a_host_that_is_cut_off_for_a_while_changes_nothing(small, environment, two_hosts, wmi):
    job, whole = small
    head, host, cable = two_hosts
    with Cluster(environment, host="10.213.7.1") as cluster:
        cluster.scheduler(host=head)
        cluster.worker(host=head)
        cluster.worker(host=host)
        program = cluster.program(job, 0.5, host=head)
        solved(job, 4)
        cable("down")
        time.sleep(30 if LONG else 5)
        cable("up")
        output, errors = program.communicate(timeout=600)
    assert program.returncode == 0, errors
    assert output == whole
    assert wmi.run("wmi", "join", job.directory, "--recheck", 2, "--json").stdout == whole
