"""``python -m signage`` is ``signage`` where no script is installed."""

from signage.cli import main

if __name__ == "__main__":
    main()
