"""The small wrong changes: where a line could have been written otherwise, and how."""

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

_COMPARED: Final = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
    "in": ("not in",), "not in": ("in",), "is": ("is not",), "is not": ("is",),
}  # fmt: skip
_CALCULATED: Final = {
    "+": "-", "-": "+", "*": "+", "//": "*", "/": "*", "%": "*", "|": "&", "&": "|", "^": "&", ">>": "<<", "<<": ">>",
}  # fmt: skip
_OPPOSITES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
_OPERATOR: Final = re.compile(rb"not\s+in|is\s+not|in|is|and|or|//|<<|>>|[<>=!]=|[-<>+*/%|&^]")
_A_WORD: Final = re.compile(r"[\w./:<>+-]{1,40}")
"""Texts that steer something; whatever has a space in it is for people."""
_SPEED_ONLY: Final = ("cache", "lru_cache", "overload")
_NO_BEHAVIOUR: Final = (
    "frozen",
    "gc",
    "slots",
    "kw_only",
    "prepare",
    "strict",
    "help",
    "metavar",
    "rich_help_panel",
    "epilog",
)
"""Keywords that steer speed, types and wording, and `strict`, which asserts what is so."""


class Mutant(NamedTuple):
    """One change: these bytes of the file, replaced by this text."""

    path: str
    line: int
    start: int
    end: int
    text: str
    block: str
    """The innermost block of statements around it, by its first line; empty where it runs when it is imported."""

    def applied(self, source: bytes) -> bytes:
        """The source with the change in it."""
        return source[: self.start] + self.text.encode() + source[self.end :]

    def lines(self, source: bytes) -> tuple[str, str]:
        """The line before and after."""
        first, last = source.rfind(b"\n", 0, self.start) + 1, source.find(b"\n", self.end)
        after = source[first : self.start] + self.text.encode() + source[self.end : last]
        return _on_one_line(source[first:last]), _on_one_line(after)


def _on_one_line(source: bytes) -> str:
    return " ".join(source.decode().split())


def block_of(path: str, statements: list[ast.stmt]) -> str:
    """The name of a block; what a docstring says is no statement."""
    return f"{path}:{statements[0].lineno}"


def mutants(path: str, source: bytes) -> list[Mutant]:
    """Every change to a file, in the order of its lines."""
    return sorted(set(_Changes(path, source).of_block(ast.parse(source).body, "")))


def makes_sense(mutant: Mutant, source: bytes) -> bool:
    """Whether the file still compiles, and is not the same in other words."""
    try:
        return ast.dump(ast.parse(mutant.applied(source))) != ast.dump(ast.parse(source))
    except SyntaxError:
        return False


