"""Generated protocol buffer code, see ``tools/genproto.py``."""
