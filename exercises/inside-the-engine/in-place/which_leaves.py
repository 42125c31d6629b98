"""If a parameter gets no gradient, check whether the loss was computed from it. `leaves` should find all leaves behind a node, but it looks only one step back.

Write it, so that it finds each leaf once.
"""
# exercise: write
# covers: graph.grad-fn-wrapping
# about: inside-the-engine/in-place.md#one-node-per-operation
# hint: `next_functions` has pairs, each a node and a number. If an input requires no gradient, the node is None.
# hint: Only the node of a leaf has a `variable`. All others have nodes behind them.

# %% start
import torch


def leaves(node):
    """The leaves behind a node, each once."""
    return [following.variable for following, _ in node.next_functions if hasattr(following, "variable")]


w = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
unused = torch.tensor(3.0, requires_grad=True)
loss = ((w * 5 + b) * w).exp()
print(len(leaves(loss.grad_fn)), "of 2")

# %% solution
# -     return [following.variable for following, _ in node.next_functions if hasattr(following, "variable")]
# +     found, seen, ahead = [], set(), [node]
# +     while ahead:
# +         one = ahead.pop()
# +         if one is not None and one not in seen:
# +             seen.add(one)
# +             if hasattr(one, "variable"):
# +                 found.append(one.variable)
# +             ahead += [following for following, _ in one.next_functions]
# +     return found

# %% right: with recursion
# -     return [following.variable for following, _ in node.next_functions if hasattr(following, "variable")]
# +     if hasattr(node, "variable"):
# +         return [node.variable]
# +     found = {}
# +     for following, _ in node.next_functions:
# +         if following is not None:
# +             found.update({id(one): one for one in leaves(following)})
# +     return list(found.values())

# %% check
_found = leaves(loss.grad_fn)
assert len(_found) > 0, "No leaf is a direct input of `exp`, so you must walk further back."
assert any(_one is b for _one in _found), "`w` is found, but `b` isn't. It is behind the sum, which is behind the product."
assert len(_found) < 3, f"`w` is used twice and should be named once. You return {len(_found)} leaves."
assert any(_one is w for _one in _found), "`b` is found, but `w` isn't."

# %% wrong: one step further
# -     return [following.variable for following, _ in node.next_functions if hasattr(following, "variable")]
# +     found = []
# +     for following, _ in node.next_functions:
# +         found += [one.variable for one, _ in following.next_functions if hasattr(one, "variable")]
# +     return found

# %% wrong: each use
# -     return [following.variable for following, _ in node.next_functions if hasattr(following, "variable")]
# +     if hasattr(node, "variable"):
# +         return [node.variable]
# +     return [one for following, _ in node.next_functions if following is not None for one in leaves(following)]

# %% wrong: None is no node
# error: AttributeError: 'NoneType' object has no attribute 'next_functions'
# hint: The number 5 has no node. Among the `next_functions`, `None` is in its place.
# -     return [following.variable for following, _ in node.next_functions if hasattr(following, "variable")]
# +     if hasattr(node, "variable"):
# +         return [node.variable]
# +     return [one for following, _ in node.next_functions for one in leaves(following)]

# %% wrong: the last leaf that was made
# -     return [following.variable for following, _ in node.next_functions if hasattr(following, "variable")]
# +     return [b]
