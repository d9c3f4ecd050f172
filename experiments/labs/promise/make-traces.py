# Makes the "measured" machines of this lab: twenty days of each, ten to plan with and the ten that come after.
# Usage: python3 make-traces.py   (writes ws1.csv, ws1-later.csv, ... beside it; the same bytes each time)
import random

STEP, SAMPLES = 600, 1440  # seconds; ten days of ten minutes each

# machine: mean availability, standard deviation / mean, mean length of an interval [s], constant or exponential
SEED = 13
MACHINES = {"ws1": (0.60, 0.60, 600), "ws2": (0.65, 0.55, 700), "ws3": (0.62, 0.58, 650), "ws4": (0.58, 0.60, 600)}


def beta(rng, mean, th):
    """A value of the beta law with this mean and this standard deviation / mean."""
    n = mean * (1 - mean) / (th * mean) ** 2 - 1
    return rng.betavariate(mean * n, (1 - mean) * n)


def samples(rng, mean, th, interval, count):
    """What an owner leaves who changes after exponential times, averaged over each step."""
    value, left = beta(rng, mean, th), rng.expovariate(1 / interval)
    for _ in range(count):
        got, rest = 0.0, STEP
        while left < rest:
            got, rest = got + value * left, rest - left
            value, left = beta(rng, mean, th), rng.expovariate(1 / interval)
        left -= rest
        yield (got + value * rest) / STEP


def write(name, values):
    with open(name, "w") as out:
        out.write("timestamp,availability\n")
        out.writelines(f"{k * STEP},{v:.2f}\n" for k, v in enumerate(values))


for host, law in MACHINES.items():
    both = list(samples(random.Random(f"{host} {SEED}"), *law, 2 * SAMPLES))
    write(host + ".csv", both[:SAMPLES])
    write(host + "-later.csv", both[SAMPLES:])
