"""What the scripts here share: the programs that they need, and the machine's first two cores with processes on them."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build", "release")
NOWSIM, BIN = os.path.join(BUILD, "nowsim"), os.path.join(BUILD, "tests", "reality")


def build():
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
        """The time both cores have been busy, whatever with, [s]."""
        total = 0
        with open("/proc/stat") as stat:
            for line in stat:
                name, *ticks = line.split()
                if name in {f"cpu{core}" for core in self.cores}:
                    user, nice, system, _idle, _wait, irq, soft, steal = map(int, ticks[:8])
                    total += user + nice + system + irq + soft + steal
        return total / os.sysconf("SC_CLK_TCK")


def tell(process, text):
    process.stdin.write(text)
    process.stdin.flush()
