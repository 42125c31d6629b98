"""`make serve` goes on after each mistake that is saved, and shows it on its page. Its pages equal those of a build."""

from __future__ import annotations

import filecmp
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import jinja2
import pytest
from playwright.sync_api import BrowserContext, expect

from gradnotes.exercises import record as recorded_exercises
from gradnotes.recorder import process
from gradnotes.serve.faults import Faults
from gradnotes.serve.site import LiveSite
from gradnotes.site import finish
from gradnotes.translation import freshness
from tests.site.broken_edits import EDITS, append, combine, make_project, remove, rename, replace, write

TIMEOUT = 60.0  # seconds; a busy machine is slow


@pytest.fixture(scope="module")
def pristine(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("serve") / "project", root)


@pytest.fixture
def project(pristine: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(pristine, tmp_path / "project"))


def restore(project: Path, pristine: Path) -> None:
    """Restore the files that differ from `pristine`, and remove those that it does not have, except caches.

    Restored files get new modification times, as when an author undoes a change.
    """
    for path in sorted(project.rglob("*"), reverse=True):
        original = pristine / path.relative_to(project)
        differs = not original.exists() or original.is_dir() != path.is_dir()
        if differs and path.relative_to(project).parts[0] != ".cache" and "__pycache__" not in path.parts:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for original in pristine.rglob("*"):
        path = project / original.relative_to(pristine)
        if original.is_file() and not (path.is_file() and path.read_bytes() == original.read_bytes()):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(original.read_bytes())


class LiveServer:
    """`make serve` of a project, in a separate process."""

    def __init__(self, project: Path, root: Path):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        paths = os.pathsep.join([str(root), str(root / "harness" / "src")])
        environment = {**os.environ, "PYTHONPATH": paths, "NO_MKDOCS_2_WARNING": "1"}
        command = [sys.executable, "-m", "gradnotes.serve", self.address, "--interval", "0.05"]
        self.log = project.parent / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(command, cwd=project, env=environment, stdout=log, stderr=log)

    def page(self, name: str) -> str:
        """Return the body of a page with any status, or an empty text while the server does not answer."""
        try:
            with urllib.request.urlopen(f"http://{self.address}/{name}", timeout=TIMEOUT) as answer:
                return str(answer.read().decode())
        except urllib.error.HTTPError as error:
            return error.read().decode()
        except OSError:
            return ""

    def wait_until(self, name: str, condition: Callable[[str], object], label: str = "") -> None:
        """Load a page until it meets `condition`. Between attempts, wait for a live reload, as the page's script does.

        A failure begins with `label`.
        """
        end = time.monotonic() + TIMEOUT
        while not condition(page := self.page(name)):
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < end, f"{label}: {page[:3000]}\n{self.log.read_text()[-3000:]}"
            if epoch := re.search(r"/livereload/\d+", page):
                self.page(epoch[0])
            else:  # the server does not answer yet
                time.sleep(0.05)


@pytest.fixture
def live_server(project: Path, root: Path) -> Iterator[LiveServer]:
    running = LiveServer(project, root)
    yield running
    running.process.terminate()
    assert running.process.wait(20) == 0


def shows_fault(pattern: str) -> Callable[[str], object]:
    """Return a condition for the HTML of a page: the list of faults above its text contains a match of `pattern`."""
    faults = re.compile(r'id="faults".*?</div>', re.DOTALL)
    return lambda page: (match := faults.search(page)) and re.search(pattern, unescape_html(match[0]))


def unescape_html(text: str) -> str:
    return (
        text.replace("&#x27;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", '"')
        .replace("&amp;", "&")
    )


def is_whole(page: str) -> bool:
    return "<article" in page and 'id="faults"' not in page and "fence-error" not in page


