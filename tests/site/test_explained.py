"""Test the link under an error of a reader's program, and the filter of error messages: both find a message with other numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

INPLACE = (
    "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
)
INPLACE += "[torch.FloatTensor [3]], which is output 0 of {}, is at version 1; expected version 0 instead."

# Beginners' commonest errors, and the section that explains each: `page#anchor`, or `page` for any of its sections.
EXPLANATIONS = {
    "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn": "why-autograd/computation-graph",
    "RuntimeError: grad can be implicitly created only for scalar outputs": "using-autograd/jacobians#",
    "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have "
    "already been freed). Saved intermediate values of the graph are freed when you call .backward()": "why-autograd/leaves",
    INPLACE.format("Exp"): "in-place/versions",
    INPLACE.format("AddBackward0"): "in-place/versions",
    "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.": "in-place/no-grad",
    "RuntimeError: Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.": (
        "tensors/anatomy#what-an-array-cant-do"
    ),
    "RuntimeError: only Tensors of floating point dtype can require gradients": "why-autograd/first-gradients",
    "RuntimeError: mat1 and mat2 shapes cannot be multiplied (50x64 and 32x10)": "tensors/arithmetic#matmul",
    "RuntimeError: mat1 and mat2 must have the same dtype, but got Double and Float": "training/lenet#errors-of-the-first-batch",
    "RuntimeError: Given groups=1, weight of size [8, 3, 3, 3], expected input[4, 1, 28, 28] to have 3 channels, but got 1 "
    "channels instead": "training/lenet#errors-of-the-first-batch",
    "ValueError: Expected input batch_size (10) to match target batch_size (9).": "training/lenet#errors-of-the-first-batch",
    "RuntimeError: Input type (double) and bias type (float) should be the same": "training/lenet#errors-of-the-first-batch",
    "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)": "tensors/arithmetic#families-of-functions",
    "RuntimeError: mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Int": (
        "tensors/arithmetic#families-of-functions"
    ),
    "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!": "training/gpu#two-devices",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 MiB. GPU 0 has a total capacity of 7.92 GiB of which 8 MiB is "
    "free.": "memory-and-speed/index",
    "IndexError: Target 10 is out of bounds.": "training/losses#labels-refused",
    "RuntimeError: expected target dtype to be Long or Byte, but got Float": "training/losses#labels-refused",
    "RuntimeError: expected scalar type Long but found Float": "training/losses#labels-refused",
    "RuntimeError: 0D or 1D target tensor expected, multi-target not supported": "training/losses#labels-refused",
    "RuntimeError: Boolean value of Tensor with more than one value is ambiguous": "tensors/arithmetic#families-of-functions",
    "RuntimeError: a Tensor with 2 elements cannot be converted to Scalar": "tensors/arithmetic#families-of-functions",
    "IndexError: index 5 is out of bounds for dimension 0 with size 3": "tensors/indexing#indexing-and-slicing",
    "RuntimeError: The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0": (
        "tensors/repeating#broadcasting"
    ),
    "RuntimeError: shape '[2, 2]' is invalid for input of size 3": "tensors/memory",
    "RuntimeError: stack expects each tensor to be equal size, but got [4] at entry 0 and [2] at entry 1": (
        "tensors/joining-and-splitting"
    ),
    "AttributeError: 'NoneType' object has no attribute 'zero_'": "using-autograd/accumulation",
    "ValueError: optimizer got an empty parameter list": "training/modules-in-detail",
    "ValueError: can't optimize a non-leaf Tensor": "why-autograd/leaves",
    "AttributeError: cannot assign module before Module.__init__() call": "training/modules-in-detail",
    'RuntimeError: Error(s) in loading state_dict for Net: Missing key(s) in state_dict: "a.weight".': "training/saving",
}
# Errors that no page explains: plain Python, and names that no example uses.
UNEXPLAINED = [
    "NameError: name 'loss' is not defined",
    "ModuleNotFoundError: No module named 'pandas'",
    "AttributeError: 'Tensor' object has no attribute 'size_of'",
    "IndexError: list index out of range",
    "ZeroDivisionError: division by zero",
    "TypeError: 'int' object is not callable",
]
FIND = """async (texts) => {
    await gradnotes.load("explained.js");
    const links = await Promise.all(texts.map((text) => gradnotes.findExplanation(text)));
    return links.map((link) => link && [link.href.replace(gradnotes.root, ""), link.textContent]);
}"""


@pytest.mark.parametrize("edition", ["", "zh/"])
def test_an_error_links_to_the_section_that_explains_it(
    context: BrowserContext, server: str, site: Path, edition: str
) -> None:
    page = context.new_page()
    page.goto(f"{server}{edition}index.html")
    links = page.evaluate(FIND, list(EXPLANATIONS))
    wrong = {}
    for (message, expected), link in zip(EXPLANATIONS.items(), links, strict=True):
        target, _, anchor = expected.partition("#")
        address, _, section = (link or ["", ""])[0].removeprefix("zh/").partition("#")
        if address != f"{target}.html" or ("#" in expected and section != anchor):
            wrong[message] = link
    assert wrong == {}
    assert page.evaluate(FIND, UNEXPLAINED) == [None] * len(UNEXPLAINED)
    for address in sorted({link[0] for link in links}):  # the page is there, with the section
        file, _, anchor = address.partition("#")
        html = (site / file).read_text(encoding="utf-8")
        assert not anchor or len(re.findall(rf"""\bid=["']?{re.escape(anchor)}["' >]""", html)) == 1, address


def test_an_explanation_is_named_by_page_and_section(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.goto(f"{server}index.html")
    (link,) = page.evaluate(FIND, ["IndexError: Target 10 is out of bounds."])
    assert link[1] == "Losses › Labels that cross_entropy refuses"


@pytest.mark.parametrize(
    "typed",
    [
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (50x64 and 32x10)",
        "mat1 and mat2 shapes cannot be multiplied (50x64 and 32x10)",
        'Traceback (most recent call last): File "a.py", line 3 RuntimeError: mat1 and mat2 shapes cannot be multiplied (50x64 and 32x10)',
    ],
)
def test_the_filter_finds_a_pasted_message(page: Page, server: str, typed: str) -> None:
    page.goto(f"{server}errors.html")
    page.locator("[data-filter] input").fill(typed)
    rows = page.locator("[data-filter] tbody tr:visible")
    expect(rows.first).to_contain_text("mat1 and mat2 shapes cannot be multiplied")
    assert all("mat1 and mat2" in text for text in rows.all_text_contents())


def test_without_a_message_the_filter_needs_all_words(page: Page, server: str) -> None:
    page.goto(f"{server}errors.html")
    page.locator("[data-filter] input").fill("no message has these words")
    expect(page.locator(".filter-count")).to_contain_text("0 of")
    expect(page.locator("[data-filter] tbody tr:visible")).to_have_count(0)
