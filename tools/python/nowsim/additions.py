"""What user code has registered, to be named in descriptions beside nowsim's own."""


class Additions:
    """Registered things by their kinds."""

    def __init__(self) -> None:
        self.workloads: list = []


_REGISTERED = Additions()


def registered() -> Additions:
    """All that was registered in this process: decorators have no other place to put it."""
    return _REGISTERED
