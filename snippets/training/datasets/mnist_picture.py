"""MNIST without a transform returns pictures of Pillow, and `default_collate` refuses them."""
# covers: data.torchvision-mnist
# engines: torch -- the subject is torchvision's files
# needs: torchvision

from importlib.metadata import files

from PIL import Image
from torch.utils.data import DataLoader

source = next(path for path in files("torchvision") if path.as_posix() == "torchvision/datasets/mnist.py").read_text()
for line in source.partition("def __getitem__")[2].partition("return img")[0].splitlines():
    if "img" in line:
        print(line.strip())
#> img, target = self.data[index], int(self.targets[index])
#> img = _Image_fromarray(img.numpy(), mode="L")
#> img = self.transform(img)

samples = [(Image.new("L", (28, 28)), 5), (Image.new("L", (28, 28)), 0)]
next(iter(DataLoader(samples, batch_size=2)))
#! TypeError: default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'PIL.Image.Image'>
