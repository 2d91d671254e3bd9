"""The tiles of 18GB."""

TILES = """
G02 x3 yellow | city 30 ^2, city 0 ^3.5 @3.5 | 0-a a-2 | label XX
G03 x2 yellow | city 30 ^3, city 0 ^1.5 @1.5 | 0-a a-3 | label XX
G18 x3 yellow | city 20 ^3, city 0 ^1.5 @1.5 | 0-a a-3 | label OO
G19 x4 yellow | city 20 ^2, city 0 ^3.5 @3.5 | 0-a a-2 | label OO
G39 x1 yellow | city 10 | 0-a 1-a
G40 x4 yellow | city 10 | 0-a 2-a
G41 x3 yellow | city 10 | 0-a a-3
3 x* yellow | town 10 ^1 | 0-a a-1
4 x* yellow | town 10 ^3 | 0-a a-3
7 x* yellow | 0-1
8 x* yellow | 0-2
9 x* yellow | 0-3
58 x* yellow | town 10 ^2 | 0-a a-2
G04 x1 green | city 40 ^1, city 40 ^4 | 1-a a-5 2-b b-4 | label XX
G05 x2 green | city 40 ^0, city 40 ^2 | 0-a a-3 2-b b-4 | label XX
G06 x1 green | city 40 ^3, city 40 ^1 | 0-a a-3 1-b b-4 | label XX
G08 x1 green | city 40 ^0, city 40 ^3.5 @3.5 | 0-a a-2 3-b b-4 | label XX
G09 x1 green | city 40 ^0, city 40 ^2.5 @2.5 | 0-a a-4 2-b b-3 | label XX
G10 x2 green | city 40 ^0, city 40 ^3 | 0-a a-2 1-b b-3 | label XX
G11 x1 green | city 40 ^3, city 40 ^1.5 @1.5 | 0-a a-3 1-b b-2 | label XX
G21 x2 green | city 30 ^0, city 30 ^2 | 0-a a-3 2-b b-4 | label OO
G22 x2 green | city 30 ^3, city 30 ^1 | 0-a a-3 1-b b-4 | label OO
G24 x1 green | city 30 ^0, city 30 ^3.5 @3.5 | 0-a a-2 3-b b-4 | label OO
G25 x1 green | city 30 ^0, city 30 ^2.5 @2.5 | 0-a a-4 2-b b-3 | label OO
G26 x2 green | city 30 ^0, city 30 ^3 | 0-a a-2 1-b b-3 | label OO
G27 x1 green | city 30 ^3, city 30 ^1.5 @1.5 | 0-a a-3 1-b b-2 | label OO
G28 x2 green | city 30 ^1, city 30 ^4 | 1-a a-5 2-b b-4 | label OO
G36 x4 green | city 20 | 0-a 1-a 3-a 4-a
G37 x4 green | city 20 | 0-a 1-a 2-a 3-a
G38 x4 green | city 20 | 0-a 2-a 3-a 4-a
16 x1 green | 0-2 1-3
17 x1 green | 1-3 0-4
18 x1 green | 0-3 1-2
19 x2 green | 0-3 2-4
20 x1 green | 0-3 1-4
21 x1 green | 0-2 3-4
22 x1 green | 0-4 2-3
23 x5 green | 0-3 0-4
24 x5 green | 0-3 0-2
25 x3 green | 0-2 0-4
26 x2 green | 0-3 0-5
27 x2 green | 0-3 0-1
28 x2 green | 0-4 0-5
29 x2 green | 0-2 0-1
87 x5 green | town 10 | 0-a 1-a 2-a 3-a
88 x4 green | town 10 | 0-a 1-a 3-a 4-a
204 x4 green | town 10 | 0-a 2-a 3-a 4-a
G13 x1 brown | city 60 ^2 @2, city 60 ^5 @5 | 1-a 2-a 3-a 4-b 5-b 0-b | label XX
G14 x4 brown | city 60 ^2 @2, city 60 ^5 @5 | 1-a 2-a 4-a 3-b 5-b 0-b | label XX
G15 x3 brown | city 60 ^2 @2, city 60 ^5 @5 | 0-a 2-a 4-a 1-b 3-b 5-b | label XX
G30 x7 brown | city 50 x2 | 0-a 1-a 2-a 3-a 4-a | label OO
G34 x6 brown | city 30 x2 | 0-a 1-a 2-a 3-a 4-a
40 x1 brown | 0-2 2-4 0-4
41 x1 brown | 0-3 0-1 1-3
42 x1 brown | 0-3 3-5 0-5
43 x2 brown | 0-3 0-2 1-3 1-2
44 x2 brown | 0-3 1-4 0-1 3-4
45 x2 brown | 0-3 2-4 0-4 2-3
46 x2 brown | 0-3 2-4 3-4 0-2
47 x2 brown | 0-3 1-4 1-3 0-4
911 x4 brown | town 10 | 0-a 1-a 2-a 3-a 4-a
G32 x1 blue | 0-3 1-2 4=5 | label FT, icon plus_40
G33 x1 blue | 2-3 2-4 2=5 5-0 | label S, icon plus_30
"""

# Only in games for five and six.
GRAY_TILES = """
G31 x2 gray | city 50 x3 | 0-a 1-a 2-a 3-a 4-a 5-a | label OO
G35 x2 gray | city 30 x3 | 0-a 1-a 2-a 3-a 4-a 5-a
912 x2 gray | town 10 | 0-a 1-a 2-a 3-a 4-a 5-a
"""
