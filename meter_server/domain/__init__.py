"""The rules and nothing else.

No I/O, no clock, no randomness and no floats happen in this folder: time, identity and chance come
in as arguments. It imports the standard library and pokerkit, of its neighbours only the one
form in which JSON is hashed (canonical.py).
"""
