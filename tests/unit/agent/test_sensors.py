"""Equipment that lights seats."""

from itertools import islice
from pathlib import Path

import pytest

from meter_server.contract.device.errors import DeviceError
from table_agent.sensors import SerialSensor, Simulator, Touch, WedgeSensor, sensor


def test_a_line_names_all_seats_and_a_damaged_one_says_nothing(tmp_path: Path) -> None:
    wedge = tmp_path / "wedge"
    wedge.write_text("1 3 6\n\n2,4\n1 3 \x00\n10\n7\n", encoding="ascii")
    assert list(WedgeSensor(wedge).readings()) == [{1, 3, 6}, set(), {2, 4}, {7}]


def test_a_serial_port_speaks_the_same() -> None:
    sensor = SerialSensor("loop://")
    sensor._port.write(b"2 5\n9\n")
    assert list(islice(sensor.readings(), 2)) == [{2, 5}, {9}]


def test_the_same_players_come_for_the_same_number() -> None:
    first, again = (list(islice(Simulator(7, 0).readings(), 20)) for _ in range(2))
    assert first == again
    assert len(set(map(frozenset, first))) > 5


def test_touch_senses_nothing() -> None:
    assert list(Touch().readings()) == []


@pytest.mark.parametrize("described", ["touch:1", "serial:", "wedge:", "simulator:x", "radar", ""])
def test_an_unknown_sensor_is_told_with_those_there_are(described: str) -> None:
    with pytest.raises(DeviceError, match="use touch, serial:PORT, wedge:FILE or simulator:NUMBER"):
        sensor(described)


def test_a_sensor_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(DeviceError, match="The sensor at /nowhere/at/all cannot be read"):
        sensor("wedge:/nowhere/at/all")
    with pytest.raises(DeviceError, match="The sensor at /nowhere/at/all cannot be opened"):
        sensor("serial:/nowhere/at/all")
