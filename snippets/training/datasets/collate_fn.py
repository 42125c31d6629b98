"""`default_collate` refuses a type that it doesn't know; a `collate_fn` can accept it."""
# covers: data.torchvision-mnist

from torch.utils.data import DataLoader


class Picture:
    """Stands for a picture that is no tensor yet."""


samples = [(Picture(), 0), (Picture(), 1)]
try:
    next(iter(DataLoader(samples, batch_size=2)))
except TypeError as error:
    print(error)
#> default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class '__main__.Picture'>

pairs = next(iter(DataLoader(samples, batch_size=2, collate_fn=list)))
print(len(pairs), type(pairs[0][0]).__name__)
#> 2 Picture
