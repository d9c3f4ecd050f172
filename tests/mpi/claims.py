#!/usr/bin/env python3
"""Zhang & Yan's and Bosque's claims, judged by recordings of real MPI programs in place of nowsim's models of them.

usage: claims.py NOWSIM FOLDER    needs smpicc; prints Markdown: every claim with its verdicts

Each shipped experiment below is run as it is, and three times over the same points: with its model, with recordings
whose messages are as the model's (no envelope, every send a rendezvous), and with recordings by SMPI's defaults. Claims
are copied from the experiments' files; only names of axes and metrics are exchanged, as `EXPERIMENTS` says.
"""

import collections
import csv
import math
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SPARCS = ROOT / "platforms/sparc-now.xml"
MYRINET = ROOT / "platforms/sparc-myrinet.xml"
FAST_SLOW = ROOT / "platforms/fast-slow-myrinet.xml"

FULL = ("sparc5-1 sparc5-2 classic-1 classic-2 classic-3 classic-4 classic-5 sparc10-1 sparc10-2 sparc10-3 "
        "sparc5-3 sparc5-4").split()
PROGRAMS = {"ep": ("ep", 2097152), "matrix-multiply": ("matrix_multiply", 1000), "merge-sort": ("merge_sort", 500000)}
COPIED = {"comparable": ", envelope: 0B, rendezvous: 0B", "smpi": ""}
WORDS = {"reproduced": "yes", "not_reproduced": "no", "undecided": "undecided"}


def upgraded(fast):
    return [*FULL[7:10], *["sparc5-1", "sparc5-2", "sparc5-3", "sparc5-4", "sparc5-5"][:fast], *FULL[2:7 - fast]]


def weights(program):
    """Of each kind of machine of Zhang & Yan's, for shares."""
    found = {}
    for host, block in re.findall(r'<host id="(\w+)-\d+"(.*?)</host>', SPARCS.read_text(), re.S):
        found[host] = re.search(f'weight:{program}" value="([^"]*)"', block)[1]
    return found


def processors(name, count):
    """Shares of the first so many processors of a set of Bosque's."""
    text = FAST_SLOW.read_text()
    speeds = dict(re.findall(r'<cabinet id="(\w+)"[^>]* speed="([\d.]+)Mf"', text))
    kinds = []
    for kind, first, last in re.findall(r"(\w+)-\[(\d+)-(\d+)\]", re.search(f'"set {name}" value="([^"]*)"', text)[1]):
        kinds += [kind] * (int(last) - int(first) + 1)
    return [speeds[kind] for kind in kinds[:count]]


class Recorder:
    def __init__(self, nowsim, folder):
        self.nowsim, self.folder = nowsim, folder
        for program in ("ep", "gauss", "matrix_multiply", "merge_sort"):
            subprocess.run(["smpicc", "-O2", HERE / f"{program}.c", "-o", folder / program, "-lm"], check=True)

    def record(self, program, arguments, shares):
        """A recording's folder, made unless it is there."""
        words = [*map(str, arguments)]
        if len(set(shares)) > 1:
            words += ["--shares", ",".join(shares)]
        out = self.folder / "recordings" / re.sub(r"[^\w.-]+", "_", "-".join([program, str(len(shares)), *words]))
        if not out.exists():
            out.parent.mkdir(exist_ok=True)
            subprocess.run([self.nowsim, "trace", "mpi", "--explicit", "-q", "-np", str(len(shares)), "--out", out,
                            "--", self.folder / program, *words], check=True, stdout=subprocess.DEVNULL)
        return out

    def estimates(self, experiment, metric):
        words = [self.nowsim, "run", experiment, "--quiet", "--format", "csv"]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        return [float(row[metric]) for row in csv.DictReader(done.stdout.splitlines())]

    def of_sparcs(self, program, machines):
        binary, size = PROGRAMS[program]
        return self.record(binary, [size], [weights(program)[machine.rsplit("-", 1)[0]] for machine in machines])


