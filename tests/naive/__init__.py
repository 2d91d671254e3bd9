"""The naive oracle: slow, obvious, and written apart from the search and from the referee."""

from naive.best import Best, naive_best
from naive.pricing import TooBig, naive_price
from naive.routes import naive_legal, naive_routes, perft

__all__ = ["Best", "TooBig", "naive_best", "naive_legal", "naive_price", "naive_routes", "perft"]
