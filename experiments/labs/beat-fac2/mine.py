"""A chunk rule as a Python function: python3 -m nowsim run farm.yaml --plugin mine.py --set job.technique=mine"""
import nowsim


@nowsim.technique(name="mine")
def mine(R, P):
    """half of a fair share of the R tasks that remain, for P workers"""
    return R / (2 * P)
