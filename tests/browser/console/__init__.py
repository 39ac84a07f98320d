"""The dealer's console in a real browser, with a real agent process and a real server."""
