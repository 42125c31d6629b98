"""A hostile snippet fails in bounded time, the snippets before and after it pass, and no process and no file remains.

Each hostile snippet runs between two harmless ones on a separate server, so that any process or file that remains
comes from it.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hostile import HOSTILE, PEACEFUL, SERVER
from snippetcheck import outcome
from snippetcheck.compare import Finding, compare
from snippetcheck.engines import PYTHON, Engine, EngineError
from snippetcheck.outcome import Run
from snippetcheck.runner import client
from snippetcheck.runner.client import EngineClient
from snippetcheck.runner.containment import DUMP_SIGNAL, children, folder_size
from snippetcheck.runner.journal import signal_name
from snippetcheck.snippet import Snippet


def test_folder_size_counts_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "within").mkdir()
    for name in ("a", "within/b", "within/c"):
        (tmp_path / name).write_bytes(b"x" * 5000)
    size, count = folder_size(tmp_path)
    assert count == 4 and 3 * 5000 <= size <= 3 * 16384


def test_children_lists_the_processes_that_any_thread_started() -> None:
    code = """
import subprocess, threading
start = lambda: print(subprocess.Popen(["sleep", "60"], stdout=subprocess.DEVNULL).pid, flush=True)
start()
thread = threading.Thread(target=lambda: (start(), input()))
thread.start()
thread.join()
"""
    program = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert program.stdout and program.stdin
    pids = {int(program.stdout.readline()) for _ in range(2)}
    try:
        assert children(program.pid) == pids
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        program.communicate("\n")
    assert children(program.pid) is None


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_snippet_is_contained(
    name: str, write: Callable[..., Snippet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = HOSTILE[name]
    if hostile.outcome == outcome.SERVER_LOST:
        monkeypatch.setattr(client, "_GRACE", 5.0)  # seconds until a stopped server is noticed
    before, after = write(PEACEFUL, "before.py"), write(PEACEFUL, "after.py")
    snippet = write(hostile.body, "hostile.py", timeout=hostile.timeout)
    with EngineClient(PYTHON) as server:
        began = time.monotonic()
        jobs = [server.submit(program) for program in (before, snippet, after)]
        runs = [server.result(job) for job in jobs]
        seconds = time.monotonic() - began
        marker, folder = server.marker, server.folder
        assert soon(lambda: len(processes(marker)) == 2), "only the server and its zygote may still run"
        assert soon(lambda: snippet_folders(folder) == []), "the folder of a snippet remains on disk"
    assert compare(before, runs[0]) == [] == compare(after, runs[2]), "a harmless snippet beside it failed"
    findings = compare(snippet, runs[1])
    assert runs[1].outcome == hostile.outcome, runs[1]
    assert any(hostile.message in finding.message for finding in findings), findings
    assert all(finding.remedy for finding in findings)
    assert seconds < hostile.within
    assert soon(lambda: processes(marker) == [])
    assert not folder.exists()


def soon(condition: Callable[[], bool]) -> bool:
    """Return whether a condition becomes true within 5 seconds: a killed process takes a moment to disappear."""
    deadline = time.monotonic() + 5
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def processes(marker: str) -> list[int]:
    """Return the ids of processes with this marker in their environment: a server, its zygote, and what snippets started."""
    pids = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                if marker.encode() in Path(f"/proc/{entry}/environ").read_bytes():
                    pids.append(int(entry))
            except OSError:
                continue
    return pids


def snippet_folders(folder: Path) -> list[Path]:
    """Return the folders below a server's folder that hold the files of snippets, one per child."""
    return [path for path in folder.glob("*/*")]


def test_a_link_in_place_of_the_working_directory_is_not_followed(
    write: Callable[..., Snippet], python_server: EngineClient, tmp_path: Path
) -> None:
    """Check that if a snippet replaces its working directory by a link, the link is removed and its target left alone."""
    target = tmp_path / "target"
    target.mkdir(mode=0o500)
    body = (
        f"import os\nhere = os.getcwd()\nos.chdir('/')\nos.rmdir(here)\nos.symlink({str(target)!r}, here)\nprint(here)"
    )
    link = Path(python_server.run(write(body)).statements[-1].output.strip())
    assert soon(lambda: not os.path.lexists(link))
    assert target.stat().st_mode & 0o777 == 0o500


