"""What several programs name in their import statements is imported before the first of them, and no program can tell."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from snippetcheck.engine_process import EngineProcess
from snippetcheck.engines import Engine
from snippetcheck.learned import named_by_several
from snippetcheck.snippet import Snippet

# A package large enough to be given back at once.
PARTS = "".join(f"from large import part{number}\n" for number in range(60))
WHERE = "import os\nPID = os.getpid()\n"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EngineProcess]:
    source = tmp_path / "source"
    modules = {"large": WHERE + PARTS, "prints": "print('seen')", "ends": "import os\nos._exit(3)", "plain": WHERE}
    modules["thread"] = "import threading, time\nthreading.Thread(target=time.sleep, args=(99,), daemon=True).start()"
    modules["spoils"] = "import sys\nsys.modules['large'] = 'mine'"
    for name, text in modules.items():
        (source / name).mkdir(parents=True)
        (source / name / "__init__.py").write_text(text)
    for number in range(60):
        (source / "large" / f"part{number}.py").write_text("import json")
    with EngineProcess(
        Engine("made-up", path=(str(source),), sources=tuple(modules)), tmp_path / "kept.json"
    ) as server:
        yield server


@pytest.fixture
def printed(write: Callable[..., Snippet], server: EngineProcess) -> Callable[..., str]:
    """What a program prints in all."""

    def printed(body: str) -> str:
        run = server.run(write(body, "one.py"))
        assert run.outcome == "finished", run
        return "".join(one.output for one in run.statements)

    return printed


IS_OWN = "import os, {0}\nprint({0}.PID == os.getpid())"


def test_what_is_expected_is_imported_once_and_unseen(server: EngineProcess, printed: Callable[..., str]) -> None:
    asks = "import sys\nprint('large' in sys.modules, 'json' in sys.modules, 'large.part7' in sys.modules)\n"
    after = f"{asks}import large\nprint(*(name in sys.modules for name in ('large.part7', 'json', '__main__')))\n"
    after += "print(large.part7.json is sys.modules['json'], large.__spec__.name, sys.modules['__main__'].after)"
    program = f"after = 1\n{after}"
    alone = printed(program)
    assert alone == "False False False\nTrue True True\nTrue large 1\n"
    assert printed(IS_OWN.format("large")) == "True\n"
    server.expect(["large", "plain"])
    assert printed(IS_OWN.format("large")) == "False\n"
    assert printed(IS_OWN.format("plain")) == "False\n"
    assert printed(program) == alone


@pytest.mark.parametrize(
    "change",
    [
        "sys.modules['json'] = sys",
        "del sys.modules['codecs']",
        "import json, decimal\nsys.modules['own'] = sys",
        "import json\ndel sys.modules['json']",
    ],
)
def test_a_program_that_changes_what_is_there_finds_its_change(
    change: str, server: EngineProcess, printed: Callable[..., str]
) -> None:
    body = f"import sys\n{change}\nimport large\n"
    body += "print(*(getattr(sys.modules.get(name), '__name__', None) for name in ('json', 'codecs', 'decimal', 'own', 'large.part7')))"
    alone = printed(body)
    server.expect(["large"])
    assert printed(body) == alone


@pytest.mark.parametrize("name", ["prints", "ends", "thread"])
def test_what_each_program_has_to_see_it_imports_itself(
    name: str, server: EngineProcess, printed: Callable[..., str]
) -> None:
    server.expect(["plain", name, "large"])
    assert printed(IS_OWN.format("large")) == printed(IS_OWN.format("plain")) == "False\n"
    if name == "prints":
        assert printed("import prints") == "seen\n"
    server.close()
    assert f'"{name}"' in (server.learned or Path()).read_text(), "it would be tried at each start"


def test_what_a_program_may_change_is_not_imported_ahead(server: EngineProcess, printed: Callable[..., str]) -> None:
    server.expect(["nowhere", "own"])
    assert (
        printed("open('own.py', 'w').write('X = 7')\nimport sys\nsys.path.insert(0, '.')\nimport own\nprint(own.X)")
        == "7\n"
    )


def test_names_are_those_of_import_statements_of_two_programs(write: Callable[..., Snippet]) -> None:
    one = "from __future__ import annotations\nimport b.c as d, a\nfrom x.y import (\n    z,\n)\nif 1:\n    import q"
    two = "'import a'\nfrom x.y import w\nimport b.c\nfrom . import a\nimport q"
    snippets = [write(text, f"{number}.py") for number, text in enumerate([one, two, "import w"])]
    assert named_by_several(snippets) == ["b.c", "x.y"]
    assert sys.modules.get("b") is None
