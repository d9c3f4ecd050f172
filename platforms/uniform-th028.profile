# Uniform availability 0.5 (1 ± sqrt(3)·0.28) on intervals of uniform length on [0, 20] s. A profile's resource has its
# full speed until the first event, so the first line draws a value at once; later rounds draw again at no delay.
STOCHASTIC LOOP
DET 0 UNIF 0.25751288694035 0.74248711305965
UNIF 0 20 UNIF 0.25751288694035 0.74248711305965
