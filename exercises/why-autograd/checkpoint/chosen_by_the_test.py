"""This program chooses its threshold by the test set and then reports the accuracy on the same pictures. Repair it.

Choose `best` without the test pictures, and report the accuracy on pictures that played no part in the choice.
"""
# exercise: repair
# about: training/first-network.md#three-sets-one-choice
# hint: The line that begins with `best` measures every threshold on the test pictures.
# hint: The validation set is for choices, and the test set is for the report at the end.

# %% start
import torch
from sklearn.datasets import load_digits

digits = load_digits(n_class=2)  # zeros and ones only
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)
middles = images.reshape(360, 8, 8)[:, 3:5, 3:5].mean(dim=(1, 2))

torch.manual_seed(50)
validation, test = torch.randperm(360).split([60, 300])


def accuracy(threshold, pictures):
    answers = middles[pictures] > threshold
    return (answers == (labels[pictures] == 1)).float().mean().item()


thresholds = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
best = max(thresholds, key=lambda threshold: accuracy(threshold, test))
report = accuracy(best, test)
print(best, report)

# %% solution
# - best = max(thresholds, key=lambda threshold: accuracy(threshold, test))
# + best = max(thresholds, key=lambda threshold: accuracy(threshold, validation))

# %% check
_by_validation, _by_test, _by_all = (max(thresholds, key=lambda threshold: accuracy(threshold, part)) for part in (validation, test, torch.cat([validation, test])))
assert abs(report - accuracy(best, test)) < 1e-6 or best != _by_validation, "The choice is right, but the report is the accuracy on the pictures that made the choice. Among six thresholds, the best one always looks a little too good on them."
assert best != _by_test or best == _by_validation or abs(report - accuracy(best, test)) < 1e-6, "You have swapped the two sets. The test pictures still make the choice, and the report comes from the validation set."
assert best != _by_test or best == _by_validation, "The test pictures still choose the threshold, so they can't give an honest report."
assert best != _by_all, "All pictures chose the threshold, and the test pictures are among them. They must play no part in the choice."
assert best == _by_validation, "`best` should be the threshold with the highest accuracy on the validation set."

# %% wrong: a report on the validation set
# - best = max(thresholds, key=lambda threshold: accuracy(threshold, test))
# - report = accuracy(best, test)
# + best = max(thresholds, key=lambda threshold: accuracy(threshold, validation))
# + report = accuracy(best, validation)

# %% wrong: the sets swapped
# - report = accuracy(best, test)
# + report = accuracy(best, validation)

# %% wrong: a choice by all pictures
# - best = max(thresholds, key=lambda threshold: accuracy(threshold, test))
# + best = max(thresholds, key=lambda threshold: accuracy(threshold, torch.cat([validation, test])))

# %% wrong: no choice at all
# - best = max(thresholds, key=lambda threshold: accuracy(threshold, test))
# + best = thresholds[-1]
