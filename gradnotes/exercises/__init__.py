"""Exercises that the reader repairs, writes or points at. The page and the tests check answers with the same code.

`format` parses a file of exercises/. `judging` checks an answer. `pointing` derives the answer key of a point
exercise. `proof` validates each exercise on every engine against the rules in FORMATS.md.
"""
