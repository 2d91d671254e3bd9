"""The tiles of Harzbahn 1873."""

TILES = """
77 x* yellow | 0~1
78 x* yellow | 0~2
79 x* yellow | 0~3
75 x* yellow | city 20 | 0~a 1~a
76 x* yellow | city 20 | 0~a 2~a
956 x* yellow | city 20 | 0~a 3~a
957 x2 green | 0~2 1~3
958 x2 green | 1~3 0~4
959 x1 green | 0~3 1~2
960 x2 green | 0~3 2~4
961 x2 green | 0~3 1~4
100 x4 green | city 30 | 0~a 1~a 2~a
101 x1 green | city 30 | 0~a 2~a 4~a
962 x6 green | city 30 | 0~a 5~a 3~a
963 x6 green | city 30 | 0~a 1~a 3~a
971 x2 green | city 40 | 0~a 1~a | frame
972 x3 green | city 40 | 0~a 2~a | frame
973 x1 green | city 40 | 0~a 3~a | frame
974 x1 green | city 60 x2 | 0~a 2~a 3~a 4~a | label B, frame
964 x1 green | city 20 ^1, city 20 ^3 | 0~a a~1 3~b b~4
965 x1 green | city 20 ^1, city 20 ^4 | 1~a a~3 0~b b~4
966 x1 green | city 20 ^0, city 20 ^3 | 0~a a~2 1~b b~3
967 x1 green | city 20 ^0, city 20 ^4 | 0~a a~2 3~b b~4
914 x1 green | city 20 ^1, city 20 ^5 | 1~a a~2 3~b b~5
968 x2 green | city 20 ^3, city 20 ^1 | 0~a a~3 1~b b~2
969 x2 green | city 20 ^0, city 20 ^2 | 0~a a~3 2~b b~4
970 x1 green | city 20 ^3, city 20 ^1 | 0~a a~3 1~b b~4
975 x4 brown | city 40 x2 | 0~a 1~a 3~a 4~a
976 x6 brown | city 40 x2 | 0~a 1~a 2~a 3~a
977 x5 brown | city 40 x2 | 0~a 2~a 3~a 4~a
978 x2 brown | city 60 x2 | 0~a 1~a 2~a | frame
979 x2 brown | city 60 x2 | 0~a 2~a 4~a | frame
980 x2 brown | city 60 x2 | 0~a 5~a 3~a | frame
985 x2 brown | city 60 x2 | 0~a 1~a 3~a | frame
986 x1 brown | city 80 x2 | 0~a 1~a 2~a 3~a 4~a | label B, frame
987 x2 brown | city 90 x2 | 0-a 1~a 2~a 3-a | label HQG, frame
988 x3 gray | city 50 x3 | 0~a 1~a 2~a 3~a 4~a
989 x2 gray | city 70 x3 | 0~a 1~a 2~a 3~a 4~a | frame
990 x1 gray | city 100 x3 | 0~a 1~a 2~a 3~a 4~a 5~a | label B, frame
"""
