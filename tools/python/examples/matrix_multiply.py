"""C = A·B by blocks of rows (Zhang & Yan 4.2): workloads/matrices/matrix_multiply.cpp in Python, without paging."""

from math import floor

import nowsim


def whole_parts(total, shares):
    """`total` in whole parts in proportion to the shares: quotas rounded down, and one more for the largest remainders."""
    whole = 0.0
    for share in shares:
        whole += share
    if not whole > 0:
        return [total] + [0] * (len(shares) - 1)
    quotas = [total * (share / whole) for share in shares]
    parts = [floor(quota) for quota in quotas]
    by_remainder = sorted(range(len(shares)), key=lambda i: parts[i] - quotas[i])
    for i in [i for i in by_remainder if shares[i] > 0][:total - sum(parts)]:
        parts[i] += 1
    return parts


def deal_out(rank, bytes_of):
    """Rank 0 sends every other its bytes, one after another."""
    if rank.index > 0:
        if bytes_of(rank.index) > 0:
            yield rank.receive(0)
        return
    for other in range(1, rank.count):
        if bytes_of(other) > 0:
            yield rank.send(other, bytes_of(other))


def take_back(rank, bytes_of):
    """The other way round."""
    if rank.index > 0:
        if bytes_of(rank.index) > 0:
            yield rank.send(0, bytes_of(rank.index))
        return
    for other in range(1, rank.count):
        if bytes_of(other) > 0:
            yield rank.receive(other)


@nowsim.workload(name="my-matrix-multiply", work=lambda size: 2.0 * size * size * size,
                 messages=lambda ranks, distribute: (ranks - 1) * {"binomial": 3, "rotate": 2 + ranks}.get(distribute, 2))
def matrix_multiply(rank, size: nowsim.count(least=1), element=nowsim.bytes("4B"), spawn=nowsim.time("0s"),
                    distribute=nowsim.choice("each", "binomial", "rotate", "in-place")):
    """A's rows are dealt by rank 0, which collects C's; every rank needs all of B"""
    if rank.count == 1:
        yield rank.compute(rank.share)
        return
    started = rank.index or rank.count - 1
    if spawn > 0:
        yield rank.sleep_until(started * spawn)
    rows = whole_parts(size, rank.shares)

    def bytes(count):
        return float(count) * size * element

    of_b = {"each": lambda count: size if count > 0 else 0, "rotate": lambda count: count}.get(distribute, lambda count: 0)
    yield from deal_out(rank, lambda other: bytes(rows[other] + of_b(rows[other])))
    if distribute == "binomial":
        yield rank.broadcast(0, bytes(size))
    mine = rows[rank.index]
    if mine > 0:
        if distribute == "rotate":
            yield from multiply_rotating(rank, rows, size, bytes)
        else:
            yield rank.compute(2.0 * mine * size * size)
    yield from take_back(rank, lambda other: bytes(rows[other]))


def multiply_rotating(rank, rows, size, bytes):
    """In as many steps as ranks have rows, each multiplies with the rows of B that it holds and passes them on."""
    ring = [other for other in range(rank.count) if rows[other] > 0]
    me, n = ring.index(rank.index), len(ring)
    for step in range(n):
        held = rows[ring[(me - step) % n]]
        yield rank.compute(2.0 * rows[rank.index] * held * size)
        if step + 1 < n:
            yield rank.isend(ring[(me + 1) % n], bytes(held))
            yield rank.receive(ring[(me - 1) % n])
