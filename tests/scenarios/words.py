"""A line's words, taken one after the other."""

import shlex

from meter_server.domain.money import parse_dollars


class WordsError(Exception):
    """What cannot be read, in a sentence."""


class Words:
    def __init__(self, text: str) -> None:
        self._words = shlex.split(text)

    def __bool__(self) -> bool:
        return bool(self._words)

    def peek(self) -> str:
        return self._words[0] if self._words else ""

    def take(self, what: str = "a word") -> str:
        if not self._words:
            raise WordsError(f"{what} is missing.")
        return self._words.pop(0)

    def maybe(self, word: str) -> bool:
        """Take the word if it comes next."""
        if self.peek() != word:
            return False
        self._words.pop(0)
        return True

    def must(self, word: str) -> None:
        if not self.maybe(word):
            raise WordsError(f"{word!r} is missing before {self.peek()!r}.")

    def after(self, word: str) -> str | None:
        """The word that follows this one, where this one comes next."""
        return self.take(f"what follows {word!r}") if self.maybe(word) else None

    def numbers(self) -> frozenset[int]:
        found = set()
        while self.peek().isdigit():
            found.add(int(self.take()))
        return frozenset(found)

    def dollars(self) -> int:
        return signed_dollars(self.take("an amount"))

    def end(self) -> None:
        if self._words:
            raise WordsError(f"{self.peek()!r} is not understood here.")


def signed_dollars(text: str) -> int:
    try:
        micros = parse_dollars(text.removeprefix("+").removeprefix("-"))
    except ValueError as error:
        raise WordsError(str(error)) from error
    return -micros if text.startswith("-") else micros
