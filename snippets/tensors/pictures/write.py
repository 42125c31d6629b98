"""Write a picture file: a header line, then the bytes of the array."""

from pathlib import Path

import numpy as np
import torch

x = torch.zeros(1, 3, 2, 4)
x[0, 0] = torch.linspace(0, 1, 4)
image = (x[0].numpy().transpose(1, 2, 0) * 255.0).round().astype(np.uint8)

height, width, _ = image.shape
Path("picture.ppm").write_bytes(f"P6 {width} {height} 255\n".encode() + image.tobytes())

data = Path("picture.ppm").read_bytes()
print(data[:11])
#> b'P6 4 2 255\n'
print(len(data) - 11, image.size)
#> 24 24
