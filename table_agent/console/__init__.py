"""The console: a page on the table's own screen, and the requests it makes."""
