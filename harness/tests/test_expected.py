"""What several programs name in their import statements is imported before the first of them, and no program can tell."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_projects import Project
from snippetcheck.engine_process import EngineProcess
from snippetcheck.engines import Engine
from snippetcheck.learned import named_by_several
from snippetcheck.snippet import Snippet
from snippetcheck.unseen import _exchange, _may_exchange

# A package large enough to be given back at once.
PARTS = "".join(f"from large import part{number}\n" for number in range(60))
WHERE = "import os\nPID = os.getpid()\n"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EngineProcess]:
    source = tmp_path / "source"
    modules = {"large": WHERE + PARTS, "prints": "print('seen')", "ends": "import os\nos._exit(3)", "plain": WHERE}
    modules["thread"] = "import threading, time\nthreading.Thread(target=time.sleep, args=(99,), daemon=True).start()"
    modules["hangs"] = "import subprocess\nsubprocess.run(['sleep', '99'])"
    modules["spoils"] = "import sys\nsys.modules['large'] = 'mine'"
    for name, text in modules.items():
        (source / name).mkdir(parents=True)
        (source / name / "__init__.py").write_text(text)
    for number in range(60):
        (source / "large" / f"part{number}.py").write_text("import json")
    (source / "large" / "extra.py").write_text("")
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


def test_a_module_beside_a_package_is_there_once_it_is_imported(
    server: EngineProcess, printed: Callable[..., str]
) -> None:
    body = "import large\nprint(hasattr(large, 'part7'), hasattr(large, 'extra'))\n"
    body += "import large.extra\nprint(hasattr(large, 'extra'))"
    assert printed(body) == "True False\nTrue\n"
    server.expect(["large", "large.extra"])
    assert printed(body) == "True False\nTrue\n"


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


def test_an_import_that_does_not_end_holds_up_the_program_that_imports_it_alone(
    server: EngineProcess, write: Callable[..., Snippet], printed: Callable[..., str]
) -> None:
    server.import_time = 0.5
    server.expect(["plain", "hangs", "large"])
    assert printed(IS_OWN.format("large")) == printed(IS_OWN.format("plain")) == "False\n"
    run = server.run(write("import hangs", "hangs.py", timeout=0.5))
    assert (run.outcome, run.detail) == ("timed out", "ran longer than 0.5 s")
    assert "hangs/__init__.py" in run.tail_stderr + run.statements[0].stderr, "it does not say where"
    assert printed(IS_OWN.format("plain")) == "False\n"


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


def test_the_commands_import_ahead_too(project: Project) -> None:
    (project.root / "plain.py").write_text(WHERE)
    settings = project.root / "pyproject.toml"
    settings.write_text(settings.read_text().replace("sources = []", 'sources = ["plain"]\npath = ["."]'))
    for name in ("a.py", "b.py"):
        project.snippet(name, IS_OWN.format("plain"))
    blessed = project.harness("bless")
    assert blessed.stdout.count("+#> False") == 2, blessed
    assert project.harness("run").returncode == 0


@pytest.fixture
def stand_in(tmp_path: Path) -> Iterator[EngineProcess]:
    """A server on which `asked` is another package, one of whose modules its own import brings."""
    package = tmp_path / "source" / "standing_in"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from standing_in import brought")
    (package / "brought.py").write_text("")
    (package / "part.py").write_text("")
    name, path = "standing_in", (str(package.parent),)
    engine = Engine("made-up", preload=(name,), replace={"asked": name}, path=path, sources=(name,))
    with EngineProcess(engine, tmp_path / "kept.json") as server:
        yield server


def test_modules_of_what_stands_in_for_another_are_there_for_each_program(
    stand_in: EngineProcess, write: Callable[..., Snippet]
) -> None:
    body = """
        import sys, asked
        print(hasattr(asked, "brought"), hasattr(asked, "part"), *(name for name in sys.modules if "." in name and name[0] in "as"))
        import asked.brought, asked.part
        print(asked.brought is sys.modules["standing_in.brought"], asked.part is sys.modules["standing_in.part"])
        print(asked.part.__spec__.name, *sorted(name for name in sys.modules if name.startswith("asked")))
    """

    def printed(name: str) -> list[str]:
        run = stand_in.run(write(body, name))
        assert run.outcome == "finished", run
        return [one.output for one in run.statements if one.output]

    alone = printed("alone.py")
    assert alone == [
        "True False standing_in.brought\n",
        "True True\n",
        "standing_in.part asked asked.brought asked.part\n",
    ]
    stand_in.expect(["asked.brought", "asked.part"])
    assert [printed(f"{number}.py") for number in range(3)] == [alone] * 3


DICTS = st.dictionaries(st.text(), st.integers(), max_size=40)


@settings(deadline=None)
@given(DICTS, DICTS, DICTS)
def test_dictionaries_that_are_exchanged_are_whole(
    one: dict[str, int], other: dict[str, int], more: dict[str, int]
) -> None:
    first, second = dict(one), dict(other)
    _exchange(first, second)
    assert (list(first.items()), list(second.items())) == (list(other.items()), list(one.items()))
    first.update(more)
    second.clear()
    assert first == {**other, **more} and not second
    second.update(more)
    assert list(second.items()) == list(more.items())


@pytest.mark.parametrize(
    ("name", "value"),
    [("version_info", (3, 15)), ("abiflags", "t"), ("implementation", type("PyPy", (), {"name": "pypy"}))],
)
def test_another_python_gives_modules_back_one_by_one(
    name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _may_exchange()
    monkeypatch.setattr(sys, name, value)
    assert not _may_exchange()
