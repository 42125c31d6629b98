"""For two points, `turn` returns the wrong shape, and for three it raises an error. Repair it: it should multiply each point, a vector of two numbers, by its own matrix."""
# exercise: repair
# covers: tensor-ops.math
# about: tensors/arithmetic.md#matmul
# hint: `@` treats a tensor with two axes as one matrix. You need one matrix for each point.
# hint: A vector is a matrix of one column. With a third axis of size 1, `points` is a batch of such columns.
# hint: Remove that axis after the product.

# %% start
import torch

quarter = torch.tensor([[0.0, -1.0], [1.0, 0.0]])
half = quarter @ quarter


def turn(matrices, points):
    return matrices @ points


print(turn(torch.stack([quarter, half]), torch.tensor([[1.0, 0.0], [2.0, 1.0]])))

# %% solution
# -     return matrices @ points
# +     return (matrices @ points[:, :, None])[:, :, 0]

# %% right: by bmm
# -     return matrices @ points
# +     return torch.bmm(matrices, points.unsqueeze(2)).squeeze(2)

# %% right: element by element
# -     return matrices @ points
# +     return (matrices * points[:, None, :]).sum(2)

# %% check
_matrices = torch.tensor([[[0.0, -1.0], [1.0, 0.0]], [[2.0, 1.0], [0.0, 3.0]]])
_points = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
_made = turn(_matrices, _points)
assert _made.shape != (2, 2, 2), "The shape is (2, 2, 2), because each matrix was multiplied by all points, as if they were the columns of one matrix."
assert _made.shape != (2, 2, 1), "Each point is still a column. Remove the additional axis."
assert _made.shape == (2, 2), f"For two points the shape should be (2, 2). Yours is {tuple(_made.shape)}."
assert not torch.equal(_made, torch.tensor([[2.0, -1.0], [6.0, 15.0]])), "The points were multiplied from the left, so the matrices act as if transposed."
assert torch.equal(_made, torch.tensor([[-2.0, 1.0], [10.0, 12.0]])), "The shape is right. Compare the first point with `matrices[0] @ points[0]`."
assert turn(torch.ones(1, 2, 2), torch.ones(1, 2)).shape == (1, 2), "A single point should give a batch of one."

# %% wrong: an axis in front of the numbers
# -     return matrices @ points
# +     return (points[:, None, :] @ matrices)[:, 0, :]

# %% wrong: the column is left
# -     return matrices @ points
# +     return matrices @ points[:, :, None]

# %% wrong: summed along the rows
# -     return matrices @ points
# +     return (matrices * points[:, :, None]).sum(2)

# %% wrong: all axes of size 1 removed
# -     return matrices @ points
# +     return (matrices @ points[:, :, None]).squeeze()

# %% wrong: the first matrix for all
# -     return matrices @ points
# +     return torch.mv(matrices[0], points[0])
