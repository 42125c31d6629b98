"""torchvision requires torch, but torch does not require torchvision."""
# covers: structure.torchvision
# engines: torch -- the subject is what the packages say of themselves
# needs: torchvision

from importlib.metadata import requires

print([line for line in requires("torch") if "torchvision" in line])
#> []
print([line for line in requires("torchvision") if line.startswith("torch")])
#> ['torch (==2.13.0)']
