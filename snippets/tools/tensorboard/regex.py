"""A filter that excludes every tag with `Loss`."""
# covers: tensorboard.regex-exclude

import re

tags = ["Loss/train", "Loss/test", "accuracy", "lr", "train_loss"]
print([tag for tag in tags if re.search(r"^(?!.*Loss).*$", tag)])
#> ['accuracy', 'lr', 'train_loss']
