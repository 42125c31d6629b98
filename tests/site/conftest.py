"""Fixtures: the built site, a server for it, and Chromium.

Unless the tier is `full`, Chromium is `chromium-headless-shell`, which takes a quarter less time per page.
"""

from __future__ import annotations

import functools
import gc
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import jinja2
import pytest
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort
from mkdocs.theme import Theme
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from gradnotes.browser.run import FRESH
from gradnotes.serve.templates import CompiledTemplates, ThemeLoader
from gradnotes.site import finish, generate
from tests.files import compute_once
from tests.site import axe
from tests.site.running import Host, serve

collect_ignore = ["small_project"]  # another project, whose examples its test runs
ROOT = Path(__file__).resolve().parents[2]
NIGHTLY = os.environ.get("GRADNOTES_TIER") == "full"  # then Chromium is the complete browser, as readers use
CHROMIUM = (not NIGHTLY and shutil.which("chromium-headless-shell")) or shutil.which("chromium") or "/usr/bin/chromium"
PATIENCE = 15_000  # ms; the default of 5 s is too short on a busy machine
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
# V8 compiles only the functions that are called, once and without optimizations: Python then starts in a quarter less CPU time.
COMPILE_ONCE = [] if NIGHTLY else ["--js-flags=--no-wasm-tier-up --no-wasm-dynamic-tiering --wasm-lazy-compilation"]

SAVE_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"  # JavaScript

# A program that builds a site without the modules that `make serve` does not need: importing one of them raises an error.
BUILD = """
import sys
sys.modules.update(dict.fromkeys(("torch", "sklearn", "matplotlib", "ipykernel", "IPython")))
from gradnotes.site import build

sys.exit(build.main())
"""


def build(root: Path, target: Path) -> subprocess.CompletedProcess[str]:
    """Build the project at `root` as `make build` does, in a new process."""
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "1700000000"}
    paths = [str(ROOT), str(ROOT / "harness" / "src")]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    command = [sys.executable, "-c", BUILD, str(target)]
    return subprocess.run(
        command, cwd=root, env=environment, text=True, capture_output=True, timeout=900
    )  # seconds; 300 s were too short on a busy machine


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


class _SharedTemplates(CompiledTemplates):
    """A cache of compiled templates that projects share, although each has a copy of the folder `overrides`."""

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the name of a template. The cache also compares the text."""
        return name


COMPILED_TEMPLATES = _SharedTemplates()  # saves a third of the time of a small build


def _environment_of(theme: Theme) -> jinja2.Environment:
    """Return the environment of the theme. Its loader does not list the icons, as in `make serve`."""
    environment = Theme.get_env(theme)
    environment.bytecode_cache = COMPILED_TEMPLATES
    environment.loader = ThemeLoader(theme.dirs)
    return environment


def build_here(root: Path, target: Path) -> subprocess.CompletedProcess[str]:
    """Build a small project in this process. In a new process, a build would take eight times as long, because it would import MkDocs.

    The CompletedProcess that is returned has all warnings and errors in `stderr`. Its `returncode` is true if there are any.
    """
    handler = _Lines()
    logging.getLogger("mkdocs").addHandler(handler)
    failed = False
    try:
        handler.lines += generate.generate_sources(root)
        config = load_config(str(root / "mkdocs.yml"), site_dir=str(target))
        config.theme.get_env = functools.partial(_environment_of, config.theme)
        mkdocs_build(config)
        finish.finish_site(target, root)
    except (Exception, Abort) as error:
        failed = True
        handler.lines.append(f"{type(error).__name__}: {error}")
    finally:
        logging.getLogger("mkdocs").removeHandler(handler)
    return subprocess.CompletedProcess("build", failed or bool(handler.lines), "", "\n".join(handler.lines))


@pytest.fixture(autouse=True)
def restore_engine_modules() -> Iterator[None]:
    """Restore the imported modules of the engine after a test.

    `run_program` removes these modules and imports them again, but later tests in this process need the classes of the first
    import. Modules that a test adds to the first import stay imported, because each may extend the core only once.
    """
    import reference_impl.nn.functional
    import reference_impl.optim  # noqa: F401  imports every module that extends the core

    # `run_program` collects garbage before each run. With all that earlier tests of the module have built, this took 0.2 s each time.
    gc.collect()
    gc.freeze()
    before = {name: module for name, module in sys.modules.items() if name.startswith(FRESH)}
    yield
    if sys.modules.get("reference_impl") is before["reference_impl"]:
        return
    for name in [name for name in sys.modules if name.startswith(FRESH)]:
        del sys.modules[name]
    sys.modules.update(before)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def mkdocs() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return the function `mkdocs(root, target)`, which builds a project in a new process."""
    return build


