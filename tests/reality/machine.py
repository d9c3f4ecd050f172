"""What the scripts here share: the programs that they need, and the machine's first two cores with processes on them.

They are built, but where NOWSIM_REALITY_PROGRAMS names a folder that has them: nowsim and reality_*."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build", "release")
BUILT = os.environ.get("NOWSIM_REALITY_PROGRAMS")
NOWSIM, BIN = os.path.join(BUILT or BUILD, "nowsim"), BUILT or os.path.join(BUILD, "tests", "reality")


def build():
    if BUILT:
        return
    if not os.path.exists(os.path.join(BUILD, "build.ninja")):
        subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", "nowsim_reality"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)


class Machine:
    """Two cores, and the processes on them."""

    def __init__(self):
        self.cores = sorted(os.sched_getaffinity(0))[:2]
        if len(self.cores) < 2:
            sys.exit("this needs two cores; this process may use one.")
        self.processes = []

    def start(self, program, *words):
        process = subprocess.Popen([os.path.join(BIN, program), *map(str, words)], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        self.processes.append(process)
        return process

    def end_all(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()  # a stopped process too
            process.wait()
            process.stdin.close()
            process.stdout.close()
        self.processes.clear()

    def busy_s(self):
        """The time both cores have been busy, whatever with, [s]; also with what a virtual machine's host does."""
        return sum(sum(ticks[:3]) + sum(ticks[5:8]) for ticks in self._ticks()) / os.sysconf("SC_CLK_TCK")

    def stolen_s(self):
        """Of that, what the host took [s]."""
        return sum(ticks[7] for ticks in self._ticks()) / os.sysconf("SC_CLK_TCK")

    def _ticks(self):
        """Of each core: user, nice, system, idle, iowait, irq, softirq, steal."""
        with open("/proc/stat") as stat:
            rows = [line.split() for line in stat]
        return [list(map(int, row[1:9])) for row in rows if row[0] in {f"cpu{core}" for core in self.cores}]


def tell(process, text):
    process.stdin.write(text)
    process.stdin.flush()
