"""The map of 1862: prints, and below each the hexes that bear it."""

from engine.hexes import Layout

LAYOUT: Layout = "flat"

HEXES = """
white | town 0
    B3 Holbeach, D3 Hunstanton, G4 N Walsham, E6 Watton, G6 Acle, D7 Brandon, F9 Framlingham,
    E10 Stowmarket, G10 Woodbridge, B11 Royston, C12 Great Dunmow
white | town 0 | border 4 impassable
    E14 Tiptree
white | city 0
    E2 Wells-Next-The-Sea, F3 Cromer, E4 Fakenham, B5 Wisbech, D5 Swaffham, C6 Downham Market, B7 March,
    F7 Diss, H7 Lowestoft, E8 Thetford, G8 Beccles, C10 Newmarket, D11 Sudbury, B13 Bishop's Stortford,
    D13 Witham
white | city 0 | label Y
    H5 Great Yarmouth, C4 King's Lynn, C8 Ely, D9 Bury St. Edmunds
white | city 0 | label N
    F5 Norwich, B9 Cambridge, E12 Colchester
white | city 0 | label N, border 0 impassable
    F11 Ipswich
white | city 0 | label Y, border 1 impassable, border 3 impassable, border 4 impassable
    F13 Harwich
white | city 0 | border 1 impassable
    G12 Felixstowe
red | offboard white:40/gray:90/purple:140 {Midlands} | 5-a | border 0
    A2
red | offboard white:40/gray:90/purple:140 {Midlands} | 4-a 5-a | border 0, border 3
    A4
red | offboard white:40/gray:90/purple:140 {Midlands} | 4-a 5-a | border 0, border 3
    A6 Midlands
red | offboard white:40/gray:90/purple:140 {Midlands}, offboard white:70/gray:100/purple:120 #2 {West} \
    | 4-a 5-b | border 0, border 3, partition
    A8
red | offboard white:70/gray:100/purple:120 {West} | 4-a 5-a | border 0, border 3
    A10 The West
red | offboard white:100/gray:150/purple:200 {London}, offboard white:70/gray:100/purple:120 #2 {West} \
    | 5-a 4-b | border 0, border 3, partition
    A12
red | offboard white:100/gray:150/purple:200 {London} | 4-a | border 5, border 3
    A14
red | offboard white:100/gray:150/purple:200 {London} | 2-a 3-a 4-a | border 5, border 1
    C14 London
red | offboard white:100/gray:150/purple:200 {London}, city 0 x2 #3 | 3-a | border 2, border 4
    B15
red | offboard white:100/gray:150/purple:200 {London}, city 0 x2 #4 | 3-a 4-a | border 2
    D15
blue | offboard white:80/gray:90/purple:100 {North} | 0-a | border 4 divider
    C2
blue | offboard white:80/gray:90/purple:100 {North0} | 5-a | border 1 divider, border 4
    D1
blue | offboard white:80/gray:90/purple:100 {North0} | border 1, border 5
    E0
blue | offboard white:80/gray:90/purple:100 {North0}, offboard white:80/gray:90/purple:100 #2 {North1} \
    | 1-a 0-b | border 2, border 5, partition
    F1
blue | offboard white:70/gray:100/purple:130 {Holland} | 3-a | border 4
    F15
blue | offboard white:80/gray:90/purple:100 {North1} | border 2
    G2
blue | offboard white:70/gray:100/purple:130 {Denmark}, offboard white:70/gray:100/purple:130 #2 \
    {Holland} | 3-a 2-b | border 4, border 1, partition
    G14
blue | offboard white:60/gray:90/purple:120 {East} | 3-a | border 4, border 0 divider
    H9
blue | offboard white:70/gray:100/purple:130 {Denmark} | 1-a | border 0, border 3 divider
    H11
blue | offboard white:70/gray:100/purple:130 {Denmark} | 2-a | border 3, border 1
    H13
blue | offboard white:80/gray:100/purple:120 {NorthEast} | 1-a | border 0
    I4
blue | offboard white:80/gray:100/purple:120 {NorthEast}, offboard white:60/gray:90/purple:120 #2 {East} \
    | 2-a 1-b | border 3, border 0, partition
    I6
blue | offboard white:60/gray:90/purple:120 {East} | 2-a | border 3, border 1
    I8
"""
