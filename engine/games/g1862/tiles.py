"""The tiles of 1862."""

TILES = """
5 x10 yellow | city 20 | 0-a 1-a
6 x10 yellow | city 20 | 0-a 2-a
14 x11 green | city 30 x2 | 0-a 1-a 3-a 4-a
15 x10 green | city 30 x2 | 0-a 1-a 2-a 3-a
16 x2 green | 0-2 1-3
16_1a x2 green | town 20 ^0 @0 | 0-a 2-a 1-3
16_1b x2 green | town 20 ^3 @3 | 1-a 3-a 0-2
16_2 x2 green | town 20 ^3, town 20 ^0 | 1-a 3-a 0-b 2-b
17 x5 green | 1-3 0-4
17_1 x5 green | town 20 ^4 | 0-a 4-a 1-3
17_2 x5 green | town 20 ^4, town 20 ^1 | 0-a 4-a 1-b 3-b
18 x5 green | 0-3 1-2
18_1a x5 green | town 20 ^3 | 0-a 3-a 1-2
18_1b x5 green | town 20 ^1 | 1-a 2-a 0-3
18_2 x5 green | town 20 ^1, town 20 ^3 | 1-a 2-a 0-b 3-b
19 x4 green | 0-3 2-4
19_1a x4 green | town 20 ^0 @0 | 0-a 3-a 2-4
19_1b x4 green | town 20 ^2 | 2-a 4-a 0-3
19_2 x4 green | town 20 ^2, town 20 ^0 | 2-a 4-a 0-b 3-b
20 x6 green | 0-3 1-4
20_1 x6 green | town 20 ^3 | 0-a 3-a 1-4
20_1b x6 green | town 20 ^1 | 1-a 4-a 0-3
20_2 x6 green | town 20 ^3, town 20 ^1 | 0-a 3-a 1-b 4-b
21 x2 green | 0-2 3-4
21_1a x2 green | town 20 ^2 | 0-a 2-a 3-4
21_1b x2 green | town 20 ^3 | 3-a 4-a 0-2
21_2 x2 green | town 20 ^4, town 20 ^0 | 3-a 4-a 0-b 2-b
22 x2 green | 0-4 2-3
22_1a x2 green | town 20 ^4 | 0-a 4-a 2-3
22_1b x2 green | town 20 ^2 | 2-a 3-a 0-4
22_2 x2 green | town 20 ^2, town 20 ^0 | 2-a 3-a 0-b 4-b
53y x6 green | city 50 x2 | 0-a 2-a 4-a | label Y
57 x12 yellow | city 20 | 0-a a-3
61y x3 brown | city 60 x2 | 0-a 2-a 3-a 4-a | label Y
201 x2 yellow | city 30 | 0-a 1-a | label Y
202 x4 yellow | city 30 | 0-a 2-a | label Y
611 x8 brown | city 40 x2 | 0-a 1-a 2-a 3-a 4-a
619 x10 green | city 30 x2 | 0-a 2-a 3-a 4-a
621 x2 yellow | city 30 | 0-a a-3 | label Y
778 x4 brown | 0-4 1-3 2-5
778_1a x4 brown | town 20 ^4 | 0-a 4-a 1-3 2-5
778_1b x4 brown | town 20 ^2 | 2-a 5-a 1-3 0-4
778_2a x4 brown | town 20 ^4, town 20 ^2 | 0-a 4-a 2-b 5-b 1-3
778_2b x4 brown | town 20 ^4, town 20 ^1 | 0-a 4-a 1-b 3-b 2-5
778_3 x4 brown | town 20 ^4, town 20 ^2 @2, town 20 ^1 | 0-a 4-a 2-b 5-b 1-c 3-c
779 x3 brown | 0-4 1-5 2-3
779_1a x3 brown | town 20 ^4 | 0-a 4-a 1-5 2-3
779_1b x3 brown | town 20 ^1 | 1-a 5-a 0-4 2-3
779_1c x3 brown | town 20 ^2 | 2-a 3-a 0-4 1-5
779_2a x3 brown | town 20 ^4, town 20 ^1 | 0-a 4-a 1-b 5-b 2-3
779_2b x3 brown | town 20 ^0, town 20 ^2 | 0-a 4-a 2-b 3-b 1-5
779_2c x3 brown | town 20 ^5, town 20 ^3 | 1-a 5-a 2-b 3-b 0-4
779_3 x3 brown | town 20 ^1, town 20 ^2, town 20 ^4 | 1-a 5-a 2-b 3-b 0-c 4-c
780 x3 brown | 0-3 1-2 4-5
780_1a x3 brown | town 20 ^3 | 0-a 3-a 1-2 4-5
780_1b x3 brown | town 20 ^1 | 1-a 2-a 0-3 4-5
780_2a x3 brown | town 20 ^3, town 20 ^1 | 0-a 3-a 1-b 2-b 4-5
780_2b x3 brown | town 20 ^1, town 20 ^4 | 1-a 2-a 4-b 5-b 0-3
780_3 x3 brown | town 20 ^1, town 20 ^5, town 20 ^3 | 1-a 2-a 4-b 5-b 0-c 3-c
790 x4 yellow | city 40 x2 | 0-a a-3 1-a a-4 | label N
791 x4 green | city 60 x3 | 0-a 1-a 2-a 3-a 4-a | label N
792 x2 green | city 50 x2 | 0-a 5-a 3-a | label Y
793 x3 green | city 50 x2 | 0-a 1-a 3-a | label Y
794 x3 brown | city 80 x4 | 0-a a-3 1-a a-4 2-a a-5 | label N
795 x1 brown | city 80 x4 | 0-a 1-a 2-a 4-a 5-a | label I
796 x3 brown | city 60 x2 | 0-a a-3 1-a a-4 | label Y
797 x1 brown | city 60 x2 | 0-a 3-a 4-a | label H
798 x3 brown | 0-3 1-4 2-5
798_1 x3 brown | town 20 ^3 | 0-a 3-a 1-4 2-5
798_2 x3 brown | town 20 ^3, town 20 ^1 | 0-a 3-a 1-b 4-b 2-5
798_3 x3 brown | town 20 ^3, town 20 ^1, town 20 ^5 | 0-a 3-a 1-b 4-b 2-c 5-c
891y x3 brown | city 60 x2 | 0-a 1-a 2-a 3-a | label Y
8850 x6 yellow | town 20 ^5 | 0-a 5-a
8851 x8 yellow | town 20 ^4 | 0-a 4-a
8852 x12 yellow | town 20 ^3 | 0-a 3-a
"""
