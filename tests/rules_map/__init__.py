"""Draws docs/rules-map.md from the citations in the code and the markers on the tests."""
