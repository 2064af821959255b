"""Tell a function that nobody has written yet."""

import dis
import inspect
from types import CodeType
from typing import Any


def is_stub(function: Any) -> bool:
    """Whether the body does nothing: `...`, `pass`, a docstring, `return None`."""
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType) or code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE):
        return False
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("RESUME", "NOP", "CACHE")]
    return all(step.opname in ("LOAD_CONST", "RETURN_CONST", "RETURN_VALUE") and step.argval is None for step in steps)
