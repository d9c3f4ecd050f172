# A desk whose owner comes and goes at random: free for 30 minutes on average, then at work for 10 with some load.
STOCHASTIC LOOP
EXP 0.0016666667 DET 1.0
EXP 0.00055555556 UNIF 0.2 0.8
