"""The map of Harzbahn 1873: prints, and below each the hexes that bear it."""

from engine.hexes import Layout

LAYOUT: Layout = "pointy"

HEXES = """
white
    C18, D19
white | cost 150 mountain
    E14, G10, G18, H5, H15, I12
white | cost 100 mountain
    G8, H11
white | cost 100 mountain, border 2 impassable, icon KEZ
    H3
white | cost 100 mountain, border 5 impassable, icon NWE
    H7
white | cost 150 mountain, icon NWE
    C8
white | border 5 impassable, icon lock, icon WBE
    C10
white | cost 100 mountain, border 1 impassable
    E12
white | cost 50 mountain
    B15
white | icon HBE
    B17
white | cost 150 mountain, icon GHE
    H19
white | town 0 | cost 50 mountain
    E16 Timmenrode, G12 Stiege, G14 Allrode
white | town 0 | cost 50 mountain, icon NWE
    E6 Elend, D7 Drei Annen Hohne
white | town 0 | cost 100 mountain
    F9 Trautenstein, G16 Friedrichsbrunn
white | town 0 | cost 150 mountain, border 4 impassable, border 5 impassable, icon SHE, icon 9_open
    G2 Wieda
white | town 0 | cost 150 mountain, icon SHE
    F3 Brunnenbachsmühle
white | town 0 | cost 150 mountain, border 0 impassable
    D5 Schierke
white | town 0 | cost 100 mountain, border 4 impassable, icon 1_open
    E8 Königshütte
white | town 0 | cost 150 mountain, border 2 impassable, icon NWE, icon 8_open
    I8 Netzkater
white | town 0 | cost 100 mountain, border 1 impassable, border 4 impassable, icon 6_open
    E10 Rübeland
white | town 0 | cost 100 mountain, border 1 impassable, border 2 impassable, border 3 impassable, icon \
    4_open
    D11 Hüttenrode
white | town 0 | border 0 impassable, border 5 impassable, icon lock, icon WBE
    C12 Benzingerode
white | town 0 | cost 150 mountain, border 2 impassable, border 3 impassable, icon 5_open
    D13 Braunesumpf
white | town 0 | border 0 impassable, icon lock, icon WBE
    C14 Heimburg
white | town 0 | cost 50 mountain, icon 7_open
    I14 Lindenberg
white | town 0 | cost 100 mountain, icon 3_open
    I16 Silberhütte
white | town 0
    D17 Westerhausen
yellow | city 30 | 0~a | cost 50 mountain, border 3 impassable, icon 2_open, frame
    E4 Braunlage Wurmberg
yellow | city 30 | 0~a | cost 50 mountain, border 1 impassable, border 3 impassable, icon 14_open, frame
    G4 Zorge
yellow | city 30 | 5~a | cost 50 mountain, border 4 impassable, icon 10_open, frame
    D9 Elbingerode
yellow | city 30 | 5~a | cost 50 mountain, icon SM_open, frame
    F11 Hasselfelde
yellow | city 40 x2 | 1~a 3~a 5~a | label B, icon 12_open, frame
    D15 Blankenburg
green | city 20 ^1, city 20 ^3 | 1~a 4~a 3~b 5~b | cost 50 mountain, border 0 impassable
    F5 Sorge
green | city 40 | 2~a 5~a | cost 100 mountain, frame
    G6 Benneckenstein
green | city 20 ^1, city 20 ^3 | 1~a 3~b | cost 50 mountain, icon 11_open
    F7 Tanne
green | city 40 | 2~a 5~a | cost 50 mountain, frame
    H13 Güntersberge
green | city 30 | 0~a 2~a 3~a
    C16 Langenstein
green | city 30 | 0~a 4~a 5~a | cost 100 mountain
    H17 Alexisbad
green | city 60 | 1~a 2-a 5-a | label HQG, frame
    B19 Halberstadt
green | city 60 | 1~a 0-a 3-a | label HQG, frame
    E20 Quedlinburg
green | city 60 | 0~a 2-a 5-a | label HQG, frame
    G20 Gernrode
gray | 5~3
    H1
gray | 2-4
    J5
gray | 1-4
    F17
gray | 5-2!
    A18
gray | 1-3 5-3
    F19
gray | 2-5
    C20
gray | 2-0
    D21
gray | 2-5!
    H21
gray | town 0 | 0~a | icon SBC6_open
    C6 Knaupsholz
gray | city yellow:40/green:50/brown:80/gray:120 | 1-a 2~a 4-a | frame
    I2 Walkenried
gray | city yellow:50/green:80/brown:120/gray:150 | 5~a
    C4 Brocken
gray | city yellow:40/green:50/brown:80/gray:120 | 1-a 2~a 5-a | frame
    I4 Ellrich
gray | city yellow:60/green:80/brown:120/gray:180 | 1-a 3~a 4-a | frame
    J7 Nordhausen
gray | city yellow:60/green:80/brown:120/gray:150 x2 | 1-a 4-a 0~a 5~a | frame
    B9 Wernigerode
gray | city 30 x2 | 0~a 1~a 4~a | icon SBH9_open
    H9 Eisfelder Talmühle
gray | city yellow:30/green:70/brown:60/gray:60 x2 | 4~a 5~a | icon ZW_open, frame
    B13 Derenburg
gray | city yellow:30/green:40/brown:60/gray:70 | 3~a 4-a | icon 15_open, frame
    F15 Thale
gray | city 30 x2 | 1~a 2~a 4~a | icon PM_open
    E18 Weddersleben
gray | city yellow:30/green:40/brown:60/gray:70 | 2~a | icon 13_open, frame
    I18 Harzgerode
"""

# The option "aag_variant": dearer ground at Tanne.
AAG_VARIANT = """
green | city 20 ^1, city 20 ^3 | 1~a 3~b | cost 100 mountain, icon 11_open
    F7 Tanne
"""
