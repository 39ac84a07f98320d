"""How an endpoint is declared: once, and the declaration parses, guards and documents it."""
