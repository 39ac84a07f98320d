"""Watches over the books: checkpoints, the log outside the database, the check of the journal."""
