"""A copy of the tree that mutmut can see all of.

mutmut leaves a decorated function alone. In the copy the decorator of a property or of a cached
function is called under it instead: the same program, and nothing of it is hidden.
"""

import ast
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOMAIN = Path("meter_server/domain")
_NEEDED = ("meter_server", "tests", "deploy", "docs", "pyproject.toml")


def copy_to(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in _NEEDED:
        source = ROOT / name
        if source.is_dir():
            shutil.rmtree(folder / name, ignore_errors=True)
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    for path in (folder / DOMAIN).rglob("*.py"):
        path.write_text(undecorated(path.read_text(encoding="utf-8")), encoding="utf-8")


def undecorated(source: str) -> str:
    lines = source.splitlines()
    # From the last to the first, so that the line numbers of the others stay true.
    for function in reversed(list(_decorated(ast.parse(source)))):
        [decorator] = function.decorator_list
        assert function.end_lineno is not None
        made = f"{function.name} = {ast.unparse(decorator)}({function.name})"
        lines.insert(function.end_lineno, f"{' ' * function.col_offset}{made}")
        del lines[decorator.lineno - 1]
    return "\n".join([*lines, ""])


def _decorated(tree: ast.Module) -> list[ast.FunctionDef]:
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and [ast.unparse(decorator) for decorator in node.decorator_list]
        in (["property"], ["cache"])
    ]
    return sorted(found, key=lambda function: function.lineno)
