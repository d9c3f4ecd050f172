#!/usr/bin/env python3
"""Writes twelve-desks.csv: two weeks of a lab that is made up, every ten minutes. python3 twelve_desks.py > twelve-desks.csv"""
import datetime
import random

STEPS, DAY, DAYS = 10, 144, 14  # minutes of a step, steps of a day, days
draw = random.Random(7)


def uses():
    """Sessions of 45 minutes, busy by day on working days; on one night of ten a job is left until the morning."""
    left = [1.0] * (DAY * DAYS)
    step = 0
    while step < len(left):
        day, hour = step // DAY, step % DAY / 6
        length = max(1, round(draw.expovariate(1 / 45) / STEPS))
        if draw.random() < (0.6 if day % 7 < 5 and 8 <= hour < 18 else 0.05):
            left[step:step + length] = [0.1] * min(length, len(left) - step)
        step += length
    for day in range(DAYS - 1):
        if draw.random() < (0.1 if day % 7 < 5 else 0.03):
            begin, end = day * DAY + int(draw.uniform(17.5, 19.5) * 6), (day + 1) * DAY + int(draw.uniform(7, 9) * 6)
            left[begin:end] = [0.1] * (end - begin)
    return left


desks = [uses() for _ in range(12)]
print("host,timestamp,availability")
for step in range(DAY * DAYS):
    stamp = datetime.datetime(2026, 11, 2) + datetime.timedelta(minutes=STEPS * step)
    for number, desk in enumerate(desks, 1):
        print(f"desk{number:02},{stamp:%Y-%m-%d %H:%M},{desk[step]:g}")
