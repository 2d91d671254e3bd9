"""The share market of 18 New England."""

TYPES = {
    "r": "repar",
    "p": "par",
    "e": "endgame",
}

MARKET = """
.  .  .  50r 55r 60r 65r 70r 80r 90r 100r
.  .  .  50r 55r 60r 65r 70r 80r 90r 100r
35 40 45 50  55  60  65  70  80  90  100p 110p 120p 130p 145p 160p 180p 200p 220 240 260 280 310 340 380 \
    420 460 500e
"""
