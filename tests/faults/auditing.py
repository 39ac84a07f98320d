"""The auditor's way: a campaign's export, checkpoints and receipts, and `jackpot-verify`."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.faults.floor import Floor
from tests.faults.kept import Kept

VERIFIER = Path(__file__).parents[2] / "deploy" / "verify" / "jackpot_verify.py"
SECONDS_MAX = 900


def audit(floor: Floor, folder: Path, kept: Sequence[Kept]) -> subprocess.CompletedProcess[str]:
    """As an auditor does it, who has files and nothing else."""
    export, receipts = folder / "export.jsonl", folder / "receipts"
    receipts.write_text("".join(one.receipt for one in kept), encoding="utf-8")
    exporting = [sys.executable, "-m", "meter_server", "export", "--output", str(export)]
    subprocess.run(exporting, env=floor.environment, check=True, timeout=SECONDS_MAX)
    [checkpoints] = (folder / "checkpoints").glob("*.log")
    command = [sys.executable, str(VERIFIER), "--key", floor.verifier_key]
    command += ["--checkpoints", str(checkpoints), "--receipts", str(receipts), str(export)]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX)