class _Changes:
    """Goes through one file."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path = path
        self.source = source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        # In files that only word or draw what the state says, texts are wording whatever they look like.
        self.has_words = path.endswith(("words.py", "picture.py"))

    def place(self, node: ast.AST) -> tuple[int, int]:
        start = self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        return start, self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]

    def change(self, node: ast.AST, text: str, block: str, until: ast.AST | None = None) -> Mutant:
        start, end = self.place(node)[0], self.place(until or node)[1]
        return Mutant(self.path, self.source.count(b"\n", 0, start) + 1, start, end, text, block)

    def of_block(self, statements: list[ast.stmt], block: str) -> Iterator[Mutant]:
        for statement in statements:
            yield from self.of_statement(statement, block)

    def of_statement(self, node: ast.stmt, block: str) -> Iterator[Mutant]:
        if (
            isinstance(node, ast.Assert | ast.Import | ast.ImportFrom | ast.Pass)
            or _is_text(node)
            or _is_for_types(node)
        ):
            return
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from self._of_definition(node)
            return
        is_removable = isinstance(node, ast.Expr | ast.AugAssign | ast.Raise | ast.Delete) or (
            isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Name | ast.Tuple)
        )
        if is_removable and block:
            yield self.change(node, "pass", block)
        if isinstance(node, ast.Return) and node.value is not None:
            yield self.change(node, "return None", block)
        if isinstance(node, ast.Break | ast.Continue):
            yield self.change(node, "continue" if isinstance(node, ast.Break) else "break", block)
        if isinstance(node, ast.If):
            yield self.change(node.test, "True", block)
        if isinstance(node, ast.If | ast.While):
            yield self.change(node.test, "False", block)
        if isinstance(node, ast.AugAssign):
            yield from self._operator(node.target, node.value, _CALCULATED, block)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr) and child is not getattr(node, "annotation", None):
                yield from self.of_expression(child, block)
            elif isinstance(child, ast.withitem):
                yield from self.of_expression(child.context_expr, block)
        for inner in _blocks(node):
            yield from self.of_block(inner, block_of(self.path, inner) if block else "")

    def _of_definition(self, node: ast.FunctionDef | ast.ClassDef) -> Iterator[Mutant]:
        for decorator in node.decorator_list:
            if not ast.unparse(decorator).startswith(_SPEED_ONLY):
                start, end = self.place(decorator)
                yield Mutant(self.path, decorator.lineno, start - 1, end, "", "")
                yield from self.of_expression(decorator, "")
        if isinstance(node, ast.ClassDef):
            if "Protocol" not in {ast.unparse(base) for base in node.bases}:
                for keyword in node.keywords:
                    yield from self._keyword(keyword, "")
                yield from self.of_block(node.body, "")
            return
        for default in (*node.args.defaults, *(default for default in node.args.kw_defaults if default)):
            yield from self.of_expression(default, "")
        body = node.body[1:] if _is_text(node.body[0]) else node.body
        if body:
            yield from self.of_block(body, block_of(self.path, body))

    def of_expression(self, node: ast.expr, block: str) -> Iterator[Mutant]:
        if isinstance(node, ast.JoinedStr):  # wording
            return
        if isinstance(node, ast.Constant):
            yield from (self.change(node, text, block) for text in self._constants(node))
        elif isinstance(node, ast.Compare):
            for left, right in zip((node.left, *node.comparators), node.comparators, strict=False):
                yield from self._operator(left, right, _COMPARED, block)
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield from self._operator(left, right, {"and": "or", "or": "and"}, block)
                yield self.change(left, ast.unparse(left), block, until=right)
            yield self.change(node.values[0], ast.unparse(node.values[-1]), block, until=node.values[-1])
        elif isinstance(node, ast.BinOp):
            if not (_is_wording(node.left) or _is_wording(node.right)):
                yield from self._operator(node.left, node.right, _CALCULATED, block)
        elif isinstance(node, ast.UnaryOp):
            yield self.change(node, f"({ast.unparse(node.operand)})", block)
        elif isinstance(node, ast.IfExp):
            yield from (self.change(node.test, text, block) for text in ("True", "False"))
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in _OPPOSITES:
                yield self.change(node.func, _OPPOSITES[node.func.id], block)
            for keyword in node.keywords:
                yield from self._keyword(keyword, block)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.comprehension):
                yield from self._comprehension(child, block)
            elif isinstance(child, ast.expr):
                yield from self.of_expression(child, block)

    def _comprehension(self, node: ast.comprehension, block: str) -> Iterator[Mutant]:
        yield from self.of_expression(node.iter, block)
        for test in node.ifs:
            yield self.change(test, "True", block)
            yield from self.of_expression(test, block)

    def _keyword(self, node: ast.keyword, block: str) -> Iterator[Mutant]:
        if node.arg in _NO_BEHAVIOUR:
            return
        start, end = self.place(node)
        if node.arg is not None:
            comma = re.compile(rb"\s*,").match(self.source, end)
            yield Mutant(self.path, node.lineno, start, comma.end() if comma else end, "", block)
        yield from self.of_expression(node.value, block)

    def _operator(
        self, left: ast.expr, right: ast.expr, others: dict[str, str] | dict[str, tuple[str, ...]], block: str
    ) -> Iterator[Mutant]:
        """The operator between two operands; brackets may stand there as well."""
        found = _OPERATOR.search(self.source, self.place(left)[1], self.place(right)[0])
        if found is not None:
            instead = others.get(" ".join(found[0].decode().split()), ())
            line = self.source.count(b"\n", 0, found.start()) + 1
            for text in (instead,) if isinstance(instead, str) else instead:
                yield Mutant(self.path, line, found.start(), found.end(), text, block)

    def _constants(self, node: ast.Constant) -> Iterable[str]:
        value = node.value
        if isinstance(value, bool):
            return (str(not value),)
        if isinstance(value, int):
            return (str(value + 1), f"({value - 1})" if value < 1 else str(value - 1))
        if isinstance(value, str) and not self.has_words and (not value or _A_WORD.fullmatch(value)):
            return (repr(value + "~"),)
        return ()


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        if inner := getattr(node, name, None):
            yield inner
    for inner in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield inner.body


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_wording(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_for_types(node: ast.stmt) -> bool:
    """Names of types, `__all__`, and what only a type checker reads."""
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    if isinstance(node, ast.AnnAssign):
        return node.value is None
    names = [ast.unparse(target) for target in node.targets] if isinstance(node, ast.Assign) else []
    if "__all__" in names or (isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("TypeVar(")):
        return True
    is_type = isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript | ast.BinOp | ast.Name)
    return is_type and all(name[:1].isupper() and not name.isupper() for name in names)