@pytest.fixture
def mkdocs_here(monkeypatch: pytest.MonkeyPatch) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return the function `mkdocs_here(root, target)`, which builds a project in this process.

    The process that the function returns has all warnings and errors in `stderr`.
    """
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    return build_here


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return a temporary folder that all workers of pytest share."""
    worker_folder = tmp_path_factory.getbasetemp()
    return worker_folder if worker_id == "master" else worker_folder.parent


@pytest.fixture(scope="session")
def site_build(shared_folder: Path) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """Return the folder of the built site, and the exit status and stderr of its strict build.

    All workers of pytest share one build.
    """
    site = shared_folder / "built-site"

    def outcome() -> list:
        completed = build(ROOT, site)
        return [completed.returncode, completed.stderr]

    returncode, stderr = compute_once(shared_folder / "built-site.json", outcome)
    return site, subprocess.CompletedProcess("mkdocs build", returncode, "", stderr)


@pytest.fixture(scope="session")
def site(site_build: tuple[Path, subprocess.CompletedProcess[str]]) -> Path:
    """Return the folder of the built site. test_build.py checks that the build printed no warnings."""
    folder, completed = site_build
    assert completed.returncode == 0 or "in strict mode" in completed.stderr, completed.stderr
    return folder


class SiteHandler(Host):
    """Serves the folder of a site, and axe-core beside it."""

    def translate_path(self, path: str) -> str:
        return str(axe.AXE) if path == axe.ADDRESS else super().translate_path(path)

    def end_headers(self) -> None:
        """Allow the browser to cache styles and scripts, as hosts do, so that not every page requests them."""
        if self.path.startswith(("/assets/", axe.ADDRESS)):
            self.send_header("Cache-Control", "max-age=600")  # seconds
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Send the site's 404 page with the status, as a host does if a page is missing."""
        body = Path(self.directory, "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="session")
def server(site: Path) -> Iterator[str]:
    """Start a server for the site and yield its address."""
    with serve(SiteHandler, site) as address:
        yield address


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    if not Path(CHROMIUM).exists():
        message = "Chromium is not installed: apt-get install chromium-headless-shell (nightly: chromium)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *COMPILE_ONCE])
    yield browser
    browser.close()


class PageMonitor:
    """Records a page's errors, warnings and requests to other hosts."""

    def __init__(self, page: Page, origin: str):
        self.page = page
        self.origin = origin
        self.foreign_requests: list[str] = []
        self.errors: list[str] = []
        page.on("request", self._store_foreign_request)
        page.on("console", self._store_console_error)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _store_foreign_request(self, request: object) -> None:
        url = getattr(request, "url", "")
        if not url.startswith((self.origin, "data:", "blob:")):
            self.foreign_requests.append(url)

    def _store_console_error(self, message: object) -> None:
        if getattr(message, "type", "") in ("error", "warning"):
            self.errors.append(getattr(message, "text", ""))


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    new_context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    new_context.set_default_timeout(PATIENCE)
    new_context.set_default_navigation_timeout(60_000)  # ms; 15 s were too short on a busy machine
    yield new_context
    new_context.close()


@pytest.fixture
def python_starts_with_run_only(context: BrowserContext) -> None:
    """Start Python in the pages of `context` only when the test presses Run or Check, and not already when it opens an editor.

    A start takes 1.5 CPU seconds, and most tests of editors run no program. test_run_start.py tests the early start.
    """
    context.add_init_script(SAVE_DATA)


@pytest.fixture
def page_monitor(context: BrowserContext, server: str) -> PageMonitor:
    return PageMonitor(context.new_page(), server)


@pytest.fixture
def page(page_monitor: PageMonitor) -> Iterator[Page]:
    """Yield a page in a new browser context. By the end of the test it must have requested no other host and logged no error or warning."""
    yield page_monitor.page
    assert page_monitor.foreign_requests == [] and page_monitor.errors == []
