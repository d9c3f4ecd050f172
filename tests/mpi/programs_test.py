#!/usr/bin/env python3
"""Real MPI programs, recorded and replayed, send and compute what nowsim's models of them do, and where nothing but
the program differs they take as long.

usage: programs_test.py NOWSIM [unittest's arguments]    is skipped (tests/skips.py) where SMPI's compiler is not here
"""

import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True  # among the sources
sys.path.insert(0, str(HERE.parent))
from skips import skip, skip_test  # noqa: E402

NOWSIM = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
PROGRAMS = ("ep", "gauss", "jacobi", "matrix_multiply", "merge_sort", "task_farm")
FOLDER = pathlib.Path()
COMPARED = ("work", "messages", "sent_bytes")

EXACT = 1e-12  # relative: the same sums in another order
SPEED = 1e9    # flop/s of the fastest machine
PLATFORM = "{workstations: %d, speed: = 1e9 / i ^ %d, network: switch, bandwidth: 125MBps, latency: 50us}"

CLUSTER = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="125MBps" lat="50us"/>
</platform>
"""


def nowsim(*words, check=True, **options):
    done = subprocess.run([NOWSIM, *map(str, words)], cwd=FOLDER, capture_output=True, text=True, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"nowsim {' '.join(map(str, words))}: {done.stdout}{done.stderr}")
    return done


def record(program, *arguments, ranks):
    """The recording's name. The program's own check, after which rank 0 says OK, has to have passed."""
    name = re.sub(r"[^\w.-]", "_", "-".join([program, str(ranks), *map(str, arguments)]))
    if not (FOLDER / name).exists():
        words = ["--explicit", "-np", ranks, "--out", name, "--", f"./{program}", *arguments]
        said = nowsim("trace", "mpi", *words).stdout
        if not said.startswith(f"OK {program}"):
            raise AssertionError(f"{program} {arguments}: {said}")
    return name


def experiment(job, ranks, slower=0, rest=""):
    file = FOLDER / "experiment.yaml"
    file.write_text(f"nowsim: 1\nplatform: {PLATFORM % (ranks, slower)}\njob: {job}\n"
                    f"split: {{policy: proportional}}\nrun: {{replications: 1}}\nmetrics: [tau]\n{rest}")
    return file


def replication(job, ranks, slower=0):
    """All that is told of a replication; `slower`: machine i has 1/i of the first one's speed."""
    out = FOLDER / "replication.csv"
    out.unlink(missing_ok=True)
    nowsim("run", experiment(job, ranks, slower), "--quiet", "--replications-csv", out)
    with open(out, encoding="utf-8") as rows:
        row = next(csv.DictReader(rows))
    each = {what: [float(row[f"{what}_{i}"]) for i in range(1, ranks + 1)] for what in COMPARED}
    return {"T": float(row["T"]), **each}


def trace_job(name):
    """Messages as the models have them: without an envelope, and each a rendezvous."""
    return f"{{workload: mpi-trace, trace: {name}, envelope: 0B, rendezvous: 0B}}"


