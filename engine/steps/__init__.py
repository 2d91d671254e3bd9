"""Steps: what somebody may or must do in a turn."""
