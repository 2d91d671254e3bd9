"""Rounds: who acts in which order, and which steps a turn has."""
