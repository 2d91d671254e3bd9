"""The share market of 1862."""

TYPES = {
    "z": "close",
    "i": "ignore_one_sale",
    "p": "par",
    "r": "repar",
    "k": "ignore_two_sales",
    "e": "endgame",
}

MARKET = """
0z 7i 14i 20i 26i 31i 36i 40 44 47 50 52 54p 56r 58p 60r 62p 65r 68p 71r 74p 78r 82p 86r 90p 95r 100p \
    105r 110r 116r 122r 128r 134r 142r 150r 158r 166r 174r 182r 191r 200r 210i 220i 232i 245i 260i 275i \
    292i 310i 330i 350i 375i 400k 430k 460k 495k 530k 570k 610k 655k 700k 750k 800k 850k 900k 950k 1000e
"""
