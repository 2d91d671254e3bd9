"""The map of 18GB: prints, and below each the hexes that bear it."""

from engine.hexes import Layout

LAYOUT: Layout = "flat"

HEXES = """
white
    A18, A24, B25, C26, F7, F15, F19, F27, G20, H23, H25, H27, I18, I24, J1, J19, J23, K2
white | border 1 mountain 50
    E16, E24, G24
white | border 5 mountain 50
    G2, G10, H7
white | border 2 mountain 50
    E20, E22
white | border 0 mountain 50, border 5 mountain 50
    B17
white | border 3 mountain 50, border 5 mountain 50
    B19
white | border 2 mountain 50, border 4 mountain 50
    C18
white | border 1 mountain 50, border 4 mountain 50
    D17
white | border 1 mountain 50, border 5 mountain 50
    D19
white | border 1 mountain 50
    J9
white | border 0 mountain 50, border 2 mountain 50, border 4 mountain 50, border 5 mountain 50
    H11
white | border 1 mountain 50, border 2 mountain 50, border 3 mountain 50
    H13
white | border 0 mountain 50, border 1 mountain 50, border 2 mountain 50
    I8
white | border 0 mountain 50, border 1 mountain 50, border 3 mountain 50, border 4 mountain 50
    I10
white | border 3 mountain 50
    J15
white | town 0
    C24 Taunton, E18 Shrewsbury, E26 Basingstoke, F17 Crewe, F23 Oxford, G6 Motherwell, G22 Coventry,
    H5 Coatbridge, I16 Doncaster, I20 Lincoln, I22 Peterborough, I26 Colchester, J7 Berwick
white | town 0 | border 2 mountain 50, border 4 mountain 50, border 5 mountain 50
    C20 Merthyr Tydfil
white | town 0 | border 2 mountain 50, border 5 mountain 50
    D21 Worcester
white | town 0 | border 4 mountain 50
    F25 Reading
white | town 0 | border 0 mountain 50, border 5 mountain 50
    G12 Lancaster
white | town 0 #1 | border 2 mountain 50
    H3 Stirling
white | town 0 | border 2 mountain 50, border 3 mountain 50
    I12 Darlington
white | city 0
    A20 Swansea, F5 Ayr, H19 Derby, I2 Perth, I14 York, J3 Dundee, J25 Ipswich
white | city 0 ^0, city 0 ^3 | label OO
    B21 Cardiff, D23 Bristol, H21 Leicester, I6 Edinburgh, J11 Newcastle
white | city 0 ^0, city 0 ^3 | label XX
    F21 Birmingham, G4 Glasgow, G16 Manchester, H15 Leeds
white | city 0 | border 4 mountain 50
    D25 Salisbury, G18 Stoke, H9 Carlisle
white | city 0 ^0, city 0 ^3 | label OO, border 3 mountain 50, border 4 mountain 50
    G14 Preston
white | city 0 ^0, city 0 ^3 | label OO, border 1 mountain 50
    H17 Sheffield
white | city 0 | border 0 mountain 50
    J13 Middlesbrough
gray
    B23
gray | 1-2
    K10, K12
gray | 2-5
    D15
gray | 4-5 5-0
    F3
gray | 1-5 4-5
    F13
gray | 0-1 1-2
    J5
gray | 1-3
    J21
gray | 2-3
    K4
gray | 1-2 1-3
    K24
gray | town 10 ^3 | 3-a 4-a
    A22 Bridgend
gray | town 10 ^2 | 2-a a-5 3-5
    G8 Dumfries
gray | town 10 ^1 | 1-a 2-a
    L1 Arbroath
red | offboard yellow:10/blue:20/gray:30 | 5-a | icon west
    C14 Holyhead
red | offboard yellow:10/blue:20/gray:30 | 5-a | icon west
    a19 Pembroke
red | offboard yellow:20/blue:40/gray:50 | 4-a | icon south, icon west
    a25 Plymouth
red | offboard yellow:20/blue:30/gray:40 | icon south, icon north
    C8 NS Bonus
red | offboard yellow:20/blue:30/gray:40 | icon west, icon east
    C10 EW Bonus
red | offboard yellow:10/blue:20/gray:30 | 1-a 5-a | icon west
    C16 Aberystwyth
red | offboard yellow:10/blue:30/gray:50 | 2-a 3-a 4-a | icon south
    D27 Southampton
red | offboard yellow:10/blue:20/gray:30 | 4-a 5-a | icon west
    E6 Stranraer
red | offboard yellow:20/blue:40/gray:50 | 4-a 5-a
    E14 Liverpool
red | offboard yellow:10/blue:20/gray:30 | 0-a | icon north
    G0 Fort William
red | offboard yellow:30/green:40/blue:50/brown:60/gray:70 | 1-a 2-a 3-a 4-a 5-a | icon south, icon east
    G26 London
red | offboard yellow:10/blue:30/gray:50 | 0-a | icon north
    I0 Inverness
red | offboard yellow:20/blue:40/gray:50, offboard 20 #2 | 3-a 0-b | border 5, border 4, partition
    J17
red | offboard yellow:10/blue:20/gray:30 | 2-a 3-a | icon south, icon east
    J27 Harwich
red | offboard yellow:30/blue:40/gray:50 | 0-a 5-a | icon north, icon east
    K0 Aberdeen
red | offboard yellow:20/blue:40/gray:50 | border 1
    K16 Hull
red | offboard 20 | border 2
    K18 Grimsby
red | offboard yellow:10/blue:20/gray:30 | 0-a 1-a | icon east
    K22 Norwich
blue | 2-4 5-0 | label S, cost 50 river
    C22
blue | 1-2 | label FT, cost 50 river
    I4
"""

# The option "two_player_ns".
NORTH_SOUTH = """
none
    a19, a25, A18, A20, A22, A24, B17, B19, B21, B23, B25, C14, C16, C18, C20, C22, C24, C26, D15
white | border 4 mountain 50
    D17
white | border 5 mountain 50
    D19, G2, G10, H7
white | town 0 | border 5 mountain 50
    D21 Worcester
red | offboard yellow:20/blue:40/gray:50 | 3-a 4-a 5-a
    D23 Bristol
red | offboard yellow:10/blue:30/gray:50 | 4-a | icon south
    D27 Southampton
red | offboard yellow:10/blue:20/gray:30 | 4-a 5-a | border 4 mountain 50
    D25 Salisbury
"""

# The option "two_player_ew".
EAST_WEST = """
none
    E6, F3, F5, F7, G0, G2, G4, G6, G8, H3, H5, H7, I0, I2, I4, I6, I8, J1, J3, J5, J7, J9, K0, K2, K4,
    K10, L1
gray | 0-*! 1-*! | border 0 mountain 50, border 1 mountain 50
    I10
red | offboard yellow:10/blue:20/gray:30 | 0-a 1-a | icon north
    H9 Carlisle
red | offboard yellow:20/blue:40/gray:50 | 0-a 1-a 5-a | icon north
    J11 Newcastle
"""
