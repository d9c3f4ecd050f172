# %% [markdown]
# From a trace to a promise: from measured load of a few machines to the time by which a job will be done with 95 %.
#
# The cells run one by one in an editor that knows `# %%`, or all together: python3 trace_to_promise.py [FILE.csv ...]
# The files are series of your machines, one each and in one folder, as `nowsim trace record` writes them; without any, four
# are made up.
# --replications 100 is quicker, --picture FILE.svg keeps the picture.

# %%
import argparse
import os
import subprocess
import sys
import tempfile

import numpy

import nowsim

arguments = argparse.ArgumentParser(allow_abbrev=False)
arguments.add_argument("traces", nargs="*")
arguments.add_argument("--replications", type=int, default=1000)
arguments.add_argument("--picture")
given, _ = arguments.parse_known_args()  # a notebook has arguments of its own
traces = [os.path.abspath(file) for file in given.traces if file.endswith(".csv")]
scratch = tempfile.TemporaryDirectory()
WORK, RISK = "20Tf", 0.05

# %% [markdown]
# Without files of yours: three days of four machines, a row per five minutes. An owner works for half an hour in the mean,
# exponentially distributed, at some utilisation, and then at another one.


# %%
def made_up(name, seed):
    random = numpy.random.default_rng(seed)
    utilisation = []
    while len(utilisation) < 3 * 288:
        utilisation += [100 * random.beta(1.2, 2.0)] * (1 + int(random.exponential(6)))
    file = os.path.join(scratch.name, name + ".csv")
    with open(file, "w", encoding="utf-8") as out:
        out.write("timestamp,utilisation_percent\n")
        out.writelines(f"{300 * row},{value:.1f}\n" for row, value in enumerate(utilisation[:3 * 288]))
    return file


traces = traces or [made_up(f"desk{k + 1}", seed=k) for k in range(4)]

# %% [markdown]
# What the owners leave: `nowsim trace fit` looks for the law of the availabilities and of how long they last, and writes a
# platform of machines with such owners, 2 Gflop/s each. What it remarks on should be read.

# %%
platform = os.path.join(scratch.name, "machines.xml")
fit = subprocess.run([sys.executable, "-m", "nowsim", "trace", "fit", *traces, "--platform", platform, "--speed", "2Gf"],
                     check=True, capture_output=True, text=True)
print(fit.stdout)

# %% [markdown]
# A plan: which split of 20 Tflop, and which deadline at a risk of 5 %? `safe_deadline` is the time T with P[T > it] = 5 %;
# the upper end of its interval is what can be promised.

# %%
plan = nowsim.plan(platform, work=WORK, risk=RISK, policies=["equal", "proportional", "equalize"],
                   replications=given.replications)
print(plan)
policy = plan["recommended"]
of_policy = next(row for row in plan["policies"] if row["policy"] == policy)
promise = of_policy["safe_deadline"].high
if not numpy.isfinite(promise):  # each four replications see other owners that the measured ones may be
    print("So few replications promise nothing beyond the estimate itself.")
    promise = of_policy["safe_deadline"].value
print(f"Split by {policy}, the job is done within {of_policy['safe_deadline']} s with {1 - RISK:.0%}: "
      f"promised are {promise:.0f} s.\n")

# %% [markdown]
# Does it hold? A new run with another seed, which the plan has not seen: RF is the part of jobs that are late.

# %%
job = {"title": "The job as planned", "platform": {"file": platform}, "job": {"workload": "base-task", "work": WORK},
       "split": {"policy": policy}, "run": {"deadline": f"{promise}s"}}
anew = nowsim.run(job, metrics=["tau", "sigma_T", "T_95", "RF"], replications=given.replications, seed=2)
print(anew)
late = anew["RF"]
print(f"The promise is kept by {1 - late.value:.1%} of {anew[0].replications} new jobs "
      f"(between {1 - late.high:.1%} and {1 - late.low:.1%} with 95 %).\n")

# %% [markdown]
# And if owners do just what was measured? The series are replayed, each from a random place on, the split made for them. Three
# days hold few independent observations: what is promised is no surer than that they are typical.

# %%
with open(traces[0], encoding="utf-8") as file:
    columns = file.readline().strip().split(",")
column = next(name for name in ("value", "availability", "utilisation_percent") if name in columns)
replayed = {**job, "title": "The measured series, replayed",
            "owner": {"model": "trace", "file": "{host}.csv", "folder": os.path.dirname(traces[0]), "column": column,
                      "measures": "availability" if column == "availability" else "utilisation-percent",
                      "start": "independent"}}  # as the fits are; series made side by side: "common"
measured = nowsim.run(replayed, metrics=["tau", "sigma_T", "T_95", "RF"], replications=given.replications, seed=2)
print(measured)

# %% [markdown]
# The distributions, replication by replication, as NumPy's arrays.

# %%
times = {"fitted owners": anew.replications()["T"], "measured series": measured.replications()["T"]}
for name, T in times.items():
    print(f"{name}: half of the jobs are done by {numpy.median(T):.0f} s, {numpy.mean(T <= promise):.1%} by {promise:.0f} s")

# %%
try:
    import matplotlib
except ImportError:
    print("no picture: matplotlib is not here")
else:
    if given.picture:
        matplotlib.use("Agg")  # a file needs no screen
    import matplotlib.pyplot as pyplot

    figure, ax = pyplot.subplots(figsize=(7, 4))
    for name, T in times.items():
        ax.plot(numpy.sort(T), 1 - numpy.arange(1, len(T) + 1) / len(T), drawstyle="steps-post", label=name)
    ax.axvline(promise, color="black", linewidth=0.8, label="the promise")
    ax.axhline(RISK, color="grey", linewidth=0.8, linestyle="dashed", label="the risk")
    ax.set(xlabel="time [s]", ylabel="part of jobs that take longer", yscale="log", ylim=(1 / given.replications, 1))
    ax.legend()
    figure.tight_layout()
    if given.picture:
        figure.savefig(given.picture)
    else:
        pyplot.show()
