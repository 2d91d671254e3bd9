"""How far each step of the search goes before the next one is tried."""

FIRST = 300
"""Candidates per profile kept in the first walk."""
ALONE = 20
"""Candidates kept per wanted set where one route may run and the best of them is the answer."""
ALONE_SETTLED = 100
"""Candidates kept where one route may run and the referee may pay less for it than it promises."""
BROKEN_OFF = 1_000_000
"""Expansions of the first walk of a profile at most; then prices are sought from what was found."""
FEW = 400
"""Candidates of all profiles that are packed at once, without a search that can be stopped."""
LOOKS = 12_000
"""Candidates looked at, again and again, when packing at once; then such a search is begun."""
SECOND = 4_000
"""Candidates per profile kept in the second walk."""
FIRST_PACK = 5_000
"""Candidates tried when packing before prices are sought."""
QUICK_PACK = 10_000
"""Candidates tried when packing at the first prices."""
PROMISING = 300
"""Candidates per profile that are packed at the first prices."""
LONG_PACK = 50_000
"""Candidates tried when packing before the relaxation is sharpened."""
FIRST_PACK_FREE = 300
"""The same where no route competes for track, so that less is ruled out on the way: before prices are
sought, if there are ``FIRST`` candidates or less; fewer if there are more."""
QUICK_PACK_FREE = 3_000
"""At the first prices."""
LONG_PACK_FREE = 10_000
"""Before the relaxation is sharpened."""
LAST_PACK = 3_000_000
"""Candidates tried when packing before CP-SAT is asked."""
RUNNERS = 16
"""Orders of the slots in which packings race at most, where what is left is packed for good."""
TURN = 500
"""Candidates tried in the first lap of a race."""
CUT_ROUNDS = 10
"""Rounds of triples at most."""
NEW = 1_500
"""Candidates per profile that one round of pricing adds."""
ROUNDS = 12
"""Rounds of pricing at most."""
STEPS = 100
"""Subgradient steps per round."""
MORE_STEPS = 300
"""Steps once only candidates are left that can be in a better set."""
SOME = 10_000
"""Candidates per profile for which the last walk has room at first."""
LAST = 400_000
"""Candidates per profile kept in the last walk."""
NARROW = 10
"""States per place that the first sweep keeps, which is to find good sets."""
MIDDLING = 80
"""The same of the second sweep."""
WIDE = 10_000
"""The same of the last sweep, which is to be the proof."""
FINE = 4
"""Candidates of a place in the sweeps that are to find good sets."""
COARSE = 16
"""The same of the last sweep."""
SWEPT = 4_000_000
"""Sets and candidates that one sweep looks at; then the relaxation is sharpened."""
