"""A hash of objects that refer to each other: of any process, and whatever order the elements of sets have."""

import hashlib

_ROUNDS = 8  # how far away from the elements of a set what tells them apart may lie


class Node:
    """What is said of an object: texts, and which other objects it refers to, in its order or in none."""

    def __init__(self):
        self.texts = hashlib.sha256()
        self.ordered = []
        self.unordered = []


def _labels(nodes):
    """What tells the elements of a set apart, whatever the process: what is said of them, and of the objects around."""
    labels = [int.from_bytes(node.texts.digest()[:7], "big") for node in nodes]
    for _ in range(_ROUNDS):
        if all(len({labels[to] for to in node.unordered}) == len(node.unordered) for node in nodes):
            break
        mentions = [[] for _ in nodes]
        for node, label in zip(nodes, labels):
            for place, to in enumerate(node.ordered):
                mentions[to].append(hash((label, place)))
            for to in node.unordered:
                mentions[to].append(label)
        labels = [hash((label, *(labels[to] for to in node.ordered), *sorted(labels[to] for to in node.unordered),
                        *sorted(mentioned))) for node, label, mentioned in zip(nodes, labels, mentions)]
    return labels


def digest(nodes):
    """Of all objects, numbered in the order in which they are first mentioned from the first on."""
    total, labels = hashlib.sha256(), _labels(nodes)
    numbers, waiting = {0: 0}, [0]
    for at in waiting:  # which grows
        node = nodes[at]
        total.update(node.texts.digest())
        unordered = sorted(node.unordered, key=lambda to: (labels[to], numbers.get(to, len(nodes))))
        for to in (*node.ordered, *unordered):
            if to not in numbers:
                numbers[to] = len(numbers)
                waiting.append(to)
            total.update(b"%d " % numbers[to])
    return total.hexdigest()[:32]