def figure(program):
    """Points of ZY's Figs. 4 to 6, and the fastest workstation alone, which `ratio` divides by."""
    rows = [("alone", FULL[:1], 1)]
    rows += [("physical", FULL[:n], n) for n in range(2, 13)] + [("power", upgraded(n), n) for n in range(6)]
    return [{"let.way": way, "let.step": step, "let.program": program, "machines": machines}
            for way, machines, step in rows]


def by_program(points):
    return [{"let.program": program, **point} for program in PROGRAMS for point in points]


def two_ways():
    sets = {1: [FULL[:n] for n in (8, 9, 10, 11)], 2: [upgraded(n) for n in (0, 2, 3, 5)]}
    return [{"let.way": way, "let.pair": pair, "machines": machines}
            for way, pairs in sets.items() for pair, machines in enumerate(pairs, 1)]


OWNERS = """  - zip:
      owner.model: [dedicated, duty-cycle, jobs]
      run.replications: [2, 400, 400]
"""
TEN_PERCENT = "  - zip: {owner.u: [0%, 10%], run.replications: [2, 400]}\n"
LOADS = "  - let.free: [1, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5]\n"
PERIODS = "  - owner.u: [0%, 10%]\n  - owner.period: [10ms, 100ms, 1s, 3s, 10s, 30s]\n"
NETWORKS = f"  - platform.file: [{SPARCS}, {MYRINET}]\n"
SIZES = (200, 400, 800)


def bosque(sets, counts, sizes=SIZES):
    return [{"let.communication": way, "let.n": n, "platform.set": name, "platform.workstations": count,
             "shares": processors(name, count)}
            for way in ("broadcast", "point-to-point") for n in sizes for name in sets for count in counts]


def replaced():
    """Of 16 processors more and more are fast (64 in the experiment)."""
    return [{"let.communication": way, "let.n": n, "let.fast": fast, "shares": ["527"] * fast + ["207.3"] * (16 - fast)}
            for way in ("broadcast", "point-to-point") for n in SIZES for fast in (0, 4, 8, 12, 16)]


# The experiment, its points, what else is swept, and what is exchanged in its claims. A dedicated speedup is told
# against the work on the fastest machine, one with owners against a recording of one rank (`ratio`): `speedup` itself
# has all recorded ranks on one machine, which is another program.
EXPERIMENTS = [
    *((f"zhang-yan-1995/{name}", figure(program), OWNERS, {"speedup": "ratio"})
      for name, program in (("fig04", "matrix-multiply"), ("fig05", "merge-sort"), ("fig06", "ep"))),
    ("zhang-yan-1995/two-ways", by_program(two_ways()), TEN_PERCENT, {"speedup": "speedup_dedicated"}),
    ("zhang-yan-1995/fixed-baseline", by_program([{"let.way": "alone", "let.step": 0, "machines": FULL[:1]}] +
                                                 [{"let.way": "power", "let.step": n, "machines": upgraded(n)}
                                                  for n in range(6)]), "", {}),
    ("zhang-yan-1995/owner-load", by_program([{"machines": FULL[:8]}]), LOADS, {}),
    ("zhang-yan-1995/ep-owners", [{"let.program": "ep", "machines": FULL[:n]} for n in (2, 4, 8, 12)], PERIODS, {}),
    ("zhang-yan-1995/myrinet", by_program([{"machines": FULL[:n]} for n in range(2, 13)]), NETWORKS,
     {"speedup": "speedup_dedicated"}),
    ("bosque-2011/overhead", bosque(("homogeneous", "blocks"), (2, 4, 8, 16)), "", {"speedup": "speedup_dedicated"}),
    ("bosque-2011/formula", bosque(("blocks",), (2, 4, 8, 16)), "", {}),
    ("bosque-2011/power-scaling", replaced(), "", {}),
]


def with_where(claim, rule):
    if "where: {" in claim:
        return claim.replace("where: {", "where: {" + rule + ", ")
    return claim + f"    where: {{{rule}}}\n"


