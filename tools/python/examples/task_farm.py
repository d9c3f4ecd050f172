"""A loop of tasks that a server hands out on request: workloads/farm in Python, with two of its techniques."""

from math import ceil

import nowsim


def guided(tasks, workers):
    """GSS (Polychronopoulos & Kuck 1987): a worker's part of what remains."""
    while tasks > 0:
        chunk = -(-tasks // workers)
        yield chunk
        tasks -= chunk


def factoring_by_two(tasks, workers):
    """FAC2 (Hummel, Schonberg & Flynn 1992): batches of equal chunks, each batch half of what remains."""
    while tasks > 0:
        chunk = ceil(tasks / (2.0 * workers))
        for _ in range(workers):
            chunk = min(chunk, tasks)
            if chunk == 0:
                return
            yield chunk
            tasks -= chunk


TECHNIQUES = {"GSS": guided, "FAC2": factoring_by_two}


@nowsim.workload(name="my-task-farm", work=lambda tasks, cost: tasks * cost, first_worker=1, uses_shares=False,
                 messages=lambda ranks, tasks: 2 * min(tasks, 20 * ranks))
def task_farm(rank, tasks: nowsim.count(least=1), cost: nowsim.work(), technique=nowsim.choice("GSS", "FAC2"),
              request=nowsim.bytes(0), input=nowsim.bytes(0), result=nowsim.bytes(0), overhead=nowsim.time("0s")):
    """rank 0 hands chunks of a loop's tasks to the others as they ask"""
    if rank.count == 1:
        yield rank.compute(tasks * cost)
    elif rank.index == 0:
        yield from serve(rank, TECHNIQUES[technique](tasks, rank.count - 1), request, input, overhead)
    else:
        yield from work(rank, cost, request, result)


def serve(rank, chunks, request, input, overhead):
    clients = rank.count - 1
    while clients > 0:
        asked = yield rank.receive_any()
        chunk = next(chunks, None)
        if chunk is None:
            clients -= 1
            yield rank.send(asked.source, request)
            continue
        if overhead > 0:
            yield rank.compute(overhead * rank.host.speed)
        yield rank.send(asked.source, request + input * chunk, chunk)


def work(rank, cost, request, result):
    bytes = request
    while True:
        yield rank.send(0, bytes)
        rank.keep_work()
        answer = yield rank.receive(0)
        if answer.content is None:
            return
        yield rank.compute(answer.content * cost)
        bytes = request + result * answer.content
