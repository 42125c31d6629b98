"""A snippet sees neither what earlier snippets changed nor the variables and signals of the process that runs pytest."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import replace

import pytest
from snippetcheck.compare import compare
from snippetcheck.engines import PYTHON
from snippetcheck.runner.client import EngineClient
from snippetcheck.snippet import Snippet

PROBE = """
import os
import random
import sys
import warnings

import numpy as np
import torch

print(torch.get_default_dtype(), torch.tensor(1.0) / 3, torch.is_grad_enabled())
#> torch.float32 tensor(0.3333) True
print(torch.initial_seed() == 7, np.random.get_state()[1][0] == 7)
#> False False
print(sorted(os.listdir()), os.environ.get("LEAK"), os.getcwd() == os.environ["HOME"])
#> [] None True
print(sys.getrecursionlimit(), "leak" in sys.modules, sys.argv[1:], hasattr(torch, "leak"))
#> 1000 False [] False
print(torch.ones(1).add(1), abs(-1), torch.get_num_threads())
#> tensor([2.]) 1 1
warnings.warn("seen")
#~ UserWarning: seen
"""

# Sends the signals {} to the parent.
TO_PARENT = """
import os, signal, time
for number in ({},):
    os.kill(os.getppid(), number)
time.sleep(0.1)
"""

LEAKS = {
    "default dtype": "torch.set_default_dtype(torch.float64)",
    "print options": "torch.set_printoptions(precision=1, sci_mode=True)",
    "seed": "import numpy as np\nnp.random.seed(7)\n_ = torch.manual_seed(7)",
    "grad mode": "_ = torch.set_grad_enabled(False)",
    "threads": "torch.set_num_threads(2)",
    "working directory": "import os\nos.chdir('/')",
    "file": "open('left', 'w').close()",
    "environment": "import os\nos.environ['LEAK'] = '1'",
    "patched torch": "torch.Tensor.add = lambda self, other: 'patched'\ntorch.leak = 1",
    "patched builtin": "import builtins\nbuiltins.abs = lambda x: 'patched'",
    "module": "import sys\nsys.modules['leak'] = sys",
    "arguments": "import sys\nsys.argv.append('x')",
    "recursion limit": "import sys\nsys.setrecursionlimit(5000)",
    "warning filter": "import warnings\nwarnings.simplefilter('ignore')",
    "warning as error": "import warnings\nwarnings.simplefilter('error')",
    "warning hook": "import warnings\nwarnings.showwarning = print",
    "default device": "torch.set_default_device('meta')",
    "handler": "import signal\n_ = signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "stdout": "import sys\nsys.stdout = None",
    "stopped parent": TO_PARENT.format("signal.SIGSTOP"),
    "interrupted parent": TO_PARENT.format("signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGALRM"),
    "killed parent": TO_PARENT.format("signal.SIGKILL"),
}


@pytest.mark.parametrize("name", LEAKS)
def test_changes_made_by_a_snippet_do_not_reach_the_next(
    name: str, write: Callable[..., Snippet], torch_server: EngineClient
) -> None:
    before = write(f"import torch\n{LEAKS[name]}", "before.py")
    probe = write(PROBE, "probe.py")
    run = torch_server.run(before)
    assert (compare(before, run) == []) == (name != "killed parent")  # which ends the program
    assert compare(probe, torch_server.run(probe)) == []


def test_variables_of_the_machine_are_not_in_the_environment(
    write: Callable[..., Snippet], python_server: EngineClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    snippet = write(
        """
        import os
        print(sorted(name for name in os.environ if "TOKEN" in name or "PYTEST" in name))
        #> []
        """
    )
    with EngineClient(python_server.engine) as server:
        assert compare(snippet, server.run(snippet)) == []


def test_variables_that_the_engine_names_are_in_the_environment(
    write: Callable[..., Snippet], python_server: EngineClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that a program gets the variables that the setting `environment` of its engine lists, and no others.

    Such variables select the loops of NumPy and torch, for example.
    """
    monkeypatch.setenv("MADE_UP_PROCESSOR", "old")
    monkeypatch.setenv("MADE_UP_SECRET", "known")
    snippet = write(
        """
        import os
        print({name: value for name, value in os.environ.items() if name.startswith("MADE_UP")})
        #> {'MADE_UP_PROCESSOR': 'old'}
        """
    )
    engine = replace(python_server.engine, environment=("MADE_UP_PROCESSOR", "MADE_UP_UNSET"))
    with EngineClient(engine) as server:
        assert compare(snippet, server.run(snippet)) == []


def test_signals_and_umask_are_not_inherited(write: Callable[..., Snippet]) -> None:
    """Start a server from a process with ignored and blocked signals and another umask, as `nohup` or `&` may leave it."""
    snippet = write(
        """
        import os
        import signal
        print([n.name for n in signal.valid_signals() if signal.getsignal(n) == signal.SIG_IGN])
        #> ['SIGPIPE', 'SIGXFSZ']
        print(signal.pthread_sigmask(signal.SIG_BLOCK, []), oct(os.umask(0)))
        #> set() 0o22
        os.kill(os.getpid(), signal.SIGINT)
        #! KeyboardInterrupt
        """
    )
    old_handlers = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGHUP)}
    mask, umask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1]), os.umask(0o077)
    try:
        with EngineClient(PYTHON) as server:
            run = server.run(snippet)
    finally:
        os.umask(umask)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in old_handlers.items():
            signal.signal(number, handler)
    assert compare(snippet, run) == []


def test_runs_with_a_seed_are_equal_on_each_server(write: Callable[..., Snippet], torch_server: EngineClient) -> None:
    snippet = write(
        """
        import torch
        _ = torch.manual_seed(0)
        print(torch.randn(3), torch.randperm(5), hash("a") % 7, list({"a", "b", "c"}))
        """
    )
    first = torch_server.run(snippet)
    with EngineClient(torch_server.engine) as other_server:
        second = other_server.run(snippet)
    assert first.statements[2].output == second.statements[2].output != ""


@pytest.mark.parametrize("call", ["torch.rand(4)", "np.random.rand(4)", "random.random()"])
def test_runs_without_a_seed_differ(call: str, write: Callable[..., Snippet], torch_server: EngineClient) -> None:
    snippet = write(f"import random\nimport numpy as np\nimport torch\nprint({call})")
    outputs = {torch_server.run(snippet).statements[-1].output for _ in range(3)}
    assert len(outputs) == 3


def test_a_program_begins_only_after_the_previous_one_has_ended(
    write: Callable[..., Snippet], python_server: EngineClient
) -> None:
    """Submit two programs at once and compare the times at which the first ends and the second begins."""
    slow = write("import time\ntime.sleep(0.5)\nprint(time.monotonic())", "slow.py")
    after = write("import time\nprint(time.monotonic())", "after.py")
    jobs = [python_server.submit(program) for program in (slow, after)]
    ended, began = (float(python_server.result(job).statements[-1].output) for job in jobs)
    assert ended < began
