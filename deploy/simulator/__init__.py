"""A floor that plays by itself: real agents, shuffled decks, people and mishaps."""
