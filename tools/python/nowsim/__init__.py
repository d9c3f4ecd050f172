"""Parallel jobs on machines that others use too: how long will it take, how should it be split, how sure can I be?"""

from ._nowsim import InputError, RunError, __version__

__all__ = ["InputError", "RunError", "__version__"]
