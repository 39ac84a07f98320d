"""Numbered, plain SQL; ``meter_server.storage.migrate`` applies them in order."""
