"""Snippets that try to hang, crash, flood or deceive the harness, each with the outcome that it must get."""

from __future__ import annotations

from dataclasses import dataclass

from snippetcheck import outcome

# The body of a snippet that runs before or after a hostile one, and must pass.
PEACEFUL = "print(1 + 1)\n#> 2"
# Imports modules and sets `server` to the process id of the server, the parent of the parent.
SERVER = (
    "import os, signal, time\nserver = int(open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()[1])\n"
)


@dataclass(frozen=True)
class Hostile:
    """A hostile snippet, its expected outcome, and a text that a finding about it must contain."""

    body: str
    outcome: str
    message: str
    timeout: float = 20.0
    within: float = 30.0  # seconds for this snippet and the peaceful ones before and after it


HOSTILE = {
    "endless loop": Hostile("while True:\n    pass", outcome.TIMED_OUT, "ran longer than 1 s", timeout=1),
    "endless sleep": Hostile("import time\ntime.sleep(1e6)", outcome.TIMED_OUT, "ran longer than 1 s", timeout=1),
    "os._exit(0)": Hostile("import os\nprint(1)\n#> 1\nos._exit(0)\nprint(2)\n#> 2", outcome.EXITED, "exit code 0"),
    "os._exit(0) at the end": Hostile("import os\nprint(1)\n#> 1\nos._exit(0)", outcome.EXITED, "exit code 0"),
    "os._exit(7)": Hostile("import os\nos._exit(7)", outcome.EXITED, "exit code 7"),
    "exec": Hostile("import os\nos.execv('/bin/true', ['true'])", outcome.EXITED, "exit code 0"),
    "exec of an echo": Hostile("import os\nos.execv('/bin/echo', ['echo', '2'])\n#> 2", outcome.EXITED, "exit code 0"),
    "sys.exit(0)": Hostile("import sys\nsys.exit(0)\nprint(1)\n#> 1", outcome.RAISED, "raises SystemExit"),
    "KeyboardInterrupt": Hostile("raise KeyboardInterrupt", outcome.RAISED, "raises KeyboardInterrupt"),
    "interrupts itself": Hostile(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)", outcome.RAISED, "raises KeyboardInterrupt"
    ),
    "segfault": Hostile("import ctypes\nctypes.string_at(0)", outcome.CRASHED, "was ended by SIGSEGV"),
    "abort": Hostile("import os\nos.abort()", outcome.CRASHED, "was ended by SIGABRT"),
    "kills itself": Hostile(
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", outcome.CRASHED, "was ended by SIGKILL"
    ),
    "stops itself": Hostile(
        "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
        outcome.TIMED_OUT,
        "ran longer than 1 s",
        timeout=1,
    ),
    "deep recursion": Hostile("def f():\n    f()\n\nf()", outcome.RAISED, "raises RecursionError"),
    "recursion through the stack": Hostile(
        # Python 3.12 limits recursion through C separately, and would raise before a stack of 8 MiB overflows.
        "import resource, sys\nresource.setrlimit(resource.RLIMIT_STACK, (2**18, 2**18))\nsys.setrecursionlimit(10**9)\n"
        "class A:\n    def __getattr__(self, name):\n        return getattr(self, name + 'x')\n\nx = A().x",
        outcome.CRASHED,
        "was ended by SIGSEGV",
    ),
    "ignores SIGTERM": Hostile(
        "import signal, time\nfor number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):\n"
        "    _ = signal.signal(number, signal.SIG_IGN)\n\ntime.sleep(1e6)",
        outcome.TIMED_OUT,
        "ran longer than 1 s",
        timeout=1,
    ),
    "catches everything": Hostile(
        "import time\nwhile True:\n    try:\n        time.sleep(1e6)\n    except BaseException:\n        pass",
        outcome.TIMED_OUT,
        "ran longer than 1 s",
        timeout=1,
    ),
    "thread that never ends": Hostile(
        "import threading, time\nthreading.Thread(target=time.sleep, args=(1e6,)).start()",
        outcome.TIMED_OUT,
        "timed out after its last statement",
        timeout=1,
    ),
    "atexit handler that never ends": Hostile(
        "import atexit, time\n_ = atexit.register(time.sleep, 1e6)",
        outcome.TIMED_OUT,
        "timed out after its last statement",
        timeout=1,
    ),
    "fork that outlives its parent": Hostile(
        "import os, time\nif os.fork() == 0:\n    time.sleep(1e6)\n    os._exit(0)",
        outcome.LEFT_RUNNING,
        "left running: python",
    ),
    "daemon in a new session": Hostile(
        "import os, time\n"
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(1e6)\n    os._exit(0)\n"
        "print(1)\n#> 1",
        outcome.LEFT_RUNNING,
        "left running: python",
    ),
    "subprocess that outlives its parent": Hostile(
        "import subprocess\np = subprocess.Popen(['sleep', '1000'], start_new_session=True)",
        outcome.LEFT_RUNNING,
        "left running: sleep",
    ),
    "orphan that is not adopted by the program": Hostile(
        "import ctypes, subprocess\n_ = ctypes.CDLL(None).prctl(36, 0)  # PR_SET_CHILD_SUBREAPER\n"
        "_ = subprocess.run(['sh', '-c', 'setsid sleep 1000 &'])",
        outcome.LEFT_RUNNING,
        "left running: sleep",
    ),
    "subprocess that ignores SIGTERM": Hostile(
        "import subprocess\nsubprocess.run(['sh', '-c', 'trap \"\" TERM; setsid sleep 1000 & wait'])",
        outcome.TIMED_OUT,
        "ran longer than 1 s",
        timeout=1,
    ),
    "fork that continues the program": Hostile(
        "import os\npid = os.fork()\nprint(1)\n#> 1", outcome.FORKED, "forked, and the copy"
    ),
    "fork bomb": Hostile("import os\nwhile True:\n    os.fork()", outcome.TOO_MANY_PROCESSES, "processes at a time"),
    "fork bomb in a shell": Hostile(
        "import subprocess\nsubprocess.run(['sh', '-c', 'f() { f | f & f; }; f'])",
        outcome.TOO_MANY_PROCESSES,
        "processes at a time",
    ),
    "flood": Hostile(
        "import sys\nfor _ in range(200):\n    _ = sys.stdout.write('x' * (1 << 20))",
        outcome.FLOODED,
        "printed more than 1 MiB",
    ),
    "flood of stderr": Hostile(
        "import os\nwhile True:\n    _ = os.write(2, b'x' * 65536)", outcome.FLOODED, "printed more than 1 MiB"
    ),
    "flood of a subprocess": Hostile(
        "import subprocess\nsubprocess.run(['yes'])", outcome.FLOODED, "printed more than 1 MiB"
    ),
    "memory of one process": Hostile(
        "held = []\nwhile True:\n    held.append(bytes(1 << 26))", outcome.RAISED, "raises MemoryError"
    ),
    "memory of many processes": Hostile(
        "import os, time\nfor _ in range(5):\n    if os.fork() == 0:\n        held = b'x' * (1 << 29)\n"
        "        time.sleep(1e6)\n\ntime.sleep(1e6)",
        outcome.TOO_MUCH_MEMORY,
        "held more than 2048 MiB",
        timeout=100,  # allocation is slow on a busy machine
        within=150,
    ),
    "one big file": Hostile(
        "with open('f', 'wb') as f:\n    while True:\n        _ = f.write(b'x' * (1 << 20))",
        outcome.RAISED,
        "raises OSError",
    ),
    "many files": Hostile(
        "i = 0\nwhile True:\n    with open(f'f{i}', 'wb') as f:\n        _ = f.write(b'x' * (1 << 24))\n    i += 1",
        outcome.TOO_MUCH_DISK,
        "wrote more than 256 MiB",
    ),
    "many empty files": Hostile(
        "import os\nfor i in range(1 << 30):\n    os.close(os.open(str(i), os.O_CREAT))",
        outcome.TOO_MUCH_DISK,
        "made more than 20000 files",
    ),
    "many threads": Hostile(
        "import threading, time\n_ = threading.stack_size(65536)\n"
        "while True:\n    threading.Thread(target=time.sleep, args=(1e6,), daemon=True).start()",
        outcome.TOO_MANY_PROCESSES,
        "threads at a time",
    ),
    "shared memory of many processes": Hostile(
        "import mmap, os, time\nfor _ in range(6):\n    if os.fork() == 0:\n        held = mmap.mmap(-1, 1 << 29)\n"
        "        for _ in range(1 << 9):\n            _ = held.write(b'x' * (1 << 20))\n"
        "        time.sleep(1e6)\n\ntime.sleep(1e6)",
        outcome.TOO_MUCH_MEMORY,
        "held more than 2048 MiB",
        timeout=100,  # allocation is slow on a busy machine
        within=150,
    ),
    "closed stdout": Hostile("import sys\nsys.stdout.close()\nprint(1)", outcome.RAISED, "raises ValueError"),
    "closed descriptors": Hostile("import os\nos.closerange(0, 1 << 16)", outcome.EXITED, "closed file descriptors"),
    "kills its parent": Hostile(
        "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nwhile True:\n    pass",
        outcome.CRASHED,
        "was ended by SIGKILL",
    ),
    "stops its parent": Hostile(
        "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\nos._exit(7)",
        outcome.EXITED,
        "exit code 7",
    ),
    "outlives its parent": Hostile(
        "import ctypes, os, time\n_ = ctypes.CDLL(None).prctl(1, 0)  # PR_SET_PDEATHSIG\n"
        "os.kill(os.getppid(), 9)\ntime.sleep(0.1)\nos._exit(7)",
        outcome.EXITED,
        "exit code 7",
    ),
    "kills its parent after its end": Hostile(
        "import os, time\nparent = os.getppid()\n"
        "if os.fork() == 0:\n    time.sleep(0.1)\n    os.kill(parent, 9)\n    os._exit(0)\nos._exit(7)",
        outcome.EXITED,
        "exit code 7",
    ),
    "kills its server": Hostile(
        f"{SERVER}os.kill(server, signal.SIGKILL)\nwhile True:\n    pass",
        outcome.SERVER_LOST,
        "ended its server process",
    ),
    "stops its server": Hostile(
        f"{SERVER}os.kill(server, signal.SIGSTOP)\ntime.sleep(1e6)",
        outcome.SERVER_LOST,
        "stopped its server process",
        timeout=1,
        within=40,
    ),
    "kills its process group": Hostile("import os\nos.killpg(0, 9)", outcome.CRASHED, "was ended by SIGKILL"),
    "writes to all descriptors": Hostile(
        "import os\nfor fd in os.listdir('/proc/self/fd'):\n    try:\n        _ = os.write(int(fd), b'{}\\n')\n"
        "    except OSError:\n        pass",
        outcome.TAMPERED,
        "wrote into the journal",
    ),
    "forges the end of a statement": Hostile(
        "import os\njournal = max(int(fd) for fd in os.listdir('/proc/self/fd') if os.path.islink(f'/proc/self/fd/{fd}')"
        " and 'journal' in os.readlink(f'/proc/self/fd/{fd}'))\n"
        'print(1), os.write(journal, b\'{"end": 2, "error": null, "warnings": [], "output": 0, "errors": 0}\\n\')',
        outcome.TAMPERED,
        "wrote into the journal",
    ),
    "folder that is hard to remove": Hostile(
        "import os\nfor i in range(1500):\n    os.mkdir('d')\n    os.chdir('d')\n\nos.chmod('.', 0)\n1 / 0",
        outcome.RAISED,
        "raises ZeroDivisionError",
    ),
}
