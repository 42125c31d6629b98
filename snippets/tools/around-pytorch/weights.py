"""The package has the addresses of the weights, but not the weights."""
# engines: torch -- the subject is torchvision's files
# needs: torchvision

from importlib.metadata import files

paths = files("torchvision")
print([path.name for path in paths if path.suffix in (".pth", ".pt")])
#> []
source = next(path for path in paths if path.as_posix() == "torchvision/models/resnet.py")
print(source.read_text().count('url="'))
#> 17
