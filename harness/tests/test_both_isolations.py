"""Programs get the same verdicts in forked and in plain processes; a setting chooses between them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hostile import HOSTILE, PEACEFUL
from sample_projects import PYPROJECT, Project
from snippetcheck import outcome
from snippetcheck.bless import bless
from snippetcheck.compare import compare
from snippetcheck.engines import FORK, PYTHON, SUBPROCESS, Engine, EngineError, Limits
from snippetcheck.runner.client import EngineClient
from snippetcheck.runner.subprocess_client import SubprocessClient
from snippetcheck.settings import SettingsError, load_settings
from snippetcheck.snippet import Snippet

Client = EngineClient | SubprocessClient
CLIENTS: dict[str, type[EngineClient] | type[SubprocessClient]] = {FORK: EngineClient, SUBPROCESS: SubprocessClient}


@pytest.fixture(params=CLIENTS, scope="module")
def isolation(request: pytest.FixtureRequest) -> str:
    """Run each test twice: with the isolation "fork" and with "subprocess"."""
    return str(request.param)


@pytest.fixture(scope="module")
def server(isolation: str) -> Iterator[Client]:
    """Yield a client that runs programs on plain Python with the isolation of the test."""
    with CLIENTS[isolation](PYTHON) as client:
        yield client


# Snippets of hostile.py to run in both isolations. The others need much time, memory or a server, or resemble these.
NAMES = (
    *("endless loop", "os._exit(0)", "os._exit(0) at the end", "os._exit(7)", "exec", "sys.exit(0)", "KeyboardInterrupt"),
    *("segfault", "abort", "kills itself", "stops itself", "deep recursion", "ignores SIGTERM", "catches everything"),
    *("thread that never ends", "atexit handler that never ends", "fork that continues the program"),
    *("flood", "flood of stderr", "flood of a subprocess", "memory of one process", "many files", "closed stdout"),
    *("closed descriptors", "fork that outlives its parent"),
    *("daemon in a new session", "subprocess that outlives its parent"),
)  # fmt: skip
LEFT_RUNNING = ("fork that outlives its parent", "daemon in a new session", "subprocess that outlives its parent")


def need_table_of_processes(isolation: str) -> None:
    """Skip a test that can pass in a plain process only where `ps` lists processes: minimal images of Debian lack it."""
    if isolation == SUBPROCESS and not shutil.which("ps"):
        pytest.skip("ps is not installed: apt-get install procps")


@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_snippet_gets_its_outcome_and_the_next_one_passes(
    name: str, isolation: str, server: Client, write: Callable[..., Snippet]
) -> None:
    if name in LEFT_RUNNING:
        need_table_of_processes(isolation)
    hostile = HOSTILE[name]
    snippet, after = write(hostile.body, timeout=hostile.timeout), write(PEACEFUL, "after.py")
    run = server.run(snippet)
    assert run.outcome == hostile.outcome, run
    assert any(hostile.message in finding.message for finding in compare(snippet, run)), compare(snippet, run)
    assert compare(after, server.run(after)) == []


def test_characters_that_utf8_lacks_can_be_printed_to_stderr(server: Client, write: Callable[..., Snippet]) -> None:
    """Check that stderr escapes such a character, as in plain Python, instead of raising UnicodeEncodeError."""
    run = server.run(write("import sys\nprint('\\ud800', file=sys.stderr)"))
    assert run.outcome == outcome.FINISHED and "\\ud800" in run.statements[-1].stderr, run


@pytest.mark.parametrize("name", ["SIGUSR1", "SIGUSR2", "SIGALRM", "SIGTERM", "SIGRTMIN"])
def test_a_signal_ends_a_program_as_in_plain_python(name: str, server: Client, write: Callable[..., Snippet]) -> None:
    snippet = write(f"import os, signal\nprint(signal.getsignal(signal.{name}))\nos.kill(os.getpid(), signal.{name})")
    run = server.run(snippet)
    assert (run.outcome, run.detail) == (outcome.CRASHED, f"was ended by {name}")
    assert [(statement.output, statement.stderr) for statement in run.statements[1:]] == [("0\n", ""), ("", "")]


def test_a_program_that_runs_too_long_shows_where(server: Client, write: Callable[..., Snippet]) -> None:
    snippet = write("import time\n\ndef wait():\n    time.sleep(100)\n\nwait()", timeout=1)
    run = server.run(snippet)
    assert run.outcome == outcome.TIMED_OUT
    assert f'  File "{snippet.path}", line 7 in wait\n  File "{snippet.path}", line 9 in <module>\n' in "".join(
        statement.stderr for statement in run.statements
    )


def test_the_deepest_recursion_is_that_of_plain_python(server: Client, write: Callable[..., Snippet]) -> None:
    snippet = write(
        """
        def deepest(n):
            try:
                return deepest(n + 1)
            except RecursionError:
                return n
        print(deepest(0))
        """
    )
    plain = subprocess.run([sys.executable, snippet.path], capture_output=True, text=True, check=True)
    assert server.run(snippet).statements[-1].output == plain.stdout


def test_a_subprocess_in_another_session_is_killed(
    server: Client, write: Callable[..., Snippet], tmp_path: Path
) -> None:
    body = "import subprocess\np = subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
    run = server.run(
        write(body + f"with open({str(tmp_path / 'pid')!r}, 'w') as file:\n    _ = file.write(str(p.pid))")
    )
    assert run.outcome == outcome.LEFT_RUNNING
    status = Path("/proc", (tmp_path / "pid").read_text(), "stat")
    assert not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize(
    ("body", "messages"),
    [
        ("print(1)\n#> 1", []),
        ("print(1)\n#> 2", ["prints something other than its #> lines say"]),
        ("print('é', '\\u2028')\n#>? é ...", []),
        ("print(1)\n#> 1\nprint(2)", ["prints 1 line and has no #> line"]),
        ("1 / 0\n#! ZeroDivisionError: division by zero", []),
        ("1 / 0", ["raises ZeroDivisionError, and has no #! line"]),
        ("import warnings\nwarnings.warn('w')\n#~ UserWarning: w", []),
        ("import os\n_ = os.system('echo 3; echo 4 >&2')\n#> 3\n#2> 4", []),
        ("import atexit\n_ = atexit.register(print, 3)", ["writes to stdout after its last statement"]),
        ("open(__file__).close()", ["reads its own file"]),
        ("a = 257\nb = 257\nprint(a is b, __name__, input)\n#> True __main__ <built-in function input>", []),
        ("import sys\nprint(sys.stdin.read() == '', sys.argv[1:])\n#> True []", []),
        ("import sys\nsys.exit(0)", []),
        # With a second thread, `os.fork` of Python 3.12 warns.
        ("import os\nprint(len(os.listdir('/proc/self/task')))\n#> 1", []),
        # Python 3.12 freezes some objects itself, the harness all those of an engine, and those are hidden.
        ("import gc, faulthandler\nprint(gc.get_freeze_count() < 1000, faulthandler.is_enabled())\n#> True False", []),
        ("import multiprocessing as m\nm.set_start_method('spawn')\nprint(m.Value('i', 3).value)\n#> 3", []),
    ],
)
def test_findings_are_the_same_in_both_isolations(
    body: str, messages: list[str], server: Client, write: Callable[..., Snippet]
) -> None:
    snippet = write(body)
    findings = compare(snippet, server.run(snippet))
    assert len(findings) == len(messages), findings
    assert all(message in finding.message for message, finding in zip(messages, findings, strict=True)), findings


PROBE = """
import abc, os, signal, sys, tempfile, warnings
print(sorted(os.listdir()), os.listdir(tempfile.gettempdir()), os.environ.get("LEAK"), os.getcwd() == os.environ["HOME"])
#> [] [] None True
print(sys.getrecursionlimit(), "leak" in sys.modules, sys.argv[1:], abs(-1), hasattr(abc, "leak"))
#> 1000 False [] 1 False
print(signal.getsignal(signal.SIGTERM) == signal.SIG_DFL, oct(os.umask(0)))
#> True 0o22
warnings.warn("seen")
#~ UserWarning: seen
"""
LEAKS = {
    "working directory": "import os\nos.chdir('/')",
    "files": "import tempfile\nopen('left', 'w').close()\n_ = tempfile.mkdtemp()\nopen('../left', 'w').close()",
    "environment": "import os\nos.environ['LEAK'] = '1'",
    "patched builtin": "import builtins\nbuiltins.abs = lambda x: 'patched'",
    "patched module": "import abc, sys\nabc.leak = 1\nsys.modules['leak'] = sys\nsys.argv.append('x')",
    "recursion limit": "import sys\nsys.setrecursionlimit(5000)",
    "warnings": "import warnings\nwarnings.simplefilter('ignore')\nwarnings.showwarning = print",
    "handler and umask": "import os, signal\n_ = signal.signal(signal.SIGTERM, signal.SIG_IGN), os.umask(0o77)",
    "stdout": "import sys\nsys.stdout = None",
}


@pytest.mark.parametrize("name", LEAKS)
def test_changes_made_by_a_snippet_do_not_reach_the_next(
    name: str, server: Client, write: Callable[..., Snippet]
) -> None:
    before, probe = write(LEAKS[name], "before.py"), write(PROBE, "probe.py")
    assert compare(before, server.run(before)) == []
    assert compare(probe, server.run(probe)) == []


@pytest.mark.parametrize(
    ("limits", "body", "expected"),
    [
        (Limits(processes=3), "import subprocess\n_ = subprocess.run('sleep 2 & sleep 2 & sleep 2', shell=True)", outcome.TOO_MANY_PROCESSES),
        (Limits(memory=100, address_space=0), "import time\nheld = b'x' * (200 << 20)\ntime.sleep(1)", outcome.TOO_MUCH_MEMORY),
        (Limits(address_space=100), "held = b'x' * (200 << 20)", outcome.RAISED),
        (Limits(open_files=64), "held = [open('/dev/null') for _ in range(64)]", outcome.RAISED),
        (Limits(output=2), "print('x' * 1_500_000)", outcome.FINISHED),
    ],
)  # fmt: skip
def test_limits_of_an_engine_are_enforced(
    limits: Limits, body: str, expected: str, isolation: str, write: Callable[..., Snippet]
) -> None:
    if expected in (outcome.TOO_MANY_PROCESSES, outcome.TOO_MUCH_MEMORY):
        need_table_of_processes(isolation)
    with CLIENTS[isolation](replace(PYTHON, limits=limits)) as client:
        assert client.run(write(body)).outcome == expected


def test_each_snippet_reports_an_engine_that_cannot_be_imported(
    isolation: str, write: Callable[..., Snippet], tmp_path: Path
) -> None:
    for text, message in (("1 / 0", "ZeroDivisionError"), ("import os; os._exit(3)", "ended with exit code 3")):
        (tmp_path / "broken.py").write_text(text)
        with CLIENTS[isolation](Engine("bad", preload=("broken",), path=(str(tmp_path),))) as client:
            for _ in range(2):
                with pytest.raises(EngineError, match="engine 'bad' cannot be imported") as raised:
                    client.run(write(PEACEFUL))
                assert message in str(raised.value)


def test_output_of_importing_an_engine_is_not_output_of_a_snippet(
    isolation: str, write: Callable[..., Snippet], tmp_path: Path
) -> None:
    (tmp_path / "chatty.py").write_text("print('hello')\nimport sys; sys.stderr.write('oh')\nvalue = 3\n")
    engine = Engine("chatty", preload=("chatty",), path=(str(tmp_path),), sources=("chatty",))
    snippet = write("import chatty\nprint(chatty.value)\n#> 3")
    with CLIENTS[isolation](engine) as client:
        assert compare(snippet, client.run(snippet)) == []


def test_much_output_of_importing_an_engine_does_not_count_towards_the_limit(
    isolation: str, write: Callable[..., Snippet], tmp_path: Path
) -> None:
    (tmp_path / "chatty.py").write_text(
        "import sys\nfor file in (sys.stdout, sys.stderr): print('x' * (3 << 20), file=file)"
    )
    snippet = write("print(3)\n#> 3")
    with CLIENTS[isolation](Engine("chatty", preload=("chatty",), path=(str(tmp_path),))) as client:
        assert compare(snippet, client.run(snippet)) == []


def test_a_program_that_prints_too_much_can_still_write(server: Client, write: Callable[..., Snippet]) -> None:
    """Check that the program does not get an error that it would not get in a shell."""
    body = "import sys\ntry:\n    for _ in range(300): print('x' * 10_000)\nexcept OSError as error: sys.stderr.write(repr(error))"
    run = server.run(write(body))
    assert (run.outcome, run.statements[-1].stderr) == (outcome.FLOODED, "")


def test_much_output_does_not_delay_the_end_at_the_timeout(isolation: str, write: Callable[..., Snippet]) -> None:
    snippet = write("import os, time\nwhile True:\n    os.write(2, b'x' * 1_000_000)\n    time.sleep(0.01)", timeout=1)
    with CLIENTS[isolation](replace(PYTHON, limits=Limits(output=400))) as client:
        run = client.run(snippet)
    assert run.outcome == outcome.TIMED_OUT and run.seconds < 5, (run.outcome, run.seconds)


def test_the_time_limit_of_a_program_begins_after_the_import_of_the_engine(
    isolation: str, write: Callable[..., Snippet], tmp_path: Path
) -> None:
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(1.5)\n")
    engine = Engine("slow", preload=("slow",), path=(str(tmp_path),))
    snippet = write("print('done')\n#> done", timeout=1)
    with CLIENTS[isolation](engine) as client:
        assert compare(snippet, client.run(snippet)) == []


def test_an_interruption_ends_the_program(isolation: str, write: Callable[..., Snippet], tmp_path: Path) -> None:
    """Check that an exception in the waiting process, as by Ctrl-C, ends the running program, and that the next program runs."""
    file = tmp_path / "pid"
    endless = write(
        f"import os, time\nwith open({str(file)!r}, 'w') as f:\n    _ = f.write(str(os.getpid()))\ntime.sleep(1e6)",
        "a.py",
    )

    def interrupt(number: int, frame: object) -> None:
        raise RuntimeError("interrupted")

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with CLIENTS[isolation](PYTHON) as client:
            client.run(write(PEACEFUL))
            signal.setitimer(signal.ITIMER_REAL, 4)
            with pytest.raises(RuntimeError, match="interrupted"):
                client.run(endless)
            deadline = time.monotonic() + 10
            while Path(f"/proc/{file.read_text()}").exists():
                assert time.monotonic() < deadline
                time.sleep(0.05)
            after = write(PEACEFUL, "after.py")
            assert compare(after, client.run(after)) == []
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_timeout_reports_the_stack_of_the_program(server: Client, write: Callable[..., Snippet]) -> None:
    snippet = write("import time\ndef wait():\n    time.sleep(100)\n\nwait()", timeout=1)
    (finding,) = compare(snippet, server.run(snippet))
    assert any("in wait" in line for line in finding.actual)
    assert not any("snippetcheck" in line for line in finding.actual)


def test_a_run_cannot_be_fetched_twice_or_after_the_client_is_closed(
    isolation: str, write: Callable[..., Snippet]
) -> None:
    snippet = write(PEACEFUL)
    with CLIENTS[isolation](PYTHON) as client:
        first = client.submit(snippet)
        client.result(first)
        second = client.submit(snippet)
        client.close()
        for job in (first, second):
            with pytest.raises(EngineError, match="was abandoned\n    submit the program again"):
                client.result(job)


def test_a_client_sets_the_hash_seed_and_the_time_zone(isolation: str, write: Callable[..., Snippet]) -> None:
    snippet = write("print({'a', 'b', 'c', 'd', 'e'})\nprint(__import__('time').tzname[0])")
    runs = []
    for seed, zone in ((0, "UTC"), (1, "<-12>+12")):
        with CLIENTS[isolation](PYTHON, seed, zone) as client:
            runs.append(client.run(snippet))
    assert bless(snippet, runs[0], runs[:1]).text.endswith("#> UTC\n")
    outputs = [[statement.output for statement in run.statements] for run in runs]
    assert all(first != second for first, second in zip(*outputs, strict=True))


SUBPROCESSES = PYPROJECT.replace("[tool.snippetcheck]\n", '[tool.snippetcheck]\nisolation = "subprocess"\n')


def test_a_setting_chooses_plain_processes(tmp_path: Path) -> None:
    """Check that pytest and `bless` work with the setting although functions that forked runs need raise an error."""
    project = Project(tmp_path / "project", SUBPROCESSES)
    project.snippet("a.py", "import sys, threading\nprint(sys.getswitchinterval())\n#> 0.005")
    project.snippet("b.py", "print(2)\n#> 3")
    (project.root / "sitecustomize.py").write_text(
        "import os\nfor name in ('memfd_create', 'pidfd_open'):\n    setattr(os, name, lambda *_: 1 / 0)\n"
    )
    completed = project.pytest("-v", "--snippet-mutate", PYTHONPATH=str(project.root))
    assert "snippets/a.py::python PASSED" in completed.stdout and "snippets/b.py::python FAILED" in completed.stdout, (
        completed.stdout
    )
    assert "on python, line 4 prints something other than its #> lines say" in completed.stdout
    completed = project.harness("bless", PYTHONPATH=str(project.root))
    assert "blessed b.py from python" in completed.stdout, completed.stdout + completed.stderr
    assert "2 passed" in project.pytest("-n", "1", "--snippet-cache", PYTHONPATH=str(project.root)).stdout


@pytest.mark.parametrize(
    ("value", "message"),
    [("'threads'", 'isolation must be "fork" or "subprocess", got \'threads\''), ("'fork'", "it has no os.pidfd_open")],
)
def test_unknown_and_unsupported_isolations_are_refused(
    value: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    (tmp_path / "snippets").mkdir()
    file = tmp_path / "pyproject.toml"
    file.write_text(f"[tool.snippetcheck]\nisolation = {value}\n")
    with pytest.raises(SettingsError) as raised:
        load_settings(tmp_path)
    assert message in str(raised.value) and "\n    " in str(raised.value)
    file.write_text("[tool.snippetcheck]\n")
    assert load_settings(tmp_path).engines["python"].isolation == SUBPROCESS
