"""How a person writes a speed and a share on the command line."""

import click

SPEED_MAX = 10_000


class Speed(click.ParamType[float]):
    """Times a real floor's; ``max`` is 0, which waits for nothing."""

    name = "speed"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        if value == "max":
            return 0.0
        times = _number(str(value).removesuffix("x"))
        if not 0 < times <= SPEED_MAX:
            self.fail(f"{value!r}: say how many times a real floor's, 20x, or max.", param, ctx)
        return times


class Share(click.ParamType[float]):
    """Of all rounds, in percent."""

    name = "percent"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        percent = _number(str(value).removesuffix("%"))
        if not 0 <= percent <= 100:
            self.fail(f"{value!r}: say a share of all rounds, such as 2%.", param, ctx)
        return percent / 100


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0
