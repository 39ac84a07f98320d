"""Who comes in: people, sessions, consoles, what takes two persons, and the audit trail."""
