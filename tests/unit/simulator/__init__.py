"""The parts of the simulator that need no floor."""