def claims_of(text, name, exchanged):
    """The experiment's claims about our programs, with this folder's axes and metrics."""
    out = []
    for claim in re.split(r"(?m)^(?=  - id:)", text[text.index("\nclaims:\n") + 9:])[1:]:
        claim = re.sub(r'    differs: (?:"(?:[^"\\]|\\.)*"|.*)\n', "", claim)
        if re.search("edge-detection|cholesky", claim):
            continue
        claim = claim.replace("job.workload", "let.program").replace("job.size", "let.n")
        claim = claim.replace("../../platforms", str(ROOT / "platforms"))
        if "let.way: power" in claim and name.startswith("zhang-yan-1995/fig"):  # its baseline is not one machine
            claim = claim.replace("metric: speedup\n", "metric: speedup_dedicated\n")
        for old, new in exchanged.items():
            claim = claim.replace(f"metric: {old}\n", f"metric: {new}\n")
        if "metric: covariance" in claim:
            claim = with_where(claim, "let.way: [physical, power]")
        if name.startswith("bosque"):  # so that these axes tell curves apart, not the recordings
            claim = with_where(claim, f"let.communication: [broadcast, point-to-point], let.n: {list(SIZES)}")
        out.append(claim)
    return out


def experiment_text(name, points, swept, exchanged, variant, recorder, steps):
    text = (ROOT / "experiments" / f"{name}.yaml").read_text()
    head = text[:text.index("\njob: ") + 1].replace("../../platforms", str(ROOT / "platforms"))
    head = re.sub(r"(?m)^  (weights|set|hosts|workstations|sets):.*\n(?: {4,}.*\n)*", "", head)
    if name.endswith("power-scaling"):
        head = head.replace("platform:\n", "platform:\n  workstations: 16\n")
    is_gauss = name.startswith("bosque")
    rows, sets = [], {}
    for point in points:
        row = {key: value for key, value in point.items() if key not in ("machines", "shares")}
        if is_gauss:
            if variant == "model":
                row |= {"job.communication": row["let.communication"], "job.size": row["let.n"]}
            else:
                arguments = [row["let.n"], "full", row["let.communication"], steps]
                row["job.trace"] = recorder.record("gauss", arguments, point["shares"])
        else:
            machines, program = point["machines"], row["let.program"]
            label = sets.setdefault(" ".join(machines), f"set-{len(sets)}")
            row |= {"platform.set": label, "platform.workstations": len(machines), "platform.weights": program}
            row |= ({"job.workload": program, "job.size": PROGRAMS[program][1]} if variant == "model" else
                    {"job.trace": recorder.of_sparcs(program, machines)})
        rows.append(row)
    if variant != "model":
        job = "job: {workload: mpi-trace, trace: " + str(rows[0]["job.trace"]) + COPIED[variant] + "}\n"
    elif is_gauss:
        job = "job: {workload: gauss, size: 200, rows: full, communication: broadcast, steps: " + steps + "}\n"
    else:
        job = "job: {workload: ep, size: 2097152}\n"
    if is_gauss:
        head = head.replace("workstations: 2}", "workstations: 16}") if "set:" in head else head
    else:
        listed = "".join(f"    {label}: [{', '.join(machines.split())}]\n" for machines, label in sets.items())
        head = head.rstrip() + f"\n  weights: ep\n  set: set-0\n  workstations: 1\n  sets:\n{listed}"
    tail = text[text.index("\nsplit: ") + 1:text.index("\nfigure:")]
    tail = re.sub(r"(?s)\nmetrics: .*", "", tail) + "\n"
    tail = re.sub(r", reference: [\w.]+", "", tail)
    claims = claims_of(text, name, exchanged)
    metrics = {"tau", *re.findall(r"metric: (\S+)", "".join(claims))}
    if "ratio" in metrics:
        tail = tail.replace("seed: 1", "seed: 1, reference: platform.set")
    keys = [key for key in rows[0] if not key.startswith("let.") or key in head + "".join(claims)]
    zipped = "".join(f"      {key}: [{', '.join(str(row[key]) for row in rows)}]\n" for key in keys)
    return (f"{head}{job}{tail}metrics: [{', '.join(sorted(metrics))}]\n"
            f"sweep:\n  - zip:\n{zipped}{swept}claims:\n{''.join(claims)}")