def test_saved_mistakes_are_shown_and_do_not_end_the_server(
    project: Path, pristine: Path, live_server: LiveServer, tier: str
) -> None:
    """Check that the page of each mistake shows its message, and that undoing it restores the page.

    All mistakes are made with `--tier full`, else each second one.
    """
    assert len(EDITS) >= 50
    live_server.wait_until("part/index.html", is_whole)
    edits = EDITS if tier == "full" else dict(list(EDITS.items())[::2])
    whole = {broken.page: live_server.page(broken.page) for broken in edits.values()}
    assert all(map(is_whole, whole.values()))
    for name, broken in edits.items():
        broken.edit(project)
        live_server.wait_until(broken.page, shows_fault(broken.pattern), name)
        restore(project, pristine)
        live_server.wait_until(broken.page, is_whole, f"{name}, undone")
        assert without_epoch(live_server.page(broken.page)) == without_epoch(whole[broken.page]), name
    printed = live_server.log.read_text()
    assert [name for name, broken in edits.items() if not re.search(broken.pattern, printed)] == []
    assert "Traceback" not in printed


def without_epoch(page: str) -> str:
    return re.sub(r'"\d+"|livereload/\d+', "", page)


# Mistakes that are built together, to save builds. Each message matches only the pattern of its own mistake.
TOGETHER = (
    ("a fence without a key", "half a key", "a key without a value", "a misspelt key", "a misspelt region")
    + ("a fence that nothing runs", "a file outside", "a name that is too long", "an unknown symbol of the engine")
    + (
        "an unknown kind of figure",
        "a wrong answer that is right",
        "a misspelt exercise",
        "an unknown passage of the notes",
    )
    + ("a misspelt column", "a broken link", "a misspelt link", "a link without a suffix", "a link to a renamed page")
    + ("a broken link in a translation",)
    + ("a misspelt fence", "a broken anchor", "half an address"),
    (
        "an erratum with an unknown tier",
        "a glossary that is a list",
        "synonyms that are a list",
        "evidence that is not JSON",
    )
    + (
        "an idea with an unknown passage",
        "a misspelt manifest key",
        "an unknown kind of exercise",
        "an engine that is not Python",
    ),
)


@pytest.fixture(scope="module")
def builds() -> dict[tuple[str, ...], subprocess.CompletedProcess[str]]:
    """Return a dictionary in which tests store builds that they share: the names of the mistakes in a build, and its result."""
    return {}


@pytest.mark.parametrize("name", EDITS)
def test_a_build_fails_on_each_mistake(
    name: str,
    pristine: Path,
    mkdocs_here: Callable,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    builds: dict[tuple[str, ...], subprocess.CompletedProcess[str]],
) -> None:
    """Check that a build with the mistake fails, and that its message is in stderr. Some mistakes share a build."""
    names = next((names for names in TOGETHER if name in names), (name,))
    if names not in builds:
        project = Path(shutil.copytree(pristine, tmp_path / "project"))
        monkeypatch.chdir(project)
        for other_name in names:
            EDITS[other_name].edit(project)
        builds[names] = mkdocs_here(project, tmp_path / "site")
    completed = builds[names]
    assert completed.returncode != 0
    assert re.search(EDITS[name].build_pattern or EDITS[name].pattern, completed.stderr), completed.stderr


@pytest.mark.parametrize("source", ["part/told.md", "part/told.ipynb", "i18n/zh/part/told.md"])
def test_a_fault_is_on_the_page_that_its_source_becomes(source: str) -> None:
    faults = Faults()
    faults.replace("pages", [f"{source}:3: broken link"])
    address = source.removeprefix("i18n/").partition(".")[0] + ".html"
    assert "on this page" in faults.panel(address)
    assert "on this page" not in faults.panel("index.html")


@pytest.mark.parametrize(
    "name", ["a misspelt snippet", "a site without its first page", "a configuration that is not YAML"]
)
def test_a_mistake_from_before_the_start_is_shown(name: str, project: Path, pristine: Path, root: Path) -> None:
    EDITS[name].edit(project)
    live_server = LiveServer(project, root)
    try:
        live_server.wait_until(EDITS[name].page, shows_fault(EDITS[name].pattern))
        restore(project, pristine)
        live_server.wait_until(EDITS[name].page, is_whole)
    finally:
        live_server.process.terminate()
        live_server.process.wait(20)


