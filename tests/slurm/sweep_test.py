#!/usr/bin/env python3
"""A sweep of 64 shards on a real Slurm, where tasks, nodes, the controller and the merging job are killed, requeued and
cancelled at random: the CSV is that of a sweep alone, no batch lost, none counted twice.

usage: sweep_test.py NOWSIM [ROUNDS]    is skipped (tests/skips.py) where Slurm's packages are not here
"""

import contextlib
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True  # among the sources
sys.path[:0] = [str(HERE), str(HERE.parent)]
from one_machine_slurm import NODES, NotUp, Slurm  # noqa: E402
from skips import skip  # noqa: E402

SHARDS = 64
EXPERIMENT = """nowsim: 1
platform: {workstations: 8, speed: 1f}
job: {workload: base-task, work: 8000f}
owner: {model: intervals, TH: 0.3}
run: {replications: 2000}
metrics: [tau, sigma_T]
sweep: {owner.TH: [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4]}
"""


class Test:
    def __init__(self, nowsim, slurm, folder, seed):
        self.nowsim, self.slurm, self.folder, self.random = nowsim, slurm, pathlib.Path(folder), random.Random(seed)
        (self.folder / "e.yaml").write_text(EXPERIMENT)
        self.run("sweep", "e.yaml", "--out", "alone", "--quiet")
        self.csv, self.batches = self.result("alone")

    def run(self, *words, status=0):
        done = subprocess.run([self.nowsim, *words], cwd=self.folder, env=self.slurm.environment, capture_output=True, text=True)
        if done.returncode != status:
            raise AssertionError(f"nowsim {' '.join(words)} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def result(self, out):
        """The CSV, and the batches: scenario, first replication, checksum."""
        store = sqlite3.connect(f"file:{self.folder / out / 'results.sqlite'}?mode=ro", uri=True)
        batches = store.execute("SELECT key, first, batch.checksum FROM batch JOIN scenario ON scenario.id = scenario"
                                " ORDER BY 1, 2").fetchall()
        store.close()
        return (self.folder / out / "e.csv").read_bytes(), batches

    def shards_at_work(self):
        found = []
        for process in Slurm.about(str(self.folder / "out")):
            try:
                if pathlib.Path(f"/proc/{process}/cmdline").read_bytes().startswith(self.nowsim.encode()):
                    found.append(process)
            except OSError:
                continue
        return found

    # ---- what goes wrong

    def kill_task(self):
        at_work = self.shards_at_work()
        if at_work:
            try:
                os.kill(self.random.choice(at_work), 9)
            except OSError:
                pass

    def kill_node(self):
        node = self.random.randrange(NODES)
        self.slurm.kill(f"node{node}")
        time.sleep(self.random.uniform(0, 1))
        self.slurm.start_node(node)

    def kill_controller(self):
        self.slurm.kill("slurmctld")
        time.sleep(self.random.uniform(0, 1))
        self.slurm.start_controller()

    def requeue(self):
        jobs = self.slurm.jobs()
        if jobs:
            self.slurm.ask("scontrol", "requeue", self.random.choice(jobs)[0])

    def cancel(self):
        jobs = self.slurm.jobs()
        if jobs:
            self.slurm.ask("scancel", self.random.choice(jobs)[0])

    def go_wrong(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(self.random.uniform(0.05, 0.6))
            self.random.choice([self.kill_task] * 5 + [self.requeue] * 2 + [self.cancel, self.kill_node, self.kill_controller])()

    # ---- what has to come right

    def submit(self):
        self.slurm.wait_for(self.slurm.is_up, "the controller")
        return self.run("submit", "e.yaml", "--out", "out", "--array", str(SHARDS), "--sbatch", "--open-mode=append")

    def wait_for_queue(self, seconds):
        """Until no job is left, or for so long: Slurm itself may have lost some, and others wait for those."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            jobs = self.slurm.jobs()
            if jobs == []:
                return
            time.sleep(0.3)
        self.slurm.ask("scancel", "--user", str(os.getuid()))
        Slurm.kill_all_about(str(self.folder / "out") + "/submitted")

    def round(self):
        subprocess.run(["rm", "-rf", str(self.folder / "out")], check=True)
        self.submit()
        self.go_wrong(self.random.uniform(2, 8))
        self.wait_for_queue(40)
        said = self.submit()  # what is missing
        self.wait_for_queue(40)
        self.run("sweep", "e.yaml", "--out", "out", "--quiet")
        csv, batches = self.result("out")
        assert csv == self.csv, "the CSV is another one"
        assert batches == self.batches, f"{len(batches)} batches, not {len(self.batches)}"
        return "nothing was missing" if "nothing is missing" in said else said.splitlines()[0]


def main():
    if not Slurm.is_installed():
        skip("slurm", "Slurm (slurm-wlm) and munge are not here")
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    with tempfile.TemporaryDirectory(prefix="nowsim-slurm-") as slurm_folder, \
            tempfile.TemporaryDirectory(prefix="nowsim-sweep-") as folder, contextlib.ExitStack() as stack:
        try:
            slurm = stack.enter_context(Slurm(slurm_folder))
        except NotUp as e:
            skip("slurm", f"Slurm is here, and does not come up: {e}")
        test = Test(os.path.abspath(sys.argv[1]), slurm, folder, seed=1)
        for number in range(1, rounds + 1):
            print(f"round {number} of {rounds}: {test.round()}", flush=True)
    print(f"{rounds} rounds: no batch lost, none counted twice")
    return 0


if __name__ == "__main__":
    sys.exit(main())
