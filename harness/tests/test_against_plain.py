"""The output, error and warnings that `bless` writes are those of `python file.py`.

In a trial with 186 programs, the harness at first differed from plain Python on those below.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from snippetcheck.bless import bless
from snippetcheck.compare import compare
from snippetcheck.mutate import score
from snippetcheck.outcome import warning_name
from snippetcheck.snippet import Snippet

PROGRAMS = {
    "group with notes": "e = ValueError(1)\ne.add_note('inner')\ng = ExceptionGroup('g', [e])\ng.add_note('outer')\nraise g\n#!",
    "error of a task group": "import asyncio\nasync def bad(): raise ValueError('x')\nasync def main():\n"
    "    async with asyncio.TaskGroup() as t:\n        t.create_task(bad())\n\nasyncio.run(main())\n#!",
    "notes that are not strings": "e = ValueError('v')\ne.__notes__ = [1, 'x']\nraise e\n#!",
    "syntax error in eval": "eval('1 +')\n#!",
    "syntax error in exec": "exec('if 1:\\npass')\n#!",
    "syntax error in a string with a file name": "compile('a b', 'file.txt', 'exec')\n#!",
    "a syntax error without a location": "raise SyntaxError('x')\n#!",
    "error whose __str__ raises": "class E(Exception):\n    def __str__(self): raise TypeError\n\nraise E\n#!",
    "error whose __str__ returns a number": "class E(Exception):\n    def __str__(self): return 3\n\nraise E\n#!",
    "message that ends with a line break": "raise ValueError('a\\n')\n#!",
    "message that begins with a line break": "raise ValueError('\\na')\n#!",
    "message of blanks": "raise ValueError('  ')\n#!",
    "error of a nested class": "class N:\n    class E(Exception): pass\n\nraise N.E('x')\n#!",
    "error of a local class": "def f():\n    class E(Exception): pass\n    raise E('x')\n\nf()\n#!",
    "error that hides a built-in one": "class ValueError(Exception): pass\n\nraise ValueError('own')\n#!",
    "error that names its module": "class E(Exception):\n    __module__ = 'pkg.sub'\n\nraise E('x')\n#!",
    "error of a library": "import configparser\nconfigparser.ConfigParser().get('a', 'b')\n#!",
    "warning that hides a built-in one": "import warnings\nclass UserWarning(Warning): pass\n\nwarnings.warn('x', UserWarning)",
    "warning whose name does not end in Warning": "import warnings\nclass Beware(UserWarning): pass\n\nwarnings.warn('x', Beware)",
    "warning without a text": "import warnings\nwarnings.warn('')",
    "warning of the compiler": "x = 1\nprint((1, 2) is (1, 2))\nassert (x, 'y')",
    "exit from a function": "def main():\n    print(1)\n    return 0\n\nraise SystemExit(main())",
    "exit without an import": "print(1)\nexit()",
    "exit with False": "import sys\nsys.exit(False)",
    "compound statement in a line": "for i in range(2): print(i); print(-i)",
    "semicolons at the end": "x = 1;\nprint(x);",
    "comments among numbers": "x = [  # open\n    1,  # => one\n    # > two\n# > three\n    2,\n]\nprint(x)",
    "a quoted comment": "# > quoted mail\nprint(1)",
    "folding markers in a class": "class A:\n    #region methods\n    def f(self):\n        return 1\n    #endregion\n\nprint(A().f())",
    "source of a class": "import inspect\nclass A:\n    '''Doc.\n#> odd\n    '''\n    x = 1\n\nprint(inspect.getsource(A))",
    "source of a function with a comment": "import inspect\ndef f(): return 1  # => 1\n\nprint(inspect.getsource(f))",
}  # fmt: skip


@pytest.mark.parametrize(
    "code", ["0", "1", "-1", "256", "-256", "2**40", "2**64", "'text'", "None", "True", "[]", "0.0"]
)
def test_an_exit_is_a_finding_if_plain_python_fails(
    code: str, write: Callable[..., Snippet], python_server: Any
) -> None:
    snippet = write(f"import sys\nsys.exit({code})\n")
    plain = subprocess.run([sys.executable, str(snippet.path)], capture_output=True)
    assert bool(compare(snippet, python_server.run(snippet))) == bool(plain.returncode or plain.stderr)


@pytest.mark.parametrize("name", PROGRAMS)
def test_blessed_lines_are_those_of_plain_python(name: str, write: Callable[..., Snippet], python_server: Any) -> None:
    snippet = write(PROGRAMS[name])
    run = python_server.run(snippet)
    bless(snippet, run, [run]).write()
    blessed = write(snippet.path.read_text().split("\n", 2)[2])
    run = python_server.run(blessed)
    assert compare(blessed, run) == []
    assert score(blessed, run).survivors == ()

    plain = subprocess.run([sys.executable, str(blessed.path)], capture_output=True, text=True)
    assert plain.stdout == "".join(statement.output for statement in run.statements)
    stderr = plain.stderr
    error = run.statements[-1].error
    assert (plain.returncode != 0) == bool(error and not error.is_success)
    if error and not error.is_success:
        text = f"{error.name}: {error.message}" if error.message else error.name
        lines = [line.strip() for line in text.removeprefix("__main__.").split("\n")]
        assert all(line in stderr for line in lines), stderr
    warnings = [
        f"{warning_name(category)}: {text}" for statement in run.statements for category, text in statement.warnings
    ]
    assert re.findall(r"^\S+\.py:\d+: (.*)$", stderr, re.MULTILINE) == [
        message.removeprefix("__main__.") for message in warnings
    ]
