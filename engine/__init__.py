"""The rules side of Trunkline: hexes, tiles, companies and the five games."""
