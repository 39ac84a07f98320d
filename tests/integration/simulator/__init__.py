"""An evening on a simulated floor, against a real server."""
