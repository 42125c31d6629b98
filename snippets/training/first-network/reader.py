"""A network learns to recognize digits and is tested on pictures that it has never seen."""

# region: data
import torch
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
# endregion

# region: training
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(20):
    for batch in train.split(50):
        loss = nn.functional.cross_entropy(net(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
# endregion

# region: score
with torch.no_grad():
    answers = net(images).argmax(dim=1)
correct = answers == labels
print("train", correct[train].sum().item(), "of", len(train))
#> train 988 of 1000
print("validation", correct[validation].sum().item(), "of", len(validation))
#> validation 383 of 400
# endregion

# region: mistakes
wrong = validation[~correct[validation]]
mistakes = {
    f"{answers[i]}, not {labels[i]}": images[i].reshape(8, 8)
    for i in wrong[:5].tolist()
}
print(list(mistakes))
#> ['8, not 1', '4, not 7', '4, not 1', '4, not 9', '8, not 9']
# endregion

# region: sheet
sheet = {str(labels[i].item()): images[i].reshape(8, 8) for i in range(10)}
# endregion
