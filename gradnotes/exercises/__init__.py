"""Exercises: what the reader repairs, writes or points at, and how it is judged, alike in the page and by the tests.

`format` reads a file of exercises/, `judging` says what became of an answer, `pointing` records the key of a drawing or a
program, `proof` holds each exercise to what FORMATS.md promises of it, on every engine.
"""
