"""``make run``."""

import signal

# Until the supervisor listens for it, Ctrl-C ends us quietly, even in the middle of an import.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from deploy.demo.command import main  # noqa: E402

if __name__ == "__main__":
    main()
