"""A row of this table comes out on several lines, and its numbers as powers of ten. Let `text` hold each row on one line, in plain numbers with two decimals.

Other code prints, too. Leave the options as you found them.
"""
# exercise: repair
# covers: debug.printoptions-linewidth
# about: tensors/printing.md#precision
# hint: Print `text`. One option wraps a row, another one allows powers of ten, a third sets the decimals.
# hint: The options hold for the whole program. How do you get the defaults back?

# %% start
import torch

costs = torch.tensor([[0.25 * n * 10 ** (n % 5) for n in range(12)], [1.5 * n for n in range(12)]])

text = str(costs)

# %% solution
# - text = str(costs)
# + torch.set_printoptions(linewidth=200, precision=2, sci_mode=False)
# + text = str(costs)
# + torch.set_printoptions(profile="default")

# %% check
_lines, _numbers, _later = text.splitlines(), str(torch.tensor([0.125, 12345.0])), str(torch.arange(30)).splitlines()
torch.set_printoptions(profile="default")
assert "e+" not in text or len(_lines) == 2, "The rows are wrapped, and the numbers are powers of ten."
assert len(_lines) == 2, f"Plain numbers. But the two rows take {len(_lines)} lines."
assert "e+" not in text, "The rows are whole. But look at the numbers. Does a second call keep the `sci_mode` of the first?"
assert "4.50," in text and "22500.00," in text, "Each row has its line, in plain numbers. How many decimals have they?"
assert len(_later) == 2, "The table is right. But the next 30 numbers that anybody prints come out on one line."
assert "e" in _numbers.removeprefix("tensor"), "The table is right. But later prints have your notation, too."

# %% right: two calls, the notation last
# - text = str(costs)
# + torch.set_printoptions(linewidth=160)
# + torch.set_printoptions(sci_mode=False, precision=2)
# + text = str(costs)
# + torch.set_printoptions(profile="default")

# %% wrong: the width is forgotten
# - text = str(costs)
# + torch.set_printoptions(precision=2, sci_mode=False)
# + text = str(costs)
# + torch.set_printoptions(profile="default")

# %% wrong: two calls, the notation first
# - text = str(costs)
# + torch.set_printoptions(sci_mode=False, precision=2)
# + torch.set_printoptions(linewidth=200)
# + text = str(costs)
# + torch.set_printoptions(profile="default")

# %% wrong: the decimals stay
# - text = str(costs)
# + torch.set_printoptions(linewidth=200, sci_mode=False)
# + text = str(costs)
# + torch.set_printoptions(profile="default")

# %% wrong: the options stay
# - text = str(costs)
# + torch.set_printoptions(linewidth=200, precision=2, sci_mode=False)
# + text = str(costs)

# %% wrong: only the width goes back
# - text = str(costs)
# + torch.set_printoptions(linewidth=200, precision=2, sci_mode=False)
# + text = str(costs)
# + torch.set_printoptions(linewidth=80, sci_mode=False)
