# A desk's availability over a day of 24 hours: free at night, a course in the morning, light use in the afternoon.
PERIODICITY 86400
0      1.0
28800  0.25
43200  0.8
46800  0.5
64800  0.9
72000  1.0
