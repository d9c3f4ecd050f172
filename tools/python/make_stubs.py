"""Writes what type checkers read of functions whose keywords are commands' flags: questions.pyi and running.pyi, beside
the modules, and the package's py.typed."""

import ast
import inspect
import sys
from pathlib import Path

_HEAD = {
    "questions": """from collections.abc import Mapping
from typing import Any, Literal, Optional, Union

from .answers import Contrast, Isoefficiency, Plan, Text, UnderWay, Verification
from .arguments import Names, Number, Path, Spec
from .messages import Progress
from .result import Result
""",
    "running": """from collections.abc import Mapping
from typing import Literal, Optional

from .arguments import Names, Number, Path, Spec
from .messages import Progress
from .result import Result
"""}


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
    import nowsim
    for name, head in _HEAD.items():
        module = sys.modules[f"{nowsim.__name__}.{name}"]
        nodes = [node for node in ast.parse(inspect.getsource(module)).body
                 if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
        text = head + "".join(_function(node, getattr(module, node.name)) for node in nodes)
        Path(folder, name + ".pyi").write_text(text, encoding="utf-8")
    Path(folder, "py.typed").touch()


main(sys.argv[1])
