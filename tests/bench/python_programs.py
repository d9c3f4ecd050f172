#!/usr/bin/env python3
"""Programs of ranks that compute, sleep or exchange messages, as generators of nowsim or as processes of SimPy.

usage: python_programs.py nowsim|simpy CASE RANKS STEPS REPLICATIONS
  (CASE: compute, sleep, buffered, rendezvous; SimPy 3 is python3-simpy3 of Debian)

Prints how many operations were awaited, and the makespan [s]. SimPy has processes and stores, and no network: a message
of its is there at once, one of nowsim's travels.
"""
import sys


def nowsim_makespan(case, ranks, steps, replications):
    import nowsim

    @nowsim.workload
    def compute(rank, steps=1):
        for _ in range(steps):
            yield rank.compute(1e6)

    @nowsim.workload
    def sleep(rank, steps=1):
        for step in range(steps):
            yield rank.sleep_until(step + 1)

    @nowsim.workload
    def buffered(rank, steps=1):
        right, left = (rank.index + 1) % rank.count, (rank.index - 1) % rank.count
        for _ in range(steps):
            yield rank.isend(right, 0)
            yield rank.receive(left)

    @nowsim.workload
    def rendezvous(rank, steps=1):
        other = rank.index ^ 1
        for _ in range(steps):
            if rank.index % 2 == 0:
                yield rank.send(other, 0)
            else:
                yield rank.receive(other)

    result = nowsim.run({"nowsim": 1, "platform": {"workstations": ranks, "speed": "1Mf", "network": "switch", "bandwidth": "1GBps",
                                                   "latency": "1ms"},
                         "job": {"workload": case, "steps": steps}, "run": {"replications": replications, "engine": "direct"}},
                        jobs=1, progress=False)
    result.check()
    return result.rows[0].estimates["tau"].value


def simpy_makespan(case, ranks, steps):
    import simpy

    env = simpy.Environment()
    stores = [simpy.Store(env) for _ in range(ranks)]

    def compute(rank):
        for _ in range(steps):
            yield env.timeout(1)

    def buffered(rank):
        right = stores[(rank + 1) % ranks]
        for _ in range(steps):
            yield right.put(0)
            yield stores[rank].get()

    def rendezvous(rank):
        store = stores[rank | 1]
        for _ in range(steps):
            if rank % 2 == 0:
                yield store.put(0)
            else:
                yield store.get()

    for rank in range(ranks):
        env.process({"compute": compute, "sleep": compute, "buffered": buffered, "rendezvous": rendezvous}[case](rank))
    env.run()
    return env.now


def main():
    program, case, ranks, steps, replications = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
    if program == "simpy":
        ends = [simpy_makespan(case, ranks, steps) for _ in range(replications)]
    else:
        ends = [nowsim_makespan(case, ranks, steps, replications)]
    print(ranks * steps * (2 if case == "buffered" else 1) * replications, ends[0])


if __name__ == "__main__":
    main()
