"""The house's look: colours, type and icons that every page shares, whichever process serves it."""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Served whole as ``/look/`` by whoever has pages; ``tokens.css`` is where to begin."""
