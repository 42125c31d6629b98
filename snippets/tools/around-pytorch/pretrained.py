"""The argument `weights` has replaced `pretrained=True`."""
# covers: hooks.feature-extractor.pretrained
# engines: torch -- the subject is torchvision's files
# needs: torchvision

from importlib.metadata import files


def source(name):
    return next(path for path in files("torchvision") if path.as_posix() == f"torchvision/models/{name}.py").read_text()


resnet = source("resnet")
start = resnet.index("def resnet50(")
print(resnet[start : resnet.index(":", resnet.index("->", start)) + 1])
#> def resnet50(*, weights: Optional[ResNet50_Weights] = None, progress: bool = True, **kwargs: Any) -> ResNet:
print(resnet[resnet[:start].rindex("@handle_legacy") : start].strip())
#> @handle_legacy_interface(weights=("pretrained", ResNet50_Weights.IMAGENET1K_V1))

# What the wrapper says when it finds the old name in a call.
print(*(line.strip() for line in source("_utils").splitlines() if "'{pretrained_param}' is deprecated" in line))
#> f"The parameter '{pretrained_param}' is deprecated since 0.13 and may be removed in the future, "
