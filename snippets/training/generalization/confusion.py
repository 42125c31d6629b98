"""Which digits are confused with which: the answers of five networks on the validation set."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])


def answers_of_network(seed):
    """Return the answers of a newly trained network for the validation set."""
    torch.manual_seed(seed)
    net = nn.Linear(64, 10)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    for epoch in range(20):
        for batch in train[torch.randperm(1000)].split(50):
            loss = F.cross_entropy(net(images[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        return net(images[validation]).argmax(dim=1)


# region: matrix
counts = torch.zeros(10, 10)
wrong = torch.zeros(400)
for seed in range(5):
    answers = answers_of_network(seed)
    for label, answer in zip(labels[validation], answers):
        counts[label, answer] += 1
    wrong += answers != labels[validation]

confusion = counts / counts.sum(dim=1, keepdim=True)  # each row adds up to 1
print(int(wrong.sum()), "wrong answers of", int(counts.sum()))
#> 87 wrong answers of 2000
# endregion

# region: always
always = validation[wrong == 5]
print(len(always))
#> 13
hardest = {f"{labels[i]}, no. {i}": images[i].reshape(8, 8) for i in always.tolist()}
# endregion
