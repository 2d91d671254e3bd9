"""The data of the games, one package each; data apart from rules."""
