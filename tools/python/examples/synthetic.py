"""Huang & Lee's two tasks as generators: workloads/synthetic in Python, with the same results to the bit."""

import nowsim


@nowsim.workload(name="my-base-task", communicates=False)
def base_task(rank):
    """each rank computes its share of the work"""
    yield rank.compute(rank.share)


@nowsim.workload(name="my-augmented-task", phases="phases", communicates=lambda bytes: bytes > 0,
                 messages=lambda ranks, phases, bytes: phases * ranks if bytes > 0 else 0)
def augmented_task(rank, phases: nowsim.count(least=1), bytes=nowsim.bytes(0), barrier_cost=nowsim.time("0s"),
                   synchronise=nowsim.choice("after", "both")):
    """phases of computing, moving bytes over the workstation's own link, and waiting for each other"""
    for _ in range(phases):
        yield rank.compute(rank.share / phases)
        if synchronise == "both":
            yield rank.barrier(barrier_cost)
        if bytes > 0:
            yield rank.transfer(bytes)
        yield rank.barrier(barrier_cost)
