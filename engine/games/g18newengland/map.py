"""The map of 18 New England: prints, and below each the hexes that bear it."""

from engine.hexes import Layout

LAYOUT: Layout = "flat"

HEXES = """
white
    A16, A6, B13, C10, C12, C14, C16, C2, C6, C8, D3, F3, F7, F9, H11, H3, H9, I10, I12, I4, I8, J11,
    J13, J7, K2, L11, L9, M10, M8, N9, K6
white | cost 20 water
    A10, A14, A18, A8, B15, B7, G12, G2, J9, L3
white | cost 40 mountain
    D11, D5, D7, D9, E10, E6, E8, F5, H5, H7
white | town 0
    B17, B9, C4, E14, F11, G14, G6, I14, J5, K8
white | town 10 ^1 @1 | 1-a
    M4
white | city 0
    B5, D15, E12, E4, H13
white | city 0 | cost 20 water
    A12, D13, G4
white | city 20 #1 @center, town 20 #0 ^1 @1 | a-b
    L7
yellow | city 30 ^0, city 30 ^5 | 0-a 5-b | label Y
    B3
yellow | city 20 | a-0 a-3
    B11
yellow | city 30 ^1, city 30 ^3, city 30 ^5 | a-1 b-3 c-5 | label NH
    F13
yellow | city 20 ^1, city 20 ^3 | a-1 b-3 | cost 20 water
    G8
yellow | city 30 | a-1 a-2 | label H
    G10
yellow | city 20 | a-4 a-5
    I6
yellow | city 20 | a-0 a-1 | cost 20 water
    J3
yellow | city 30 | a-2 a-3 | label Y, cost 20 water
    K10
yellow | city 30 ^2, city 30 ^4 | 2-a 4-b | label B
    L5
yellow | city 20 @center, town 10 ^5 @5 | a-b 5-b | cost 20 water
    K4
gray | 4-5
    A4
gray | 4-5
    a13
gray | 2-3
    D17
gray | 2-3 3-4
    F15
gray | town 40 ^2 | 2-a 3-a
    N11
red | offboard yellow:0/green:20/brown:30/gray:30 | 5-a
    A2
red | offboard yellow:20/green:30/brown:40/gray:60 | 0-a 5-a
    J1
red | offboard yellow:20/green:30/brown:40/gray:60 | 0-a 1-a
    L1
red | city yellow:40/green:50/brown:70/gray:100 | 2-a! 3-a!
    B19
red | city yellow:30/green:40/brown:50/gray:60 | 0-a! 1-a! 5-a!
    E2
"""