def verdicts(nowsim, experiment, out):
    done = subprocess.run([nowsim, "reproduce", experiment, "--out", out, "--quiet", "--format", "csv"],
                          capture_output=True, text=True)
    if not done.stdout.startswith("id,"):
        raise RuntimeError(f"{experiment}: {done.stderr}")
    return {row["id"]: row for row in csv.DictReader(done.stdout.splitlines())}


EFFICIENCY = 0.2  # of 0.5 and 0.7, with which Fig. 2 is drawn here, orders are thousands on 16 processors
COUNTS = (2, 4, 8, 16)


def solved_by_model(recorder, way, steps):
    """The order at which the model has the efficiency, by number of processors."""
    file = recorder.folder / "solved-model.yaml"
    file.write_text(f"""nowsim: 1
platform: {{file: {FAST_SLOW}, set: blocks, workstations: 16}}
job: {{workload: gauss, size: 200, rows: full, communication: {way}, steps: {steps}}}
split: {{policy: proportional}}
run: {{replications: 2}}
solve: {{key: job.size, metric: eps, equals: {EFFICIENCY}, from: 2, to: 1e6, tolerance: 0.1%}}
metrics: [solved]
sweep: {{platform.workstations: {list(COUNTS)}}}
""")
    return recorder.estimates(file, "solved")


def efficiency(recorder, variant, way, steps, count, order):
    recording = recorder.record("gauss", [order, "full", way, steps], processors("blocks", count))
    file = recorder.folder / "efficiency.yaml"
    file.write_text(f"""nowsim: 1
platform: {{file: {FAST_SLOW}, set: blocks, workstations: {count}}}
job: {{workload: mpi-trace, trace: {recording}{COPIED[variant]}}}
run: {{replications: 2}}
metrics: [eps]
""")
    return recorder.estimates(file, "eps")[0]


def solved_by_program(recorder, variant, way, steps, count, order):
    """The order at which recordings have the efficiency, within 1 % of it, or as near as whole orders come."""
    tried = {}
    order = round(order)
    while order not in tried and len(tried) < 8:
        found = tried[order] = efficiency(recorder, variant, way, steps, count, order)
        if abs(found / EFFICIENCY - 1) < 0.01:
            break
        # eps / (1 - eps) is work over what is lost, about in proportion to the order
        order = max(2, round(order * EFFICIENCY / (1 - EFFICIENCY) * (1 - found) / found))
    return min(tried, key=lambda n: abs(tried[n] - EFFICIENCY))


def r_squared(x, y):
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    xy = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    return xy * xy / sum((a - mean_x) ** 2 for a in x) / sum((b - mean_y) ** 2 for b in y)


def kind_of(row, name):
    """Whose a claim is. One of steps that wait, about steps that do not, is another reading of it."""
    if row["calibrated"] == "true":
        return "calibrated"
    if row["variant_of"] or name.endswith(", free"):
        return "reading"
    return "ours" if row["source"].startswith("nowsim") else "paper"


def tell(name, row, told, counts):
    """A line, and the claim counted: whether a program's verdict is not the model's."""
    print(f"| {name} | {row['says']} | {kind_of(row, name)} | {' | '.join(told)} |", flush=True)
    counts["verdicts"] += 1
    counts["on the paper's statements"] += kind_of(row, name) == "paper"
    for at, variant in ((2, "comparable"), (3, "smpi")):
        counts[f"changed, {variant}"] += told[at] != told[1]


