"""Every SQL statement of the server, by name, from the ``.sql`` files beside this one.

Each file runs in psql as it is: a parameter ``:worker`` is a psql variable.
"""

from pathlib import Path
from typing import Any

import aiosql

# Any: the functions are made from the files when this module is loaded.
queries: Any = aiosql.from_path(Path(__file__).parent, "psycopg")
