"""``python -m meter_server`` is ``meter-server`` where no script is installed."""

from meter_server.cli import main

if __name__ == "__main__":
    main()
