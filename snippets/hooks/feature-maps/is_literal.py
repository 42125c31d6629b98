"""`name is "fc"` tests whether both are the same object, and `==` tests whether the strings are equal."""
# covers: hooks.feature-extractor.is-literal

name = "".join(["f", "c"])  # Made at run time, as a name read from a file would be.
print(name == "fc")
#> True

eval('name is "fc"')
#~ SyntaxWarning: "is" with ...
print(eval('name is "fc"'))
#> False
#~ SyntaxWarning: "is" with ...
