"""The rules and nothing else.

No I/O, no clock, no randomness and no floats happen in this folder: time, identity and chance come
in as arguments. It imports the standard library and pokerkit, and none of its neighbours.
"""
