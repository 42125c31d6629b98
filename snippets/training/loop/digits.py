"""Twenty epochs of mini-batches, then the correct answers on the training and the validation set."""
# covers: train.four-modules train.epoch-steps train.loop-snippet

# region: data
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
# endregion

# region: train
net = nn.Linear(64, 10)
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)

for epoch in range(20):
    shuffled = train[torch.randperm(1000)]
    for batch in shuffled.split(50):
        loss = F.cross_entropy(net(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
# endregion


# region: evaluate
def evaluate(net, indices):
    """Return the mean loss and the accuracy on the pictures with these indices."""
    net.eval()
    with torch.no_grad():
        scores = net(images[indices])
    net.train()
    correct = scores.argmax(dim=1) == labels[indices]
    return F.cross_entropy(scores, labels[indices]).item(), correct.float().mean().item()


for name, indices in (("training", train), ("validation", validation)):
    loss, accuracy = evaluate(net, indices)
    print(f"{name}: loss {loss:.2f}, accuracy {100 * accuracy:.1f} percent")
#> training: loss 0.18, accuracy 96.5 percent
#> validation: loss 0.23, accuracy 94.5 percent
# endregion
