"""The tiles of 1861."""

TILES = """
3 x2 yellow | town 10 ^1 | 0-a a-1
4 x4 yellow | town 10 ^3 | 0-a a-3
5 x2 yellow | city 20 | 0-a 1-a
6 x2 yellow | city 20 | 0-a 2-a
7 x* yellow | 0-1
8 x* yellow | 0-2
9 x* yellow | 0-3
14 x2 green | city 30 x2 | 0-a 1-a 3-a 4-a
15 x2 green | city 30 x2 | 0-a 1-a 2-a 3-a
16 x2 green | 0-2 1-3
17 x2 green | 1-3 0-4
18 x2 green | 0-3 1-2
19 x2 green | 0-3 2-4
20 x2 green | 0-3 1-4
21 x2 green | 0-2 3-4
22 x2 green | 0-4 2-3
23 x5 green | 0-3 0-4
24 x5 green | 0-3 0-2
25 x4 green | 0-2 0-4
26 x2 green | 0-3 0-5
27 x2 green | 0-3 0-1
28 x2 green | 0-4 0-5
29 x2 green | 0-2 0-1
30 x2 green | 0-4 0-1
31 x2 green | 0-2 0-5
39 x2 brown | 0-2 0-1 1-2
40 x2 brown | 0-2 2-4 0-4
41 x2 brown | 0-3 0-1 1-3
42 x2 brown | 0-3 3-5 0-5
43 x2 brown | 0-3 0-2 1-3 1-2
44 x2 brown | 0-3 1-4 0-1 3-4
45 x2 brown | 0-3 2-4 0-4 2-3
46 x2 brown | 0-3 2-4 3-4 0-2
47 x2 brown | 0-3 1-4 1-3 0-4
57 x2 yellow | city 20 | 0-a a-3
58 x4 yellow | town 10 ^2 | 0-a a-2
63 x3 brown | city 40 x2 | 0-a 1-a 2-a 3-a 4-a 5-a
87 x2 green | town 10 | 0-a 1-a 2-a 3-a
88 x2 green | town 10 | 0-a 1-a 3-a 4-a
201 x3 yellow | city 30 | 0-a 1-a | label Y
202 x3 yellow | city 30 | 0-a 2-a | label Y
204 x2 green | town 10 | 0-a 2-a 3-a 4-a
207 x5 green | city 40 x2 | 0-a 1-a 2-a 3-a | label Y
208 x2 green | city 40 x2 | 0-a 1-a 3-a 4-a | label Y
611 x3 brown | city 40 x2 | 0-a 1-a 2-a 3-a 4-a
619 x2 green | city 30 x2 | 0-a 2-a 3-a 4-a
621 x2 yellow | city 30 | 0-a a-3 | label Y
622 x2 green | city 40 x2 | 0-a 2-a 3-a 4-a | label Y
623 x3 brown | city 50 x2 | 0-a 1-a 2-a 3-a 4-a 5-a | label Y
624 x1 green | 0-1 1-2
625 x1 green | 0-1 2-3
626 x1 green | 0-1 3-4
635 x1 green | city 40 ^0.5 @0.5, city 40 #2 ^4.5 @4.5, city 40 #1 ^2.5 @2.5 | 0-a a-1 4-b b-5 2-c c-3 \
    | label K, cost 40 water
636 x1 brown | city 50 x3 | 0-a 1-a 2-a 3-a 4-a 5-a | label K
637 x1 green | city 50 ^0.5 @0.5, city 50 #2 ^4.5 @4.5, city 50 #1 ^2.5 @2.5 | 0-a a-1 4-b b-5 2-c c-3 \
    | label M
638 x1 brown | city 70 x3 | 0-a 1-a 2-a 3-a 4-a 5-a | label M
639 x1 gray | city 100 x4 | 0-a 1-a 2-a 3-a 4-a 5-a | label M
640 x1 gray | city 60 x3 | 0-a 1-a 2-a 3-a 4-a 5-a | label Kh
641 x1 brown | city 50 x3 | 0-a 1-a 5-a | label S
642 x1 gray | city 70 x3 | 0-a 1-a 5-a | label S
801 x2 brown | city 50 x2 | 0-a 1-a 2-a 3-a | label Y
911 x3 brown | town 10 | 0-a 1-a 2-a 3-a 4-a
"""
