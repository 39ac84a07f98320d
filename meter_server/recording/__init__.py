"""The one door: every change of a meter comes in here, is decided, stored and then answered."""
