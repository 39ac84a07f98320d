"""Prize Meter on one machine for a look, with engines of its own. Not for production."""
