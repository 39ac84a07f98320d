"""What can be said about people without a database."""
