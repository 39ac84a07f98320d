"""Which of the demo's people stand at simulated consoles, and who is called to them."""

from deploy.demo import people
from deploy.demo.folder import DataFolder
from deploy.simulator.dealer import Staff


def staff(folder: DataFolder) -> Staff:
    ranked = {one.role: one.number for one in (*people.FIRST, *people.OTHERS)}
    return Staff(
        dealers=(ranked.pop("dealer"), ranked["higher-duties"]),
        supervisors=ranked,
        pin=people.pin(folder),
    )
