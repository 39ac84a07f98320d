"""People, consoles and two-person changes, on a real PostgreSQL as the server logs in to it."""
