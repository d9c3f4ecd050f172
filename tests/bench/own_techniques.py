"""Techniques of nowsim's own, once more as functions: for compare_techniques."""
import nowsim


@nowsim.technique
def my_ss():
    return 1


@nowsim.technique
def my_gss(R, P):
    return -(-R // P)


def half(R, P):
    return P * -(-R // (2 * P))


@nowsim.technique(batch=half)
def my_fac2(K, P):
    return K / P