def test_private_shared_memory_has_the_requested_size_if_it_is_permitted() -> None:
    program = """
import os
from snippetcheck.runner.containment import use_private_shared_memory

is_private = use_private_shared_memory(1 << 20)
shared_memory = os.statvfs("/dev/shm")
assert is_private == (shared_memory.f_blocks * shared_memory.f_frsize == 1 << 20), is_private
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_shared_memory_of_a_snippet_is_removed(write: Callable[..., Snippet]) -> None:
    """Check that files in /dev/shm and SharedMemory blocks are removed, also those of a snippet that was killed."""
    mount = "from snippetcheck.runner.containment import use_private_shared_memory as use; raise SystemExit(not use(1 << 20))"
    if subprocess.run([sys.executable, "-c", mount]).returncode != 0:
        pytest.skip("mounting a private /dev/shm needs root, and some containers forbid it")
    before = os.listdir("/dev/shm")
    leaving = write("f = open('/dev/shm/left', 'w')\nf.close()", "leaves.py")
    hanging = write(
        "import time\nfrom multiprocessing.shared_memory import SharedMemory\nheld = SharedMemory(create=True, size=100)\n"
        "time.sleep(1e6)",
        "hangs.py",
        timeout=1,
    )
    after = write("import os\nprint(os.listdir('/dev/shm'))\n#> []", "after.py")
    with EngineClient(PYTHON) as server:
        for snippet in (leaving, after, hanging, after):
            run = server.run(snippet)
            assert compare(snippet, run) == [] or snippet is hanging
    assert not set(os.listdir("/dev/shm")) - set(before)


def test_a_process_without_the_marker_is_killed_if_the_server_is_lost(write: Callable[..., Snippet]) -> None:
    snippet = write(
        f"import subprocess\n{SERVER}p = subprocess.Popen(['env', '-i', 'setsid', 'sleep', '1000'])\n"
        "open(f'/proc/{server}/fd/2', 'w').write(f'{p.pid}')\nos.kill(server, 9)"
    )
    with EngineClient(PYTHON) as server:
        run = server.run(snippet)
        assert run.outcome == outcome.SERVER_LOST
        pid = int(run.tail_stderr)
        assert soon(lambda: not os.path.exists(f"/proc/{pid}"))


def test_a_timeout_reports_the_stack_of_the_program(write: Callable[..., Snippet], python_server: EngineClient) -> None:
    snippet = write("def wait():\n    while True:\n        pass\n\nprint('on')\n#> on\nwait()", timeout=1)
    (finding,) = compare(snippet, python_server.run(snippet))
    assert finding.line == 10
    assert any(re.search("line [56] in wait", line) for line in finding.actual), finding.actual
    assert not any("snippetcheck" in line for line in finding.actual)


def test_a_crash_is_reported_at_its_statement(write: Callable[..., Snippet], python_server: EngineClient) -> None:
    snippet = write("import ctypes\n\n\ndef crash():\n    ctypes.string_at(0)\n\n\ncrash()")
    (finding,) = compare(snippet, python_server.run(snippet))
    assert (finding.line, finding.actual) == (10, ())
    assert "was ended by SIGSEGV" in finding.message


def test_a_killed_program_does_not_remain_as_a_zombie(
    write: Callable[..., Snippet], python_server: EngineClient
) -> None:
    for name in ("hangs.py", "hangs_too.py"):
        assert python_server.run(write("while True:\n    pass", name, timeout=0.1)).outcome == outcome.TIMED_OUT
    python_server.run(write(PEACEFUL))
    assert python_server.pid
    (zygote,) = children(python_server.pid) or ()
    assert children(zygote) == set()


def test_the_signal_that_ends_a_program_is_reported(write: Callable[..., Snippet], python_server: EngineClient) -> None:
    """Check all signals that end a process, except SIGINT, which raises an error, and those that Python ignores."""
    stopping = {signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU}
    ignored = {signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH, signal.SIGPIPE, signal.SIGXFSZ}
    for number in sorted(signal.valid_signals() - stopping - ignored - {signal.SIGINT, DUMP_SIGNAL}):
        run = python_server.run(write(f"import os\nos.kill(os.getpid(), {int(number)})\nprint(1)\n#> 1"))
        assert (run.outcome, run.detail) == (outcome.CRASHED, f"was ended by {signal_name(number)}")


def test_output_before_a_crash_is_compared(write: Callable[..., Snippet], python_server: EngineClient) -> None:
    snippet = write("import os\nprint(1)\n#> 1\nprint(2), os.abort()\n#> 3")
    run = python_server.run(snippet)
    assert [statement.output for statement in run.statements] == ["", "1\n", "2\n"]
    assert [finding.line for finding in compare(snippet, run)] == [7, 6]


def test_a_fork_after_a_matrix_product_does_not_hang(write: Callable[..., Snippet], torch_server: EngineClient) -> None:
    snippet = write(
        """
        import os
        import torch
        x = torch.ones(256, 256)
        print((x @ x)[0, 0])
        #> tensor(256.)
        def multiply_in_a_fork():
            pid = os.fork()
            if pid == 0:
                print((x @ x)[0, 0])
                os._exit(0)
            os.waitpid(pid, 0)
        multiply_in_a_fork()
        #> tensor(256.)
        """,
        timeout=10,
    )
    assert compare(snippet, torch_server.run(snippet)) == []


def test_a_server_that_does_not_start_reports_the_reason(tmp_path: Path) -> None:
    (tmp_path / "broken_engine.py").write_text("import os\nos.write(2, b'no such device\\n')\nos._exit(3)\n")
    engine = Engine("broken", preload=("broken_engine",), path=(str(tmp_path),))
    with EngineClient(engine) as server, pytest.raises(EngineError) as raised:
        server.start()
    assert "engine 'broken' cannot be imported" in str(raised.value)
    assert "it ended with exit code 3 before it was ready\nno such device" in str(raised.value)


def test_a_failure_of_the_server_is_reported_as_one_of_the_harness(
    write: Callable[..., Snippet], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that if the server fails, here because its folder is removed, the report names a failure of the harness."""
    snippet, after = write(PEACEFUL), write(PEACEFUL, "after.py")
    with EngineClient(PYTHON) as server:
        server.start()
        shutil.rmtree(server.folder)
        jobs = [server.submit(snippet), server.submit(after)]
        lost, next_run = map(server.result, jobs)
    assert lost.outcome == outcome.HARNESS_FAILED
    (finding,) = [item for item in compare(snippet, lost) if "harness failed" in item.message]
    assert "lost its server process: it ended with exit code 1" in finding.message
    assert any("FileNotFoundError" in line for line in finding.actual)
    assert compare(after, next_run) == []


