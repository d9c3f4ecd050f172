# Uniform availability 0.5 (1 ± sqrt(3)·0.28) on intervals of uniform length on [0, 20] s; the first value holds from 0.
STOCHASTIC LOOP
UNIF 0 20 UNIF 0.25751288694035 0.74248711305965
