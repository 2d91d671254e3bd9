"""``python -m engine.cli`` is ``trunkline``."""

from engine.cli import main

if __name__ == "__main__":
    main()
