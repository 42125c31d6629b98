"""The filter of TensorBoard's page ignores case."""
# engines: torch -- it reads TensorBoard's files and asks nothing of an engine
# needs: tensorboard

import re
import zipfile
from pathlib import Path

import tensorboard

with zipfile.ZipFile(Path(tensorboard.__file__).with_name("webfiles.zip")) as files:
    script = files.read("index.js").decode()
filters = re.findall(r'new RegExp\(\w+,"i"\)', script)
print(len(filters) > 0)
#> True

tags = ["Loss/train", "accuracy", "train_loss", "glossary"]
print([tag for tag in tags if re.search(r"^(?!.*Loss).*$", tag)])
#> ['accuracy', 'train_loss', 'glossary']
print([tag for tag in tags if re.search(r"^(?!.*Loss).*$", tag, re.IGNORECASE)])
#> ['accuracy']
