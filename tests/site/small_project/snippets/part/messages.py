"""Messages of many kinds."""

import warnings


class missing(LookupError):
    pass


def told(function):
    try:
        function()
    except (RuntimeError, ValueError) as error:
        print(f"{type(error).__name__}: {error}")


def fail():
    raise ValueError("this function never worked, and here are the many words that say so")


told(fail)
#> ValueError: this function never worked, and here are the many words that say so
try:
    [][1]
except IndexError as error:
    print(error)
#> list index out of range
try:
    int("x")
except ValueError as error:
    print("caught:", error)
#> caught: invalid literal for int() with base 10: 'x'
for text in ("1", "y"):
    try:
        print(int(text))
    except ValueError as error:
        print(error)
#> 1
#> invalid literal for int() with base 10: 'y'
for text in ("2", "just four words here"):
    try:
        if not text.isdigit():
            raise KeyError(text)
        print(text)
    except KeyError as error:
        print(error.args[0])
#> 2
#> just four words here
warnings.warn("this one is said twice, here and elsewhere, in the same nine words", DeprecationWarning)
#~ DeprecationWarning: this one is said twice, here and elsewhere, in ...
raise missing("nobody")
#! missing: nobody
