"""One hostile snippet of each kind: it is red in bounded time, its neighbours are green, nothing is left.

Each hostile snippet runs between two peaceful ones on a server of its own, so that what it leaves
running or on disk can be told from everything else on the machine.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from harness import evidence, record
from harness.compare import compare
from harness.engines import PYTHON
from harness.runner import EngineServer
from harness.snippet import Snippet

PEACEFUL = "print(1 + 1)\n#> 2"


@dataclass(frozen=True)
class Hostile:
    """What a hostile snippet does, and the words with which it must be red."""

    body: str
    outcome: str
    message: str
    timeout: float = 20.0
    within: float = 30.0  # seconds for the run and both neighbours


HOSTILE = {
    "endless loop": Hostile("while True:\n    pass", record.TIMED_OUT, "ran longer than 1 s", timeout=1),
    "endless sleep": Hostile("import time\ntime.sleep(1e6)", record.TIMED_OUT, "ran longer than 1 s", timeout=1),
    "os._exit(0)": Hostile("import os\nprint(1)\n#> 1\nos._exit(0)\nprint(2)\n#> 2", record.EXITED, "exit code 0"),
    "os._exit(0) at the end": Hostile("import os\nprint(1)\n#> 1\nos._exit(0)", record.EXITED, "exit code 0"),
    "os._exit(7)": Hostile("import os\nos._exit(7)", record.EXITED, "exit code 7"),
    "exec": Hostile("import os\nos.execv('/bin/true', ['true'])", record.EXITED, "exit code 0"),
    "exec of an echo": Hostile("import os\nos.execv('/bin/echo', ['echo', '2'])\n#> 2", record.EXITED, "exit code 0"),
    "sys.exit(0)": Hostile("import sys\nsys.exit(0)\nprint(1)\n#> 1", record.RAISED, "raises SystemExit"),
    "KeyboardInterrupt": Hostile("raise KeyboardInterrupt", record.RAISED, "raises KeyboardInterrupt"),
    "interrupts itself": Hostile(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)", record.RAISED, "raises KeyboardInterrupt"
    ),
    "segfault": Hostile("import ctypes\nctypes.string_at(0)", record.CRASHED, "was ended by SIGSEGV"),
    "abort": Hostile("import os\nos.abort()", record.CRASHED, "was ended by SIGABRT"),
    "kills itself": Hostile(
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", record.CRASHED, "was ended by SIGKILL"
    ),
    "stops itself": Hostile(
        "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
        record.TIMED_OUT,
        "ran longer than 1 s",
        timeout=1,
    ),
    "deep recursion": Hostile("def f():\n    f()\n\nf()", record.RAISED, "raises RecursionError"),
    "recursion through the stack": Hostile(
        "import sys\nsys.setrecursionlimit(10**9)\nclass A:\n    def __getattr__(self, name):\n"
        "        return getattr(self, name + 'x')\n\nx = A().x",
        record.CRASHED,
        "was ended by SIGSEGV",
    ),
    "ignores SIGTERM": Hostile(
        "import signal\nfor number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):\n"
        "    _ = signal.signal(number, signal.SIG_IGN)\n\nwhile True:\n    pass",
        record.TIMED_OUT,
        "ran longer than 1 s",
        timeout=1,
    ),
    "catches everything": Hostile(
        "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
        record.TIMED_OUT,
        "ran longer than 1 s",
        timeout=1,
    ),
    "thread that never ends": Hostile(
        "import threading, time\nthreading.Thread(target=time.sleep, args=(1e6,)).start()",
        record.TIMED_OUT,
        "timed out after its last statement",
        timeout=1,
    ),
    "handler at exit that never ends": Hostile(
        "import atexit, time\n_ = atexit.register(time.sleep, 1e6)",
        record.TIMED_OUT,
        "timed out after its last statement",
        timeout=1,
    ),
    "fork that outlives its parent": Hostile(
        "import os, time\nif os.fork() == 0:\n    time.sleep(1e6)\n    os._exit(0)",
        record.LEFT_RUNNING,
        "left running: python",
    ),
    "daemon of its own session": Hostile(
        "import os, time\n"
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(1e6)\n    os._exit(0)\n"
        "print(1)\n#> 1",
        record.LEFT_RUNNING,
        "left running: python",
    ),
    "subprocess that outlives it": Hostile(
        "import subprocess\np = subprocess.Popen(['sleep', '1000'], start_new_session=True)",
        record.LEFT_RUNNING,
        "left running: sleep",
    ),
    "subprocess at the timeout": Hostile(
        "import subprocess\nsubprocess.run(['sh', '-c', 'trap \"\" TERM; setsid sleep 1000 & wait'])",
        record.TIMED_OUT,
        "ran longer than 1 s",
        timeout=1,
    ),
    "copy that goes on": Hostile("import os\npid = os.fork()\nprint(1)\n#> 1", record.FORKED, "forked, and the copy"),
    "fork bomb": Hostile("import os\nwhile True:\n    os.fork()", record.TOO_MANY_PROCESSES, "processes at a time"),
    "fork bomb of a shell": Hostile(
        "import subprocess\nsubprocess.run(['sh', '-c', 'f() { f | f & f; }; f'])",
        record.TOO_MANY_PROCESSES,
        "processes at a time",
    ),
    "flood": Hostile(
        "import sys\nfor _ in range(200):\n    _ = sys.stdout.write('x' * (1 << 20))",
        record.FLOODED,
        "printed more than 1 MiB",
    ),
    "flood of stderr": Hostile(
        "import os\nwhile True:\n    _ = os.write(2, b'x' * 65536)", record.FLOODED, "printed more than 1 MiB"
    ),
    "flood of a subprocess": Hostile(
        "import subprocess\nsubprocess.run(['yes'])", record.FLOODED, "printed more than 1 MiB"
    ),
    "memory": Hostile(
        "held = []\nwhile True:\n    held.append(bytearray(1 << 26))", record.RAISED, "raises MemoryError"
    ),
    "memory of many": Hostile(
        "import os, time\nfor _ in range(12):\n    if os.fork() == 0:\n        held = b'x' * (1 << 29)\n"
        "        time.sleep(1e6)\n\ntime.sleep(1e6)",
        record.TOO_MUCH_MEMORY,
        "held more than 2048 MiB",
        within=60,
    ),
    "one big file": Hostile(
        "with open('f', 'wb') as f:\n    while True:\n        _ = f.write(b'x' * (1 << 20))",
        record.RAISED,
        "raises OSError",
    ),
    "many files": Hostile(
        "i = 0\nwhile True:\n    with open(f'f{i}', 'wb') as f:\n        _ = f.write(b'x' * (1 << 24))\n    i += 1",
        record.TOO_MUCH_DISK,
        "wrote more than 256 MiB",
    ),
    "closed stdout": Hostile("import sys\nsys.stdout.close()\nprint(1)", record.RAISED, "raises ValueError"),
    "closed descriptors": Hostile("import os\nos.closerange(0, 1 << 16)", record.EXITED, "exit code"),
    "kills its server": Hostile(
        "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nwhile True:\n    pass",
        record.SERVER_LOST,
        "took the process with it",
    ),
    "stops its server": Hostile(
        "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\nwhile True:\n    pass",
        record.SERVER_LOST,
        "stopped the process",
        timeout=1,
        within=40,
    ),
    "kills its group": Hostile("import os\nos.killpg(0, 9)", record.CRASHED, "was ended by SIGKILL"),
    "folder that is hard to remove": Hostile(
        "import os\nfor i in range(1500):\n    os.mkdir('d')\n    os.chdir('d')\n\nos.chmod('.', 0)\n1 / 0",
        record.RAISED,
        "raises ZeroDivisionError",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_snippet(name: str, write: Callable[..., Snippet], tmp_path: Path) -> None:
    hostile = HOSTILE[name]
    before, after = write(PEACEFUL, "before.py"), write(PEACEFUL, "after.py")
    snippet = write(hostile.body, "hostile.py", timeout=hostile.timeout)
    with EngineServer(PYTHON) as server:
        began = time.monotonic()
        for one in (before, snippet, after):
            server.submit(one)
        runs = [server.result() for _ in range(3)]
        seconds = time.monotonic() - began
        marker, folder = server.marker, server.folder
        # The server, and the child that waits for the next snippet with an empty folder of its own.
        assert soon(lambda: len(processes(marker)) == 2), "something is left running"
        assert [path for one in left_in(folder) for path in one.iterdir()] == [], "something is left on disk"
        assert len(left_in(folder)) == 1
    assert compare(before, runs[0]) == [] == compare(after, runs[2]), "a neighbour is red"
    findings = compare(snippet, runs[1])
    assert runs[1].outcome == hostile.outcome, runs[1]
    assert any(hostile.message in finding.message for finding in findings), findings
    assert all(finding.remedy for finding in findings)
    assert seconds < hostile.within
    assert soon(lambda: processes(marker) == [])
    assert not folder.exists()


def soon(condition: Callable[[], bool]) -> bool:
    """Whether it comes true in a few seconds: a process that has ended is not gone at once."""
    deadline = time.monotonic() + 5
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def processes(marker: str) -> list[int]:
    """The processes with this marker in their environment: the server, and what snippets started."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                if marker.encode() in Path(f"/proc/{entry}/environ").read_bytes():
                    found.append(int(entry))
            except OSError:
                continue
    return found


