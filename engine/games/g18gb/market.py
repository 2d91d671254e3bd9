"""The share market of 18GB."""

TYPES = {
    "b": "multiple_buy",
    "p": "par",
    "e": "endgame",
}

MARKET = """
50b 55b 60b 65b 70p 75p 80p 90p 100p 115 130 145 160 180 200 220 240 265 290 320 350e 380e
"""
