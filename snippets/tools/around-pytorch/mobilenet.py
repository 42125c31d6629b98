"""torchvision has MobileNets 2 and 3, but not 1."""
# engines: torch -- the subject is torchvision's files
# needs: torchvision

from importlib.metadata import files

source = next(path for path in files("torchvision") if path.as_posix() == "torchvision/models/mobilenet.py")
print(source.read_text().strip())
#> from .mobilenetv2 import *  # noqa: F401, F403
#> from .mobilenetv3 import *  # noqa: F401, F403
#> from .mobilenetv2 import __all__ as mv2_all
#> from .mobilenetv3 import __all__ as mv3_all
#>
#> __all__ = mv2_all + mv3_all