def test_the_browser_shows_saved_changes(project: Path, live_server: LiveServer, context: BrowserContext) -> None:
    live_server.wait_until("part/index.html", is_whole)
    page = context.new_page()
    page.goto(f"http://{live_server.address}/part/index.html")
    append("docs/part/index.md", "\nA newcomer.\n")(project)
    expect(page.get_by_text("A newcomer.")).to_be_visible(timeout=TIMEOUT * 1000)
    append("docs/part/index.md", "\n``` snippet\nfil\n")(project)
    expect(page.get_by_role("alert").filter(has_text="a fence that is never closed").first).to_be_visible(
        timeout=TIMEOUT * 1000
    )
    write("docs/part/index.md", "---\ntitle: Part\npages: [told, lab]\n---\n\n# Part\n\n## Sums\n\nWhole.\n")(project)
    expect(page.get_by_text("Whole.")).to_be_visible(timeout=TIMEOUT * 1000)


def test_a_saved_chinese_file_is_noticed(project: Path, live_server: LiveServer) -> None:
    live_server.wait_until("part/index.html", is_whole)
    write("i18n/zh/interface.yml", "[\n")(project)
    live_server.wait_until("part/index.html", shows_fault(r"interface.yml:\d+: "))
    write("i18n/zh/interface.yml", '"Predict": "预测"\n')(project)
    live_server.wait_until("part/index.html", is_whole)


