"""The tiles of 18 New England."""

TILES = """
3 x5 yellow | town 10 ^1 | 0-a a-1
4 x5 yellow | town 10 ^3 | 0-a a-3
6 x8 yellow | city 20 | 0-a 2-a
7 x5 yellow | 0-1
8 x18 yellow | 0-2
9 x15 yellow | 0-3
58 x5 yellow | town 10 ^2 | 0-a a-2
14 x4 green | city 30 x2 | 0-a 1-a 3-a 4-a
15 x4 green | city 30 x2 | 0-a 1-a 2-a 3-a
16 x2 green | 0-2 1-3
19 x2 green | 0-3 2-4
20 x2 green | 0-3 1-4
23 x5 green | 0-3 0-4
24 x5 green | 0-3 0-2
25 x4 green | 0-2 0-4
26 x2 green | 0-3 0-5
27 x2 green | 0-3 0-1
28 x2 green | 0-4 0-5
29 x2 green | 0-2 0-1
30 x2 green | 0-4 0-1
31 x2 green | 0-2 0-5
87 x4 green | town 10 | 0-a 1-a 2-a 3-a
88 x4 green | town 10 | 0-a 1-a 3-a 4-a
204 x4 green | town 10 | 0-a 2-a 3-a 4-a
207 x1 green | city 40 x2 | 0-a 1-a 2-a 3-a | label Y
619 x4 green | city 30 x2 | 0-a 2-a 3-a 4-a
622 x1 green | city 40 x2 | 0-a 2-a 3-a 4-a | label Y
39 x2 brown | 0-2 0-1 1-2
40 x2 brown | 0-2 2-4 0-4
41 x2 brown | 0-3 0-1 1-3
42 x2 brown | 0-3 3-5 0-5
43 x2 brown | 0-3 0-2 1-3 1-2
44 x2 brown | 0-3 1-4 0-1 3-4
45 x2 brown | 0-3 2-4 0-4 2-3
46 x2 brown | 0-3 2-4 3-4 0-2
47 x2 brown | 0-3 1-4 1-3 0-4
63 x7 brown | city 40 x2 | 0-a 1-a 2-a 3-a 4-a 5-a
70 x2 brown | 0-1 0-2 1-3 2-3
611 x3 brown | city 40 x2 | 0-a 1-a 2-a 3-a 4-a
216 x2 brown | city 50 x2 | 0-a 1-a 2-a 3-a 4-a | label Y
911 x4 brown | town 10 | 0-a 1-a 2-a 3-a 4-a
X1 x1 green | city 50 ^1, city 50 ^5 | 1-a a-3 4-b b-5 | label B
X2 x1 green | city 40 x2 | a-0 a-1 2-a a-3 a-4 a-5 | label H
X3 x1 green | city 40 ^1, city 40 ^3, city 40 ^5 | a-0 a-1 2-b 3-b c-4 c-5 | label NH
X4 x1 brown | city 70 x2 | a-0 a-1 2-a a-3 a-4 | label B
X5 x1 brown | city 50 x2 | a-0 a-1 2-a a-3 a-4 a-5 | label H
X6 x1 brown | city 50 x3 | a-0 a-1 2-a a-3 a-4 a-5 | label NH
X7 x1 gray | city 100 x2 | a-0 a-1 2-a a-3 a-4 | label B
X8 x1 gray | city 60 x2 | a-0 a-1 2-a a-3 a-4 a-5 | label H
X9 x1 gray | city 70 x3 | a-0 a-1 2-a a-3 a-4 a-5 | label NH
"""
