"""Define programs that leak state into the next program, and programs that harm the process that runs them."""

from __future__ import annotations

from corpus import Program

PEACEFUL = (("print(1 + 1)", ("2",)),)

# By name: the statements that leak state, a module that the next program imports, and the condition that it asserts.
# The assertion also fails for tools that do not compare output.
LEAKS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "default dtype": (
        ("import torch", "torch.set_default_dtype(torch.float64)"),
        "torch",
        "torch.tensor(1.0).dtype == torch.float32",
    ),
    "print options": (
        ("import torch", "torch.set_printoptions(precision=1)"),
        "torch",
        "str(torch.tensor(0.25)) == 'tensor(0.2500)'",
    ),
    "seed": (("import torch", "_ = torch.manual_seed(7)"), "torch", "torch.initial_seed() != 7"),
    "grad mode": (
        ("import torch", "_ = torch.set_grad_enabled(False)"),
        "torch",
        "torch.is_grad_enabled()",
    ),
    "patched torch": (
        ("import torch", "torch.Tensor.leak = 1"),
        "torch",
        "not hasattr(torch.Tensor, 'leak')",
    ),
    "patched builtin": (
        ("import builtins", "builtins.leak = 1"),
        "builtins",
        "not hasattr(builtins, 'leak')",
    ),
    "name": (("leaked_name = 1",), "sys", "'leaked_name' not in globals()"),
    "module": (("import sys", "sys.modules['leak'] = sys"), "sys", "'leak' not in sys.modules"),
    "recursion limit": (
        ("import sys", "sys.setrecursionlimit(5000)"),
        "sys",
        "sys.getrecursionlimit() != 5000",
    ),
    "environment": (("import os", "os.environ['LEAK'] = '1'"), "os", "'LEAK' not in os.environ"),
    "file": (("open('leak.txt', 'w').close()",), "os", "not os.path.exists('leak.txt')"),
    # Last, because a tool that leaks the working directory may not find the programs after this one.
    "working directory": (("import os", "os.chdir('/')"), "os", "os.getcwd() != '/'"),
}

# Statements that harm the process. The tool must notice that the last statement of the program, which follows them, did not run.
FAULTS: dict[str, tuple[str, ...]] = {
    "os._exit(0)": ("import os", "os._exit(0)"),
    "sys.exit(0)": ("import sys", "sys.exit(0)"),
    "segfault": ("import ctypes", "_ = ctypes.string_at(0)"),
    "SIGKILL": ("import os", "os.kill(os.getpid(), 9)"),
    "endless loop": ("while True: pass",),
    "thread that never ends": (
        "import threading, time",
        "threading.Thread(target=time.sleep, args=(1e6,)).start()",
    ),
    "process left running": ("import subprocess", "_ = subprocess.Popen(['sleep', '1000'])"),
    "200 MB of output": ("print('x' * 200_000_000)",),
    "closed stdout": ("import sys", "sys.stdout.close()"),
    "copy that goes on": ("import os", "_ = os.fork()"),
}


def leaks() -> list[Program]:
    """Return each leaking program, followed by a program that fails if the leak reaches it."""
    programs = []
    for number, (name, (leak, module, condition)) in enumerate(LEAKS.items()):
        probe = ((f"import {module}", ()), (f"assert {condition}", ()), ("print('clean')", ("clean",)))
        programs.append(Program(f"p{2 * number:04}", f"Leaks: {name}.", tuple((line, ()) for line in leak)))
        programs.append(Program(f"p{2 * number + 1:04}", f"Probes: {name}.", probe))
    return programs


def fault(name: str) -> list[Program]:
    """Return a harmful program between two peaceful programs."""
    harm = (*((line, ()) for line in FAULTS[name]), ("print(2)", ("2",)))
    return [
        Program("p0000", "Before.", PEACEFUL),
        Program("p0001", f"Harm: {name}.", harm),
        Program("p0002", "After.", PEACEFUL),
    ]
