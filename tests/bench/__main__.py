"""``make bench-quick``: the naive route against the writer, on this machine, with books checked."""

import sys

from tests.bench.measuring import PARTS, engines, measure


def main() -> None:
    chosen = sys.argv[1:]
    with engines() as (postgres, redis):
        for part in PARTS:
            if chosen and part.name not in chosen:
                continue
            load = measure(part, postgres, redis)
            print(
                part.name,
                f"{load.requests_per_second:.0f} requests/s",
                f"{load.requests_per_second * part.messages_each:.0f} messages/s",
                f"p50 {load.latency_ms(50):.1f} p99 {load.latency_ms(99):.1f} ms",
                f"{load.seconds:.1f} s",
            )


if __name__ == "__main__":
    main()
