# Bytes per second that are left, in bursts of other people's traffic.
PERIODICITY 0.1
0    1000000
0.03 400000
0.05 700000
0.06 250000
