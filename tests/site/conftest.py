"""The built site, a server for it, and Debian's Chromium, by preference without windows: a page takes it a quarter less."""

from __future__ import annotations

import functools
import http.server
import json
import logging
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from gradnotes.site import finish, generate
from gradnotes.steps.page import FRESH
from tests.site import axe

ROOT = Path(__file__).resolve().parents[2]
NIGHTLY = os.environ.get("GRADNOTES_TIER") == "full"  # the whole browser, as readers have it
CHROMIUM = (not NIGHTLY and shutil.which("chromium-headless-shell")) or shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()

# What `make serve` does not install, or installs for others' sake: an import of any ends the build.
BUILD = """
import sys
sys.modules.update(dict.fromkeys(("torch", "sklearn", "matplotlib", "ipykernel", "IPython")))
from mkdocs.__main__ import cli
from gradnotes.site import finish, generate

def ended(main, *arguments):
    sys.argv[1:] = arguments
    try:
        return main()
    except SystemExit as end:
        return end.code

site = sys.argv[1]
sys.exit(any([ended(generate.main), ended(cli, "build", "--site-dir", site), ended(finish.main, site)]))
"""


def build(root: Path, target: Path) -> subprocess.CompletedProcess[str]:
    """What `make build` runs in the project at `root`, in one process of its own; all three, also after a warning."""
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "1700000000"}
    paths = [str(ROOT), str(ROOT / "harness" / "src")]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    command = [sys.executable, "-c", BUILD, str(target)]
    return subprocess.run(
        command, cwd=root, env=environment, text=True, capture_output=True, timeout=900
    )  # a busy machine; 300 s were seen to be too few


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def build_here(root: Path, target: Path) -> subprocess.CompletedProcess[str]:
    """The same of a small project, in this process: a process of its own takes eight times as long, to import MkDocs."""
    said = _Lines()
    logging.getLogger("mkdocs").addHandler(said)
    failed = False
    try:
        said.lines += generate.generate_sources(root)
        config = load_config(str(root / "mkdocs.yml"), site_dir=str(target))
        mkdocs_build(config)
        finish.finish_site(target, root)
    except (Exception, Abort) as error:
        failed = True
        said.lines.append(f"{type(error).__name__}: {error}")
    finally:
        logging.getLogger("mkdocs").removeHandler(said)
    return subprocess.CompletedProcess("build", failed or bool(said.lines), "", "\n".join(said.lines))


@pytest.fixture(autouse=True)
def engine_left_alone() -> Iterator[None]:
    """Restore the engine after a test: `run_program` imports it again each time, and later tests of this process need the first one's classes.

    Modules that a test has imported of the same engine stay, since they have extended its core and may do so only once.
    """
    import reference_impl.nn.functional
    import reference_impl.optim  # noqa: F401  with all that extends the core

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
    """`mkdocs(root, target)`."""
    return build


@pytest.fixture
def mkdocs_here(monkeypatch: pytest.MonkeyPatch) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`mkdocs_here(root, target)`: the same in this process; `stderr` has the warnings and errors."""
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    return build_here


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """The folder of the built site, and how the strict build ended: one build for all workers, made by the first that comes."""
    own = tmp_path_factory.getbasetemp()
    shared = own if worker_id == "master" else own.parent
    site, ended = shared / "built-site", shared / "built-site.json"
    with FileLock(shared / "built-site.lock"):
        if not ended.exists():
            done = build(ROOT, site)
            ended.write_text(json.dumps([done.returncode, done.stderr]), encoding="utf-8")
    returncode, stderr = json.loads(ended.read_text(encoding="utf-8"))
    return site, subprocess.CompletedProcess("mkdocs build", returncode, "", stderr)


@pytest.fixture(scope="session")
def site(built: tuple[Path, subprocess.CompletedProcess[str]]) -> Path:
    """The built site. A warning ends the build when all is written; that there was none is test_build's business."""
    folder, done = built
    assert done.returncode == 0 or "in strict mode" in done.stderr, done.stderr
    return folder


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def translate_path(self, path: str) -> str:
        return str(axe.AXE) if path == axe.ADDRESS else super().translate_path(path)

    def log_message(self, format: str, *args: object) -> None:
        pass

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """A missing page gets the site's own 404, as a host would send it."""
        body = Path(self.directory, "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="session")
def server(site: Path) -> Iterator[str]:
    """The address of a server on this machine that serves the site."""
    handler = functools.partial(_Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_address[1]}/"
        running.shutdown()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    if not Path(CHROMIUM).exists():
        message = "Chromium is not installed: apt-get install chromium-headless-shell (nightly: chromium)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield browser
    browser.close()


class Watched:
    """A page whose requests and console lines are kept, so that a test can say there were none."""

    def __init__(self, page: Page, own: str):
        self.page = page
        self.own = own
        self.strangers: list[str] = []
        self.errors: list[str] = []
        page.on("request", self._request)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _request(self, request: object) -> None:
        url = getattr(request, "url", "")
        if not url.startswith((self.own, "data:", "blob:")):
            self.strangers.append(url)

    def _console(self, message: object) -> None:
        if getattr(message, "type", "") in ("error", "warning"):
            self.errors.append(getattr(message, "text", ""))


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    opened = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    opened.set_default_timeout(15_000)
    opened.set_default_navigation_timeout(60_000)  # a busy machine; 15 s were seen to be too few
    yield opened
    opened.close()


@pytest.fixture
def watched(context: BrowserContext, server: str) -> Watched:
    return Watched(context.new_page(), server)


@pytest.fixture
def page(watched: Watched) -> Iterator[Page]:
    """A page of a context of its own; at the end it has asked no other host and not complained."""
    yield watched.page
    assert watched.strangers == [] and watched.errors == []
