"""A real Slurm on this one machine: ordinary processes under a temporary folder, stopped with the object."""

import getpass
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import time

NODES = 4
CONFIGURATION = """
ClusterName=nowsim
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdSpoolDir={folder}/spool-%n
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000,bf_interval=1
SlurmdTimeout=10
SlurmctldTimeout=10
KillWait=2
ReturnToService=2
InactiveLimit=0
JobRequeue=1
RequeueExit=75,137,143
MaxArraySize=100001
MaxJobCount=100000
NodeName=node[0-{last}] NodeHostname=node[0-{last}] NodeAddr=127.0.0.1 Port=[{ports[1]}-{ports[4]}] CPUs=2 RealMemory=512
PartitionName=all Nodes=ALL Default=YES MaxTime=60 State=UP
"""


def free_ports(count):
    """Ports that follow one another, which nobody listens to now."""
    while True:
        first = random.randrange(20000, 30000)
        try:
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
            return list(range(first, first + count))
        except OSError:
            continue


class NotUp(RuntimeError):
    """What did not come up, and its logs."""


class Slurm:
    """slurmctld, munged and four slurmd, of this user."""

    programs = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo", "scontrol")

    @classmethod
    def is_installed(cls):
        path = os.environ["PATH"] + ":/usr/sbin:/sbin"
        return all(shutil.which(program, path=path) for program in cls.programs)

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.processes = {}
        for name in ("munge", "state"):
            (self.folder / name).mkdir()
        self.folder.chmod(0o755)
        (self.folder / "munge").chmod(0o755)
        key = self.folder / "munge" / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        configuration = CONFIGURATION.format(host=socket.gethostname(), ports=free_ports(NODES + 1), folder=self.folder,
                                             user=getpass.getuser(), last=NODES - 1)
        (self.folder / "slurm.conf").write_text(configuration)
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"),
                                PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")

    def __enter__(self):
        try:
            munge = self.folder / "munge"
            self.start("munged", ["munged", "-F", f"--key-file={munge}/key", f"--socket={munge}/socket",
                                  f"--pid-file={munge}/pid", f"--seed-file={munge}/seed", f"--log-file={munge}/log"])
            self.wait_for(lambda: (munge / "socket").exists(), "munged")
            self.start_controller()
            for node in range(NODES):
                self.start_node(node)
            self.wait_for(lambda: self.ask("sinfo", "-h", "-N", "-o", "%t").split() == ["idle"] * NODES, "the nodes")
            return self
        except BaseException:
            self.stop()
            raise

    def __exit__(self, *ignored):
        self.stop()

    def start(self, name, command):
        with open(self.folder / f"{name}.out", "ab") as out:
            self.processes[name] = subprocess.Popen(command, env=self.environment, stdout=out, stderr=out, cwd=self.folder)

    def start_controller(self):
        self.start("slurmctld", ["slurmctld", "-D"])

    def start_node(self, node):
        (self.folder / f"spool-node{node}").mkdir(exist_ok=True)
        self.start(f"node{node}", ["slurmd", "-D", "-N", f"node{node}"])

    def kill(self, name):
        self.processes[name].kill()
        self.processes[name].wait()

    def ask(self, *command):
        """What a command says; "" where the controller is away."""
        try:
            return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=30).stdout
        except subprocess.TimeoutExpired:
            return ""

    def is_up(self):
        return "UP" in self.ask("scontrol", "ping")

    def jobs(self):
        """Numbers of jobs that have not ended; None where the controller does not say."""
        said = subprocess.run(["squeue", "-h", "-r", "-o", "%i %T"], env=self.environment, capture_output=True, text=True)
        return [line.split() for line in said.stdout.splitlines()] if said.returncode == 0 else None

    def wait_for(self, condition, what, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise NotUp(f"{what} did not come up in {seconds} s:\n" + "".join(
                    f"== {log}\n{log.read_text(errors='replace')[-2000:]}" for log in self.folder.glob("*.log")))
            time.sleep(0.1)

    def stop(self):
        if "slurmctld" in self.processes and self.processes["slurmctld"].poll() is None:
            self.ask("scancel", "--user", getpass.getuser())
            time.sleep(0.5)
        names = [name for name in self.processes if name.startswith("node")] + ["slurmctld", "munged"]
        for name in names:
            process = self.processes.get(name)
            if process is None or process.poll() is not None:
                continue
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill(name)
        self.kill_all_about(str(self.folder))

    @staticmethod
    def about(text):
        """Processes, but this one, whose command line or environment has this text."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                if text.encode() in (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
        return found

    @classmethod
    def kill_all_about(cls, text):
        """What a slurmd that was killed has left."""
        for process in cls.about(text):
            try:
                os.kill(process, signal.SIGKILL)
            except OSError:
                continue
