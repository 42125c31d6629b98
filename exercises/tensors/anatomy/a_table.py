"""The rows of this table are printed on several lines, in scientific notation. Let `text` hold each row on one line, in plain numbers with two decimals.

Restore the options afterwards, because other code prints as well.
"""
# exercise: repair
# covers: debug.printoptions-linewidth
# about: tensors/anatomy.md#precision
# hint: Print `text`. One option sets the line width, another the notation, and a third the decimals.
# hint: The options apply to the whole program. `profile="default"` restores them.

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
assert "e+" not in text or len(_lines) == 2, "The rows are wrapped, and the numbers are in scientific notation."
assert len(_lines) == 2, f"The numbers are plain, but the two rows take {len(_lines)} lines."
assert "e+" not in text, "Each row is on one line, but the numbers are in scientific notation. A second call doesn't keep the `sci_mode` of the first."
assert "4.50," in text and "22500.00," in text, "Each row is on one line, in plain numbers. They should have two decimals."
assert len(_later) == 2, "The table is right, but 30 numbers that are printed later are still on one line."
assert "e" in _numbers.removeprefix("tensor"), "The table is right, but tensors that are printed later still have your notation."

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
