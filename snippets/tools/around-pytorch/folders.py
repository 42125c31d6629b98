"""List the folders of torchvision without importing it."""
# covers: structure.torchvision.datasets structure.torchvision.models structure.torchvision.ops structure.torchvision.transforms
# engines: torch -- the subject is torchvision's files
# needs: torchvision

import textwrap
from importlib.metadata import files

# region: listing
paths = [path for path in files("torchvision") if path.parts[0] == "torchvision" and path.suffix == ".py"]


def modules(*folder):
    found = [path.stem for path in paths if path.parts[1:-1] == folder]
    return sorted(name for name in found if not name.startswith("_"))


def lines(names):
    return textwrap.fill(" ".join(names), 72)
# endregion


# region: datasets
print(len(modules("datasets")))
#> 47
print([name for name in ("cifar", "coco", "mnist", "svhn", "voc") if name in modules("datasets")])
#> ['cifar', 'coco', 'mnist', 'svhn', 'voc']
# endregion
# region: models
print(lines(modules("models")))
#> alexnet convnext densenet efficientnet feature_extraction googlenet
#> inception maxvit mnasnet mobilenet mobilenetv2 mobilenetv3 regnet resnet
#> shufflenetv2 squeezenet swin_transformer vgg vision_transformer
print(sorted({path.parts[2] for path in paths if path.parts[1] == "models" and len(path.parts) > 3}))
#> ['detection', 'optical_flow', 'quantization', 'segmentation', 'video']
# endregion
# region: ops
print(lines(modules("ops")))
#> boxes ciou_loss deform_conv diou_loss drop_block feature_pyramid_network
#> focal_loss giou_loss misc poolers ps_roi_align ps_roi_pool roi_align
#> roi_pool stochastic_depth
# endregion
# region: transforms
print(lines(modules("transforms")))
#> autoaugment functional transforms
print(sorted({path.parts[2] for path in paths if path.parts[1] == "transforms" and len(path.parts) > 3}))
#> ['v2']
# endregion