class Program(unittest.TestCase):
    """The same on both engines, and the same as the model but for what is said."""

    def compare(self, program, arguments, model, ranks, slower=0, work="each", takes_as_long=True, more_messages=0):
        if slower:
            arguments = [*arguments, "--shares", ",".join(repr(SPEED / i) for i in range(1, ranks + 1))]
        with self.subTest(program=program, arguments=arguments, ranks=ranks):
            name = record(program, *arguments, ranks=ranks)
            real, modelled = replication(trace_job(name), ranks, slower), replication(model, ranks, slower)
            self.assertEqual(real["sent_bytes"], modelled["sent_bytes"])
            self.assertEqual(sum(real["messages"]), sum(modelled["messages"]) + more_messages)
            if more_messages == 0:
                self.assertEqual(real["messages"], modelled["messages"])
            works = real["work"], modelled["work"]
            for got, expected in zip(*works) if work == "each" else [map(sum, works)]:
                self.assertAlmostEqual(got, expected, delta=EXACT * max(expected, 1))
            if takes_as_long:
                self.assertAlmostEqual(real["T"], modelled["T"], delta=EXACT * modelled["T"])
            return real, modelled

    def test_ep(self):
        for ranks in (2, 3, 8):
            self.compare("ep", [1000], "{workload: ep, size: 1000}", ranks)
        self.compare("ep", [1000], "{workload: ep, size: 1000}", 5, slower=1)

    def test_merge_sort(self):
        for size, ranks in ((5, 8), (10007, 2), (10007, 3), (4096, 8)):
            self.compare("merge_sort", [size], f"{{workload: merge-sort, size: {size}}}", ranks)
        self.compare("merge_sort", [10007], "{workload: merge-sort, size: 10007}", 6, slower=1)

    def test_matrix_multiply(self):
        for ways, ranks, slower in ((("each", "binomial", "rotate", "in-place"), 3, 0),
                                    (("each", "binomial", "in-place"), 8, 0),
                                    (("each", "rotate"), 5, 1)):
            for way in ways:
                model = f"{{workload: matrix-multiply, size: 37, distribute: {way}}}"
                # rotate: the model's rows set out at once, beside what is still dealt out to the receiver; the
                # program's (a rendezvous) when it takes them, and the sender waits for that: sooner or later in all
                real, modelled = self.compare("matrix_multiply", [37, way], model, ranks, slower,
                                              takes_as_long=way != "rotate")
                if way == "rotate":
                    self.assertNotEqual(real["T"], modelled["T"])
                    self.assertAlmostEqual(real["T"], modelled["T"], delta=0.2 * modelled["T"])

    def test_gauss(self):
        for way in ("broadcast", "point-to-point"):
            for ranks, slower in ((2, 0), (3, 0), (8, 0), (5, 1)):
                self.compare("gauss", [50, "full", way, "free"],
                             f"{{workload: gauss, size: 50, communication: {way}, steps: free}}", ranks, slower)

    def test_gauss_with_barriers(self):
        """The model's barrier is free; SMPI's is messages without contents to rank 0 and back, and takes their time."""
        for ranks in (2, 3, 8):
            real, modelled = self.compare("gauss", [50, "full"], "{workload: gauss, size: 50}", ranks,
                                          takes_as_long=False, more_messages=50 * 2 * (ranks - 1))
            self.assertGreaterEqual(real["T"], (modelled["T"] + 50 * 2 * 50e-6) * (1 - EXACT))

    def test_gauss_shrinking(self):
        """The program divides the pivot row before it is sent, the model counts these divisions below the row: as much
        in all, but not by each rank, and not at the same time."""
        for ranks in (2, 3, 8):
            real, modelled = self.compare("gauss", [50, "shrinking", "broadcast", "free"],
                                          "{workload: gauss, size: 50, rows: shrinking, steps: free}", ranks,
                                          work="sum", takes_as_long=False)
            for got, expected in zip(real["work"], modelled["work"]):
                self.assertLess(abs(got - expected), 50)

    def test_task_farm(self):
        """Rank 0 takes what comes first. Which client that is, where two come close to each other, is the network's; so
        only totals are the model's, and a client's work where no two differ."""
        costs = FOLDER / "costs.txt"
        one = record("task_farm", 64, 1, ranks=1)
        said = record("task_farm", 64, 1, ranks=2)
        lines = (FOLDER / said / "rank-1.txt").read_text().splitlines()
        computed = [line.split()[2] for line in lines if " compute " in line]
        self.assertEqual(len(computed), 64)
        costs.write_text("\n".join(computed))
        alone = replication(trace_job(one), 1)
        self.assertAlmostEqual(alone["work"][0], sum(map(float, computed)), delta=EXACT * alone["work"][0])
        for ranks in (2, 4):
            for chunk in (1, 7):
                with self.subTest(ranks=ranks, chunk=chunk):
                    model = (f"{{workload: task-farm, law: file, costs: {costs}, technique: CSS, chunk: {chunk}, "
                             f"request: 8B, result: 8B}}")
                    real = replication(trace_job(record("task_farm", 64, chunk, ranks=ranks)), ranks)
                    modelled = replication(model, ranks)
                    for what in COMPARED:
                        self.assertAlmostEqual(sum(real[what]), sum(modelled[what]), delta=EXACT * sum(modelled[what]))

    def test_jacobi(self):
        """Which no model has: however rows are exchanged, as many bytes travel and as much is computed."""
        found = [replication(trace_job(record("jacobi", 24, 20, 5, way, ranks=4)), 4)
                 for way in ("sendrecv", "waitall", "shift")]
        for other in found[1:]:
            for what in COMPARED:
                self.assertEqual(other[what], found[0][what])


