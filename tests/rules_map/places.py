"""Says which named thing a line of Python belongs to."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Place:
    """A function, class or constant, and the lines it covers."""

    name: str
    first_line: int
    last_line: int


def innermost(places: list[Place], line: int) -> str:
    """The name of the smallest place around the line; empty for the module itself."""
    around = [place for place in places if place.first_line <= line <= place.last_line]
    return min(around, key=lambda place: place.last_line - place.first_line).name if around else ""


def named_places(tree: ast.Module) -> list[Place]:
    return list(_within(tree.body, prefix="", constants=True))


def _within(body: list[ast.stmt], prefix: str, *, constants: bool) -> Iterator[Place]:
    for position, statement in enumerate(body):
        if isinstance(statement, Definition):
            yield from _definition(statement, prefix)
        elif constants and (target := _assigned_name(statement)):
            note = body[position + 1] if position + 1 < len(body) else None
            end = note if note is not None and _is_bare_string(note) else statement
            yield Place(prefix + target, statement.lineno, end.end_lineno or end.lineno)
        else:
            for block in ("body", "orelse", "finalbody"):
                yield from _within(getattr(statement, block, []), prefix, constants=constants)


def _definition(statement: Definition, prefix: str) -> Iterator[Place]:
    name = prefix + statement.name
    first_line = min([statement.lineno, *(node.lineno for node in statement.decorator_list)])
    yield Place(name, first_line, statement.end_lineno or statement.lineno)
    is_class = isinstance(statement, ast.ClassDef)
    yield from _within(statement.body, name + ".", constants=is_class)


def _assigned_name(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Assign):
        target: ast.expr = statement.targets[0]
    elif isinstance(statement, ast.AnnAssign):
        target = statement.target
    else:
        return ""
    return target.id if isinstance(target, ast.Name) else ""


def _is_bare_string(statement: ast.stmt) -> bool:
    """A string under a constant is that constant's documentation."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )
