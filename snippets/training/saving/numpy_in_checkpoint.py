"""`torch.load` refuses a checkpoint that contains a number of NumPy."""
# covers: save.checkpoint save.load

import io

import numpy as np
import torch


def file_with(value):
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return file


print(torch.load(file_with({"loss": float(np.float64(0.5))})))
#> {'loss': 0.5}

torch.load(file_with({"loss": np.float64(0.5)}))
#! UnpicklingError: Weights only load failed. This file can still be loaded, to do so you have two options, ...
