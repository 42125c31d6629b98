"""A program that inspects its process gets the same answers as under `python file.py`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from snippetcheck.compare import compare
from snippetcheck.engines import PYTHON
from snippetcheck.runner.client import EngineClient
from snippetcheck.snippet import Snippet

AS_PLAIN = {
    "stdout opened by name": """
        with open("/dev/stdout", "w") as file:
            _ = file.write("before\\n")
        print("between")
        with open("/dev/stdout", "w") as file:
            _ = file.write("after\\n")
    """,
    "stdout opened by a shell": """
        import subprocess
        print("before")
        _ = subprocess.run("echo x > /dev/stdout; echo y | tee /dev/stderr", shell=True, stderr=subprocess.DEVNULL)
    """,
    "type of __builtins__": "print(type(__builtins__), __builtins__.__name__)",
    "name set in __builtins__": "__builtins__.x = 1\nprint(x)",
    "fault handler": """
        import faulthandler
        print(faulthandler.is_enabled(), faulthandler.disable())
        faulthandler.enable()
        print(faulthandler.is_enabled(), faulthandler.disable(), faulthandler.is_enabled())
    """,
    "fault handler, enabled at once": "import faulthandler\nfaulthandler.enable()\nprint(faulthandler.is_enabled())",
    "frozen objects": """
        import gc
        print(gc.get_freeze_count() < 1000)  # Python 3.12 freezes some objects itself
        gc.freeze()
        print(gc.get_freeze_count() > 1000)
        gc.unfreeze()
        print(gc.get_freeze_count())
    """,
    "profile": """
        import sys
        events = []
        profile = lambda frame, event, argument: events.append((frame.f_code.co_name, event))
        sys.setprofile(profile)
        x = 1
        y = len("two")
        print(sys.getprofile() is profile)
        def f():
            return len([])
        z = f()
        sys.setprofile(None)
        print(*events, sys.getprofile(), sep="\\n")
    """,
    "profile of another thread": """
        import sys, threading
        events = []
        threading.setprofile(lambda frame, event, argument: events.append(frame.f_code.co_name))
        def f():
            pass
        thread = threading.Thread(target=f)
        thread.start()
        thread.join()
        threading.setprofile(None)
        print("f" in events, sys.getprofile())
    """,
    "trace": """
        import sys
        events = []
        def trace(frame, event, argument):
            events.append((frame.f_code.co_name, event))
            return trace
        sys.settrace(trace)
        x = 1
        def f(a):
            return a + 1
        y = f(x)
        print(sys.gettrace() is trace)
        sys.settrace(None)
        print(*events, sep="\\n")
    """,
    "command line": "import sys\nprint(sys.argv == [__file__], sys.orig_argv == [sys.executable, __file__])",
    "folder of the file": "import os, sys\nprint(sys.path[0] == os.path.dirname(os.path.abspath(__file__)))",
    "module beside the file": "import sibling\nprint(sibling.value, sibling.__name__)",
    "functions of os that raise": """
        import gc, os, os.path, resource, threading, warnings
        def fail(*arguments, **keywords):
            raise OSError("replaced")
        print(os.listdir("/proc/self/fdinfo") != [])
        _ = open(__file__.replace("example", "sibling")).close()
        for name in ("listdir", "stat", "lstat", "getpid", "waitid", "write", "read", "fstat", "scandir", "getcwd"):
            setattr(os, name, fail)
        os.path.isdir = os.path.abspath = os.path.realpath = os.path.basename = fail
        resource.getrusage = gc.collect = threading._shutdown = warnings.formatwarning = fail
        print("end")
    """,
    "built-in functions that are replaced": """
        import builtins
        builtins.isinstance = lambda value, kind: True
        builtins.getattr = builtins.sorted = builtins.bool = None
        builtins.str = int
        builtins.print("end")
    """,
    "warnings where stderr is redirected": """
        import contextlib, io, sys, warnings
        buffer = io.StringIO()
        with contextlib.redirect_stderr(buffer):
            warnings.warn_explicit("into a text", UserWarning, "a.py", 1)
        warnings.showwarning("named file", UserWarning, "a.py", 2, buffer)
        print(buffer.getvalue())
        class Twice:
            def __getattr__(self, name):
                return getattr(sys.__stderr__, name)
            def write(self, text):
                print("also", text)
        sys.stderr = Twice()
        warnings.warn_explicit("to an object", UserWarning, "a.py", 3)
        sys.stderr = sys.stdout
        warnings.warn_explicit("to stdout", UserWarning, "a.py", 3)
        sys.stderr = None
        warnings.warn("nowhere")
        print("end")
    """,
    "warnings of the compiler, which come first": """
        import warnings, sys
        warnings.showwarning = print
        sys.stderr = sys.stdout
        print(1 is 1)
    """,
    "stdout wrapped anew": """
        import io, sys
        print(sys.stdout.name, sys.stdout.mode, sys.stdout.errors, sys.stdout.fileno(), sys.stdout.encoding, sys.stdout.buffer.name)
        print(sys.stdout.seekable(), sys.stdout.buffer.seekable(), sys.stdout is sys.__stdout__, sys.stderr.name)
        sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", write_through=True)
        print("x")
    """,
}


@pytest.mark.parametrize("name", AS_PLAIN)
def test_a_program_prints_what_plain_python_prints(
    name: str, write: Callable[..., Snippet], python_server: EngineClient, tmp_path: Path
) -> None:
    snippet = write(AS_PLAIN[name])
    snippet.path.with_name("sibling.py").write_text("value = 7\n")
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONUNBUFFERED": "1"}  # as on a terminal
    command = [sys.executable, snippet.path]
    completed = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    run = python_server.run(snippet)
    assert (run.outcome, run.detail) == ("finished", "")
    assert "".join(statement.output for statement in run.statements) == completed.stdout != ""


@pytest.mark.parametrize("expression", ["[1, 2]", "object()", "str(12345)", "A()", "bytearray(3)"])
def test_an_object_gets_the_address_of_a_deleted_one(expression: str, write: Callable[..., Snippet]) -> None:
    """Check that `id` returns equal numbers if it does so in plain Python.

    Try up to three servers, because the result also depends on the address at which the memory of the interpreter
    begins.
    """
    program = f"class A:\n    pass\n\na = {expression}\nfirst = id(a)\ndel a\nb = {expression}\nprint(id(b) == first)"
    snippet = write(program)
    for _ in range(3):
        plain = subprocess.run([sys.executable, snippet.path], capture_output=True, text=True, check=True)
        with EngineClient(PYTHON) as server:
            if server.run(snippet).statements[-1].output == plain.stdout:
                return
    pytest.fail(f"all three servers printed something other than {plain.stdout!r}, which plain Python prints")


def test_output_of_two_statements_that_open_stdout_is_separated(
    write: Callable[..., Snippet], python_server: EngineClient
) -> None:
    opens = 'with open("/dev/stdout", "w") as file:\n    _ = file.write("{0}\\n")\n#> {0}\n'
    snippet = write(opens.format("one") + "print(1)\n#> 1\n" + opens.format("two"))
    assert compare(snippet, python_server.run(snippet)) == []


def test_a_program_that_prints_more_than_a_pipe_holds_finishes(
    write: Callable[..., Snippet], python_server: EngineClient
) -> None:
    """Print pieces of 5,000 bytes: they leave gaps in the memory pages of the pipe, so the pipe holds fewer bytes than its size."""
    snippet = write("import os\nfor _ in range(200):\n    _ = os.write(1, b'x' * 4999 + b'\\n')")
    run = python_server.run(snippet)
    assert run.outcome == "finished"
    assert len("".join(statement.output for statement in run.statements)) == 1_000_000
