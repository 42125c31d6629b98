"""From ten scores to ten probabilities, and from the probability of the label to the loss."""
# covers: train.loss-optimizer

# region: softmax
import torch
import torch.nn.functional as F

scores = torch.tensor([[1.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0]])
p = scores.exp() / scores.exp().sum()
print(p)
#> tensor([[0.0379, 0.0139, 0.0139, 0.7614, 0.0139, 0.0139, 0.0139, 0.0139, 0.1030,
#>          0.0139]])
print(torch.allclose(p, F.softmax(scores, dim=1)))
#> True
# endregion

# region: loss
label = torch.tensor([3])
print(-p[0, 3].log(), F.cross_entropy(scores, label))
#> tensor(0.2726) tensor(0.2726)
label = torch.tensor([8])
print(-p[0, 8].log(), F.cross_entropy(scores, label))
#> tensor(2.2726) tensor(2.2726)
# endregion

probabilities = {str(digit): round(p[0, digit].item(), 3) for digit in range(10)}


def loss_of(probability):
    return -probability.log()


right = p[0, 3]