def figure_2(recorder, counts):
    """BO's Fig. 2 on up to 16 processors: the orders found, and the claims, whose checks are computed here, as nowsim
    solves for keys, and a recording is none."""
    power = {count: sum(map(float, processors("blocks", count))) for count in COUNTS}
    lines = {"log": [power[p] * math.log2(p) for p in COUNTS], "p": [power[p] * p for p in COUNTS]}
    for steps, shipped in (("synchronised", "fig02"), ("free", "fig02-free")):
        orders, fits = {}, []
        for way in ("broadcast", "point-to-point"):
            orders["model", way] = solved_by_model(recorder, way, steps)
            for variant in COPIED:
                orders[variant, way] = [solved_by_program(recorder, variant, way, steps, p, n)
                                        for p, n in zip(COUNTS, orders["model", way])]
        for (who, way), found in orders.items():
            fits.append(f"| {steps} | {way} | {who} | {', '.join(f'{n:.0f}' for n in found)} | "
                        f"{r_squared(lines['log'], found):.4f} | {r_squared(lines['p'], found):.4f} |")
        checks = {
            "broadcast": lambda who: r_squared(lines["log"], orders[who, "broadcast"]) >= 0.99,
            "point-to-point": lambda who: r_squared(lines["p"], orders[who, "point-to-point"]) >= 0.99,
            "not-log": lambda who: r_squared(lines["log"], orders[who, "point-to-point"]) <= 0.99,
            "worse": lambda who: all(a > b for a, b in zip(orders[who, "point-to-point"][1:],
                                                           orders[who, "broadcast"][1:])),
        }
        for claim, row in verdicts(recorder.nowsim, f"bosque-2011/{shipped}", recorder.folder / "shipped").items():
            check = checks.get(claim.replace("BO-2-", "").replace("free-", ""))
            if check:
                found = ["yes" if check(who) else "no" for who in ("model", *COPIED)]
                tell(f"{claim}, {steps}", row, [WORDS[row["verdict"]], *found], counts)
        yield from fits


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    nowsim, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["XDG_CACHE_HOME"] = str(folder)  # what is compiled of traces goes with them
    recorder, counts, times = Recorder(nowsim, folder), collections.Counter(), []
    print("| claim | what it says | whose | shipped | model | program, as the model | program, as SMPI |")
    print("|---|---|---|---|---|---|---|")
    for name, points, swept, exchanged in EXPERIMENTS:
        shipped = verdicts(nowsim, name, folder / "shipped")
        for steps in ("synchronised", "free") if name.startswith("bosque") else ("",):
            found, tau = {"shipped": shipped}, {}
            for variant in ("model", *COPIED):
                file = folder / f"{name.replace('/', '-')}{steps}-{variant}.yaml"
                file.write_text(experiment_text(name, points, swept, exchanged, variant, recorder, steps))
                found[variant] = verdicts(nowsim, file, folder / "out")
                with open(folder / "out" / f"{file.stem}.csv", encoding="utf-8") as estimates:
                    tau[variant] = [float(row["tau"]) for row in csv.DictReader(estimates)]
            for claim, row in found["comparable"].items():
                told = [WORDS[verdict[claim]["verdict"]] for verdict in found.values()]
                tell(f"{claim}{', ' * bool(steps)}{steps}", row, told, counts)
            for variant in COPIED:
                off = [program / model - 1 for program, model in zip(tau[variant], tau["model"], strict=True)]
                times.append(f"| {name} {steps} | {variant} | {len(off)} | {min(off):+.2%} | {max(off):+.2%} |")
    fits = list(figure_2(recorder, counts))
    print("\n| experiment | messages | points | tau off the model's: least | greatest |\n|---|---|---|---|---|")
    print(*times, sep="\n")
    print("\n| steps | way | who | n on 2, 4, 8, 16 | R², p_T log p | R², p_T p |\n|---|---|---|---|---|---|")
    print(*fits, sep="\n")
    print("\n" + ", ".join(f"{what}: {count}" for what, count in counts.items()))


if __name__ == "__main__":
    main()
