"""The map of 1861: prints, and below each the hexes that bear it."""

from engine.hexes import Layout

LAYOUT: Layout = "flat"

HEXES = """
white
    B6, B10, B12, B14, B16, C3, C13, C15, D6, D8, D16, D18, E3, E5, E7, E17, F6, F8, F10, F12, F14, F20,
    G3, G9, G11, G17, H2, H4, H6, H12, H14, H16, H20, I3, I7, I9, I11, J2, J4, J8, J10, J12, J14, K3, K5,
    K9, K13, K15, K19, L2, L4, L8, L10, L14, L18, L20, M3, M5, N2, N4, N8, N12, N20, O1, O3, O7, O9, O11,
    P6, P10, P12
white | cost 20 water
    C17, C19, D10, J6, L6, N6, O5, P4
white | cost 40 water
    E15, E19, F16, I15, J16, J18
white | cost 80 water
    C11, D12, M11
white | town 0
    B8 Vilna, C9 Minsk, E11 Gomel, E13 Chernigov, G19 Alexandrovsk, G13 Kursk, H10 Tula, I17 Lugansk,
    K11 Penza
white | town 0 | cost 20 water
    I5 Yaroslavl
white | town 0 | cost 80 water
    M9 Simbirsk
white | city 0
    E9 Smolensk, H18 Yuzovka, I13 Voronezh, I19 Rostov, K17 Tsaritsyn, L12 Saratov, P8 Ufa
white | city 0 | label Y
    B4 Riga, D20 Odessa, M19 Astrakhan, N10 Samara
white | city 0 | cost 40 water
    F18 Ekaterinoslav, M7 Kazan
white | city 0 | label Y, becomes Kh gray
    G15 Kharkov
white | city 0 | cost 20 water
    P2 Perm
yellow | 3-1
    C7, D4
yellow | 3-5
    F4, G7
yellow | 0-4
    D2
yellow | 0-2
    F2
yellow | town 10 ^2 | 2-a 0-a
    G5 Tver
yellow | city 30 ^0, city 30 ^2, city 30 ^4 | 0-a 2-b 4-c | label K
    D14 Kiev
yellow | city 40 ^0, city 40 ^2, city 40 ^4 | 0-a 2-b 4-c | label M
    H8 Moscow
yellow | city 30 | 1-a 5-a | label Y, cost 20 water
    K7 Nizhnii Novgorod
green | city 40 ^1, city 40 ^5 | 1-a b-5 | label S
    E1 St. Petersburg
gray | 4-5
    A5
gray | 4-3
    C21
gray | 3-2
    M21
gray | 0-1
    P0
gray | 3-2 3-1
    Q5
gray | 1-2
    Q7
gray | town 10 ^2 | 2-a 5-a 0-4
    C5 Dünaberg
gray | city 40 | 2-a 1-a 0-a
    Q3 Ekaterinburg (₽80 if includes M)
red | offboard yellow:30/green:40/brown:50/gray:70 {Poland} | 5-a 4-a | border 3, border 0
    A11, A13
red | offboard yellow:30/green:40/brown:50/gray:70 {Poland} | 5-a 4-a | border 0
    A9 Poland
red | offboard yellow:30/green:40/brown:50/gray:70 {Poland} | 5-a 4-a | border 3
    A15
red | offboard yellow:10/green:20/brown:30/gray:30 {Romania} | 3-a 4-a 5-a | border 0
    B18 Romania
red | offboard yellow:10/green:20/brown:30/gray:30 {Romania} | 4-a | border 3
    B20
red | offboard yellow:10/green:20/brown:40/gray:60 {Caucasus} | 3-a | border 4
    I21
red | offboard yellow:10/green:20/brown:40/gray:60 {Caucasus} | 2-a 3-a 4-a | border 1, border 5
    J20 Caucasus
red | offboard yellow:10/green:20/brown:40/gray:60 {Caucasus} | 3-a 4-a | border 2
    K21
red | offboard yellow:10/green:20/brown:30/gray:40 {CentralAsia} | 1-a 2-a | border 0
    Q11 Central Asia
red | offboard yellow:10/green:20/brown:30/gray:40 {CentralAsia} | 2-a | border 3
    Q13
"""