def test_a_difference_of_a_chinese_page_is_shown_until_its_english_page_changes(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a change of the English page, the Chinese page says that it is outdated, and its differences are expected."""
    monkeypatch.chdir(project)
    head = "---\ntitle: {}\ndescription: {}\n---\n\n# {}\n\n"
    write("docs/twice.md", head.format("Twice", "Twice.", "Twice") + "`x` is used 2 times.\n")(project)
    write("i18n/zh/twice.md", head.format("两次", "两次。", "两次") + "`y` 用了 2 次。\n")(project)
    replace("docs/index.md", "warn-and-relu]", "warn-and-relu, twice]")(project)
    freshness.renew(project, ["twice.md"])
    site = LiveSite(project, tmp_path / "live")

    def faults() -> str:
        site.update()
        site.complete()
        return "\n".join(site.faults.all())

    assert re.search(r"i18n/zh/twice.md:8: .*`y`", faults())
    replace("docs/twice.md", "2 times", "2 times here")(project)
    assert faults() == ""
    freshness.renew(project, ["twice.md"])
    assert "i18n/zh/twice.md:8: " in faults()
    replace("i18n/zh/twice.md", "`y`", "`x`")(project)
    assert faults() == ""


def test_cards_in_both_languages_follow_a_saved_sentence(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    card = "\n\n``` card\nsnippet: part/too_early.py\npage: part/told.md\ncause: {}\nrepair: {}\n```\n"
    head = "---\ntitle: {}\ndescription: {}\n---\n"
    append("docs/part/told.md", "\nIt is too early. Do it later.\n")(project)
    write("docs/cards.md", head.format("Cards", "Cards.") + card.format("It is", "Do it"))(project)
    write("i18n/zh/cards.md", head.format("卡片", "卡片。") + card.format("太早了。", "晚点再做。"))(project)
    replace("docs/index.md", "warn-and-relu]", "warn-and-relu, cards]")(project)
    site = LiveSite(project, tmp_path / "live")
    for sentence in ("It is too early.", "It is early.", "It is much too early."):
        path = project / "docs/part/told.md"
        path.write_text(re.sub(r"It is .*early\.", sentence, path.read_text()))
        site.update()
        site.make("cards.html")
        site.make("zh/cards.html")
        assert site.faults.all() == []
        assert sentence in (site.target / "cards.html").read_text()
        assert "太早了。" in (site.target / "zh/cards.html").read_text()


def test_html_that_is_not_a_page_is_served_as_it_is(project: Path, live_server: LiveServer) -> None:
    frame = "<!doctype html><title>A frame</title><body></body>"
    write("docs/part/frame.html", frame)(project)
    live_server.wait_until("part/index.html", is_whole)
    assert live_server.page("part/frame.html") == frame
    assert "/livereload/" in live_server.page("part/index.html")
    assert "/livereload/" in live_server.page("part/gone.html")


def test_a_port_in_use_is_reported_before_anything_is_built(project: Path, root: Path) -> None:
    with socket.socket() as busy_socket:
        busy_socket.bind(("127.0.0.1", 0))
        busy_socket.listen()
        port = busy_socket.getsockname()[1]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "harness" / "src")])}
        command = [sys.executable, "-m", "gradnotes.serve", f"127.0.0.1:{port}"]
        completed = subprocess.run(
            command, cwd=project, env=environment, capture_output=True, text=True, timeout=TIMEOUT
        )
    assert (completed.returncode, completed.stdout) == (1, "")
    assert completed.stderr == (
        f"127.0.0.1:{port} is in use by another program\n    run `make serve ADDRESS=127.0.0.1:{port + 1}`\n"
    )
    assert not (project / ".cache").exists()


# A change of each kind of source file. Each must change the site.
CHANGES: dict[str, Callable[[Path], object]] = {
    "a sentence": append("docs/part/told.md", "\nOne more sentence about a leaf.\n"),
    "a line above the fences": replace("docs/part/index.md", "# Part\n", "# Part\n\nA line above.\n"),
    "a heading": replace("docs/part/index.md", "## Sums\n", "## Sums {#sums}\n\n## More\n"),
    "a title": replace("docs/part/told.md", "title: Told", "title: Told again"),
    "a description": replace("docs/part/told.md", "description: Lists.", "description: All the lists."),
    "an output of a snippet": replace("snippets/part/sum.py", "2 + 2", "1 + 3"),
    "the title of a snippet": replace("snippets/part/sum.py", '"""', '"""Now: '),
    "an example that moves to another page": replace("docs/warn-and-relu.md", "part/relu.py", "part/too_early.py"),
    "an exercise": replace("exercises/part/repair_it.py", '"""', '"""Now: '),
    "the glossary": append("docs/glossary.yml", "sentence: Words with an end.\n"),
    "an idea": replace("docs/inventory.yml", "en: Another.", "en: Another one."),
    "an erratum": replace("docs/errata/part.yml", "now: It is 4.", "now: It is four."),
    "evidence": replace("docs/evidence/speed.json", "1.25", "1.5"),
    "synonyms": append("docs/synonyms.yml", "array: [list]\n"),
    "the engine": append("reference_impl/core/hooks.py", "\n\ndef more():\n    return 1\n"),
    "a style": append("docs/assets/site.css", "p { color: red }\n"),
    "a template": append("overrides/partials/logo.html", "<!-- changed -->\n"),
    "a notebook": replace("docs/part/lab.ipynb", "It counts.", "It counts again."),
    "a new page": combine(
        write("docs/part/more.md", "---\ntitle: More\n---\n\n``` snippet\nfile: part/shapes.py\n```\n"),
        replace("docs/part/index.md", "[told, lab]", "[told, more, lab]"),
    ),
    "a former address": replace("docs/part/told.md", "title:", "was: [old]\ntitle:"),
    "a renamed page": combine(
        rename("docs/part/more.md", "docs/part/others.md"),
        replace("docs/part/index.md", "[told, more, lab]", "[told, others, lab]"),
    ),
    "no former address": replace("docs/part/told.md", "was: [old]\n", ""),
    "a deleted page": combine(
        remove("docs/part/others.md"), replace("docs/part/index.md", "[told, others, lab]", "[told, lab]")
    ),
    "a deleted snippet that no page shows": remove("snippets/part/shapes.py"),
}


def different_files(first: Path, second: Path) -> list[str]:
    """Return the names of files that differ in two folders or exist in only one of them."""
    names = {path.relative_to(top).as_posix() for top in (first, second) for path in top.rglob("*") if path.is_file()}
    _, different, missing = filecmp.cmpfiles(first, second, sorted(names), shallow=False)
    return sorted(different + missing)


@pytest.fixture
def real_engine(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the engine of this repository for recordings, since the small project has only a part of it."""
    with_engine = process.with_engine
    for module in (process, recorded_exercises):
        monkeypatch.setattr(
            module, "with_engine", lambda _, *arguments, **options: with_engine(root, *arguments, **options)
        )


def test_pages_built_on_request_equal_those_of_a_build(
    project: Path, mkdocs_here: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, real_engine: None
) -> None:
    """Make a series of changes, request one page after each, and compare all files with a build after every third and the last."""
    page = project / "docs/part/index.md"
    page.write_text(page.read_text() + "\n``` steps\nfile: part/backward.py\n```\n")
    monkeypatch.chdir(project)
    finish_site = finish.finish_site
    monkeypatch.setattr(finish, "finish_site", lambda site, root: finish_site(site, root, is_served=True))
    live, built = tmp_path / "live", tmp_path / "built"
    site = LiveSite(project, live)
    site.update()
    site.make("index.html")
    before: dict[str, bytes] = {}
    for number, (name, change) in enumerate(CHANGES.items()):
        change(project)
        site.update()
        site.make("part/told.html")
        if number % 3 and name != list(CHANGES)[-1]:
            continue  # pages that are not requested now must be built after a later change
        site.complete()
        site.make("assets/search_index.js")
        site.make("runtime/engine.tar.gz")
        shutil.rmtree(built, ignore_errors=True)
        completed = mkdocs_here(project, built)
        assert completed.returncode == 0, f"{name}: {completed.stderr}"
        assert different_files(live, built) == [], name
        after = {path.relative_to(live).as_posix(): path.read_bytes() for path in live.rglob("*") if path.is_file()}
        assert after != before, name
        before = after


def test_a_saved_sentence_builds_one_page(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, real_engine: None
) -> None:
    """Check the number of pages that are built at a first request, and after the change of a sentence, of a snippet and of a title."""
    monkeypatch.chdir(project)
    site = LiveSite(project, tmp_path / "live")

    def pages_written(change: Callable[[Path], object]) -> int:
        change(project)
        before = site.pages_written
        site.update()
        site.complete()
        return site.pages_written - before

    site.update()
    site.make("index.html")
    assert site.pages_written == 1
    all_pages = 1 + pages_written(lambda project: None)
    assert all_pages >= 10
    assert pages_written(append("docs/part/told.md", "\nOne more sentence about a leaf.\n")) == 1
    assert 1 <= pages_written(replace("snippets/part/relu.py", '"""', '"""Now: ')) < all_pages / 2
    assert pages_written(replace("docs/part/told.md", "title: Told", "title: Told again")) == all_pages
    assert pages_written(lambda project: None) == 0


def test_a_template_is_compiled_again_only_after_its_change(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that a changed title compiles no template, although all are rendered again. A changed template is compiled."""
    compiled: list[str] = []
    compile_template = jinja2.Environment.compile

    def compile_and_record(environment: jinja2.Environment, source: str, name: str, *arguments: object) -> object:
        compiled.append(name)
        return compile_template(environment, source, name, *arguments)  # type: ignore[call-overload]

    monkeypatch.setattr(jinja2.Environment, "compile", compile_and_record)
    monkeypatch.chdir(project)
    site = LiveSite(project, tmp_path / "live")
    for name, edit, expected in (
        ("Told", lambda _: None, None),
        ("Told again", CHANGES["a title"], []),
        ("<!-- changed -->", CHANGES["a template"], ["partials/logo.html"]),
    ):
        edit(project)
        compiled.clear()
        site.update()
        site.make("part/told.html")
        assert name in (tmp_path / "live" / "part" / "told.html").read_text(encoding="utf-8")
        assert compiled == expected or expected is None and compiled, name
