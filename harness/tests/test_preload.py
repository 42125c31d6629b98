"""The modules of `preload` are imported once, before the programs run. Each program imports all other modules itself."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hostile import SERVER
from snippetcheck.engines import Engine
from snippetcheck.runner.client import EngineClient
from snippetcheck.snippet import Snippet

# Print whether the process of the program has imported `needed` itself.
IS_OWN = "import os\nimport needed\nprint(needed.PID == os.getpid())"
LOADED = "import sys\nprint('needed' in sys.modules, 'needed.part' in sys.modules)"


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    """Return an engine with the package `needed`, which stores the id of the process that imports it in `PID`."""
    package = tmp_path / "source" / "needed"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("import os\nPID = os.getpid()\n")
    (package / "part.py").write_text("")
    return Engine("sample", path=(str(package.parent),), sources=("needed",))


@pytest.fixture
def run_outputs(write: Callable[..., Snippet]) -> Callable[..., list[str]]:
    """Return a function that runs a program and returns the output of each statement that prints."""

    def run_outputs(server: EngineClient, body: str, name: str = "example.py") -> list[str]:
        run = server.run(write(body, name))
        assert run.outcome == "finished", run
        return [statement.output for statement in run.statements if statement.output]

    return run_outputs


def test_a_preloaded_module_is_imported_once_before_programs_run(
    engine: Engine, run_outputs: Callable[..., list[str]]
) -> None:
    with EngineClient(replace(engine, preload=("needed",))) as server:
        assert [run_outputs(server, IS_OWN, f"{number}.py") for number in range(2)] == [["False\n"]] * 2
        assert run_outputs(server, LOADED) == ["True False\n"]


def test_a_process_that_the_engine_has_started_outlives_the_programs(
    engine: Engine, write: Callable[..., Snippet], run_outputs: Callable[..., list[str]]
) -> None:
    (Path(engine.path[0]) / "needed" / "__init__.py").write_text(
        "import subprocess\nprocess = subprocess.Popen(['sleep', '1000'])\n"
    )
    is_running = "import os, needed\nprint(open(f'/proc/{needed.process.pid}/comm').read())"
    with EngineClient(replace(engine, preload=("needed",))) as server:
        assert run_outputs(server, is_running) == ["sleep\n\n"]
        assert server.run(write("while True:\n    pass", "hangs.py", timeout=1)).outcome == "timed out"
        assert run_outputs(server, is_running) == ["sleep\n\n"]


def test_an_engine_may_ignore_the_signal_of_ended_children(
    engine: Engine, write: Callable[..., Snippet], run_outputs: Callable[..., list[str]]
) -> None:
    """Check that a program passes although the kernel then keeps no exit status of it."""
    (Path(engine.path[0]) / "needed" / "__init__.py").write_text(
        "import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
    )
    with EngineClient(replace(engine, preload=("needed",))) as server:
        assert run_outputs(server, "print(1)") == ["1\n"]
        assert server.run(write("import os\nos.kill(os.getpid(), 9)")).detail == "was ended by SIGKILL"


def test_a_fork_of_an_engine_with_threads_does_not_warn(
    engine: Engine, write: Callable[..., Snippet], run_outputs: Callable[..., list[str]]
) -> None:
    """Check that the server's stderr stays empty, although Python 3.12 and newer warn, and that warning filters are unchanged."""
    (Path(engine.path[0]) / "needed" / "__init__.py").write_text(
        "import threading, time, warnings\nwarnings.simplefilter('always')\nfilters = [*warnings.filters]\n"
        "threading.Thread(target=time.sleep, args=(1e6,), daemon=True).start()\n"
    )
    with EngineClient(replace(engine, preload=("needed",))) as server:
        are_equal = "import needed, warnings\nprint(warnings.filters == needed.filters)"
        assert run_outputs(server, are_equal) == ["True\n"]
        assert server.run(write(f"{SERVER}os.kill(server, signal.SIGKILL)\ntime.sleep(1e6)")).tail_stderr == ""


def test_each_program_imports_other_modules_itself(engine: Engine, run_outputs: Callable[..., list[str]]) -> None:
    with EngineClient(engine) as server:
        for number in range(3):
            assert run_outputs(server, LOADED, f"loaded{number}.py") == ["False False\n"]
            assert run_outputs(server, IS_OWN, f"{number}.py") == ["True\n"]


def test_at_the_start_only_modules_of_python_and_of_the_harness_are_loaded(
    python_server: EngineClient, run_outputs: Callable[..., list[str]], tmp_path: Path
) -> None:
    body = "import sys\nprint(*sys.modules)"
    (tmp_path / "plain.py").write_text(body)
    plain = subprocess.run([sys.executable, "plain.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = set(run_outputs(python_server, body)[0].split()) - set(plain.stdout.split())
    tops = {name.partition(".")[0] for name in loaded}
    assert tops - sys.stdlib_module_names == {"snippetcheck"}
    assert not any(name.startswith("snippetcheck.") and "pytest" in name for name in loaded)


def test_submodules_of_a_replacement_are_available_to_each_program(
    tmp_path: Path, run_outputs: Callable[..., list[str]]
) -> None:
    package = tmp_path / "source" / "standing_in"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from standing_in import loaded")
    (package / "loaded.py").write_text("")
    (package / "part.py").write_text("")
    name, path = "standing_in", (str(package.parent),)
    body = """
        import sys, real
        print(hasattr(real, "loaded"), hasattr(real, "part"), *(name for name in sys.modules if "." in name and name.startswith(("real", "standing_in"))))
        import real.loaded, real.part
        print(real.loaded is sys.modules["standing_in.loaded"], real.part is sys.modules["standing_in.part"])
        print(real.part.__spec__.name, *sorted(name for name in sys.modules if name.startswith("real")))
    """
    with EngineClient(Engine("sample", preload=(name,), replace={"real": name}, path=path, sources=(name,))) as server:
        for number in range(2):
            assert run_outputs(server, body, f"{number}.py") == [
                "True False standing_in.loaded\n",
                "True True\n",
                "standing_in.part real real.loaded real.part\n",
            ]
