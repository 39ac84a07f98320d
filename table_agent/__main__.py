"""``python -m table_agent`` is ``table-agent`` where no script is installed."""

from table_agent.cli import main

if __name__ == "__main__":
    main()
