"""Parse, check and validate exercises. The page and the tests check answers with the same code.

`parser` parses a file of exercises/. `check` checks an answer. `point` derives the answer key of an exercise in which
the reader selects lines, tensors or nodes. `validate` runs each exercise and checks the rules in FORMATS.md.
"""