def left_in(folder: Path) -> list[Path]:
    """The folders of snippets in the server's folder."""
    return [path for path in folder.glob("*/*")]


def test_where_it_hangs_is_told(write: Callable[..., Snippet], python_server: EngineServer) -> None:
    snippet = write("def wait():\n    while True:\n        pass\n\nprint('on')\n#> on\nwait()", timeout=1)
    (finding,) = compare(snippet, python_server.run(snippet))
    assert finding.line == 10
    assert any(re.search("line [56] in wait", line) for line in finding.actual), finding.actual
    assert not any("harness" in line for line in finding.actual)


def test_where_it_crashes_is_told(write: Callable[..., Snippet], python_server: EngineServer) -> None:
    snippet = write("import ctypes\n\n\ndef crash():\n    ctypes.string_at(0)\n\n\ncrash()")
    (finding,) = compare(snippet, python_server.run(snippet))
    assert finding.line == 10
    assert any("line 7 in crash" in line for line in finding.actual), finding.actual


def test_what_was_printed_before_a_crash_is_kept(write: Callable[..., Snippet], python_server: EngineServer) -> None:
    snippet = write("import os\nprint(1)\n#> 1\nprint(2), os.abort()\n#> 3")
    run = python_server.run(snippet)
    assert [one.output for one in run.statements] == ["", "1\n", "2\n"]
    assert [finding.line for finding in compare(snippet, run)] == [7, 6]


def test_a_fork_after_a_product_of_matrices_does_not_hang(
    write: Callable[..., Snippet], torch_server: EngineServer
) -> None:
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


def test_full_disk(write: Callable[..., Snippet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk under the temporary folder is full: the snippet is red, and the next finds it empty."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True, text=True
    )
    if mounted.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted: {mounted.stderr.strip()}")
    try:
        monkeypatch.setattr("tempfile.tempdir", str(disk))
        fill = "with open('f', 'wb', buffering=0) as f:\n    while True:\n        _ = f.write(b'x' * 4096)"
        snippet = write(fill, "fill.py")
        after = write("with open('f', 'w') as f:\n    print(f.write('x' * 100_000))\n#> 100000", "after.py")
        with EngineServer(PYTHON) as server:
            findings = compare(snippet, server.run(snippet))
            assert "raises OSError" in findings[0].message
            assert "No space left on device" in findings[0].actual[-1]
            assert compare(after, server.run(after)) == []
        with pytest.raises(evidence.EvidenceError, match="cannot be written: No space left"):
            big = evidence.Evidence(snippets={str(i): {"sha256": "x" * 64} for i in range(20_000)})
            big.write(disk / "evidence.json")
        assert list(disk.iterdir()) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)
