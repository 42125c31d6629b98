"""Give advice on errors of a reader's program: limits of the browser, names that the engine lacks, misspelt names."""

from __future__ import annotations

import re
import sys

from snippetcheck.outcome import RaisedError

from gradnotes.browser import absent_names
from gradnotes.words import say, translatable

_INPUT = translatable(
    "A program in a page has no keyboard input, so `input()` finds nothing to read. "
    'Write the value into the program instead, such as `name = "Ada"`.'
)
_ASYNCIO = translatable(
    "`asyncio.run` cannot run here, because the browser already runs an event loop. "
    "Copy the program and run it in Python on your computer."
)
_AWAIT = translatable(
    "Outside a function, `await` works only in a notebook. Write it in an `async def`, and run that on your computer."
)
_PROMPTS = translatable(
    "The program has Python's prompts in it. Remove `>>>` and what was printed between them, "
    "or paste the whole session into an empty editor, which removes them."
)
_MEMORY = translatable(
    "The program asked for more memory than a page can have, which is 4 GB at most. Use smaller or fewer tensors."
)
_PROCESS = translatable(
    "A page has one thread and one process, and a program cannot start another. "
    "Set `num_workers=0` in a `DataLoader`, or run the program in Python on your computer."
)
_NETWORK = translatable(
    "A program in a page has no network access. Write the data into the program, or run it in Python on your computer."
)
_NOTEBOOK = translatable(
    "Lines that begin with `%` or `!` are commands of a notebook, not Python. Remove them; plots are shown without them."
)
_CUDA = translatable(
    "A page has no GPU. Leave out `.cuda()`, and use the device `cpu`: here, `torch.cuda.is_available()` is `False`."
)
_PUNCTUATION = translatable("Python reads `{typed}` only in strings and comments. Type `{ascii}` instead.")
_BLANK = translatable("This line contains a blank that Python does not read. Delete it, and type an ordinary one.")
_ASCII = {"、": ",", "。": ".", "“": '"', "”": '"', "‘": "'", "’": "'", "×": "*", "−": "-", "–": "-", "—": "-"}
_MODULE = translatable(
    "`{name}` is not available here.{instead} A program in a page has the standard library of Python, NumPy, `torch` (the "
    "engine of this site), `matplotlib.pyplot`, and `load_digits` of `sklearn.datasets`."
)
_INSTEAD_OF_MODULES = {
    "torchvision": translatable(" For pictures, `load_digits` has 1,797 digits of 8 by 8 pixels."),
    "tqdm": translatable(" Remove `tqdm(...)`, and loop over its argument directly."),
    "pandas": translatable(" NumPy and `csv` read tables that are written into the program."),
    "graphviz": translatable(" Below the program you can step through the graph of each backward pass."),
    "torchviz": translatable(" Below the program you can step through the graph of each backward pass."),
    "seaborn": translatable(" `matplotlib.pyplot` draws the common plots."),
}
# (pattern of the whole message, namespace of the misspelt name). If the namespace is None, the pattern has a group for
# what follows `torch` in it.
_SLIPS = (
    (r"module 'torch(?P<namespace>[\w.]*)' has no attribute '(?P<name>\w+)'", None),
    (r"cannot import name '(?P<name>\w+)' from 'reference_impl(?P<namespace>[\w.]*)'.*", None),
    (r"'Tensor' object has no attribute '(?P<name>\w+)'", "torch.Tensor"),
)

# (pattern of the error type, pattern of the beginning of the message, advice)
_SENTENCES = (
    (r"EOFError", r"EOF when reading a line", _INPUT),
    (r"RuntimeError", r".*stack switch|asyncio\.run\(\) cannot be called|Cannot stack switch", _ASYNCIO),
    (r"SyntaxError", r"'await' outside function", _AWAIT),
    (r"_?\w*MemoryError", r"", _MEMORY),
    (r"ValueError", r"array is too big|Maximum allowed (?:size|dimension) exceeded", _MEMORY),
    (r"OverflowError", r"cannot fit 'int' into an index-sized integer", _MEMORY),
    (r"RuntimeError", r"can't start new thread", _PROCESS),
    (r"OSError", r"\[Errno 138\]", _PROCESS),
    (r"ModuleNotFoundError", r"No module named '_(?:multiprocessing|posixsubprocess|posixshmem)'", _PROCESS),
    (r"RuntimeError", r"TLS not supported", _NETWORK),
    (r"AssertionError", r"Torch not compiled with CUDA enabled", _CUDA),
    (r"URLError|gaierror", r"", _NETWORK),
)


def advice(kind: str, message: str, line: str | None = None) -> str:
    """Return advice about an error, with code in backticks, or "" if there is none.

    `kind` is the name of the error's type. `line` is the source line of a syntax error.
    """
    if line and line.lstrip().startswith(">>>"):
        return say(_PROMPTS)
    if line and line.lstrip().startswith(("%", "!")):
        return say(_NOTEBOOK)
    if character_match := re.match(r"invalid (?:non-printable )?character (?:'.' \()?U\+([0-9A-F]{4})\b", message):
        return _character_advice(chr(int(character_match[1], 16)))
    for kind_pattern, message_pattern, sentence in _SENTENCES:
        if re.fullmatch(kind_pattern, kind) and re.match(message_pattern, message):
            return say(sentence)
    if kind not in ("AttributeError", "ImportError", "ModuleNotFoundError"):
        return ""
    if name_match := re.match(r"PyTorch has ([\w.]+); reference_impl", message):
        return absent_names.explain(name_match[1])
    if module_match := re.match(r"No module named '([\w.]+)", message):
        return _module_advice(module_match[1])
    for pattern, namespace in _SLIPS:
        if slip := re.fullmatch(pattern, message):
            return absent_names.correct(namespace or f"torch{slip['namespace']}", slip["name"])
    return ""


def _character_advice(character: str) -> str:
    """Return advice about a character that Python does not read, such as the comma `，` of a Chinese keyboard."""
    if character.isspace():
        return say(_BLANK)
    is_full_width = "！" <= character <= "～"
    replacement = chr(ord(character) - ord("！") + ord("!")) if is_full_width else _ASCII.get(character)
    return say(_PUNCTUATION, typed=character, ascii=replacement) if replacement else ""


def _module_advice(name: str) -> str:
    top = name.partition(".")[0]
    if top in ("torch", *sys.stdlib_module_names):
        return ""
    package = name if top in ("matplotlib", "sklearn") else top
    instead = _INSTEAD_OF_MODULES.get(top, "")
    return say(_MODULE, name=package, instead=say(instead) if instead else "")


def advice_for(error: RaisedError | None) -> str:
    """Return advice about the error of a statement, or "" if `error` is None or there is no advice."""
    return advice(error.type, error.message) if error else ""
