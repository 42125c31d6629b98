"""A server imports ahead what several programs need, and no program can tell."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from snippetcheck.engine_process import EngineProcess
from snippetcheck.engines import PYTHON, Engine
from snippetcheck.learned import MANY, SEVERAL, Learned
from snippetcheck.snippet import Snippet

# Says in which process it was imported, and brings another with it.
MODULE = "import os\nfrom needed.part import THERE\nIMPORTED_IN = os.getpid()\n"
PROGRAM = "import os\nimport needed\nprint(needed.IMPORTED_IN == os.getpid(), needed.THERE)"
ASKS = """
import sys
print("needed" in sys.modules, "xml.dom.minidom" in sys.modules, "numpy" in sys.modules)
import xml
print(hasattr(xml, "dom"))
import needed.part
print(needed.part.THERE, needed.part is sys.modules["needed.part"], needed.__spec__.name, needed.__spec__.loader is __loader__)
import xml.dom.minidom
print(xml.dom.minidom.parseString("<a/>").documentElement.tagName, "xml.dom.expatbuilder" in sys.modules)
"""
ANSWERS = ["False False False\n", "False\n", "True True needed False\n", "a True\n"]


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    package = tmp_path / "source" / "needed"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(MODULE)
    (package / "part.py").write_text("THERE = True\n")
    return Engine("made-up", path=(str(package.parent),), sources=("needed",))


@pytest.fixture
def server(engine: Engine, tmp_path: Path) -> Iterator[EngineProcess]:
    with EngineProcess(engine, tmp_path / "learned.json") as server:
        yield server


@pytest.fixture
def printed(write: Callable[..., Snippet]) -> Callable[..., list[str]]:
    """What each statement of a program prints that prints at all."""

    def printed(server: EngineProcess, body: str, name: str) -> list[str]:
        run = server.run(write(body, name))
        assert run.outcome == "finished", run
        return [one.output for one in run.statements if one.output]

    return printed


def test_a_program_sees_the_same_whichever_ran_before(server: EngineProcess, printed: Callable[..., list[str]]) -> None:
    assert printed(server, ASKS, "alone.py") == ANSWERS
    for number in range(SEVERAL):
        printed(server, f"import xml.dom.minidom\nimport numpy\n{PROGRAM}", f"{number}.py")
    assert printed(server, PROGRAM, "later.py") == ["False True\n"], "the server has not learned it"
    assert printed(server, ASKS, "again.py") == ANSWERS


def test_what_several_programs_need_is_imported_before_the_next_run_too(
    server: EngineProcess, printed: Callable[..., list[str]]
) -> None:
    own = [printed(server, PROGRAM, f"{number}.py") for number in range(SEVERAL + 1)]
    assert own == [["True True\n"]] * SEVERAL + [["False True\n"]]
    server.close()
    assert printed(server, PROGRAM, "first.py") == ["False True\n"]
    server.close()
    kept = json.loads(server.learned.read_text())
    assert list(kept["needed_by"]) == ["needed", "needed.part"]
    server.learned.write_text(json.dumps({**kept, "versions": {"python": "3.0"}}))
    assert printed(server, PROGRAM, "first.py") == ["True True\n"]


def test_one_program_that_runs_often_is_not_several(server: EngineProcess, printed: Callable[..., list[str]]) -> None:
    assert {printed(server, PROGRAM, "one.py")[0] for _ in range(3)} == {"True True\n"}


@pytest.mark.parametrize(
    ("count", "asks", "is_learned"),
    [
        pytest.param(MANY, "needed.part.use()", True, id="by the package"),
        pytest.param(MANY - 1, "needed.part.use()", False, id="few"),
        pytest.param(MANY, "exec(needed.part.NAMES)", False, id="by the program"),
    ],
)
def test_what_a_package_imports_later_is_learned_from_one_program_if_it_is_much(
    count: int, asks: str, is_learned: bool, engine: Engine, printed: Callable[..., list[str]]
) -> None:
    package = Path(engine.path[0]) / "needed"
    for number in range(count):
        (package / f"m{number}.py").write_text("import os\nIMPORTED_IN = os.getpid()\n")
    names = f"from needed import {', '.join(f'm{number}' for number in range(count))}"
    (package / "part.py").write_text(f"THERE, NAMES = True, {names!r}\n\ndef use():\n    {names}\n")
    body = f"import os\nimport needed.part\n{asks}\nprint(needed.m0.IMPORTED_IN == os.getpid())"
    with EngineProcess(replace(engine, preload=("needed.part",))) as server:
        assert printed(server, body, "one.py") == ["True\n"]
        assert printed(server, body, "other.py") == [f"{not is_learned}\n"]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param("pathlib.Path('own.py').write_text('import os; PID = os.getpid()')", id="written by the program"),
        pytest.param(
            "import threading, time\nthreading.Thread(target=time.sleep, args=(9,), daemon=True).start()", id="thread"
        ),
    ],
)
def test_what_a_fork_would_spoil_is_not_learned(changes: str, write: Callable[..., Snippet], tmp_path: Path) -> None:
    file, name = tmp_path / "learned.json", "own" if "own" in changes else "colorsys"
    with EngineProcess(PYTHON, file) as server:
        for number in range(SEVERAL):
            server.run(write(f"import pathlib, sys\nsys.path.insert(0, '.')\n{changes}\nimport {name}", f"{number}.py"))
    assert name not in (file.read_text() if file.exists() else "")


def test_a_child_has_loaded_what_a_new_interpreter_has(
    server: EngineProcess, printed: Callable[..., list[str]], tmp_path: Path
) -> None:
    for imports in ("", "import numpy", "import json, logging", "import importlib"):
        body = f"import sys\n{imports}\nprint(*sys.modules)\nprint(hasattr(sys.modules.get('importlib'), 'metadata'))"
        (tmp_path / "plain.py").write_text(body)
        plain = subprocess.run([sys.executable, "plain.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
        modules, metadata = printed(server, body, "seen.py")
        wanted = plain.stdout.splitlines()
        assert set(modules.split()) - {"warnings"} == set(wanted[0].split()) - {"warnings"}, imports
        assert metadata.strip() == wanted[1]


def test_code_that_has_no_name_may_import(server: EngineProcess, printed: Callable[..., list[str]]) -> None:
    """Compilers of Python run what they have made in bare dictionaries."""
    made = "names = {}\nexec('import colorsys, needed', names)\nprint(names['needed'].THERE)"
    assert printed(server, made, "a.py") == ["True\n"]


def test_what_an_engine_declares_is_seen_by_all(engine: Engine, printed: Callable[..., list[str]]) -> None:
    body = 'import sys\nprint("needed.part" in sys.modules, "json" in sys.modules)\nimport json\nprint("json" in sys.modules)'
    with EngineProcess(replace(engine, preload=("needed",))) as server:
        assert [printed(server, body, f"{number}.py") for number in range(2)] == [["True False\n", "True\n"]] * 2


def test_two_servers_learn_together(tmp_path: Path) -> None:
    file = tmp_path / "learned.json"
    one, two = Learned(file, {}), Learned(file, {})
    one.note("a.py", {"x": False, "y": False})
    two.note("b.py", {"x": False})
    one.save()
    two.save()
    assert Learned(file, {}).needed() == ["x"]
    later = Learned(file, {})
    later.note("a.py", {})
    later.save()
    assert Learned(file, {}).needed_by == {"x": ["b.py"]}


@pytest.mark.parametrize("text", ["", "[]", '{"versions": {}}', '{"versions": {}, "needed_by": []}'])
def test_a_file_that_cannot_be_read_counts_as_empty(text: str, tmp_path: Path) -> None:
    file = tmp_path / "learned.json"
    file.write_text(text)
    assert Learned(file, {}).needed() == []