class Engines(unittest.TestCase):
    """Both engines replay recordings alike, dedicated and under owners, by SMPI's defaults."""

    def verify(self, names, ranks):
        sweep = f"sweep: {{job.trace: [{', '.join(names)}]}}\n"
        for owners in ("", "owner: {model: intervals, mean: 0.6, TH: 0.3, interval: 10ms}\n"):
            job = f"{{workload: mpi-trace, trace: {names[0]}}}"
            nowsim("verify", experiment(job, ranks, rest=sweep + owners), "--quiet")

    def test_programs(self):
        self.verify([record("ep", 1000, ranks=3), record("merge_sort", 10007, ranks=3),
                     record("gauss", 50, "full", ranks=3), record("matrix_multiply", 37, "rotate", ranks=3)], 3)
        self.verify([record("jacobi", 24, 20, 5, way, ranks=4) for way in ("sendrecv", "waitall", "shift")], 4)
        self.verify([record("task_farm", 64, 7, ranks=4)], 4)

    def test_program_of_the_archive(self):
        """MPICH's example pmandel, as it is in Debian's archive. What it computes is read from standard input, and is
        measured, so that its time is another each time."""
        fetched = subprocess.run(["sh", HERE / "archive_program.sh", FOLDER / "archive"],
                                 capture_output=True, text=True)
        if fetched.returncode == 77:
            skip_test(self, "archive", fetched.stderr.strip())
        self.assertEqual(fetched.returncode, 0, fetched.stderr)
        arguments = [fetched.stdout.strip(), "-i", "-xscale", "200", "-yscale", "200", "-nosave"]
        commands = "-2 -1 1 1 200\n0 0 0 0 0\n"
        done = nowsim("trace", "mpi", "-np", 4, "--out", "pmandel", "--", *arguments, input=commands, check=False)
        trace = "pmandel"
        if done.returncode != 0:  # a recorder that keeps standard input to itself: SMPI's own recording will do
            trace = "pmandel.txt"
            (FOLDER / "hosts").write_text("n0\nn1\nn2\nn3\n")
            (FOLDER / "cluster.xml").write_text(CLUSTER)
            done = subprocess.run(["smpirun", "-np", "4", "-platform", "cluster.xml", "-hostfile", "hosts", "-trace-ti",
                                   "-trace-file", FOLDER / trace, *arguments],
                                  cwd=FOLDER, input=commands, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("read <-2 -1 1 1 200\n> from stdin", done.stdout + done.stderr)
        real = replication(f"{{workload: mpi-trace, trace: {trace}}}", 4)
        self.assertGreater(sum(real["messages"]), 2 * 400)  # pieces of the picture, there and back
        self.assertGreater(min(real["work"][1:]), 0)
        self.verify([trace], 4)


def main():
    global FOLDER  # pylint: disable=global-statement
    if not NOWSIM:
        sys.exit(__doc__)
    if shutil.which("smpicc") is None or shutil.which("smpirun") is None:
        skip("smpi", "SMPI's compiler, smpicc (Debian: libsimgrid-dev), is not here")
    with tempfile.TemporaryDirectory(prefix="nowsim-mpi-") as folder:
        FOLDER = pathlib.Path(folder)
        os.environ["XDG_CACHE_HOME"] = folder  # what is compiled of traces goes with them
        for program in PROGRAMS:
            words = ["-O2", "-Wall", "-Wextra", "-Werror", HERE / f"{program}.c", "-o", FOLDER / program, "-lm"]
            subprocess.run(["smpicc", *words], check=True)
        result = unittest.main(argv=[sys.argv[0], *sys.argv[2:]], exit=False).result
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
