"""What `pretrained=True` became."""
# engines: torch -- the subject is torchvision's files
# needs: torchvision

from importlib.metadata import files

source = next(path for path in files("torchvision") if path.as_posix() == "torchvision/models/resnet.py").read_text()
start = source.index("def resnet18(")
print(source[start : source.index(":", source.index("->", start)) + 1])
#> def resnet18(*, weights: Optional[ResNet18_Weights] = None, progress: bool = True, **kwargs: Any) -> ResNet:
print(source[source[:start].rindex("@handle_legacy") : start].strip())
#> @handle_legacy_interface(weights=("pretrained", ResNet18_Weights.IMAGENET1K_V1))
