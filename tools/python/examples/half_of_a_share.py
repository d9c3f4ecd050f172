"""A self-scheduling technique of one's own: a part of a fair share of what remains."""

import nowsim


@nowsim.technique(name="half-share")
def half_of_a_share(R, P, divisor=2):
    """R/(divisor*P) of the R tasks that remain, for P workers"""
    return R / (divisor * P)
