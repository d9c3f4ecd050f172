"""How fast the cores are when nobody else uses them, looked at again and again: by the clock on the wall, since what a
virtual machine's host takes, and the machine's own small tasks, are in no process's CPU time and not always alike."""
import statistics

from job import Ranks

KEPT = 30  # looks that count: the last ones


class Calibration:
    """`steps` take a second of a core, and so does a look."""

    def __init__(self, machine):
        self.machine = machine
        self.steps, self.pieces = 20_000_000, []  # of each look, those of both ranks
        self.steps = int(self.steps / statistics.mean(piece.cpu_s for piece in self._look()))
        for _ in range(KEPT):
            self.look()

    def _look(self):
        ranks = Ranks(self.machine)
        ranks.compute_all(self.steps)
        self.machine.end_all()
        return sorted(ranks.pieces, key=lambda piece: piece.rank)

    def look(self):
        self.pieces = [*self.pieces, self._look()][-KEPT:]

    def speeds(self, core):
        """Steps per second, of each look."""
        return [piece.steps / (piece.end_s - piece.begin_s) for piece in self._of(core)]

    def cpu_speed(self, core):
        """Steps per second of CPU time."""
        return statistics.median(piece.steps / piece.cpu_s for piece in self._of(core))

    def share(self, core):
        """CPU time that a task gets per second, of a core that nobody else uses."""
        return statistics.mean(piece.cpu_s / (piece.end_s - piece.begin_s) for piece in self._of(core))

    def _of(self, core):
        return [look[core] for look in self.pieces]
