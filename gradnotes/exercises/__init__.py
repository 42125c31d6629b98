"""Parse, check and validate exercises. The page and the tests check answers with the same code.

`parser` parses a file of exercises/. `check` checks an answer. `point` derives the answer key of a point
exercise. `validate` validates each exercise on every engine against the rules in FORMATS.md.
"""
