"""Writes what type checkers read of functions whose keywords are commands' flags: questions.pyi and running.pyi, beside
the modules, and the package's py.typed."""

import ast
import inspect
import sys
from pathlib import Path

_MODULES = ("questions", "running")
_TYPES_OF_FLAGS = "from typing import Literal, Optional\n\nfrom .arguments import Names, Number, Path\n"


def _function(node: ast.FunctionDef, function) -> str:
    """A line; what is written in the module stands as it does there, a command's flags as its table has them."""
    written = {argument.arg: ast.unparse(argument.annotation)
               for argument in (*node.args.args, *node.args.kwonlyargs) if argument.annotation is not None}
    parameters, has_star = [], False
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY and not has_star:
            parameters.append("*")
            has_star = True
        default = "" if parameter.default is parameter.empty else " = ..."
        parameters.append(f"{name}: {written.get(name, parameter.annotation)}{default}")
    return f"\ndef {node.name}({', '.join(parameters)}) -> {ast.unparse(node.returns)}: ...\n"


def main(folder: str) -> None:
    sys.path.insert(0, str(Path(folder).parent))
    import nowsim  # noqa: F401: its modules are looked at
    for name in _MODULES:
        module = sys.modules[f"nowsim.{name}"]
        nodes = ast.parse(inspect.getsource(module)).body
        imports = [ast.unparse(node) for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
        text = "\n".join(line for line in imports if line != "from . import _nowsim") + "\n" + _TYPES_OF_FLAGS
        text += "".join(_function(node, getattr(module, node.name)) for node in nodes
                        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"))
        Path(folder, name + ".pyi").write_text(text, encoding="utf-8")
    Path(folder, "py.typed").touch()


main(sys.argv[1])
