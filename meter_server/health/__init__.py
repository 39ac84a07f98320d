"""How the parts of the system are: asked in one place, shown on the page, the probes, the CLI."""