def test_a_server_that_cannot_start_again_is_reported(write: Callable[..., Snippet], tmp_path: Path) -> None:
    """Check that after a snippet has killed the server, later snippets report why the engine cannot be imported again."""
    (tmp_path / "stand_in.py").write_text("")
    engine = Engine("once", preload=("stand_in",), path=(str(tmp_path),))
    killer = write(f"{SERVER}os.kill(server, signal.SIGKILL)\nwhile True:\n    pass", "killer.py")
    with EngineClient(engine) as server:
        server.start()
        (tmp_path / "stand_in.py").write_text("raise RuntimeError('broken today')")
        first, *later_jobs = map(server.submit, (killer, write(PEACEFUL), write(PEACEFUL, "after.py")))
        assert "it was ended by SIGKILL" in server.result(first).detail
        for job in later_jobs:
            with pytest.raises(EngineError, match="broken today"):
                server.result(job)


def test_a_full_disk_fails_one_snippet_and_not_the_next(
    write: Callable[..., Snippet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that a snippet fails if it fills the disk, and that the next snippet finds the disk empty."""
    disk = tmp_path / "disk"
    disk.mkdir()
    completed = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True, text=True
    )
    if completed.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted: {completed.stderr.strip()}")
    try:
        monkeypatch.setattr("tempfile.tempdir", str(disk))
        fill = "with open('f', 'wb', buffering=0) as f:\n    while True:\n        _ = f.write(b'x' * 4096)"
        snippet = write(fill, "fill.py")
        after = write("with open('f', 'w') as f:\n    print(f.write('x' * 100_000))\n#> 100000", "after.py")
        with EngineClient(PYTHON) as server:
            findings = compare(snippet, server.run(snippet))
            assert "raises OSError" in findings[0].message
            assert "No space left on device" in findings[0].actual[-1]
            assert compare(after, server.run(after)) == []
        assert list(disk.iterdir()) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_snippet_may_close_only_low_descriptors(run_and_compare: Callable[..., tuple[Run, list[Finding]]]) -> None:
    """Check that a snippet may close descriptors 3 to 255, as daemons do, but not the higher ones of the harness."""
    assert run_and_compare("import os\nos.closerange(3, 256)\nprint(1)\n#> 1")[1] == []
    run, findings = run_and_compare("import os\nos.closerange(3, 1 << 16)\nprint(1)\n#> 1")
    assert "closed file descriptors it did not open" in run.detail
    assert not any("snippetcheck" in line for finding in findings for line in finding.actual)


def test_a_snippet_may_print_a_mebibyte_and_no_more(run_and_compare: Callable[..., tuple[Run, list[Finding]]]) -> None:
    run_at_limit, _ = run_and_compare("print('x' * (2**20 - 1))\n#>? x...")
    assert run_at_limit.outcome == outcome.FINISHED and len(run_at_limit.statements[0].output) == 2**20
    run_above_limit, _ = run_and_compare("print('x' * 2**20)\n#>? x...")
    assert run_above_limit.outcome == outcome.FLOODED
