# %% [markdown]
# My own scheduler against the family: a self-scheduling technique of one's own, beside GSS, FAC2, AWF-C and AF, on
# machines whose owners come and go.
#
# The cells run one by one in an editor that knows `# %%`, or all together: python3 my_own_scheduler.py
# (--replications 50 is quicker, --picture FILE.svg keeps the picture).

# %%
import argparse
import tempfile

import nowsim

arguments = argparse.ArgumentParser(allow_abbrev=False)
arguments.add_argument("--replications", type=int, default=400)
arguments.add_argument("--picture")
given, _ = arguments.parse_known_args()  # a notebook has arguments of its own

# %% [markdown]
# A loop of 1000 tasks of 2 s, for eight clients of three speeds. Their owners leave a half in the mean, and stay for as
# long as a sweep says. The first machine is the server. The network is fast; a chunk costs the server 50 ms.

# %%
FARM = {"title": "1000 tasks on eight machines with owners",
        "platform": {"workstations": 9, "speeds": ["1Gf", "1Gf", "1Gf", "1Gf", "1Gf", "2Gf", "2Gf", "3Gf", "4Gf"],
                     "network": "switch", "bandwidth": "125MBps", "latency": "50us"},
        "job": {"workload": "task-farm", "tasks": 1000, "cost": "2Gf", "overhead": "50ms"},
        "owner": {"model": "intervals", "mean": 0.5, "TH": 0.42, "interval": "100s", "hosts": {"ws1": {"model": "dedicated"}}},
        "run": {"seed": 1, "replications": given.replications}}

# %% [markdown]
# The idea: give each client its part of a half of what remains, by the speed that was measured; but never more than
# takes `longest` at that speed, as the owner may come back. `mean` is the time of the tasks that the client has reported,
# and before that what its nominal speed promises. `longest` is a key of the job: it can be set and swept.


# %%
@nowsim.technique
def cautious(R, P, mean, mean_all, longest=nowsim.time("30s")):
    """a half by measured speeds, but no chunk longer than `longest`"""
    return max(1, min(R / (2 * P) * mean_all / mean, longest / mean))


# %% [markdown]
# How long may a chunk be?

# %%
lengths = nowsim.run(FARM, sets={"job.technique": "cautious"}, sweep={"job.longest": ["5s", "10s", "30s", "100s", "300s"]},
                     metrics=["tau", "sigma_T"])
print(lengths)

# %% [markdown]
# Against the family, on the same random numbers: the differences are known better than the times. AWF-C begins with the
# shares of the split; in proportion to speeds they are what the technique above begins with, too.

# %%
FAMILY = ["GSS", "FAC2", "AWF-C", "AF", "cautious"]
SPLIT = {"split.policy": "proportional"}
contrast = nowsim.contrast(FARM, "job.technique", metric="tau", against="cautious", sets=SPLIT,
                           sweep={"job.technique": FAMILY})
print(contrast)

# %% [markdown]
# The same where owners stay for a shorter and a longer time: is one technique the best throughout? What is simulated is
# kept in a folder, from which show() takes it for the picture.

# %%
with tempfile.TemporaryDirectory() as folder:
    over_time = nowsim.contrast(FARM, "job.technique", metric="tau", sets=SPLIT, out=folder,
                                sweep={"job.technique": FAMILY, "owner.interval": ["10s", "30s", "100s", "300s", "1000s"]})
    results = nowsim.show(folder)
print(over_time)

# %% [markdown]
# A picture, where there is matplotlib.

# %%
try:
    import matplotlib
except ImportError:
    print("no picture: matplotlib is not here")
else:
    if given.picture:
        matplotlib.use("Agg")  # a file needs no screen
    import matplotlib.pyplot as pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4))
    results.plot("tau", x="owner.interval", hue="job.technique", ax=left)
    left.set_title("mean time [s], by how long owners stay", fontsize=10)
    rows = contrast.to_pandas()
    rows = rows[rows["job.technique"] != "cautious"]
    right.errorbar(rows["difference"], rows["job.technique"], fmt="o", capsize=2,
                   xerr=[rows["difference"] - rows["difference.low"], rows["difference.high"] - rows["difference"]])
    right.axvline(0, color="grey", linewidth=0.8)
    right.set_title("longer than cautious by [s], owners stay for 100 s", fontsize=10)
    figure.tight_layout()
    if given.picture:
        figure.savefig(given.picture)
    else:
        pyplot.show()
