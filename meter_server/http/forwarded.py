"""Whose request it is, where a proxy stands in front: the address that the proxy saw.

Only an address that the installation has named is believed, and only what it added itself: whatever
a caller wrote into the header stands further to the left and is not looked at.
"""

from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

Network = IPv4Network | IPv6Network
Application = Callable[..., Iterable[bytes]]


def networks(text: str) -> tuple[Network, ...]:
    """``10.0.0.5, 10.1.0.0/16``; ValueError where one is neither an address nor a network."""
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


def behind(application: Application, proxies: Sequence[Network]) -> Application:
    """The same application, told the address that the outermost trusted proxy saw."""
    if not proxies:
        return application

    def call(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        seen = environ.get("REMOTE_ADDR", "")
        told = environ.get("HTTP_X_FORWARDED_FOR", "")
        environ["REMOTE_ADDR"] = caller(seen, told, proxies)
        return application(environ, start_response)

    return call


def caller(seen: str, told: str, proxies: Sequence[Network]) -> str:
    """From right to left: each proxy added whom it saw."""
    chain = [part.strip() for part in told.split(",")]
    while _is_trusted(seen, proxies) and chain and _is_address(chain[-1]):
        seen = chain.pop()
    return seen


def _is_trusted(address: str, proxies: Sequence[Network]) -> bool:
    return _is_address(address) and any(ip_address(address) in network for network in proxies)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
