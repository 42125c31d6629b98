"""TeX becomes MathML in the built page, invalid TeX is reported with page and line, and other dollar signs stay."""

from __future__ import annotations

import re
from pathlib import Path

import markdown
import pytest
from playwright.sync_api import BrowserContext, expect

from gradnotes.formulas import FormulaError, mathml
from gradnotes.problems import PageError


def render(text: str) -> str:
    return markdown.markdown(text, extensions=["gradnotes.fences", "toc"])


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\frac{a}{b}", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"),
        (r"\sum_{i=1}^{n} x_i", "<munderover><mo"),
        (r"\frac{\partial L}{\partial w_1}", "<mi>∂</mi><msub><mi>w</mi><mn>1</mn></msub>"),
        (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", "<mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr>"),
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "<mtable"),
        (r"\bar W = \bar S^{\mathsf T} X", "<mi>𝖳</mi>"),
        (r"\bar a = \bar y \odot b", ">⊙</mo>"),
        (r"\sqrt{x^2 + 1}", "<msqrt>"),
        (r"\begin{cases} 1 & x > 0 \\ 0 & \text{otherwise} \end{cases}", "<mtext>otherwise</mtext>"),
        (r"\hat y = \sigma(W x + b)", '<mover accent="true">'),
    ],
)
def test_tex_becomes_mathml(tex: str, expected: str) -> None:
    markup = mathml(tex, True)
    assert expected in markup and markup.count("<math") == 1 and "alttext=" in markup
    assert "\\" not in re.sub(r'alttext="[^"]*"', "", markup)


@pytest.mark.parametrize(
    "tex",
    [r"\frac{1}{", r"\foo x", r"\begin{aligned} a &= b", r"x^{2}}", r"\left( a", "a_b_c", r"\frac 1", "x & y", r"\text{a",
     r"\begin{nope}x\end{nope}", r"\begin{aligned} a &= b \\[4pt] c &= d \end{aligned}"],
)  # fmt: skip
def test_invalid_tex_is_refused(tex: str) -> None:
    with pytest.raises(FormulaError):
        mathml(tex, True)


def test_formulas_in_a_line_and_in_a_separate_paragraph_are_rendered() -> None:
    html = render("The slope of $b^2$ is\n$2b$ for every $b < c$.\n\n$$\na < b\n$$\n\n- $x_1$\n")
    assert html.count('<span class="formula"><math') == 4
    assert '<div class="formula" tabindex="0"><math alttext="a &lt; b" display="block">' in html
    assert "$" not in html


def test_a_mark_after_a_formula_stays_on_its_line() -> None:
    """Check that closing marks are in the element of the formula, in which no line is broken, and other text is not."""
    html = render("For $a$, $b$ (or $c$) and $d$-axes: $e$，所以。\n\n$$\na < b\n$$\n")
    assert re.findall(r"</math>([^<]*)</span>([^<]*)", html) == [
        (",", " "),
        ("", " (or "),
        (")", " and "),
        ("", "-axes: "),
        ("，", "所以。"),
    ]


@pytest.mark.parametrize("text", ["It costs $5, then $10.", r"\$7 and \$8", "`$x$` is code", "5$ or 6$", "one $ sign", "``` {.text illustrative=\"x\"}\n$y$\n```"])  # fmt: skip
def test_dollar_signs_outside_of_formulas_are_unchanged(text: str) -> None:
    html = render(text)
    assert "<math" not in html and "$" in html


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("Right: $x$.\n\nWrong: $x$ and\n$\\foo x$.", 4, r"invalid formula: $\foo x$: 0: Unknown command"),
        ("Text.\n\n$$\n\\frac{1}{\n$$\n", 3, "invalid formula: $$"),
        ("Text $$x$$ goes on.", 1, "must be a separate paragraph"),
    ],
)
def test_an_invalid_formula_is_reported_with_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(PageError) as raised:
        render(text)
    assert f"page.md:{line}: " in str(raised.value) and message in str(raised.value)


def test_an_invalid_formula_fails_the_strict_build(tmp_path: Path, mkdocs_here) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("---\ntitle: Home\n---\n\n# Home\n\nWrong: $\\foo$.\n")
    (tmp_path / "pyproject.toml").write_text("[tool.snippetcheck.engines.torch]\n")
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: x\nstrict: true\nmarkdown_extensions:\n"
        f"  - gradnotes.fences:\n      root: {tmp_path}\n      logger: mkdocs.gradnotes.fences\n"
    )
    completed = mkdocs_here(tmp_path, tmp_path / "site")
    assert (
        completed.returncode and 'index.md:7: invalid formula: $\\foo$: 0: Unknown command "\\foo"' in completed.stderr
    )


def test_chromium_displays_formulas_and_exposes_them_to_screen_readers(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.goto(server + "why-autograd/first-gradients.html")
    fraction = page.locator("div.formula mfrac").first
    expect(fraction).to_be_visible()
    above, below = (fraction.locator(f"xpath=*[{n}]").bounding_box() for n in (1, 2))
    # the numerator must be above the denominator
    assert above and below and above["y"] + above["height"] <= below["y"] + 1
    assert "math" in page.locator("div.formula").first.aria_snapshot()
    assert page.locator("mjx-container, .katex, script[src*=math]").count() == 0
