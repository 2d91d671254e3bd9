"""Every compiled function of the search.

The file imports numpy and numba alone and reads no constant of another module, because a cached kernel
would keep the old value. Kernels work in slices: they keep their whole state in arrays, return when the
slice is used up and go on where they stopped, so that deadlines and cancellation need no thread.

All money is scaled by the caller; ``int64`` everywhere, masks ``uint64``.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Any

import numba as nb
import numpy as np


def _cache_folder() -> str:
    """Return the folder for compiled kernels; its name changes with source, versions and switches.

    ``NUMBA_CACHE_DIR`` or ``TRUNKLINE_CACHE_DIR`` choose another place. A place that cannot be written
    gives way to the temporary folder.
    """
    if os.environ.get("NUMBA_CACHE_DIR"):
        return os.environ["NUMBA_CACHE_DIR"]
    config: Any = nb.config
    switches = f"{nb.__version__} {np.__version__} {config.BOUNDSCHECK} {config.DISABLE_JIT}"
    key = hashlib.sha256(Path(__file__).read_bytes() + switches.encode()).hexdigest()[:16]
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    places = [
        os.environ.get("TRUNKLINE_CACHE_DIR") or f"{home}/trunkline",
        f"{tempfile.gettempdir()}/trunkline",
    ]
    for place in places:
        folder = Path(place) / key
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return str(folder)
    return tempfile.mkdtemp(prefix="trunkline-")


CACHE_FOLDER = _cache_folder()
setattr(nb.config, "CACHE_DIR", CACHE_FOLDER)  # noqa: B010
JIT: Any = {"cache": True, "nogil": True, "error_model": "numpy"}

DONE = 0
SLICE = 1
FULL = 2
FOUND = 3

# node flags of a profile
ALLOWED = 1
END = 2
THROUGH = 4
MUST = 8
OPTIONAL = 16
TOKEN = 32
BETWEEN = 64
LIFTED = 128  # blocked, but passed by a route through all hexes of a required set

NO_WAY = 1 << 30
"""More hops than any way has."""
FAR_OUT = 1 << 40
"""Beyond any coordinate."""

MAX_KEYS = 16
MAX_SPLIT = 8  # candidates that are split into sets in all ways

# integer parameters of a profile
P_HEX_MODE = 0  # 0 free, 1 once, 2 consecutive
P_HEX_PAYS_ONCE = 1
P_MAX_EDGES = 2
P_TOKEN_PAYS = 3
P_DIST_LIMIT = 4  # index of the visit limit that the hop matrix counts, -1: none
P_PLAIN = 5  # 1: the value of a route is the sum over its MUST stops
P_NEEDS_TOKEN = 6
P_SIZE = 7

# state of an enumeration
S_STARTED = 0
S_ROOT = 1
S_DEPTH = 2
S_ARM2 = 3
S_COUNT = 4
S_BUF = 5
S_EXPANSIONS = 6
S_OVERFLOW = 7
S_THRESHOLD = 8
S_SIZE = 9

LEVEL = 11
"""Figures per level of a walk, beside what is left of each limit."""

# powers of two leave different remainders of 67
BIT_OF = np.full(67, -1, dtype=np.int64)
for _bit in range(64):
    BIT_OF[(1 << _bit) % 67] = _bit

I1 = nb.types.Array(nb.int64, 1, "C")
I2 = nb.types.Array(nb.int64, 2, "C")
I3 = nb.types.Array(nb.int64, 3, "C")
U1 = nb.types.Array(nb.uint64, 1, "C")
U2 = nb.types.Array(nb.uint64, 2, "C")
B1 = nb.types.Array(nb.uint8, 1, "C")
B2 = nb.types.Array(nb.uint8, 2, "C")
B3 = nb.types.Array(nb.uint8, 3, "C")


@nb.njit(nb.void(I1, I1, I1, I1, I1), **JIT)
def lay_out_adjacency(seg_a, seg_b, adj_ptr, adj_seg, adj_node):
    """Fill, by node, the segments that begin or end there, in order, and the nodes that they lead to."""
    n = adj_ptr.shape[0] - 1
    adj_ptr[:] = 0
    for i in range(seg_a.shape[0]):
        adj_ptr[seg_a[i] + 1] += 1
        adj_ptr[seg_b[i] + 1] += 1
    for x in range(n):
        adj_ptr[x + 1] += adj_ptr[x]
    free = adj_ptr[:n].copy()
    for i in range(seg_a.shape[0]):
        a, b = seg_a[i], seg_b[i]
        adj_seg[free[a]] = i
        adj_node[free[a]] = b
        free[a] += 1
        adj_seg[free[b]] = i
        adj_node[free[b]] = a
        free[b] += 1


@nb.njit(nb.int64(I1, I1, I1, I2, nb.int64, I2), **JIT)
def hop_matrix(adj_ptr, adj_node, flags, visit_inc, limit, out):
    """Fill ``out[u, n]`` with the least use of visit limit ``limit`` on any way from ``u`` to ``n``.

    There are ways only from stops ``u`` that a route can pass, as nobody asks about the others. ``n`` counts,
    ``u`` does not; ``visit_inc`` is 0 or 1. The way may be any walk over stops that a route can pass; so the
    figure never exceeds the true one. Returns the greatest figure there is.
    """
    n = flags.shape[0]
    far = np.int64(0)
    # a stop is met at most twice: at the limit's next use, then sooner by a way that does not use it
    here = np.empty(2 * n + 1, dtype=np.int64)
    later = np.empty(2 * n + 1, dtype=np.int64)
    done = np.empty(n, dtype=np.bool_)
    for u in range(n):
        for v in range(n):
            out[u, v] = NO_WAY
            done[v] = False
        out[u, u] = 0
        if not flags[u] & THROUGH:
            continue
        n_here, n_later = 1, 0
        here[0] = u
        while n_here > 0:
            while n_here > 0:
                n_here -= 1
                x = here[n_here]
                if done[x]:
                    continue
                done[x] = True
                far = max(far, out[u, x])
                if x != u and not flags[x] & THROUGH:
                    continue
                for i in range(adj_ptr[x], adj_ptr[x + 1]):
                    y = adj_node[i]
                    step = visit_inc[limit, y]
                    if flags[y] & ALLOWED and out[u, x] + step < out[u, y]:
                        out[u, y] = out[u, x] + step
                        if step == 0:
                            here[n_here] = y
                            n_here += 1
                        else:
                            later[n_later] = y
                            n_later += 1
            here, later = later, here
            n_here, n_later = n_later, 0
    return far


@nb.njit(nb.void(I2, nb.int64, I2), **JIT)
def distance_money(axes, per_step, out):
    """Fill the money of the distance of each two places, which is how far they differ on an axis at most."""
    for x in range(axes.shape[0]):
        for y in range(axes.shape[0]):
            steps = np.int64(0)
            for f in range(axes.shape[1]):
                steps = max(steps, abs(axes[x, f] - axes[y, f]))
            out[x, y] = per_step * steps


@nb.njit(nb.void(I2, I1, I2, U1, I1, I1, U1, I3, U2), **JIT)
def reach_within(hops, flags, axes, node_extra, seg_a, seg_b, seg_extra, span, extra):
    """Fill what a route can still come to from each stop with so many uses of a visit limit left.

    ``span[x, r]`` holds the greatest, then the least coordinates (``axes``) of the BETWEEN stops within ``r``
    hops of ``x``, that stop included, and ``extra[x, r]`` the marks of these stops and of the segments
    between them.
    """
    n, steps, n_axes = span.shape[0], span.shape[1], axes.shape[1]
    for x in range(n):
        for r in range(steps):
            extra[x, r] = 0
            for f in range(n_axes):
                span[x, r, f] = -FAR_OUT
                span[x, r, n_axes + f] = FAR_OUT
        for y in range(n):
            r = hops[x, y]
            if r < steps:
                extra[x, r] |= node_extra[y]
                if flags[y] & BETWEEN:
                    for f in range(n_axes):
                        span[x, r, f] = max(span[x, r, f], axes[y, f])
                        span[x, r, n_axes + f] = min(span[x, r, n_axes + f], axes[y, f])
        for i in range(seg_a.shape[0]):
            if seg_extra[i]:
                r = max(hops[x, seg_a[i]], hops[x, seg_b[i]])
                if r < steps:
                    extra[x, r] |= seg_extra[i]
        for r in range(1, steps):
            extra[x, r] |= extra[x, r - 1]
            for f in range(n_axes):
                span[x, r, f] = max(span[x, r, f], span[x, r - 1, f])
                span[x, r, n_axes + f] = min(span[x, r, n_axes + f], span[x, r - 1, n_axes + f])


@nb.njit(nb.int64(I1, nb.int64, I1, I1, I2, I1, I1, I1, I1, B2, I1, I1, I1, nb.int64), **JIT)
def best_payment(
    stops,
    n_stops,
    flags,
    value,
    pay_inc,
    pay_cap,
    bonus_amount,
    bonus_visit,
    set_ptr,
    set_of,
    hex_of,
    params,
    chosen,
    backwards,
):
    """Return the most that stops ``stops[:n_stops]`` (in travel order) can bring, and mark the paying ones.

    ``set_of[s, n]`` says whether node ``n`` is in bonus set ``s``; bonus ``b`` owns sets ``set_ptr[b]`` up to
    ``set_ptr[b + 1]``; a visited stop is enough where ``bonus_visit[b]``. Pay limits must be laminar: then
    taking optional stops by falling value is exact once the stops that bonuses, the token rule or another
    stop of their hex care for are fixed; those are tried in all combinations.

    Returns
    -------
    The money; -1 if no paying set is allowed; -2 if more than MAX_KEYS stops would have to be tried.
    """
    n_limits = pay_cap.shape[0]
    n_bonus = bonus_amount.shape[0]
    once = params[P_HEX_PAYS_ONCE] == 1
    room = np.empty(n_limits, dtype=np.int64)
    for j in range(n_limits):
        room[j] = pay_cap[j]
    base = np.int64(0)
    must_token = False
    n_opt = 0
    opt = np.empty(n_stops, dtype=np.int64)
    clash = False
    for i in range(n_stops):
        x = stops[i]
        chosen[i] = 0
        if flags[x] & MUST:
            chosen[i] = 1
            base += value[x]
            for j in range(n_limits):
                room[j] -= pay_inc[j, x]
            if flags[x] & TOKEN:
                must_token = True
        elif flags[x] & OPTIONAL:
            k = n_opt
            while k > 0 and value[stops[opt[k - 1]]] < value[x]:
                opt[k] = opt[k - 1]
                k -= 1
            opt[k] = i
            n_opt += 1
        if once:
            for k in range(i):
                if hex_of[stops[k]] == hex_of[x]:
                    clash = True
    for j in range(n_limits):
        if room[j] < 0:
            return -1
    need_token = params[P_TOKEN_PAYS] == 1 and not must_token
    n_key = 0
    key = np.empty(n_opt, dtype=np.int64)
    for k in range(n_opt):
        x = stops[opt[k]]
        cares = need_token and flags[x] & TOKEN != 0
        for s in range(set_of.shape[0]):
            if set_of[s, x]:
                cares = True
        if clash:
            for i in range(n_stops):
                if i != opt[k] and hex_of[stops[i]] == hex_of[x]:
                    cares = True
        if cares:
            key[n_key] = k
            n_key += 1
    if n_key > MAX_KEYS:
        return -2
    best = np.int64(-1)
    best_pick = np.zeros(n_opt, dtype=np.int64)
    pick = np.zeros(n_opt, dtype=np.int64)
    left = np.empty(n_limits, dtype=np.int64)
    pays = np.zeros(n_stops, dtype=np.int64)
    for combo in range(1 << n_key):
        for k in range(n_opt):
            pick[k] = 0
        for i in range(n_stops):
            pays[i] = chosen[i]
        for j in range(n_limits):
            left[j] = room[j]
        total = base
        token = not need_token
        for q in range(n_key):
            if combo >> q & 1:
                i = opt[key[q]]
                x = stops[i]
                pick[key[q]] = 1
                pays[i] = 1
                total += value[x]
                if flags[x] & TOKEN:
                    token = True
                for j in range(n_limits):
                    left[j] -= pay_inc[j, x]
            else:
                pick[key[q]] = -1
        ok = token
        for j in range(n_limits):
            if left[j] < 0:
                ok = False
        if not ok:
            continue
        if clash:
            # only the first paying stop of a hex in travel order brings money
            for i in range(n_stops):
                if not pays[i]:
                    continue
                for k in range(n_stops):
                    earlier = k > i if backwards else k < i
                    if earlier and pays[k] and hex_of[stops[k]] == hex_of[stops[i]]:
                        total -= value[stops[i]]
                        break
        for k in range(n_opt):
            if pick[k] != 0:
                continue
            x = stops[opt[k]]
            fits = True
            for j in range(n_limits):
                if left[j] < pay_inc[j, x]:
                    fits = False
            if fits:
                pick[k] = 1
                pays[opt[k]] = 1
                total += value[x]
                for j in range(n_limits):
                    left[j] -= pay_inc[j, x]
        for b in range(n_bonus):
            earned = True
            for s in range(set_ptr[b], set_ptr[b + 1]):
                hit = False
                for i in range(n_stops):
                    if (pays[i] or bonus_visit[b]) and set_of[s, stops[i]]:
                        hit = True
                if not hit:
                    earned = False
                    break
            if earned:
                total += bonus_amount[b]
        if total > best:
            best = total
            for k in range(n_opt):
                best_pick[k] = pick[k]
    for k in range(n_opt):
        if best_pick[k] == 1:
            chosen[opt[k]] = 1
    return best


@nb.njit(nb.int64(I1, I1, U2, I2, I1), **JIT)
def keep_routes(keep, value, mask, start, path):
    """Move the stored routes ``keep`` (ascending) to the front; return the length of their paths."""
    buf = np.int64(0)
    for to in range(keep.shape[0]):
        i = keep[to]
        value[to] = value[i]
        for w in range(mask.shape[1]):
            mask[to, w] = mask[i, w]
        first, last = start[i, 0], start[i, 1]
        start[to, 0] = buf
        for at in range(first, last):
            path[buf] = path[at]
            buf += 1
        start[to, 1] = buf
    return buf


@nb.njit(nb.void(I1, I2, I1, I1, I1), **JIT)
def path_reduced(value, start, path, seg_cost, out):
    """Fill ``out`` with the value of each stored path less the cost of its segments."""
    for i in range(out.shape[0]):
        out[i] = value[i]
        for at in range(start[i, 0] + 1, start[i, 1]):
            out[i] -= seg_cost[path[at]]


@nb.njit(nb.int64(I1, nb.int64, I1, I2, I1, I1), **JIT)
def best_places(keep, count, value, start, path, seg_cost):
    """Fill ``keep`` with the places, ascending, of the best of the first ``count`` stored routes.

    They are the best by value less cost, of equals the first ones. Return what the last of them is worth.
    """
    money = np.empty(count, dtype=np.int64)
    path_reduced(value, start, path, seg_cost, money)
    cut = np.sort(money)[count - keep.shape[0]]
    ties = keep.shape[0]
    for i in range(count):
        ties -= money[i] > cut
    to = 0
    for i in range(count):
        if money[i] == cut:
            ties -= 1
        if money[i] > cut or (money[i] == cut and ties >= 0):
            keep[to] = i
            to += 1
    return cut


@nb.njit(nb.int64(I1, I1, I1, I1, I1, I1, I1, I1, I1), **JIT)
def greatest_gains(value, attached, visit, seg_a, seg_b, seg_cost, bound_all, gain, order):
    """Fill what stops bring at most, and the stops by falling gain; return what comes beside.

    ``gain[:n]`` bounds what a stop not yet visited adds (less the cheapest way in), ``gain[n:]`` what a
    visited stop brings. Where a limit also binds visited stops, a visit earns its money even where there is
    no room left for the stop to pay: that is what comes beside.
    """
    n = value.shape[0]
    entry = np.zeros(n, dtype=np.int64)
    if seg_cost.any():
        entry[:] = FAR_OUT
        for i in range(seg_a.shape[0]):
            entry[seg_a[i]] = min(entry[seg_a[i]], seg_cost[i])
            entry[seg_b[i]] = min(entry[seg_b[i]], seg_cost[i])
    beside = np.int64(0)
    binding = bound_all.any()
    for x in range(n):
        gain[n + x] = value[x] + attached[x]
        visited = visit[x] - entry[x]
        if binding and visited > 0:
            beside += visited
            visited = 0
        gain[x] = gain[n + x] + visited
        at = x
        while at > 0 and gain[order[at - 1]] < gain[x]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = x
    return beside


_ENUMERATE = nb.int64(
    I1, I1, I1,  # adjacency: pointers, segments, nodes
    I1, I1, U2, I1, I1,  # segments: both nodes, track masks, lengths, cost
    I1, U2, U1,  # nodes: hex, group masks, end sets
    I1, I1, I1, I1,  # profile: flags, value, bonuses folded into stops, money of a visit
    I2, I1, I2, I1,  # visit limits, pay limits
    I2, I1, I1,  # bound limits: increments, capacities, 1 = also binds visited stops
    I2, I1, I1,  # hop matrix, classes: one of each, one of each per open end
    I1, I1, I1, B2,  # bonuses: amounts, 1 = a visit is enough, set pointers, set membership
    U1, U1,  # hexes of the segments among those of the required sets, the required sets
    I2, I2,  # end points of the segments and their second node; money by pair of end points
    I1, I1, I2,  # track bonuses: marks per segment, amounts; distance money
    I2, I3, nb.int64,  # coordinates of the nodes, those within reach, money per step
    U1, U1, U2, U1, I1,  # extras: of nodes, of segments, within reach; what earns each amount
    I1, U1,  # parameters, track in use
    nb.int64, nb.int64, nb.int64,  # number of hexes, routes kept of a full room, expansions in this slice
    I1, U2, I1, I1, U2, I1,  # memory, masks by level; out: values and starts; paths; masks; histogram
)  # fmt: skip


@nb.njit(_ENUMERATE, **JIT)
def enumerate_routes(
    adj_ptr,
    adj_seg,
    adj_node,
    seg_a,
    seg_b,
    seg_mask,
    seg_len,
    seg_cost,
    node_hex,
    node_group,
    end_sets,
    flags,
    value,
    attached,
    visit,
    visit_inc,
    visit_cap,
    pay_inc,
    pay_cap,
    bound_inc,
    bound_cap,
    bound_all,
    hops,
    single,
    end_class,
    bonus_amount,
    bonus_visit,
    set_ptr,
    set_of,
    seg_hexes,
    required,
    seg_end,
    end_money,
    seg_mark,
    mark_amount,
    distance,
    axes,
    span,
    per_step,
    node_extra,
    seg_extra,
    extra_ahead,
    extra_need,
    extra_amount,
    params,
    in_use,
    n_hexes,
    most,
    slice_,
    memory,
    level_mask,
    out,
    out_path,
    out_mask,
    histogram,
):
    """Walk all routes of one profile whose value less cost is at least a threshold; store or count them.

    The threshold is in ``memory``. When the room for routes is full, about the ``most`` best of them are kept
    and the threshold rises. ``visit`` and ``seg_cost`` may be empty: nothing is earned, nothing paid.

    A route is grown from its *root*, the first node on it with a token (if one is needed), by a first arm and
    then a second arm;
    the second arm starts on a later segment of the root, so each undirected route is met once. A branch is
    cut when the money in hand plus the best money within the remaining limits is below the threshold.

    Where there is a ``span``, distances, marks and bonuses for visits are bounded by what is within reach
    (``reach_within``), else by their greatest amounts. If ``histogram`` is not empty, routes are counted by
    number of stops and not stored. A stored path is a node, then segments in travel order.

    Returns
    -------
    DONE or SLICE (call again).
    """
    n = flags.shape[0]
    n_visit = visit_cap.shape[0]
    n_bound = bound_cap.shape[0]
    room_size = out_mask.shape[0]
    out_value = out[:room_size]
    out_start = out[room_size:].reshape((room_size, 2))
    if visit.shape[0] == 0:
        visit = np.zeros(n, dtype=np.int64)
    if seg_cost.shape[0] == 0:
        seg_cost = np.zeros(seg_len.shape[0], dtype=np.int64)
    n_words = in_use.shape[0]
    n_groups = node_group.shape[1]
    counting = histogram.shape[0] > 0
    plain = params[P_PLAIN] == 1
    hex_mode = params[P_HEX_MODE]
    max_edges = params[P_MAX_EDGES]
    dist_limit = params[P_DIST_LIMIT]
    n_marks = mark_amount.shape[0]
    has_distance = distance.shape[0] > 0
    has_optional = False
    for x in range(n):
        if flags[x] & OPTIONAL:
            has_optional = True
    # whether what a finished route brings is bounded before it is computed
    foresee = not counting and not plain and end_money.shape[0] == 0
    gain = np.empty(2 * n, dtype=np.int64)
    order = np.empty(n, dtype=np.int64)
    extra_bound = greatest_gains(value, attached, visit, seg_a, seg_b, seg_cost, bound_all, gain, order)
    reaching = not counting and span.shape[0] > 0
    n_axes = axes.shape[1]
    if not reaching:
        for b in range(bonus_visit.shape[0]):
            if bonus_visit[b]:
                extra_bound += max(np.int64(0), bonus_amount[b])
        for m in range(n_marks):
            if mark_amount[m] > 0:
                extra_bound += mark_amount[m]
    if has_distance and not reaching:
        far = np.int64(0)
        for x in range(n):
            for y in range(n):
                if distance[x, y] > far:
                    far = distance[x, y]
        extra_bound += far
    ends_pay = end_money.shape[0] > 0
    if ends_pay:
        at_ends = np.int64(0)
        for x in range(end_money.shape[0]):
            for y in range(end_money.shape[0]):
                at_ends = max(at_ends, end_money[x, y])
        extra_bound += at_ends
    # memory: state | visited[n] (1 on the route, 2 closed) | hex count | visit count[n_visit] | left[n_bound]
    # | levels
    at_hex = n
    at_visit = n + n_hexes
    at_left = at_visit + n_visit
    at_level = S_SIZE + at_left + n_bound
    state = memory[:S_SIZE]
    scratch = memory[S_SIZE:at_level]
    level = memory[at_level:].reshape((n + 2, LEVEL + n_bound))
    threshold = state[S_THRESHOLD]
    # level: 0 node, 1 segment, 2 cursor, 3 root's first position, 4 must money, 5 cost, 6 length,
    # 7 bound, 8 visit money, 9.. left, then the BETWEEN stop met last and the one met first
    at_last = 9 + n_bound
    at_first = 10 + n_bound
    at_extra = n_words + n_groups
    stops = np.empty(n, dtype=np.int64)
    chosen = np.empty(n, dtype=np.int64)
    unpaid = np.empty(n, dtype=np.int64)
    n_single = np.int64(0)
    n_end = np.int64(0)
    for x in range(n):
        n_single = max(n_single, single[x] + 1)
        n_end = max(n_end, end_class[x] + 1)
    # a limit on all stops that bring anything: once it is used up, nothing ahead counts
    for_all = np.int64(-1)
    for j in range(n_bound):
        binds = True
        for x in range(n):
            if gain[x] > 0 and bound_inc[j, x] <= 0:
                binds = False
        if binds:
            for_all = j
    stamp = np.zeros(n_single, dtype=np.int64)
    ends_left = np.zeros(n_end, dtype=np.int64)
    now = np.int64(0)
    budget = slice_

    depth = state[S_DEPTH]
    arm2 = state[S_ARM2]
    root_index = state[S_ROOT]
    count = state[S_COUNT]
    buf = state[S_BUF]

    while True:
        if state[S_STARTED] == 0:
            while root_index < n and params[P_NEEDS_TOKEN] and not flags[root_index] & TOKEN:
                root_index += 1
            if root_index >= n:
                state[S_ROOT] = root_index
                state[S_COUNT] = count
                state[S_BUF] = buf
                state[S_EXPANSIONS] += slice_ - budget
                return DONE
            r = root_index
            state[S_STARTED] = 1
            depth = 0
            arm2 = -1
            level[0, 0] = r
            level[0, 1] = -1
            level[0, 2] = 0
            level[0, 3] = 0
            level[0, 4] = visit[r] + (value[r] if flags[r] & MUST else 0)
            level[0, 5] = 0
            level[0, 6] = 0
            level[0, 7] = extra_bound + visit[r] + (gain[n + r] if flags[r] & MUST else 0)
            level[0, 8] = visit[r]
            for w in range(n_words):
                level_mask[0, w] = in_use[w]
            for g in range(n_groups):
                level_mask[0, n_words + g] = node_group[r, g]
            fits = flags[r] & ALLOWED != 0
            for j in range(n_visit):
                scratch[at_visit + j] = visit_inc[j, r]
                if visit_inc[j, r] > visit_cap[j]:
                    fits = False
            for j in range(n_bound):
                level[0, 9 + j] = bound_cap[j]
                if flags[r] & MUST or not bound_all[j]:
                    level[0, 9 + j] -= bound_inc[j, r]
            if reaching:
                level[0, at_last] = r if flags[r] & BETWEEN else -1
                level[0, at_first] = level[0, at_last]
                level_mask[0, at_extra] = node_extra[r]
            scratch[r] = 1
            scratch[at_hex + node_hex[r]] += 1
            if not fits:
                level[0, 2] = 1 << 40

        root = level[0, 0]
        tip = level[depth, 0]
        k = level[depth, 2]
        tip_degree = adj_ptr[tip + 1] - adj_ptr[tip]
        second = False
        position = np.int64(-1)
        if k < tip_degree and depth > 0 and not flags[tip] & THROUGH:
            k = tip_degree
        if k < tip_degree:
            position = adj_ptr[tip] + k
        elif arm2 < 0 and depth > 0 and flags[root] & THROUGH and flags[tip] & END:
            position = level[0, 3] + 1 + (k - tip_degree)
            if position >= adj_ptr[root + 1]:
                position = np.int64(-1)
            second = True
        level[depth, 2] = k + 1

        if position < 0:
            scratch[at_hex + node_hex[tip]] -= 1
            if depth == 0:
                scratch[root] = 2
                state[S_STARTED] = 0
                root_index += 1
                continue
            scratch[tip] = 0
            for j in range(n_visit):
                scratch[at_visit + j] -= visit_inc[j, tip]
            if arm2 == depth:
                arm2 = -1
            depth -= 1
            continue

        seg = adj_seg[position]
        new = adj_node[position]
        if scratch[new] != 0 or not flags[new] & ALLOWED:
            continue
        before = root if second else tip
        hex_new = node_hex[new]
        if (
            hex_mode != 0
            and scratch[at_hex + hex_new] > 0
            and not (hex_mode == 2 and node_hex[before] == hex_new)
        ):
            continue
        clash = False
        for w in range(n_words):
            if level_mask[depth, w] & seg_mask[seg, w]:
                clash = True
        for g in range(n_groups):
            if level_mask[depth, n_words + g] & node_group[new, g]:
                clash = True
        if clash:
            continue
        if max_edges >= 0 and level[depth, 6] + seg_len[seg] > max_edges:
            continue
        fits = True
        for j in range(n_visit):
            if scratch[at_visit + j] + visit_inc[j, new] > visit_cap[j]:
                fits = False
        if not fits:
            continue
        if depth == 0:
            level[0, 3] = position

        depth += 1
        if second:
            arm2 = depth
        level[depth, 0] = new
        level[depth, 1] = seg
        level[depth, 2] = 0
        level[depth, 5] = level[depth - 1, 5] + seg_cost[seg]
        level[depth, 6] = level[depth - 1, 6] + seg_len[seg]
        must = flags[new] & MUST
        level[depth, 4] = level[depth - 1, 4] + visit[new] + (value[new] if must else 0)
        level[depth, 7] = level[depth - 1, 7] + visit[new] + (gain[n + new] if must else 0)
        level[depth, 8] = level[depth - 1, 8] + visit[new]
        for j in range(n_bound):
            level[depth, 9 + j] = level[depth - 1, 9 + j]
            if must or not bound_all[j]:
                level[depth, 9 + j] -= bound_inc[j, new]
        scratch[new] = 1
        scratch[at_hex + hex_new] += 1
        for j in range(n_visit):
            scratch[at_visit + j] += visit_inc[j, new]
        for w in range(n_words):
            level_mask[depth, w] = level_mask[depth - 1, w] | seg_mask[seg, w]
        for g in range(n_groups):
            level_mask[depth, n_words + g] = level_mask[depth - 1, n_words + g] | node_group[new, g]
        budget -= 1

        total = level[depth, 7] - level[depth, 5]
        closed = total
        room = np.int64(NO_WAY)
        if dist_limit >= 0:
            room = visit_cap[dist_limit] - scratch[at_visit + dist_limit]
        open_tip = flags[new] & THROUGH != 0
        open_root = arm2 < 0 and flags[root] & THROUGH != 0
        if reaching:
            r = min(room, span.shape[1] - 1)
            have = level_mask[depth - 1, at_extra] | node_extra[new] | seg_extra[seg]
            level_mask[depth, at_extra] = have
            ahead = have
            if open_tip:
                ahead |= extra_ahead[new, r]
            if open_root:
                ahead |= extra_ahead[root, r]
            for b in range(extra_need.shape[0]):
                if not extra_need[b] & ~have:
                    total += extra_amount[b]
                    closed += extra_amount[b]
                elif not extra_need[b] & ~ahead:
                    total += extra_amount[b]
            if per_step:
                # the BETWEEN stops nearest to either end, so far
                near = level[depth - 1, at_first] if second else level[depth - 1, at_last]
                other = level[depth - 1, at_first]
                if flags[new] & BETWEEN:
                    near = new
                    if other < 0:
                        other = new
                level[depth, at_last] = near
                level[depth, at_first] = other
                if arm2 >= 0 and level[arm2 - 1, at_last] >= 0:
                    other = level[arm2 - 1, at_last]
                most_steps = np.int64(0)
                now_steps = np.int64(0)
                for f in range(n_axes):
                    hi = other_hi = np.int64(-FAR_OUT)
                    lo = other_lo = np.int64(FAR_OUT)
                    if near >= 0:
                        hi = lo = axes[near, f]
                        other_hi = other_lo = axes[other, f]
                        now_steps = max(now_steps, abs(hi - other_hi))
                    if open_tip:
                        hi = max(hi, span[new, r, f])
                        lo = min(lo, span[new, r, n_axes + f])
                    if open_root:
                        other_hi = max(other_hi, span[root, r, f])
                        other_lo = min(other_lo, span[root, r, n_axes + f])
                    most_steps = max(most_steps, hi - other_lo, other_hi - lo)
                total += per_step * most_steps
                closed += per_step * now_steps
        worthless = False
        if not counting and (total < threshold or (foresee and closed < threshold)):
            for j in range(n_bound):
                scratch[at_left + j] = level[depth, 9 + j]
            n_unpaid = 0
            if has_optional:
                for i in range(depth + 1):
                    x = level[i, 0]
                    if flags[x] & OPTIONAL and gain[n + x] > 0:
                        q = n_unpaid
                        while q > 0 and gain[n + unpaid[q - 1]] < gain[n + x]:
                            unpaid[q] = unpaid[q - 1]
                            q -= 1
                        unpaid[q] = x
                        n_unpaid += 1
            if foresee:
                q = 0
                while q < n_unpaid and closed < threshold:
                    x = unpaid[q]
                    q += 1
                    fits = True
                    for j in range(n_bound):
                        if bound_all[j] and scratch[at_left + j] < bound_inc[j, x]:
                            fits = False
                    if fits:
                        closed += gain[n + x]
                        for j in range(n_bound):
                            if bound_all[j]:
                                scratch[at_left + j] -= bound_inc[j, x]
                worthless = closed < threshold
                for j in range(n_bound):
                    scratch[at_left + j] = level[depth, 9 + j]
            i = 0
            q = 0
            now += 1
            for e in range(n_end):
                ends_left[e] = np.int64(open_tip) + np.int64(open_root)
            if not open_tip and not open_root:
                i = order.shape[0]
            while total < threshold:
                # best stop ahead that can still be reached
                x = np.int64(-1)
                if for_all >= 0 and scratch[at_left + for_all] <= 0:
                    i = order.shape[0]
                while i < order.shape[0]:
                    y = order[i]
                    if gain[y] <= 0:
                        i = order.shape[0]
                        break
                    if scratch[y] == 0 and (
                        (open_tip and hops[new, y] <= room) or (open_root and hops[root, y] <= room)
                    ):
                        free = not (single[y] >= 0 and stamp[single[y]] == now)
                        if end_class[y] >= 0 and ends_left[end_class[y]] <= 0:
                            free = False
                        if hex_mode == 1 and scratch[at_hex + node_hex[y]] > 0:
                            free = False
                        for g in range(n_groups):
                            if level_mask[depth, n_words + g] & node_group[y, g]:
                                free = False
                        if free:
                            x = y
                            break
                    i += 1
                if q < n_unpaid and (x < 0 or gain[n + unpaid[q]] >= gain[x]):
                    x = unpaid[q]
                    q += 1
                    fits = True
                    for j in range(n_bound):
                        if bound_all[j] and scratch[at_left + j] < bound_inc[j, x]:
                            fits = False
                    if fits:
                        total += gain[n + x]
                        for j in range(n_bound):
                            if bound_all[j]:
                                scratch[at_left + j] -= bound_inc[j, x]
                elif x >= 0:
                    i += 1
                    fits = True
                    for j in range(n_bound):
                        if scratch[at_left + j] < bound_inc[j, x]:
                            fits = False
                    if fits:
                        total += gain[x]
                        for j in range(n_bound):
                            scratch[at_left + j] -= bound_inc[j, x]
                        if single[x] >= 0:
                            stamp[single[x]] = now
                        if end_class[x] >= 0:
                            ends_left[end_class[x]] -= 1
                else:
                    break
        if not counting and total < threshold:
            level[depth, 2] = 1 << 40
        elif (
            not worthless
            and flags[new] & END
            and (arm2 >= 0 or flags[root] & END)
            and not end_sets[new] & end_sets[root if arm2 < 0 else level[arm2 - 1, 0]]
        ):
            last1 = depth if arm2 < 0 else arm2 - 1
            k = 0
            if not plain or has_distance:
                for i in range(last1, -1, -1):
                    stops[k] = level[i, 0]
                    k += 1
                if arm2 >= 0:
                    for i in range(arm2, depth + 1):
                        stops[k] = level[i, 0]
                        k += 1
            if ends_pay:
                first = level[last1, 1]
                point_a = seg_end[first, 1 if level[last1, 0] == seg_end[first, 2] else 0]
                last = level[1, 1] if arm2 < 0 else level[depth, 1]
                node_b = root if arm2 < 0 else new
                point_b = seg_end[last, 1 if node_b == seg_end[last, 2] else 0]
                money = end_money[point_a, point_b] + level[depth, 8]
            elif plain:
                money = level[depth, 4]
            else:
                money = best_payment(
                    stops,
                    k,
                    flags,
                    value,
                    pay_inc,
                    pay_cap,
                    bonus_amount,
                    bonus_visit,
                    set_ptr,
                    set_of,
                    node_hex,
                    params,
                    chosen,
                    0,
                )
                if params[P_HEX_PAYS_ONCE]:
                    other = best_payment(
                        stops,
                        k,
                        flags,
                        value,
                        pay_inc,
                        pay_cap,
                        bonus_amount,
                        bonus_visit,
                        set_ptr,
                        set_of,
                        node_hex,
                        params,
                        chosen,
                        1,
                    )
                    money = max(money, other)
                if money == -2:
                    state[S_OVERFLOW] = 1
                if money >= 0:
                    money += level[depth, 8]
            if required.shape[0] > 0 and money >= 0:
                lifted = False
                for i in range(depth + 1):
                    # ends: the last stop of either arm, or the root of a single arm
                    if i != depth and i != (0 if arm2 < 0 else arm2 - 1) and flags[level[i, 0]] & LIFTED:
                        lifted = True
                if lifted:
                    seen_hexes = np.uint64(0)
                    for i in range(1, depth + 1):
                        seen_hexes |= seg_hexes[level[i, 1]]
                    for q in range(required.shape[0]):
                        if not required[q] & ~seen_hexes:
                            lifted = False
                if lifted:
                    money = np.int64(-1)
            if counting:
                histogram[depth + 1] += money >= 0
            elif money >= 0:
                if n_marks > 0:
                    seen = np.int64(0)
                    for i in range(1, depth + 1):
                        seen |= seg_mark[level[i, 1]]
                    for m in range(n_marks):
                        if seen >> m & 1:
                            money += mark_amount[m]
                if has_distance:
                    a = np.int64(-1)
                    b = np.int64(-1)
                    for i in range(k):
                        if flags[stops[i]] & BETWEEN:
                            if a < 0:
                                a = stops[i]
                            b = stops[i]
                    if a >= 0:
                        money += distance[a, b]
                if money - level[depth, 5] >= threshold:
                    out_value[count] = money
                    for w in range(n_words):
                        out_mask[count, w] = level_mask[depth, w] & ~in_use[w]
                    out_start[count, 0] = buf
                    out_path[buf] = level[last1, 0]
                    buf += 1
                    for i in range(last1, 0, -1):
                        out_path[buf] = level[i, 1]
                        buf += 1
                    if arm2 >= 0:
                        for i in range(arm2, depth + 1):
                            out_path[buf] = level[i, 1]
                            buf += 1
                    out_start[count, 1] = buf
                    count += 1
                    if count >= room_size or buf + n + 1 > out_path.shape[0]:
                        keep = np.empty(min(most, count // 2), dtype=np.int64)
                        cut = best_places(keep, count, out_value, out_start, out_path, seg_cost)
                        threshold = max(threshold, cut + 1)
                        state[S_THRESHOLD] = threshold
                        count = keep.shape[0]
                        buf = keep_routes(keep, out_value, out_mask, out_start, out_path)
        if budget <= 0:
            state[S_DEPTH] = depth
            state[S_ARM2] = arm2
            state[S_ROOT] = root_index
            state[S_COUNT] = count
            state[S_BUF] = buf
            state[S_EXPANSIONS] += slice_ - budget
            return SLICE


@nb.njit(nb.int64(U2, nb.int64, nb.int64, nb.int64), **JIT)
def count_bits(mask, i, first, last):
    """Return how many bits are set in the words from ``first`` to before ``last`` of line ``i``."""
    one = np.uint64(1)
    count = 0
    for w in range(first, last):
        word = mask[i, w]
        while word:
            word &= word - one
            count += 1
    return count


@nb.njit(nb.int64(nb.uint64), **JIT)
def lowest_bit(word):
    """Return the number of the lowest bit of a word that is not 0."""
    return BIT_OF[(word & (~word + np.uint64(1))) % np.uint64(67)]


@nb.njit(nb.boolean(I1, U2, nb.int64, U2, nb.int64, nb.int64), **JIT)
def can_replace(value, mask, n_track, link, j, i):
    """Tell whether candidate ``j`` can take the place of ``i`` in any set; see ``mark_dominated``."""
    if value[j] < value[i]:
        return False
    for w in range(n_track):
        if mask[j, w] & ~mask[i, w]:
            return False
    for w in range(n_track, mask.shape[1]):
        if mask[i, w] & ~mask[j, w]:
            return False
    for w in range(link.shape[1]):
        if link[i, w] & ~link[j, w]:
            return False
    return True


@nb.njit(nb.void(I1, U2, nb.int64, U2, B1), **JIT)
def mark_dominated(value, mask, n_track, link, dominated):
    """Mark each candidate that an earlier one can replace in any set.

    The earlier one brings no less, uses no other track (the first ``n_track`` words of the mask), and lacks
    nothing of what helps: the other words of the mask (rows that pay once) and ``link``. So only those need
    be looked at that hold the bit of what helps which the fewest hold.
    """
    m, n_words = mask.shape
    n_rows = n_words - n_track
    n_help = n_rows + link.shape[1]
    total = np.int64(0)
    for i in range(m):
        total += count_bits(mask, i, n_track, n_words) + count_bits(link, i, 0, link.shape[1])
    # the undominated ones met so far: all, and a list per bit, the last first
    alive = np.empty(m, dtype=np.int64)
    n_alive = np.int64(0)
    held = np.zeros(64 * n_help, dtype=np.int64)
    head = np.full(64 * n_help, -1, dtype=np.int64)
    bits = np.empty(64 * n_help, dtype=np.int64)
    after = np.empty(total, dtype=np.int64)
    whose = np.empty(total, dtype=np.int64)
    used = np.int64(0)
    for i in range(m):
        n = np.int64(0)
        rarest = np.int64(-1)
        for w in range(n_help):
            left = mask[i, n_track + w] if w < n_rows else link[i, w - n_rows]
            while left:
                b = 64 * w + lowest_bit(left)
                left &= left - np.uint64(1)
                bits[n] = b
                n += 1
                if rarest < 0 or held[b] < held[rarest]:
                    rarest = b
        if rarest < 0:
            for q in range(n_alive):
                if can_replace(value, mask, n_track, link, alive[q], i):
                    dominated[i] = 1
                    break
        else:
            q = head[rarest]
            while q >= 0:
                if can_replace(value, mask, n_track, link, whose[q], i):
                    dominated[i] = 1
                    break
                q = after[q]
        if dominated[i]:
            continue
        alive[n_alive] = i
        n_alive += 1
        for q in range(n):
            whose[used] = i
            after[used] = head[bits[q]]
            head[bits[q]] = used
            held[bits[q]] += 1
            used += 1


@nb.njit(nb.boolean(U2, nb.int64, U2), **JIT)
def meets_needs(link, i, needs):
    """Tell whether line ``i`` of ``link`` has a link of each row of ``needs``."""
    for n in range(needs.shape[0]):
        met = False
        for w in range(needs.shape[1]):
            if link[i, w] & needs[n, w]:
                met = True
                break
        if not met:
            return False
    return True


@nb.njit(nb.void(I2, I1, I1, I1, I1, I1), **JIT)
def take_visits(start, path, seg_a, seg_b, visit, value):
    """Take the money of the visits of each stored path off its value."""
    for i in range(start.shape[0]):
        node = path[start[i, 0]]
        total = visit[node]
        for at in range(start[i, 0] + 1, start[i, 1]):
            seg = path[at]
            node = seg_b[seg] if node == seg_a[seg] else seg_a[seg]
            total += visit[node]
        value[i] -= total


@nb.njit(nb.int64(I1, U2, nb.int64, U2, U2), **JIT)
def best_route(value, mask, n_track, link, needs):
    """Return the place of a route of the greatest value that has a link of each row of ``needs``; -1: none.

    Of equals it is the one of least track (the first ``n_track`` words of the mask), then of fewest rows,
    then the first.
    """
    best = -1
    least = 0
    fewest = 0
    for i in range(value.shape[0]):
        if best >= 0 and value[i] < value[best]:
            continue
        if not meets_needs(link, i, needs):
            continue
        track = count_bits(mask, i, 0, n_track)
        rows = track + count_bits(mask, i, n_track, mask.shape[1])
        fewer = track < least or (track == least and rows < fewest)
        if best < 0 or value[i] > value[best] or fewer:
            best, least, fewest = i, track, rows
    return best


@nb.njit(nb.void(I2, I1, I1, I1, U2, U2, U2), **JIT)
def trace_words(start, path, seg_a, seg_b, node_words, seg_words, out):
    """Join, for each stored path, the words of its nodes and of its segments."""
    n_words = out.shape[1]
    for i in range(start.shape[0]):
        node = path[start[i, 0]]
        for w in range(n_words):
            out[i, w] |= node_words[node, w]
        for at in range(start[i, 0] + 1, start[i, 1]):
            seg = path[at]
            node = seg_b[seg] if node == seg_a[seg] else seg_a[seg]
            for w in range(n_words):
                out[i, w] |= node_words[node, w] | seg_words[seg, w]


@nb.njit(nb.int64(U2, nb.int64, nb.int64, I1), **JIT)
def row_worth(mask, i, first, worth):
    """Return the ``worth`` of the rows set in line ``i``, which begin at word ``first``."""
    total = np.int64(0)
    for w in range(first, mask.shape[1]):
        bits = mask[i, w]
        row = 64 * (w - first)
        while bits:
            if not bits & np.uint64(255):
                bits >>= np.uint64(8)
                row += 8
                continue
            if bits & np.uint64(1):
                total += worth[row]
            bits >>= np.uint64(1)
            row += 1
    return total


_COMPLETE = nb.void(I2, I1, I1, I1, U2, U2, U2, I1, U2, nb.int64, I1, U2, U2)


@nb.njit(_COMPLETE, **JIT)
def complete_routes(
    start, path, seg_a, seg_b, node_link, node_rows, seg_rows, worth, track, first, value, mask, link
):
    """Fill ``mask`` and ``link`` of each stored path and add the ``worth`` of its rows to ``value``.

    ``track`` is copied to the words of the mask from ``first`` on; the last words are those of rows. Both
    must be 0 before.
    """
    n_rows = node_rows.shape[1]
    at_rows = mask.shape[1] - n_rows
    for i in range(start.shape[0]):
        node = path[start[i, 0]]
        for w in range(track.shape[1]):
            mask[i, first + w] = track[i, w]
        for w in range(n_rows):
            mask[i, at_rows + w] = node_rows[node, w]
        for w in range(link.shape[1]):
            link[i, w] = node_link[node, w]
        for at in range(start[i, 0] + 1, start[i, 1]):
            seg = path[at]
            node = seg_b[seg] if node == seg_a[seg] else seg_a[seg]
            for w in range(n_rows):
                mask[i, at_rows + w] |= node_rows[node, w] | seg_rows[seg, w]
            for w in range(link.shape[1]):
                link[i, w] |= node_link[node, w]
        value[i] += row_worth(mask, i, at_rows, worth)


@nb.njit(nb.void(U2, U2, I1, I1), **JIT)
def add_rows(mask, rows, worth, value):
    """Add ``rows`` to the last words of each mask, and the worth of all that are set there to ``value``."""
    n_rows = rows.shape[1]
    first = mask.shape[1] - n_rows
    for i in range(mask.shape[0]):
        for w in range(n_rows):
            mask[i, first + w] |= rows[i, w]
        value[i] += row_worth(mask, i, first, worth)


@nb.njit(nb.void(I2, I1, I1, I1, I2, I2), **JIT)
def path_ends(start, path, seg_a, seg_b, seg_end, out):
    """Fill ``out`` with the first node of each stored path, its end point, and the last node with its own.

    ``seg_end`` holds the end points of each segment at its first and at its second node.
    """
    for i in range(start.shape[0]):
        begin, end = start[i, 0], start[i, 1]
        node = path[begin]
        out[i, 0] = node
        out[i, 1] = seg_end[path[begin + 1], 1 if node == seg_b[path[begin + 1]] else 0]
        for at in range(begin + 1, end):
            seg = path[at]
            node = seg_b[seg] if node == seg_a[seg] else seg_a[seg]
        out[i, 2] = node
        out[i, 3] = seg_end[path[end - 1], 1 if node == seg_b[path[end - 1]] else 0]


@nb.njit(nb.void(I2, nb.int64, nb.int64, nb.int64, I2, I2), **JIT)
def chain_money(point, rate, far_rate, linked_rate, alone, most):
    """Fill in what the distance of two end points brings if a route is alone, and at most.

    ``point`` has a column per end point: node, both coordinates of its hex, how many hexes it is moved, and
    whether it is far. ``linked_rate`` is the least rate if others may be linked, -1 if none can.
    """
    n = point.shape[1]
    for a in range(n):
        for b in range(n):
            q = point[1, a] - point[1, b]
            r = point[2, a] - point[2, b]
            apart = max(abs(q), abs(r), abs(q + r)) + point[3, a] + point[3, b]
            own = far_rate if point[4, a] or point[4, b] else rate
            alone[a, b] = own * max(np.int64(0), apart - 1)
            most[a, b] = alone[a, b]
            if linked_rate >= 0:
                most[a, b] = max(most[a, b], max(own, linked_rate) * apart)


@nb.njit(nb.void(I2, I2, I1, I1, nb.int64, I2), **JIT)
def end_amounts(most, bonus, node, value, scale, out):
    """Fill what a route brings by its two end points: their distance and bonuses, scaled, and both stops."""
    for a in range(node.shape[0]):
        for b in range(node.shape[0]):
            out[a, b] = (most[a, b] + bonus[a, b]) * scale + value[node[a]] + value[node[b]]


_CHOOSE = nb.int64(
    I2, I1, I1, I1, I1, I2, I1, nb.boolean, nb.boolean, U2, I1, I1, I1, B2, I1, I1, I2, U2, I1, I1
)


@nb.njit(_CHOOSE, **JIT)
def choose_payments(
    start,
    path,
    seg_a,
    seg_b,
    flags,
    pay_inc,
    pay_cap,
    token_pays,
    at_ends,
    paid,
    bonus_amount,
    bonus_visit,
    set_ptr,
    set_of,
    seg_mark,
    mark_amount,
    distance,
    rows,
    index,
    extra,
):
    """Lay out one line per stored path and largest set of optional stops that the pay limits allow.

    A line says what ``rows`` the optional stops cover, whose path it is (``index``) and what bonuses bring
    (``extra``). Of a path that pays ``at_ends`` only, these are the paying stops, whatever their flags.

    Returns
    -------
    How many lines there are, of which those are laid out that there is room for; -1 if a path has more than
    ``MAX_KEYS`` optional stops.
    """
    n = flags.shape[0]
    stops = np.zeros(n + 1, dtype=np.int64)
    pays = np.zeros(n, dtype=np.int64)
    optional = np.zeros(n, dtype=np.int64)
    pick = np.zeros(n, dtype=np.int64)
    left = np.zeros(pay_cap.shape[0], dtype=np.int64)
    lines = 0
    for i in range(start.shape[0]):
        node = path[start[i, 0]]
        stops[0] = node
        count = 1
        marks = 0
        for at in range(start[i, 0] + 1, start[i, 1]):
            seg = path[at]
            node = seg_b[seg] if node == seg_a[seg] else seg_a[seg]
            stops[count] = node
            count += 1
            marks |= seg_mark[seg]
        alike = 0
        for m in range(mark_amount.shape[0]):
            if marks >> m & 1:
                alike += mark_amount[m]
        if distance.shape[0]:
            first = -1
            last = -1
            for at in range(count):
                if flags[stops[at]] & BETWEEN:
                    first = stops[at] if first < 0 else first
                    last = stops[at]
            if first >= 0:
                alike += distance[first, last]
        for j in range(pay_cap.shape[0]):
            left[j] = pay_cap[j]
        n_optional = 0
        token = not token_pays
        for at in range(count):
            node = stops[at]
            pays[node] = 0
            if at_ends:
                if at == 0 or at == count - 1:
                    optional[n_optional] = node
                    n_optional += 1
            elif flags[node] & MUST:
                pays[node] = 1
                token = token or flags[node] & TOKEN != 0
                for j in range(pay_cap.shape[0]):
                    left[j] -= pay_inc[j, node]
            elif flags[node] & OPTIONAL:
                optional[n_optional] = node
                n_optional += 1
        if n_optional > MAX_KEYS:
            return -1
        size = n_optional
        for j in range(pay_cap.shape[0]):
            if at_ends:
                break
            free = 0
            for o in range(n_optional):
                free += pay_inc[j, optional[o]] == 0
            size = min(size, free + left[j]) if left[j] >= 0 else -1
        found = False
        while size >= 0 and not found:
            for o in range(size):
                pick[o] = o
            while True:
                fits = token or at_ends
                for o in range(size):
                    fits = fits or flags[optional[pick[o]]] & TOKEN != 0
                if not at_ends:
                    for j in range(pay_cap.shape[0]):
                        used = 0
                        for o in range(size):
                            used += pay_inc[j, optional[pick[o]]]
                        fits = fits and used <= left[j]
                if fits:
                    found = True
                    if lines < index.shape[0]:
                        for w in range(rows.shape[1]):
                            rows[lines, w] = 0
                        for o in range(size):
                            pays[optional[pick[o]]] = 1
                            for w in range(rows.shape[1]):
                                rows[lines, w] |= paid[optional[pick[o]], w]
                        total = alike
                        for b in range(bonus_amount.shape[0]):
                            earned = True
                            for t in range(set_ptr[b], set_ptr[b + 1]):
                                met = False
                                for at in range(count):
                                    counts = bonus_visit[b] or pays[stops[at]]
                                    if counts and set_of[t, stops[at]]:
                                        met = True
                                        break
                                if not met:
                                    earned = False
                                    break
                            if earned:
                                total += bonus_amount[b]
                        for o in range(size):
                            pays[optional[pick[o]]] = 0
                        index[lines] = i
                        extra[lines] = total
                    lines += 1
                # the next combination in order
                o = size - 1
                while o >= 0 and pick[o] == n_optional - size + o:
                    o -= 1
                if o < 0:
                    break
                pick[o] += 1
                for later in range(o + 1, size):
                    pick[later] = pick[later - 1] + 1
            size -= 1
    return lines


@nb.njit(nb.void(I1, U2, B1), **JIT)
def mark_covered(group, link, covered):
    """Mark each line whose links all belong to an earlier one of its group that is not marked itself.

    The lines of a group follow each other.
    """
    begin = 0
    for i in range(group.shape[0]):
        if group[i] != group[begin]:
            begin = i
        for j in range(begin, i):
            if covered[j]:
                continue
            inside = True
            for w in range(link.shape[1]):
                if link[i, w] & ~link[j, w]:
                    inside = False
                    break
            if inside:
                covered[i] = 1
                break


@nb.njit(I2(I1), **JIT)
def byte_table(worth):
    """Return the sum of ``worth`` for each pattern of eight rows."""
    n_bytes = worth.shape[0] // 8
    table = np.empty((n_bytes, 256), dtype=np.int64)
    for byte in range(n_bytes):
        table[byte, 0] = 0
        for low in range(8):
            more = worth[byte * 8 + low]
            for pattern in range(1 << low):
                table[byte, (1 << low) + pattern] = table[byte, pattern] + more
    return table


@nb.njit(nb.void(I1, U2, I1, I1), **JIT)
def reduced_values(value, mask, price, out):
    """Fill ``out`` with each candidate's value less the prices of the track it uses."""
    m, n_words = mask.shape
    table = byte_table(price[: n_words * 64])
    eight = np.uint64(8)
    last = np.uint64(255)
    for i in range(m):
        total = value[i]
        for w in range(n_words):
            bits = mask[i, w]
            byte = w * 8
            while bits:
                total -= table[byte, bits & last]
                bits >>= eight
                byte += 1
        out[i] = total


@nb.njit(nb.int64(I1, U2, I1, I1, I1, I1, I1, nb.int64, nb.int64, nb.boolean), **JIT)
def improve_prices(value, mask, start, slots, cap, price, best_price, target, rounds, again):
    """Lower the Lagrangian bound by subgradient steps in whole numbers; ``best_price`` gets the best prices.

    Profile ``p`` owns candidates ``start[p]`` up to ``start[p + 1]`` and may take ``slots[p]`` of them. The
    bound is the sum of all prices plus, per profile, its ``slots[p]`` largest positive reduced values.
    No price rises above its ``cap``. With
    ``again`` the best candidate of a profile is taken as often as it has slots.
    Returns the bound.
    """
    n_profiles = slots.shape[0]
    n_words = mask.shape[1]
    n_keys = price.shape[0]
    m = value.shape[0]
    # keys of each candidate as lists
    ptr = np.empty(m + 1, dtype=np.uint64)
    total_keys = np.int64(0)
    for i in range(m):
        total_keys += count_bits(mask, i, 0, n_words)
    keys = np.empty(total_keys, dtype=np.uint32)
    at = 0
    for i in range(m):
        ptr[i] = at
        for w in range(n_words):
            bits = mask[i, w]
            while bits:
                keys[at] = w * 64 + lowest_bit(bits)
                at += 1
                bits &= bits - np.uint64(1)
    ptr[m] = at
    most = 1
    for p in range(n_profiles):
        most = max(most, slots[p])
    top = np.empty(most, dtype=np.int64)
    top_at = np.empty(most, dtype=np.int64)
    usage = np.empty(n_keys, dtype=np.int64)
    best = np.int64(1) << 60
    alpha = np.int64(256)
    stale = 0
    for _ in range(rounds):
        bound = np.int64(0)
        for k in range(n_keys):
            usage[k] = -1
            bound += price[k]
        for p in range(n_profiles):
            n_top = 0
            places = 1 if again else slots[p]
            times = slots[p] if again else 1
            for i in range(start[p], start[p + 1]):
                if n_top == places and value[i] <= top[n_top - 1]:
                    # even free of price it is too small; candidates are not sorted, so go on
                    continue
                limit = top[n_top - 1] if n_top == places else np.int64(0)
                red = value[i]
                for a in range(ptr[i], ptr[i + 1]):
                    red -= price[keys[a]]
                    if red <= limit:
                        break
                if red <= limit:
                    continue
                q = n_top if n_top < places else n_top - 1
                while q > 0 and top[q - 1] < red:
                    top[q] = top[q - 1]
                    top_at[q] = top_at[q - 1]
                    q -= 1
                top[q] = red
                top_at[q] = i
                if n_top < places:
                    n_top += 1
            for q in range(n_top):
                bound += top[q] * times
                for a in range(ptr[top_at[q]], ptr[top_at[q] + 1]):
                    usage[keys[a]] += times
        if bound < best:
            best = bound
            stale = 0
            for k in range(n_keys):
                best_price[k] = price[k]
        else:
            stale += 1
            if stale >= 12:
                stale = 0
                alpha //= 2
                if alpha == 0:
                    break
                for k in range(n_keys):
                    price[k] = best_price[k]
                continue
        norm = np.int64(0)
        for k in range(n_keys):
            if usage[k] > 0 or price[k] > 0:
                norm += usage[k] * usage[k]
        if norm == 0 or best <= target:
            break
        gap = bound - target
        for k in range(n_keys):
            if usage[k] > 0 or price[k] > 0:
                price[k] = min(cap[k], max(np.int64(0), price[k] + usage[k] * gap * alpha // (norm * 128)))
    return best


_PACK = nb.int64(
    I1, I1, U2, nb.int64, I1,  # candidates: value, reduced value, mask, words of track; start per profile
    I1, I2, I2,  # rows that pay once, after the track: worth less price; it and worth by byte
    U2, U2, nb.int64,  # links of the candidates, those needed, words that hang together
    I1, U1,  # per profile into how many parts its routes may fall (0: any number), by which links
    nb.boolean,  # like trains may run the same route
    I1, U2,  # what a candidate is valued too high unless it is linked end to end; its ends
    I1, I2, U2,  # areas touched by a candidate; pairs of areas; links by which sets meet
    I1, I1,  # slots: profile of each slot; first slot of the next profile
    nb.boolean, I2, nb.int64, nb.int64, nb.int64,  # prices, by byte of the mask; scale, rise, slice
    I1, I1, I2, I2, I2,  # state, cursors, list starts, lists, reduced values
    U2, I1,  # rows used, choice
)  # fmt: skip

K_STARTED = 0
K_LEVEL = 1
K_TARGET = 2
K_NODES = 3
K_BEST = 4
K_SIZE = 5


@nb.njit(nb.int64(U2, nb.int64, U2, nb.int64, nb.int64, I2), inline="always", **JIT)
def repeated_worth(mask, i, used, level, n_track, table):
    """Return what rows that pay once count for that candidate ``i`` has in common with those used."""
    total = np.int64(0)
    eight = np.uint64(8)
    last = np.uint64(255)
    for w in range(n_track, mask.shape[1]):
        bits = mask[i, w] & used[level, w]
        byte = (w - n_track) * 8
        while bits:
            total += table[byte, bits & last]
            bits >>= eight
            byte += 1
    return total


@nb.njit(nb.int64(I1, nb.int64, U2, U1), **JIT)
def count_islands(rows, count, link, seen):
    """Return into how many parts the first ``count`` of ``rows`` fall by the links in the words ``seen``."""
    reached = np.zeros(count, dtype=np.int64)
    islands = np.int64(0)
    for first in range(count):
        if reached[first]:
            continue
        islands += 1
        reached[first] = 1
        changed = True
        while changed:
            changed = False
            for a in range(count):
                if reached[a] != 1:
                    continue
                reached[a] = 2
                for b in range(count):
                    if reached[b]:
                        continue
                    for w in range(seen.shape[0]):
                        if link[rows[a], w] & link[rows[b], w] & seen[w]:
                            reached[b] = 1
                            changed = True
                            break
    return islands


@nb.njit(nb.boolean(I1, nb.int64, U2, U2, nb.int64, I1, I1, U1), **JIT)
def hangs_together(choice, n_slots, link, needs, n_touch, slot_profile, most_islands, passable):
    """Tell whether the chosen have a link of each row of ``needs`` and hang together in the first words.

    Those of profile ``p`` may fall into ``most_islands[p]`` parts by their links in ``passable``; 0: any
    number.
    """
    count = 0
    rows = np.empty(n_slots, dtype=np.int64)
    for t in range(n_slots):
        if choice[t] >= 0:
            rows[count] = choice[t]
            count += 1
    if count == 0:
        return True
    for need in range(needs.shape[0]):
        met = False
        for a in range(count):
            for w in range(needs.shape[1]):
                if link[rows[a], w] & needs[need, w]:
                    met = True
        if not met:
            return False
    if n_touch > 0 and count > 1:
        everywhere = np.full(n_touch, ~np.uint64(0), dtype=np.uint64)
        if count_islands(rows, count, link, everywhere) > 1:
            return False
    for p in range(most_islands.shape[0]):
        if most_islands[p] == 0:
            continue
        own = 0
        for t in range(n_slots):
            if choice[t] >= 0 and slot_profile[t] == p:
                rows[own] = choice[t]
                own += 1
        if own > most_islands[p] and count_islands(rows, own, link, passable) > most_islands[p]:
            return False
    return True


@nb.njit(nb.int64(I1, nb.int64, I1, U2, I2, U2), **JIT)
def area_money(choice, n_slots, touched, link, pairs, meeting):
    """Return what the chosen earn by pairs of areas: the most over all ways to split them into sets.

    Pair ``i`` is ``pairs[i]``: score, share, term; bits ``2 * i`` and ``2 * i + 1`` of ``touched`` say which
    of its areas a candidate touches. A set of several hangs together by the links ``meeting[term]`` and earns
    each pair of which it touches both areas. Of more than MAX_SPLIT candidates it is a bound only: as
    many sets as there are candidates at either area.
    """
    rows = np.empty(n_slots, dtype=np.int64)
    n = 0
    for t in range(n_slots):
        if choice[t] >= 0:
            rows[n] = choice[t]
            n += 1
    total = np.int64(0)
    if n > MAX_SPLIT:
        for i in range(pairs.shape[0]):
            one = np.int64(0)
            other = np.int64(0)
            for a in range(n):
                one += touched[rows[a]] >> (2 * i) & 1
                other += touched[rows[a]] >> (2 * i + 1) & 1
            total += pairs[i, 0] * min(one, other)
        return total
    near = np.zeros(n, dtype=np.int64)
    best = np.zeros(1 << n, dtype=np.int64)
    earned = np.zeros(1 << n, dtype=np.int64)
    for term in range(meeting.shape[0]):
        for a in range(n):
            near[a] = 0
            for b in range(n):
                for w in range(meeting.shape[1]):
                    if link[rows[a], w] & link[rows[b], w] & meeting[term, w]:
                        near[a] |= 1 << b
        for members in range(1, 1 << n):
            touches = np.int64(0)
            reached = members & -members
            before = np.int64(0)
            while reached != before:
                before = reached
                for a in range(n):
                    if reached >> a & 1:
                        reached |= near[a] & members
            earned[members] = 0
            if reached == members:
                for a in range(n):
                    if members >> a & 1:
                        touches |= touched[rows[a]]
                for i in range(pairs.shape[0]):
                    if pairs[i, 2] == term and touches >> (2 * i) & 3 == 3:
                        earned[members] += pairs[i, 0]
            # the set of the first member is this or a smaller one
            low = members & -members
            best[members] = earned[members]
            others = members ^ low
            part = others
            while part > 0:
                best[members] = max(best[members], earned[members ^ part] + best[part])
                part = (part - 1) & others
        total += best[(1 << n) - 1]
    return total


@nb.njit(nb.int64(I1, nb.int64, nb.int64, nb.int64, I1, I2, I2), **JIT)
def area_shift(chosen, first, count, left, touched, pairs, shift):
    """Credit the pairs of areas anew when ``chosen[first : first + count]`` and ``left`` more make a set.

    A set earns a pair at most as often as it touches either area. Where the rest cannot make up for what the
    chosen touch the one area more often than the other, the other is credited in full; and the last one is
    credited with what it adds. ``shift[i, bits]`` gets how much more one of the rest is credited with for
    pair ``i`` by its bits, and the change for the chosen is returned.
    """
    change = np.int64(0)
    for i in range(pairs.shape[0]):
        amount = pairs[i, 0]
        share = pairs[i, 1]
        one = np.int64(0)
        other = np.int64(0)
        for q in range(first, first + count):
            if chosen[q] >= 0:
                one += touched[chosen[q]] >> (2 * i) & 1
                other += touched[chosen[q]] >> (2 * i + 1) & 1
        before = share * one + (amount - share) * other
        if left == 1:
            now = min(one, other)
            change += amount * now - before
            for bits in range(4):
                x = np.int64(bits & 1)
                y = np.int64(bits >> 1)
                credit = share * x + (amount - share) * y
                shift[i, bits] = amount * (min(one + x, other + y) - now) - credit
        else:
            mine = share
            if one - other >= left:
                mine = np.int64(0)
            elif other - one >= left:
                mine = amount
            change += mine * one + (amount - mine) * other - before
            for bits in range(4):
                shift[i, bits] = (mine - share) * (bits & 1) + (share - mine) * (bits >> 1)
    return change


@nb.njit(nb.int64(I2, nb.int64, nb.int64, nb.int64, nb.int64, I1), **JIT)
def top_sum(values, row, begin, end, take, top):
    """Return the sum of the ``take`` largest positive values; ``top`` holds the largest, falling."""
    count = 0
    for e in range(np.uint64(begin), np.uint64(end)):
        v = values[row, e]
        if count == take:
            if take == 0 or v <= top[count - 1]:
                continue
            q = count - 1
        else:
            q = count
            count += 1
        while q > 0 and top[q - 1] < v:
            top[q] = top[q - 1]
            q -= 1
        top[q] = v
    total = np.int64(0)
    for q in range(count):
        if top[q] > 0:
            total += top[q]
    return total


@nb.njit(nb.int64(I1, I1, I2, I2, nb.int64, nb.int64, nb.boolean, I1, I2, I2), **JIT)
def later_money(
    slot_profile, next_profile_slot, list_start, list_reduced, level, far, again, top, parts, weakest
):
    """Return what the profiles after that of slot ``level`` add at most, by the lists of that level.

    ``parts[level]`` gets what each such profile adds so, ``weakest[level]`` the least of its slots. Only the
    first ``far`` candidates of a list beyond its slots are looked at. ``top`` is room for the slots of a
    profile.
    """
    later = np.int64(0)
    s = next_profile_slot[level]
    while s < slot_profile.shape[0]:
        q = slot_profile[s]
        take = next_profile_slot[s] - s
        begin = list_start[level, q]
        last = list_start[level, q + 1]
        part = top_sum(list_reduced, level, begin, min(last, begin + take + far), take, top)
        weakest[level, q] = max(np.int64(0), top[take - 1]) if last - begin >= take else np.int64(0)
        if again and last > begin:
            weakest[level, q] = max(np.int64(0), top[0])
            part = weakest[level, q] * take
        parts[level, q] = part
        later += part
        s = next_profile_slot[s]
    return later


_LINKING = nb.int64(
    I1, nb.int64, U2, U2, nb.int64, I1, nb.boolean,  # chosen, slots, links, needs, words; profiles, again
    I1, I1, I2, nb.int64, nb.int64,  # list starts, list, reduced values; bound, room
    U2, I2, I1,  # scratch
)  # fmt: skip


@nb.njit(_LINKING, **JIT)
def keep_linking(
    chosen,
    n_slots,
    link,
    needs,
    n_touch,
    slot_profile,
    again,
    list_start,
    lists,
    list_reduced,
    bound,
    room,
    island,
    marks,
    top,
):
    """Drop listed candidates that are in no wanted set that hangs together, and bound what the rest adds.

    Each of the slots left takes one candidate, so only what so many steps from the candidate chosen last
    reach can be of the set. If those chosen fall into islands, each island needs a candidate that touches
    it, and so does each row of ``needs`` of which no one has a link; what is lost by these against the best
    is charged. ``bound`` is what the listed add at most, ``room``
    what may be lost; ``lists`` is that of the level of the first slot left, as in ``pack_routes``. ``island``
    has a row per slot and two more, ``marks`` four rows for candidates or needs, ``top`` a place per slot.

    Returns
    -------
    What the candidates that stay add at most, far below 0 if no wanted set hangs together; ``bound`` where
    there are more islands and needs than bits.
    """
    level = chosen.shape[0]
    n_profiles = list_start.shape[0] - 1
    begin = list_start[slot_profile[level]]
    count = list_start[n_profiles] - begin
    steps = n_slots - level
    # islands of those chosen, that of the last first
    n_islands = np.int64(0)
    for q in range(level - 1, -1, -1):
        if chosen[q] < 0:
            continue
        home = np.int64(-1)
        at = np.int64(0)
        for j in range(n_islands):
            met = False
            for w in range(n_touch):
                if island[j, w] & link[chosen[q], w]:
                    met = True
            if met and home < 0:
                home = at
                for w in range(n_touch):
                    island[at, w] = island[j, w] | link[chosen[q], w]
                at += 1
            elif met:
                for w in range(n_touch):
                    island[home, w] |= island[j, w]
            else:
                for w in range(n_touch):
                    island[at, w] = island[j, w]
                at += 1
        if home < 0:
            for w in range(n_touch):
                island[at, w] = link[chosen[q], w]
            at += 1
        n_islands = at
    wanting = marks[3]
    n_open = np.int64(0)
    for i in range(needs.shape[0]):
        met = False
        for q in range(level):
            if chosen[q] >= 0:
                for w in range(needs.shape[1]):
                    if link[chosen[q], w] & needs[i, w]:
                        met = True
        if not met:
            wanting[n_open] = i
            n_open += 1
    apart = n_islands if n_touch > 0 and n_islands > 1 else np.int64(0)
    n_wants = apart + n_open
    if n_wants > 62 or (n_touch == 0 and n_open == 0):
        return bound
    kept, touches, lost = marks[0], marks[1], marks[2]
    missing = count
    for e in range(count):
        kept[e] = n_touch == 0
    if n_touch == 0:
        missing = 0
    else:
        reach, wider = island[n_slots], island[n_slots + 1]
        for w in range(n_touch):
            reach[w] = island[0, w]
            wider[w] = island[0, w]
        joined = np.int64(1)
        for _ in range(steps):
            for j in range(n_islands):
                if joined >> j & 1:
                    continue
                for w in range(n_touch):
                    if island[j, w] & reach[w]:
                        joined |= 1 << j
                if joined >> j & 1:
                    for w in range(n_touch):
                        reach[w] |= island[j, w]
                        wider[w] |= island[j, w]
            near = 0
            for e in range(count):
                if kept[e]:
                    continue
                c = np.uint64(lists[begin + e])
                common = np.uint64(0)
                for w in range(n_touch):
                    common |= link[c, w] & reach[w]
                if common == 0:
                    continue
                kept[e] = 1
                near += 1
                for w in range(n_touch):
                    wider[w] |= link[c, w]
            missing -= near
            if near == 0 or missing == 0:
                break
            for w in range(n_touch):
                reach[w] = wider[w]
    if n_wants == 0 and missing == 0:
        return bound
    most = np.int64(0)
    for e in range(count):
        touches[e] = 0
        if not kept[e]:
            continue
        c = np.uint64(lists[begin + e])
        size = np.int64(0)
        for j in range(n_wants):
            if j < apart:
                for w in range(n_touch):
                    if link[c, w] & island[j, w]:
                        touches[e] |= 1 << j
            else:
                for w in range(needs.shape[1]):
                    if link[c, w] & needs[wanting[j - apart], w]:
                        touches[e] |= 1 << j
            size += touches[e] >> j & 1
        most = max(most, size)
    charge = np.int64(0)
    if n_wants > 0:
        s = level
        for q in range(slot_profile[level], n_profiles):
            take = np.int64(0)
            while s < n_slots and slot_profile[s] == q:
                s += 1
                take += 1
            first, last = list_start[q], list_start[q + 1]
            top_sum(list_reduced, level, first, last, take, top)
            weakest = max(np.int64(0), top[take - 1]) if last - first >= take and take > 0 else np.int64(0)
            if again and last > first and take > 0:
                weakest = max(np.int64(0), top[0])
            for e in range(first, last):
                lost[e - begin] = max(np.int64(0), weakest - list_reduced[level, e])
        for e in range(count):
            size = np.int64(0)
            for j in range(n_wants):
                size += touches[e] >> j & 1
            if size + (steps - 1) * most < n_wants:
                if kept[e]:
                    missing += 1
                kept[e] = 0
        for j in range(n_wants):
            least = np.int64(1) << 60
            for e in range(count):
                if kept[e] and touches[e] >> j & 1:
                    least = min(least, lost[e])
            charge += least
            if charge > room:
                return -(np.int64(1) << 60)
            if least:
                for e in range(count):
                    if touches[e] >> j & 1:
                        lost[e] -= least
        for e in range(count):
            if kept[e] and charge + lost[e] > room:
                kept[e] = 0
                missing += 1
        if missing == 0:
            return bound - charge
    total = np.int64(0)
    at = begin
    s = level
    for q in range(slot_profile[level], n_profiles):
        here = at
        for e in range(list_start[q], list_start[q + 1]):
            if kept[e - begin]:
                lists[at] = lists[e]
                list_reduced[level, at] = list_reduced[level, e]
                at += 1
        list_start[q] = here
        take = np.int64(0)
        while s < n_slots and slot_profile[s] == q:
            s += 1
            take += 1
        part = top_sum(list_reduced, level, here, at, take, top)
        total += max(np.int64(0), top[0]) * take if again and at > here and take > 0 else part
    list_start[n_profiles] = at
    return min(total, bound - charge)


@nb.njit(_PACK, **JIT)
def pack_routes(
    value,
    reduced,
    mask,
    n_track,
    start,
    net_worth,
    net_table,
    worth_table,
    link,
    needs,
    n_touch,
    most_islands,
    passable,
    again,
    excess,
    ends,
    touched,
    pairs,
    meeting,
    slot_profile,
    next_profile_slot,
    priced,
    price_table,
    scale,
    rise,
    slice_,
    state,
    cursor,
    list_start,
    lists,
    list_reduced,
    used,
    best,
):
    """Choose candidates for the slots so that the money of the set is largest; branch and bound.

    The money of a set is the sum of the values, less the worth of rows that pay once for each time they are
    used again, and with what its pairs of areas earn in place of what they are credited with: the value of a
    candidate holds the share of each pair of which it touches the first area, the rest if it touches the
    second. Candidates of a profile are sorted by falling reduced value (value less prices). Level ``t``
    decides slot ``t``; for each level ``lists[t]`` holds, per profile from the slot's own on, the
    candidates that use no track of those chosen above, and ``list_reduced[t]`` their reduced values less
    ``net_worth`` of rows covered above, with pairs of areas credited anew (``area_shift``).
    ``list_start[t]`` says where each profile's part begins. The bound is the sum of the prices of rows that
    are used or can still be used, plus the reduced values chosen, plus the best still listed.
    ``state[K_TARGET]`` is the scaled total that is asked for. With a ``rise`` the first set found is not
    returned at once: the target becomes its total and the rise, until the slice ends.

    Returns
    -------
    DONE, SLICE (call again), or FOUND (``best`` reaches the target; raise it, call again).
    """
    n_slots = slot_profile.shape[0]
    n_profiles = start.shape[0] - 1
    n_words = mask.shape[1]
    n_cover = n_words - n_track
    # cursor: blocks of ``width``: position | chosen | reduced sum | money | later bound | own bound | prices
    # | reduced sum without shifts of credit
    width = n_slots + 1
    alive = np.empty(n_words, dtype=np.uint64)
    last_byte = np.uint64(255)
    fresh = np.empty(n_cover, dtype=np.uint64)
    # rows that bring more than their price
    paid = np.zeros(n_cover, dtype=np.uint64)
    for r in range(64 * n_cover):
        if net_worth[r]:
            paid[r // 64] |= np.uint64(1) << np.uint64(r % 64)
    # the bytes of ``fresh`` that are not 0: word of the mask, shift, byte, place in the table
    fresh_word = np.empty(8 * n_cover, dtype=np.uint64)
    fresh_shift = np.empty(8 * n_cover, dtype=np.uint64)
    fresh_byte = np.empty(8 * n_cover, dtype=np.uint64)
    fresh_at = np.empty(8 * n_cover, dtype=np.uint64)
    budget = slice_
    found = False
    most = 1
    for t in range(n_slots):
        most = max(most, next_profile_slot[t] - t)
    top = np.empty(most, dtype=np.int64)
    # lists stay sorted unless rows that pay once change the reduced values
    far = np.int64(1) << 60 if n_cover else np.int64(0)
    step = 0 if again else 1
    n_pairs = pairs.shape[0]
    shift = np.zeros((n_pairs, 4), dtype=np.int64)
    if state[K_STARTED] == 0:
        state[K_STARTED] = 1
        state[K_LEVEL] = 0
        for p in range(n_profiles + 1):
            list_start[0, p] = start[p]
        for i in range(value.shape[0]):
            lists[0, i] = i
            list_reduced[0, i] = reduced[i]
        cursor[0] = 0
        cursor[2 * width] = 0
        cursor[3 * width] = 0
        cursor[7 * width] = 0
        for w in range(n_words):
            used[0, w] = 0
        cursor[6 * width] = 0
        for byte in range(price_table.shape[0]):
            cursor[6 * width] += price_table[byte, 255]
    island = np.empty((n_slots + 2, n_touch), dtype=np.uint64)
    marks = np.empty((4, max(value.shape[0], needs.shape[0])), dtype=np.int64)
    # per level and later profile what its slots add at most, and the least of that
    parts = np.zeros((n_slots, n_profiles), dtype=np.int64)
    weakest = np.zeros((n_slots, n_profiles), dtype=np.int64)
    t = state[K_LEVEL]
    for above in range(t + 1):
        if above < n_slots and cursor[above] > 0:
            later_money(
                slot_profile,
                next_profile_slot,
                list_start,
                list_reduced,
                above,
                far,
                again,
                top,
                parts,
                weakest,
            )
    while t >= 0:
        if t == n_slots:
            total = cursor[3 * width + t]
            chosen = cursor[width : width + n_slots]
            if ends.shape[1] > 0:
                for q in range(n_slots):
                    if chosen[q] < 0 or excess[chosen[q]] == 0:
                        continue
                    lone = True
                    for r in range(n_slots):
                        if r != q and chosen[r] >= 0:
                            for w in range(ends.shape[1]):
                                if ends[chosen[q], w] & ends[chosen[r], w]:
                                    lone = False
                    if lone:
                        total -= excess[chosen[q]]
            if n_pairs and total * scale >= state[K_TARGET]:
                for q in range(n_slots):
                    if chosen[q] >= 0:
                        for i in range(n_pairs):
                            bits = touched[chosen[q]] >> (2 * i)
                            total -= pairs[i, 1] * (bits & 1)
                            total -= (pairs[i, 0] - pairs[i, 1]) * (bits >> 1 & 1)
                total += area_money(chosen, n_slots, touched, link, pairs, meeting)
            if total * scale >= state[K_TARGET] and hangs_together(
                chosen, n_slots, link, needs, n_touch, slot_profile, most_islands, passable
            ):
                state[K_BEST] = total
                for q in range(n_slots):
                    best[q] = chosen[q]
                if rise == 0:
                    state[K_LEVEL] = t - 1
                    state[K_NODES] += slice_ - budget
                    return FOUND
                found = True
                state[K_TARGET] = total * scale + rise
            t -= 1
            continue
        p = slot_profile[t]
        first = list_start[t, p]
        last = list_start[t, p + 1]
        position = cursor[t]
        red_sum = cursor[2 * width + t]
        price_sum = cursor[6 * width + t]
        if first + position > last:
            t -= 1
            continue
        more = next_profile_slot[t] - t - 1
        if position == 0:
            # what the later profiles, and loosely the following slots of this profile, add at most
            cursor[4 * width + t] = later_money(
                slot_profile, next_profile_slot, list_start, list_reduced, t, far, again, top, parts, weakest
            )
            own = np.int64(0)
            if more:
                own = top_sum(list_reduced, t, first, min(last, first + more + far), more, top)
                if again and last > first:
                    own = max(np.int64(0), top[0]) * more
            cursor[5 * width + t] = own
        later = cursor[4 * width + t]
        i = first + position
        cursor[t] = position + 1
        if i == last:
            # leave this and the other slots of the profile empty
            if price_sum + red_sum + later < state[K_TARGET]:
                t -= 1
                continue
            nxt = next_profile_slot[t]
            for q in range(t, nxt):
                cursor[width + q] = -1
            cursor[2 * width + nxt] = red_sum
            cursor[7 * width + nxt] = cursor[7 * width + t]
            cursor[3 * width + nxt] = cursor[3 * width + t]
            for q in range(t + 1, nxt):
                cursor[q] = 1 << 40
                list_start[q, slot_profile[q]] = 0
                list_start[q, slot_profile[q] + 1] = 0
            for w in range(n_words):
                used[nxt, w] = used[t, w]
            cursor[6 * width + nxt] = price_sum
            if nxt < n_slots:
                at = np.int64(0)
                for q in range(slot_profile[nxt], n_profiles):
                    list_start[nxt, q] = at
                    for e in range(list_start[t, q], list_start[t, q + 1]):
                        lists[nxt, at] = lists[t, e]
                        list_reduced[nxt, at] = list_reduced[t, e]
                        at += 1
                    list_start[nxt, q + 1] = at
                cursor[nxt] = 0
            t = nxt
            continue
        c = lists[t, i]
        own = cursor[5 * width + t]
        if more and price_sum + red_sum + own + later + list_reduced[t, i] >= state[K_TARGET]:
            own = top_sum(list_reduced, t, i + step, min(last, i + step + more + far), more, top)
            if again:
                own = max(own, top[0] * more)
        room = price_sum + red_sum + own + later - state[K_TARGET]
        if room + list_reduced[t, i] < 0:
            if n_cover == 0 or (n_pairs == 0 and room + reduced[c] < 0):
                # nothing further in this list helps; only leaving it empty might
                if price_sum + red_sum + later < state[K_TARGET]:
                    t -= 1
                else:
                    cursor[t] = last - first
            continue
        budget -= 1
        repeated = np.int64(0)
        if n_cover:
            repeated = repeated_worth(mask, c, used, t, n_track, worth_table)
        cursor[width + t] = c
        cursor[2 * width + t + 1] = red_sum + list_reduced[t, i]
        shifted = False
        if n_pairs:
            net = reduced[c]
            if n_cover:
                net -= repeated_worth(mask, c, used, t, n_track, net_table)
            cursor[7 * width + t + 1] = cursor[7 * width + t] + net
            change = area_shift(cursor, width, t + 1, n_slots - t - 1, touched, pairs, shift)
            cursor[2 * width + t + 1] = cursor[7 * width + t + 1] + change * scale
            for q in range(n_pairs):
                for bits in range(4):
                    if shift[q, bits]:
                        shifted = True
        cursor[3 * width + t + 1] = cursor[3 * width + t] + value[c] - repeated
        for w in range(n_cover):
            fresh[w] = mask[c, n_track + w] & ~used[t, n_track + w] & paid[w]
        for w in range(n_words):
            used[t + 1, w] = used[t, w] | mask[c, w]
            alive[w] = used[t + 1, w]
        cursor[6 * width + t + 1] = price_sum
        if t + 1 < n_slots:
            slack = room + list_reduced[t, i]
            n_fresh = 0
            for w in range(n_cover):
                for byte in range(8):
                    bits = fresh[w] >> np.uint64(8 * byte) & last_byte
                    if bits:
                        fresh_word[n_fresh] = n_track + w
                        fresh_shift[n_fresh] = 8 * byte
                        fresh_byte[n_fresh] = bits
                        fresh_at[n_fresh] = 8 * w + byte
                        n_fresh += 1
            at = np.int64(0)
            bound = cursor[2 * width + t + 1]
            s = t + 1
            for q in range(slot_profile[t + 1], n_profiles):
                list_start[t + 1, q] = at
                begin = i + step if q == p else list_start[t, q]
                end = list_start[t, q + 1]
                take = np.int64(0)
                while s < n_slots and slot_profile[s] == q:
                    s += 1
                    take += 1
                # a candidate replaces at best the weakest of the first ``take``
                floor = weakest[t, q] - slack
                if q == p:
                    top_sum(list_reduced, t, begin, min(end, begin + take + far), take, top)
                    floor = (max(np.int64(0), top[take - 1]) if end - begin >= take else 0) - slack
                    if again and end > begin:
                        floor = max(np.int64(0), top[0]) - slack
                peak = np.int64(0)
                for e in range(np.uint64(begin), np.uint64(end)):
                    if list_reduced[t, e] < floor:
                        if n_cover == 0:
                            break
                        continue
                    d = np.uint64(lists[t, e])
                    free = True
                    for w in range(n_track):
                        if mask[d, w] & mask[c, w]:
                            free = False
                            break
                    if not free:
                        continue
                    if n_pairs:
                        net = reduced[d]
                        if n_cover:
                            net -= repeated_worth(mask, d, used, t + 1, n_track, net_table)
                    else:
                        net = list_reduced[t, e]
                        for x in range(n_fresh):
                            bits = mask[d, fresh_word[x]] >> fresh_shift[x] & fresh_byte[x]
                            net -= net_table[fresh_at[x], bits]
                        if net < floor:
                            continue
                    if shifted:
                        for b in range(n_pairs):
                            net += shift[b, touched[d] >> (2 * b) & 3] * scale
                    lists[t + 1, at] = d
                    list_reduced[t + 1, at] = net
                    peak = max(peak, net)
                    at += 1
                    for w in range(n_words):
                        alive[w] |= mask[d, w]
                list_start[t + 1, q + 1] = at
                part = peak * take
                if take > 1 and not again:
                    begin = list_start[t + 1, q]
                    end = at if shifted else min(at, begin + take + far)
                    part = top_sum(list_reduced, t + 1, begin, end, take, top)
                bound += part
                if n_pairs == 0:
                    # what this profile adds less than above is lost to those that follow
                    slack -= (own if q == p else parts[t, q]) - part
                    if slack < 0:
                        bound = -(np.int64(1) << 60)
                        break
            if priced and slack >= 0:
                # rows that no route of this set can use cost nothing
                price_sum = np.int64(0)
                for w in range(n_words):
                    bits = alive[w]
                    byte = w * 8
                    while bits:
                        price_sum += price_table[byte, bits & last_byte]
                        bits >>= np.uint64(8)
                        byte += 1
                cursor[6 * width + t + 1] = price_sum
            if (n_touch > 0 or needs.shape[0] > 0) and bound + price_sum >= state[K_TARGET]:
                added = keep_linking(
                    cursor[width : width + t + 1],
                    n_slots,
                    link,
                    needs,
                    n_touch,
                    slot_profile,
                    again,
                    list_start[t + 1],
                    lists[t + 1],
                    list_reduced,
                    bound - cursor[2 * width + t + 1],
                    bound + price_sum - state[K_TARGET],
                    island,
                    marks,
                    top,
                )
                bound = cursor[2 * width + t + 1] + added
            if bound + price_sum >= state[K_TARGET]:
                cursor[t + 1] = 0
                t += 1
                if n_pairs and n_cover == 0:
                    for q in range(slot_profile[t], n_profiles):
                        begin = list_start[t, q]
                        end = list_start[t, q + 1]
                        falling = np.argsort(-list_reduced[t, begin:end], kind="mergesort") + begin
                        lists[t, begin:end] = lists[t][falling]
                        list_reduced[t, begin:end] = list_reduced[t][falling]
        else:
            t += 1
        if budget <= 0:
            state[K_LEVEL] = t
            state[K_NODES] += slice_ - budget
            return FOUND if found else SLICE
    state[K_LEVEL] = t
    state[K_NODES] += slice_ - budget
    return FOUND if found else DONE


@nb.njit(nb.void(U2, I2, U1), **JIT)
def triple_words(mask, triples, out):
    """Fill ``out`` with a bit per triple of which a candidate uses two rows or more."""
    one = np.uint64(1)
    for i in range(mask.shape[0]):
        bits = np.uint64(0)
        for t in range(triples.shape[0]):
            used = np.uint64(0)
            for d in range(3):
                r = triples[t, d]
                used += mask[i, r // 64] >> np.uint64(r % 64) & one
            if used >= 2:
                bits |= one << np.uint64(t)
        out[i] = bits


@nb.njit(nb.int64(U2, I1, nb.int64, I1, I2, I1), **JIT)
def find_triples(mask, weight, total, rows, out, excess):
    """Find triples of rows of which candidates of weight above ``total`` use two or more; return how many.

    At most one route of a set can use two or more of three pieces of track, so each such triple cuts off
    the point that the weights describe. ``out`` and ``excess`` keep those that are most violated.
    """
    m = weight.shape[0]
    n = rows.shape[0]
    uses = np.zeros((n, m), dtype=np.int64)
    load = np.zeros(n, dtype=np.int64)
    one = np.uint64(1)
    for a in range(n):
        w = rows[a] // 64
        bit = one << np.uint64(rows[a] % 64)
        for i in range(m):
            if mask[i, w] & bit:
                uses[a, i] = 1
                load[a] += weight[i]
    pair = np.zeros((n, n), dtype=np.int64)
    for a in range(n):
        for b in range(a + 1, n):
            both = np.int64(0)
            for i in range(m):
                if uses[a, i] and uses[b, i]:
                    both += weight[i]
            pair[a, b] = both
    count = 0
    for a in range(n):
        for b in range(a + 1, n):
            both = pair[a, b]
            for c in range(b + 1, n):
                # the part that uses two or more weighs at most half of what the three rows carry
                if load[a] + load[b] + load[c] <= 2 * total:
                    continue
                if (both + pair[a, c] + pair[b, c] - total) * 50 <= total:
                    continue
                more = both
                for i in range(m):
                    if uses[c, i] and uses[a, i] + uses[b, i] == 1:
                        more += weight[i]
                over = more - total
                if over * 50 <= total:
                    continue
                if count < out.shape[0]:
                    q = count
                    count += 1
                elif over > excess[count - 1]:
                    q = count - 1
                else:
                    continue
                while q > 0 and excess[q - 1] < over:
                    excess[q] = excess[q - 1]
                    for d in range(3):
                        out[q, d] = out[q - 1, d]
                    q -= 1
                excess[q] = over
                out[q, 0] = rows[a]
                out[q, 1] = rows[b]
                out[q, 2] = rows[c]
    return count


@nb.njit(nb.void(B2, U2, I1, I1, I1, U2, B2, U2), **JIT)
def extend_trails(known, known_link, stop, ptr, there, link, longer, longer_link):
    """Extend trails by a route: which pairs of ends the longer ones have, and the links of all of them.

    ``known[a, b]`` tells whether a trail runs from end ``a`` to end ``b``, ``known_link[a * n + b]`` holds
    the links. The routes that begin at stop ``s`` are ``ptr[s]:ptr[s + 1]``: they end at ``there``. What is
    found is added to ``longer`` and ``longer_link``.
    """
    n, width = known.shape[0], link.shape[1]
    met = np.zeros(ptr.shape[0], dtype=np.uint8)
    joined = np.zeros((ptr.shape[0], width), dtype=np.uint64)
    for a in range(n):
        # what ends at a stop goes on alike
        for b in range(n):
            if known[a, b]:
                met[stop[b]] = 1
                for w in range(width):
                    joined[stop[b], w] |= known_link[a * n + b, w]
        for s in range(ptr.shape[0] - 1):
            if met[s] == 0:
                continue
            met[s] = 0
            for e in range(ptr[s], ptr[s + 1]):
                longer[a, there[e]] = 1
            for w in range(width):
                own = joined[s, w]
                for e in range(np.uint64(ptr[s]), np.uint64(ptr[s + 1])):
                    longer_link[np.uint64(a * n + there[e]), w] |= own | link[e, w]
                joined[s, w] = 0


@nb.njit(nb.void(I2, U2, I1, B2, U2, B2, U2, B2, U2), **JIT)
def join_routes(line, link, stop, direct, direct_link, onward, onward_link, known, known_link):
    """Note between which ends routes run, from which ends to which stops, and between which stops.

    ``line`` holds the two ends of each route, ``stop`` the stop of each end. ``direct_link[a * n + b]``,
    ``onward_link[a * n_stops + s]`` and ``known_link[s * n_stops + t]`` hold the links of all.
    """
    n, n_stops = onward.shape
    for i in range(line.shape[0]):
        for turn in range(2):
            a = line[i, turn]
            b = line[i, 1 - turn]
            direct[a, b] = 1
            onward[a, stop[b]] = 1
            known[stop[a], stop[b]] = 1
            for w in range(link.shape[1]):
                known_link[stop[a] * n_stops + stop[b], w] |= link[i, w]
                direct_link[a * n + b, w] |= link[i, w]
                onward_link[a * n_stops + stop[b], w] |= link[i, w]


_CHAINS = nb.int64(
    B2, U2, B2, U2,  # routes: between ends, and from ends to stops
    B3, U2, I3,  # trails between stops; which of them may lie between routes of two slots
    B1, I1, I1,  # per slot whether a route may be alone; slot and stop of each end
    I1, I1, U2, U1,  # out: the pairs of ends, their links, the links of all
)  # fmt: skip


@nb.njit(_CHAINS, **JIT)
def join_trails(
    direct,
    direct_link,
    onward,
    onward_link,
    known,
    known_link,
    between,
    alone,
    owner,
    stop,
    first,
    last,
    link,
    whole,
):
    """Find the pairs of ends that chains have, in order, and the links of all chains of each pair.

    A chain is a route (``alone`` tells of which slots), or a route, a trail and another route. Trails of
    number ``r`` run from stop ``s`` to stop ``t``, and back, where ``known[r, s, t]``, with the links
    ``known_link[(r * n_stops + s) * n_stops + t]``; between a route of slot ``i`` and one of slot ``j >= i``
    are those of the numbers ``between[i, j]`` that are not negative. A pair whose ends are at one stop is
    left out, but its links are in ``whole``.

    Returns
    -------
    How many pairs there are.
    """
    n, n_stops = onward.shape
    width = link.shape[1]
    n_slots = between.shape[0]
    # bits are laid out word by word, after all bits of a word where there is a way: plain loops over stops
    every = ~np.uint64(0)
    middle = np.zeros((n_slots, n_slots, n_stops, width + 1, n_stops), dtype=np.uint64)
    for i in range(n_slots):
        for j in range(i, n_slots):
            for x in range(between.shape[2]):
                r = between[i, j, x]
                if r < 0:
                    continue
                for s in range(n_stops):
                    row = (r * n_stops + s) * n_stops
                    for t in range(n_stops):
                        middle[i, j, s, 0, t] |= every * known[r, s, t]
                    for w in range(width):
                        for t in range(n_stops):
                            middle[i, j, s, w + 1, t] |= known_link[row + t, w]
            middle[j, i] = middle[i, j]
    ways = np.zeros((n, width + 1, n_stops), dtype=np.uint64)
    for a in range(n):
        for t in range(n_stops):
            ways[a, 0, t] = every * onward[a, t]
            for w in range(width):
                ways[a, w + 1, t] = onward_link[a * n_stops + t, w]
    joined = np.zeros((n_slots, width + 1, n_stops), dtype=np.uint64)
    total = np.zeros(width, dtype=np.uint64)
    count = np.int64(0)
    for a in range(n):
        i = owner[a]
        joined[:] = 0
        for s in range(n_stops):
            if ways[a, 0, s]:
                for j in range(n_slots):
                    for t in range(n_stops):
                        joined[j, 0, t] |= middle[i, j, s, 0, t]
                    for w in range(1, width + 1):
                        own = ways[a, w, s]
                        for t in range(n_stops):
                            joined[j, w, t] |= (own & middle[i, j, s, 0, t]) | middle[i, j, s, w, t]
        for b in range(a, n):
            j = owner[b]
            hit = np.uint64(0)
            if width == 0:
                for t in range(n_stops):
                    hit |= joined[j, 0, t] & ways[b, 0, t]
            for w in range(1, width + 1):
                own = np.uint64(0)
                for t in range(n_stops):
                    both = joined[j, 0, t] & ways[b, 0, t]
                    hit |= both
                    own |= both & (joined[j, w, t] | ways[b, w, t])
                total[w - 1] = own
            if direct[a, b] and alone[i]:
                hit = every
                for w in range(width):
                    total[w] |= direct_link[a * n + b, w]
            if hit == 0:
                continue
            for w in range(width):
                whole[w] |= total[w]
            if stop[a] != stop[b]:
                first[count] = a
                last[count] = b
                for w in range(width):
                    link[count, w] = total[w]
                count += 1
    return count


@nb.njit(nb.void(I1, I1, I1, I2, U2, U2, I1, I1, U2), **JIT)
def pay_chains(first, last, at_end, apart, outer, covers, worth, value, mask):
    """Write the value and the rows of chains between two ends: those of the ends, then those that pay once.

    ``at_end`` and ``apart`` are the money of ends and of distances; ``value`` also holds the ``worth`` of the
    rows that the ends cover.
    """
    n_outer, n_cover = outer.shape[1], covers.shape[1]
    table = byte_table(worth)
    for i in range(first.shape[0]):
        a = first[i]
        b = last[i]
        money = at_end[a] + at_end[b] + apart[a, b]
        for w in range(n_outer):
            mask[i, w] = outer[a, w] | outer[b, w]
        for w in range(n_cover):
            bits = covers[a, w] | covers[b, w]
            mask[i, n_outer + w] = bits
            byte = 8 * w
            while bits:
                money += table[byte, bits & np.uint64(255)]
                bits >>= np.uint64(8)
                byte += 1
        value[i] = money


@nb.njit(nb.void(B3, I1, I2, B2), **JIT)
def trails_ahead(step, weight, several, found):
    """Find the stops from which trails lead to an end, for each number of routes per slot.

    A route of slot ``j`` leads from stop ``s`` to stop ``t``, and back, where ``step[j, s, t]``. Number ``r``
    stands for ``several[r]`` routes of each slot; with a route of slot ``j`` more these are number
    ``r + weight[j]``. ``found[r]`` holds the stops for trails of one route, and gets those for more.
    """
    n_slots, n_stops = step.shape[0], step.shape[1]
    for r in range(1, several.shape[0]):
        for j in range(n_slots):
            if several[r, j] == 0:
                continue
            before = r - weight[j]
            for t in range(n_stops):
                if found[before, t]:
                    for s in range(n_stops):
                        found[r, s] |= step[j, t, s]


# state of a walk of trails
W_STARTED = 0
W_DEPTH = 1
W_START = 2
W_COUNT = 3
W_SIZE = 4

# what a level of such a walk begins with; how many routes of each slot are left follows
L_STOP = 0
L_PLAIN = 1
L_SLOT = 2
L_AT = 3
L_ROUTE = 4
L_SIZE = 5

_TRAILS = nb.int64(
    I2, I2, U2, I1,  # ways per slot and stop: pointers; route, end, other end; links of routes; stop per end
    I1, B2,  # weight of each slot in the number of what is left; per number the stops to begin the rest at
    I1, nb.int64, nb.int64, nb.int64,  # routes of each slot, first and last end, steps in this slice
    I1, I2, U2,  # state, levels, their bits: links, stops, stops that are an end of one route
    U2, U2, B1, I2,  # out: links, stops, whether plain, routes
)  # fmt: skip


@nb.njit(_TRAILS, **JIT)
def walk_trails(
    ptr,
    ways,
    link,
    stop,
    weight,
    ahead,
    used,
    first,
    last,
    slice_,
    state,
    level,
    level_bits,
    out_link,
    out_stops,
    out_plain,
    out_routes,
):
    """Walk the trails of so many routes per slot (``used``) from the end ``first`` to the end ``last``.

    Such a trail has two stops at which one of its routes ends. Where both ends are equal, it is closed: it
    has none, and a route ends at the stop of that end. A trail is plain if it meets each stop once.
    ``ahead[i, s]`` tells whether a trail of so many routes may run from stop ``s`` to the end ``last``, ``i``
    being the sum of the ``weight`` of all; it is not looked at for closed ones.

    Returns
    -------
    DONE, SLICE (call again), or FULL (make room in the output, call again).
    """
    n_slots = used.shape[0]
    n_stops = ptr.shape[1] - 1
    n_link = link.shape[1]
    n_words = out_stops.shape[1]
    closed = first == last
    one = np.uint64(1)
    total = np.int64(0)
    for j in range(n_slots):
        total += used[j]
    if state[W_STARTED] == 0:
        state[W_STARTED] = 1
        state[W_DEPTH] = 0
        state[W_START] = 0 if closed else stop[first]
        for w in range(level_bits.shape[1]):
            level_bits[0, w] = 0
        level[0, L_STOP] = state[W_START]
        level[0, L_PLAIN] = 1
        level[0, L_SLOT] = 0
        level[0, L_AT] = ptr[0, state[W_START]]
        for j in range(n_slots):
            level[0, L_SIZE + j] = used[j]
    goal = stop[last] // 64
    goal_bit = one << np.uint64(stop[last] % 64)
    budget = slice_
    d = state[W_DEPTH]
    while d >= 0:
        if d == total:
            single = np.int64(0)
            for w in range(n_words):
                bits = level_bits[d, n_link + n_words + w]
                while bits:
                    single += 1
                    bits &= bits - one
            fits = single == 2
            if closed:
                fits = single == 0 and level_bits[d, n_link + goal] & goal_bit != 0
            if fits:
                at = state[W_COUNT]
                if at == out_plain.shape[0]:
                    state[W_DEPTH] = d
                    return FULL
                for w in range(n_link):
                    out_link[at, w] = level_bits[d, w]
                for w in range(n_words):
                    out_stops[at, w] = level_bits[d, n_link + w]
                out_plain[at] = 0 if closed else level[d, L_PLAIN]
                for q in range(out_routes.shape[1]):
                    out_routes[at, q] = level[q, L_ROUTE] if q < total else -1
                state[W_COUNT] = at + 1
            d -= 1
            continue
        here = level[d, L_STOP]
        j = level[d, L_SLOT]
        while j < n_slots and (level[d, L_SIZE + j] == 0 or level[d, L_AT] >= ptr[j, here + 1]):
            j += 1
            if j < n_slots:
                level[d, L_AT] = ptr[j, here]
        level[d, L_SLOT] = j
        if j == n_slots:
            d -= 1
            if d < 0 and closed and state[W_START] + 1 < n_stops:
                state[W_START] += 1
                d = 0
                level[0, L_STOP] = state[W_START]
                level[0, L_SLOT] = 0
                level[0, L_AT] = ptr[0, state[W_START]]
            continue
        if budget <= 0:
            state[W_DEPTH] = d
            return SLICE
        budget -= 1
        way = level[d, L_AT]
        level[d, L_AT] += 1
        near, far = ways[way, 1], ways[way, 2]
        there = stop[far]
        if not closed:
            if (d == 0 and near != first) or (d + 1 == total and far != last):
                continue
            if d + 1 < total:
                rest = -weight[j]
                for q in range(n_slots):
                    rest += level[d, L_SIZE + q] * weight[q]
                if ahead[rest, there] == 0:
                    continue
        joint, end = n_link + here // 64, n_link + there // 64
        joint_bit, end_bit = one << np.uint64(here % 64), one << np.uint64(there % 64)
        again = level_bits[d, end] & end_bit != 0
        thrice = d > 0 and level_bits[d, joint + n_words] & joint_bit == 0
        for w in range(n_link):
            level_bits[d + 1, w] = level_bits[d, w] | link[ways[way, 0], w]
        for w in range(n_link, n_link + 2 * n_words):
            level_bits[d + 1, w] = level_bits[d, w]
        level_bits[d + 1, joint] |= joint_bit
        level_bits[d + 1, end] |= end_bit
        if d > 0:
            level_bits[d + 1, joint + n_words] &= ~joint_bit
        else:
            level_bits[d + 1, joint + n_words] |= joint_bit
        if again:
            level_bits[d + 1, end + n_words] &= ~end_bit
        else:
            level_bits[d + 1, end + n_words] |= end_bit
        if closed and d + 1 < total:
            single = np.int64(0)
            for w in range(n_link + n_words, n_link + 2 * n_words):
                bits = level_bits[d + 1, w]
                while bits:
                    single += 1
                    bits &= bits - one
            if single > 2 * (total - d - 1):
                continue
        level[d, L_ROUTE] = ways[way, 0]
        for q in range(n_slots):
            level[d + 1, L_SIZE + q] = level[d, L_SIZE + q]
        level[d + 1, L_SIZE + j] -= 1
        level[d + 1, L_STOP] = there
        level[d + 1, L_PLAIN] = 0 if again or thrice else level[d, L_PLAIN]
        level[d + 1, L_SLOT] = 0
        level[d + 1, L_AT] = ptr[0, there]
        d += 1
    state[W_DEPTH] = d
    return DONE


@nb.njit(nb.int64(U2, B1, nb.int64, U2, nb.boolean), **JIT)
def next_trail(link, plain, begin, needs, only_plain):
    """Return the first place from ``begin`` on of a trail that is plain, or is not, as ``only_plain`` says.

    It has a link of each row of ``needs``; -1: there is none.
    """
    for i in range(begin, link.shape[0]):
        if (plain[i] != 0) == only_plain and meets_needs(link, i, needs):
            return i
    return -1


@nb.njit(nb.boolean(U2, U2, B1, I2, nb.int64, nb.int64), **JIT)
def replaces_trail(link, stops, plain, outline, a, b):
    """Tell whether trail ``a`` can stand for ``b`` in any set: it links as much, and ends at no other stop.

    Where ``a`` is not plain the routes of both have the same ends.
    """
    for w in range(link.shape[1]):
        if link[b, w] & ~link[a, w]:
            return False
    for w in range(stops.shape[1]):
        if stops[a, w] & ~stops[b, w]:
            return False
    if plain[a]:
        return True
    if plain[b]:
        return False
    for q in range(outline.shape[1]):
        if outline[a, q] != outline[b, q]:
            return False
    return True


@nb.njit(nb.void(U2, U2, B1, I2, B1), **JIT)
def mark_replaced(link, stops, plain, outline, replaced):
    """Mark each trail for which another can stand (:func:`replaces_trail`); of equals the first stays."""
    kept = np.empty(link.shape[0], dtype=np.int64)
    count = 0
    for i in range(link.shape[0]):
        for q in range(count):
            if replaces_trail(link, stops, plain, outline, kept[q], i):
                replaced[i] = 1
                break
        if replaced[i]:
            continue
        stay = 0
        for q in range(count):
            if replaces_trail(link, stops, plain, outline, i, kept[q]):
                replaced[kept[q]] = 1
            else:
                kept[stay] = kept[q]
                stay += 1
        kept[stay] = i
        count = stay + 1


_FEW = nb.int64(
    I1, U2, nb.int64, I1, I1,  # candidates: values, masks, words of track; first and count of each profile
    I1, U2, U2, nb.int64, I1, U1, nb.boolean,  # worth, links, needs, words that touch, islands; again
    nb.int64, nb.int64, nb.int64, I1, I1,  # target, unit, looks at most; the choice, what was done
)  # fmt: skip


@nb.njit(_FEW, **JIT)
def pack_few(
    value,
    mask,
    n_track,
    start,
    counts,
    worth,
    link,
    needs,
    n_touch,
    most_islands,
    passable,
    again,
    target,
    unit,
    budget,
    choice,
    done,
):
    """Choose candidates as :func:`pack_routes` does, of few and all at once, without prices.

    A set worth ``target`` or more is sought; each set found raises the target to its money and a ``unit``.
    Of sets that bring the same it is the first if candidates are taken by falling value, then by less track,
    then by fewer rows, then in the order given, and none last. Values need not be sorted. The search gives up
    when it has looked at candidates ``budget`` times.

    Returns
    -------
    The money of the set in ``choice``, -1 if there is none. ``done`` is filled with whether the search is
    complete, and the number of candidates tried.
    """
    n_profiles = start.shape[0] - 1
    size = value.shape[0]
    n_words = mask.shape[1]
    n_slots = 0
    most = 1
    for p in range(n_profiles):
        n_slots += counts[p]
        most = max(most, counts[p])
    slot_profile = np.empty(n_slots, dtype=np.int64)
    after = np.empty(n_slots, dtype=np.int64)
    at = 0
    for p in range(n_profiles):
        for s in range(at, at + counts[p]):
            slot_profile[s] = p
            after[s] = at + counts[p]
        at += counts[p]
    track = np.empty(size, dtype=np.int64)
    rows = np.empty(size, dtype=np.int64)
    n_rows = 0
    for i in range(size):
        track[i] = count_bits(mask, i, 0, n_track)
        rows[i] = count_bits(mask, i, n_track, n_words)
        n_rows += rows[i]
    # the rows of each candidate
    own = np.empty(size + 1, dtype=np.int64)
    row = np.empty(n_rows, dtype=np.int64)
    one = np.uint64(1)
    at = 0
    for i in range(size):
        own[i] = at
        for w in range(n_track, n_words):
            bits = mask[i, w]
            r = 64 * (w - n_track)
            while bits:
                if bits & one:
                    row[at] = r
                    at += 1
                bits >>= one
                r += 1
    own[size] = at
    lists = np.empty((n_slots + 1, size), dtype=np.int64)
    gain = np.empty((n_slots + 1, size), dtype=np.int64)
    begin = np.zeros((n_slots + 1, n_profiles + 1), dtype=np.int64)
    for p in range(n_profiles + 1):
        begin[0, p] = start[p]
    for p in range(n_profiles):
        gap = 1
        while 3 * gap + 1 < start[p + 1] - start[p]:
            gap = 3 * gap + 1
        for i in range(start[p], start[p + 1]):
            lists[0, i] = i
        while gap > 0:
            for i in range(start[p] + gap, start[p + 1]):
                c = lists[0, i]
                at = i
                while at - gap >= start[p]:
                    d = lists[0, at - gap]
                    if value[d] != value[c]:
                        first = value[c] > value[d]
                    elif track[d] != track[c]:
                        first = track[c] < track[d]
                    elif rows[d] != rows[c]:
                        first = rows[c] < rows[d]
                    else:
                        first = c < d
                    if not first:
                        break
                    lists[0, at] = d
                    at -= gap
                lists[0, at] = c
            gap //= 3
    for i in range(size):
        gain[0, i] = value[lists[0, i]]
    covered = np.zeros((n_slots + 1, 64 * (n_words - n_track)), dtype=np.uint8)
    position = np.zeros(n_slots + 1, dtype=np.int64)
    money = np.zeros(n_slots + 1, dtype=np.int64)
    beside = np.zeros(n_slots + 1, dtype=np.int64)  # what the later slots add at most
    later = np.zeros(n_slots + 1, dtype=np.int64)  # the same without those of the same profile
    chosen = np.full(n_slots + 1, -1, dtype=np.int64)
    top = np.empty(most, dtype=np.int64)
    step = 0 if again else 1
    found = np.int64(-1)
    spent = 0
    looked = 0
    fresh = True
    t = 0
    while t >= 0:
        if t == n_slots:
            if money[t] >= target and hangs_together(
                chosen, n_slots, link, needs, n_touch, slot_profile, most_islands, passable
            ):
                found = money[t]
                target = found + unit
                for s in range(n_slots):
                    choice[s] = chosen[s]
            t -= 1
            fresh = False
            continue
        p = slot_profile[t]
        first_at = begin[t, p]
        last_at = begin[t, p + 1]
        if fresh:
            position[t] = 0
            s = after[t]
            later[t] = 0
            while s < n_slots:
                q = slot_profile[s]
                take = after[s] - s
                part = top_sum(gain, t, begin[t, q], begin[t, q + 1], take, top)
                if again and begin[t, q + 1] > begin[t, q]:
                    part = max(np.int64(0), top[0]) * take
                later[t] += part
                s = after[s]
            take = after[t] - t - 1
            part = top_sum(gain, t, first_at, last_at, take, top)
            if again and last_at > first_at and take > 0:
                part = max(np.int64(0), top[0]) * take
            beside[t] = later[t] + part
        i = first_at + position[t]
        position[t] += 1
        fresh = False
        if i > last_at:
            t -= 1
            continue
        if i == last_at:
            # this and the other slots of the profile stay empty
            if money[t] + later[t] < target:
                t -= 1
                continue
            nxt = after[t]
            for s in range(t, nxt):
                chosen[s] = -1
                if s > t:
                    position[s] = size + 1
                    begin[s, slot_profile[s]] = 0
                    begin[s, slot_profile[s] + 1] = 0
            money[nxt] = money[t]
            for r in range(covered.shape[1]):
                covered[nxt, r] = covered[t, r]
            if nxt < n_slots:
                for q in range(slot_profile[nxt], n_profiles):
                    begin[nxt, q] = begin[t, q]
                    begin[nxt, q + 1] = begin[t, q + 1]
                    for e in range(begin[t, q], begin[t, q + 1]):
                        lists[nxt, e] = lists[t, e]
                        gain[nxt, e] = gain[t, e]
            t = nxt
            fresh = True
            continue
        if money[t] + gain[t, i] + beside[t] < target:
            continue
        if looked > budget:
            done[0] = 0
            done[1] = spent
            return found
        spent += 1
        c = lists[t, i]
        chosen[t] = c
        money[t + 1] = money[t] + gain[t, i]
        for r in range(covered.shape[1]):
            covered[t + 1, r] = covered[t, r]
        for at in range(own[c], own[c + 1]):
            covered[t + 1, row[at]] = 1
        if t + 1 < n_slots:
            to = 0
            for q in range(slot_profile[t + 1], n_profiles):
                low = i + step if q == p else begin[t, q]
                high = begin[t, q + 1]
                begin[t + 1, q] = to
                looked += max(0, high - low)
                for e in range(low, high):
                    d = lists[t, e]
                    free = True
                    for w in range(n_track):
                        if mask[d, w] & mask[c, w]:
                            free = False
                            break
                    if not free:
                        continue
                    left = value[d]
                    for at in range(own[d], own[d + 1]):
                        if covered[t + 1, row[at]]:
                            left -= worth[row[at]]
                    lists[t + 1, to] = d
                    gain[t + 1, to] = left
                    to += 1
                begin[t + 1, q + 1] = to
        t += 1
        fresh = True
    done[0] = 1
    done[1] = spent
    return found


OPEN = 1.2  # how many times as many states a stop more that is open makes


@nb.njit(nb.int64(U2, nb.int64, I1, nb.int64), **JIT)
def first_place(marks, line, place, none):
    """Return the least place of the bits of a line, ``none`` if it has none."""
    least = none
    for w in range(marks.shape[1]):
        bits = marks[line, w]
        while bits:
            least = min(least, place[64 * w + lowest_bit(bits)])
            bits &= bits - np.uint64(1)
    return least


@nb.njit(nb.void(U2, U2, I1), **JIT)
def order_marks(marks, roots, place):
    """Order the bits of ``marks`` so that a sweep, which decides each line at its first bit, has few states.

    ``place[b]`` gets the place of bit ``b``, -1 if no line has it. From each bit on, the next one is always
    the one that leaves the fewest open (on a line that has begun, and not yet passed), of equals the lowest.
    Of all these orders it is the one of the least cost: the sum over all places of ``OPEN`` to the power of
    the bits open, times the share of lines that have begun, squared, and the share that has not; all times e
    to the power of the share that has begun when ``roots`` are met, of several lines on average.
    """
    n_words = marks.shape[1]
    n_lines = marks.shape[0]
    one = np.uint64(1)
    near = np.zeros((64 * n_words, n_words), dtype=np.uint64)
    for i in range(n_lines):
        for w in range(n_words):
            bits = marks[i, w]
            while bits:
                b = 64 * w + lowest_bit(bits)
                bits &= bits - one
                for v in range(n_words):
                    near[b, v] |= marks[i, v]
    known = np.empty(64 * n_words, dtype=np.int64)
    n = 0
    for b in range(64 * n_words):
        place[b] = -1
        if near[b, b // 64] >> np.uint64(b % 64) & one:
            known[n] = b
            n += 1
    least = np.inf
    at = np.full(64 * n_words, n, dtype=np.int64)
    width = np.empty(n, dtype=np.int64)
    begun = np.empty(n, dtype=np.int64)
    open_ = np.empty(n_words, dtype=np.uint64)
    done = np.empty(n_words, dtype=np.uint64)
    for first in range(n):
        for w in range(n_words):
            open_[w] = 0
            done[w] = 0
        for step in range(n):
            best = first
            fewest = np.int64(1) << 60
            for j in range(n):
                b = known[j]
                if (step == 0 and j != first) or done[b // 64] >> np.uint64(b % 64) & one:
                    continue
                size = np.int64(0)
                for w in range(n_words):
                    bits = (open_[w] | near[b, w]) & ~done[w]
                    while bits:
                        bits &= bits - one
                        size += 1
                if size < fewest:
                    fewest = size
                    best = j
            b = known[best]
            at[b] = step
            width[step] = fewest - 1
            begun[step] = 0
            done[b // 64] |= one << np.uint64(b % 64)
            for w in range(n_words):
                open_[w] = (open_[w] | near[b, w]) & ~done[w]
        late = 0.0
        for i in range(n_lines):
            step = first_place(marks, i, at, n)
            if step < n:
                begun[step] += 1
        for step in range(1, n):
            begun[step] += begun[step - 1]
        cost = 0.0
        for step in range(n):
            share = begun[step] / begun[n - 1]
            cost += OPEN ** min(width[step], 900) * share * share * (1 - share)
        for i in range(roots.shape[0]):
            step = first_place(roots, i, at, n)
            late += begun[min(step, n - 1)] / begun[n - 1] / roots.shape[0]
        cost *= np.exp(late)
        if cost < least:
            least = cost
            for j in range(n):
                place[known[j]] = at[known[j]]


@nb.njit(nb.void(I1, I1, I1, U2, U2, I2, I2, U2, U2), **JIT)
def look_ahead(place, team, by_team, mask, link, starts, lists, rows, links):
    """Lay out for each place what is still to be decided from there on.

    ``lists[k, starts[k, t] : starts[k, t + 1]]`` gets the candidates of team ``t`` whose place is ``k`` or
    later, in the order of ``by_team``; ``rows[k * teams + t]`` the rows they use, ``links[k]`` the links of
    all of them.
    """
    n_teams = starts.shape[1] - 1
    for k in range(starts.shape[0]):
        at = 0
        t = 0
        starts[k, 0] = 0
        for e in range(by_team.shape[0]):
            i = by_team[e]
            while t < team[i]:
                t += 1
                starts[k, t] = at
            if place[i] < k:
                continue
            lists[k, at] = i
            at += 1
            for w in range(mask.shape[1]):
                rows[k * n_teams + t, w] |= mask[i, w]
            for w in range(link.shape[1]):
                links[k, w] |= link[i, w]
        while t < n_teams:
            t += 1
            starts[k, t] = at


@nb.njit(
    nb.int64(
        I1, U2, nb.int64, I2, I2, U2, I2, I2, nb.boolean,  # candidates, what is ahead, tables
        nb.int64, nb.int64, nb.int64, U2, nb.int64,  # the set
        I2, I1,  # weakest, scratch
    ),
    **JIT,
)  # fmt: skip
def bound_ahead(
    reduced,
    mask,
    n_track,
    starts,
    lists,
    rows,
    net_table,
    price_table,
    again,
    place,
    money,
    left,
    used,
    level,
    weakest,
    top,
):
    """Return what a set is worth at most if candidates from ``place`` on are added.

    The bound is that of ``pack_routes``. ``left`` holds in five bits per team, the last of which is 0, how
    many more may run; the rows that the set uses are ``used[level]``. ``weakest[level]`` gets per team the
    least that the bound counts for a route.
    """
    n_teams = starts.shape[1] - 1
    n_words = mask.shape[1]
    last = np.uint64(255)
    eight = np.uint64(8)
    bound = money
    for w in range(n_words):
        bits = used[level, w]
        for t in range(n_teams):
            if left >> (5 * t) & 15:
                bits |= rows[place * n_teams + t, w]
        byte = 8 * w
        while bits:
            bound += price_table[byte, bits & last]
            bits >>= eight
            byte += 1
    for t in range(n_teams):
        count = left >> (5 * t) & 15
        weakest[level, t] = 0
        if count == 0:
            continue
        places = 1 if again else count
        found = 0
        least = np.int64(0)
        for e in range(starts[place, t], starts[place, t + 1]):
            i = lists[place, e]
            if reduced[i] <= least:
                break
            net = reduced[i] - repeated_worth(mask, i, used, level, n_track, net_table)
            if net <= least:
                continue
            q = found if found < places else found - 1
            while q > 0 and top[q - 1] < net:
                top[q] = top[q - 1]
                q -= 1
            top[q] = net
            if found < places:
                found += 1
            if found == places:
                least = top[found - 1]
        for q in range(found):
            bound += top[q] * count if again else top[q]
        weakest[level, t] = least
    return bound


MOST_WANTS = 4  # islands and needs for which the cheapest candidates are sought together


@nb.njit(
    nb.int64(
        I1, U2, nb.int64, U2, I1, nb.int64, I2, I2, I2,  # candidates, what is ahead, table
        nb.int64, nb.int64, U2, I2, nb.int64, U2, nb.int64, nb.int64,  # the set
        nb.int64, I2,  # what may be lost, scratch
    ),
    **JIT,
)  # fmt: skip
def charge_islands(
    reduced,
    mask,
    n_track,
    link,
    met_by,
    wanted,
    starts,
    lists,
    net_table,
    place,
    left,
    used,
    weakest,
    level,
    island,
    line,
    n_islands,
    room,
    marks,
):
    """Return what a set loses at least so that its islands join and its needs are met.

    It is above ``room`` if that is too much.

    Each island, and each need in ``wanted``, takes a further candidate that touches it: what is returned is
    the least that candidates lose which touch all. The islands are ``island[line]``; ``weakest[level]`` is
    that of ``bound_ahead`` for this set and ``place``. Of more than ``MOST_WANTS`` islands and needs the
    first are looked at. ``marks`` has room for two to that power.
    """
    n_teams = starts.shape[1] - 1
    n_touch = link.shape[1]
    apart = min(n_islands, MOST_WANTS) if n_islands > 1 else np.int64(0)
    n_wants = apart
    needs = wanted
    while needs and n_wants < MOST_WANTS:
        n_wants += needs & 1
        needs >>= 1
    if n_wants == 0:
        return np.int64(0)
    full = (np.int64(1) << n_wants) - 1
    least, cost = marks[0], marks[1]
    for s in range(full + 1):
        least[s] = cost[s] = room + 1  # cost[j]: of want j alone, until all are counted together
    limit = room + 1
    steps = np.int64(0)
    for t in range(n_teams):
        steps += left >> (5 * t) & 15
    for t in range(n_teams):
        if left >> (5 * t) & 15 == 0:
            continue
        for e in range(starts[place, t], starts[place, t + 1]):
            i = lists[place, e]
            loss = max(np.int64(0), weakest[level, t] - reduced[i])
            if loss >= limit:
                break
            touched = np.int64(0)
            if n_touch == 1:  # as nearly always, and a tenth of a sweep is saved
                here = link[i, 0]
                for j in range(apart):
                    touched |= np.int64(here & island[line, j] != 0) << j
            else:
                for j in range(apart):
                    for w in range(n_touch):
                        if link[i, w] & island[line, j * n_touch + w]:
                            touched |= np.int64(1) << j
            needs = wanted
            met = met_by[i]
            j = apart
            while needs and j < n_wants:
                if needs & 1:
                    touched |= (met & 1) << j
                    j += 1
                needs >>= 1
                met >>= 1
            if touched == 0 or loss >= least[touched]:
                continue
            loss = weakest[level, t] - reduced[i] + repeated_worth(mask, i, used, level, n_track, net_table)
            loss = max(np.int64(0), loss)
            if loss < least[touched]:
                least[touched] = loss
                limit = np.int64(0)
                for j in range(n_wants):
                    if touched >> j & 1:
                        cost[j] = min(cost[j], loss)
                    limit += cost[j]
                limit = min(limit if steps > 1 else room + 1, least[full], room + 1)
    if steps <= 1:
        return least[full] if steps else room + 1
    for j in range(n_wants):
        for s in range(1, full + 1):
            if not s >> j & 1:
                least[s] = min(least[s], least[s | np.int64(1) << j])
    cost[0] = 0
    for s in range(1, full + 1):
        first = s & -s
        rest = s & ~first
        cost[s] = room + 1
        part = rest
        while True:
            cost[s] = min(cost[s], least[first | part] + cost[rest & ~part])
            if part == 0:
                break
            part = (part - 1) & rest
    return cost[full]


# state of a sweep
SWEEP_PLACE = 0
SWEEP_AT = 1
SWEEP_COUNT = 2
SWEEP_NEXT = 3
SWEEP_STAMP = 4
SWEEP_TARGET = 5
SWEEP_BEST = 6
SWEEP_CUT = 7
SWEEP_NODES = 8
SWEEP_SIZE = 9

# figures of a set
F_MONEY = 0
F_VALUE = 1
F_LEFT = 2
F_MET = 3
F_ISLANDS = 4
F_BOUND = 5
F_PICKED = 6
F_HASH = 7
F_SIZE = 8

MOST_GROWN = 20_000  # sets and candidates looked at while one set grows by candidates of one place
MOST_STANDING = 1_000  # sets of most money that are tried in place of another one


@nb.njit(nb.uint64(nb.uint64, nb.uint64), **JIT)
def mix_bits(hash_, word):
    """Return a hash that depends on each bit of another one and of a word."""
    mixed = hash_ ^ word
    for _ in range(2):
        mixed ^= mixed << np.uint64(13)
        mixed ^= mixed >> np.uint64(7)
        mixed ^= mixed << np.uint64(17)
    return mixed


@nb.njit(
    nb.int64(I2, U2, U2, nb.int64, I1, nb.int64, nb.int64, I2, U2, U2, nb.int64, U1),
    inline="always",
    **JIT,
)
def find_state(figures, used, island, first, seen, stamp, hash_, figure, row, part, level, later):
    """Return where in ``seen`` the state of a set is, or where it belongs.

    An entry holds the ``stamp`` and, in its lower half, the line of the state from ``first`` on. The set is
    line ``level`` of ``figure`` and ``row``, its islands are the last line of ``part``.
    """
    size = seen.shape[0]
    last = part.shape[0] - 1
    n_islands = figure[level, F_ISLANDS]
    n_links = n_islands * (part.shape[1] // (row.shape[0] - 2))
    slot = hash_ & (size - 1)
    while seen[slot] >> 32 == stamp:
        other = first + (seen[slot] & 0xFFFFFFFF)
        same = (
            figures[other, F_LEFT] == figure[level, F_LEFT]
            and figures[other, F_MET] == figure[level, F_MET]
            and figures[other, F_ISLANDS] == n_islands
        )
        if same:
            for w in range(later.shape[0]):
                if (used[other, w] ^ row[level, w]) & later[w]:
                    same = False
            for w in range(n_links):
                if island[other, w] != part[last, w]:
                    same = False
        if same:
            break
        slot = (slot + 1) & (size - 1)
    return slot


@nb.njit(nb.void(U2, nb.int64, nb.int64, nb.int64), **JIT)
def sort_islands(island, level, n_islands, n_touch):
    """Put the islands of a set in an order that depends on nothing but their links."""
    for a in range(1, n_islands):
        b = a
        while b > 0:
            before = False
            for w in range(n_touch):
                x, y = island[level, b * n_touch + w], island[level, (b - 1) * n_touch + w]
                if x != y:
                    before = x < y
                    break
            if not before:
                break
            for w in range(n_touch):
                x = island[level, b * n_touch + w]
                island[level, b * n_touch + w] = island[level, (b - 1) * n_touch + w]
                island[level, (b - 1) * n_touch + w] = x
            b -= 1


@nb.njit(nb.int64(I2, U2, U2, I2, nb.int64, nb.int64, nb.int64, nb.int64, U1, nb.int64, I2), **JIT)
def drop_worse(figures, used, island, picks, first, count, n_touch, n_track, later, n_teams, worth_table):
    """Drop those of ``count`` sets from ``first`` on that another one can stand in for; return how many stay.

    A set stands in for another one if it hangs together as well, meets as many needs, has as many routes left
    of each team, and brings no less even if the rows that it alone uses are not paid again.
    """
    order = np.argsort(-figures[first : first + count, F_VALUE], kind="mergesort")
    stays = np.ones(count, dtype=np.bool_)
    n_words = used.shape[1]
    guards = np.int64(0)
    for t in range(n_teams):
        guards |= np.int64(16) << 5 * t
    # what rules out most sets lies close together: those that stay, by falling money
    standing = np.empty((min(count, MOST_STANDING), 4), dtype=np.int64)
    n_standing = 0
    for y in range(count):
        b = first + order[y]
        left, met, others = figures[b, F_LEFT], figures[b, F_MET], figures[b, F_ISLANDS]
        for x in range(n_standing):
            n_islands = standing[x, 3]
            if ((standing[x, 1] | guards) - left) & guards != guards:
                continue
            if n_islands > others or met & ~standing[x, 2]:
                continue
            a = standing[x, 0]
            more = figures[a, F_VALUE] - figures[b, F_VALUE]
            for w in range(n_words):
                bits = used[a, w] & ~used[b, w] & later[w]
                if w < n_track:
                    if bits:
                        more = -1
                        break
                    continue
                byte = 8 * (w - n_track)
                while bits:
                    more -= worth_table[byte, bits & np.uint64(255)]
                    bits >>= np.uint64(8)
                    byte += 1
                if more < 0:
                    break
            if more < 0:
                continue
            # each island of the one lies within one of the other, and each of these holds one
            holding = np.int64(0)
            enough = True
            for j in range(figures[b, F_ISLANDS]):
                inside = False
                for i in range(n_islands):
                    within = True
                    for w in range(n_touch):
                        if island[b, j * n_touch + w] & ~island[a, i * n_touch + w]:
                            within = False
                    if within:
                        holding |= 1 << i
                        inside = True
                        break
                if not inside:
                    enough = False
                    break
            enough = enough and holding == (1 << n_islands) - 1
            if enough:
                stays[order[y]] = False
                break
        if stays[order[y]] and n_standing < standing.shape[0]:
            standing[n_standing, 0] = b
            standing[n_standing, 1] = left
            standing[n_standing, 2] = met
            standing[n_standing, 3] = others
            n_standing += 1
    to = first
    for s in range(count):
        if not stays[s]:
            continue
        if to != first + s:
            figures[to] = figures[first + s]
            used[to] = used[first + s]
            island[to] = island[first + s]
            picks[to] = picks[first + s]
        to += 1
    return to - first


@nb.njit(nb.int64(I2, U2, U2, I2, nb.int64, nb.int64, nb.int64, nb.int64, I1), **JIT)
def keep_widest(figures, used, island, picks, first, count, width, stamp, seen):
    """Keep the ``width`` sets of the largest bounds of the ``count`` from ``first`` on; return how many.

    ``seen`` holds where those that stay are found from now on, under the new ``stamp``.
    """
    bounds = figures[first : first + count, F_BOUND].copy()
    least = np.partition(bounds, count - width)[count - width]
    equal = width
    for s in range(count):
        if bounds[s] > least:
            equal -= 1
    to = first
    size = seen.shape[0]
    for s in range(count):
        if bounds[s] < least or (bounds[s] == least and equal == 0):
            continue
        if bounds[s] == least:
            equal -= 1
        if to != first + s:
            figures[to] = figures[first + s]
            used[to] = used[first + s]
            island[to] = island[first + s]
            picks[to] = picks[first + s]
        slot = figures[to, F_HASH] & (size - 1)
        while seen[slot] >> 32 == stamp:
            slot = (slot + 1) & (size - 1)
        seen[slot] = stamp << 32 | (to - first)
        to += 1
    return to - first


@nb.njit(
    nb.int64(
        I1, I1, U2, nb.int64, U2, I1, nb.int64,  # value, reduced value, mask, track, links, needs met, all
        I1, I1, I2, I2, U2, U2,  # team; start per place; lists ahead and their starts; rows and links ahead
        I2, I2, I2, nb.boolean,  # worth, worth less price, price by byte of rows; trains may run the same
        nb.int64, nb.int64, nb.int64, nb.int64,  # scale, unit, width, slice
        I1, I1, I2, U2, U2, I2, I1,  # state, sets seen; figures, rows, islands, candidates of sets; choice
    ),
    **JIT,
)  # fmt: skip
def sweep_routes(
    value,
    reduced,
    mask,
    n_track,
    link,
    met_by,
    wanted,
    team,
    begin,
    starts,
    lists,
    rows,
    links,
    worth_table,
    net_table,
    price_table,
    again,
    scale,
    unit,
    width,
    slice_,
    state,
    seen,
    figures,
    used,
    island,
    picks,
    choice,
):
    """Choose candidates place by place, and of sets that have the same future keep the one of most money.

    Candidates are numbered by their place, and there by falling reduced value; ``begin[k]`` is the first of
    place ``k``. What can still be added to a set, and what it brings, depends only on the rows that later
    candidates use too, on the links of its islands that later candidates have, on the needs that are met and
    on how many routes of each team are left. Sets that agree in these are one state. No more than ``width``
    states of a place are kept, those of the largest bounds; ``state[SWEEP_CUT]`` says whether others were
    dropped, or one state grew to more sets at one place than are looked at. The first half of the arrays of
    states and the second take turns; each has room for more than ``width``. ``state[SWEEP_TARGET]`` is the
    scaled total that is asked for.

    Returns
    -------
    DONE, SLICE (call again), or FOUND (``choice`` reaches the target; raise it, call again).
    """
    n_words = mask.shape[1]
    n_touch = link.shape[1]
    n_slots = picks.shape[1]
    n_places = begin.shape[0] - 1
    n_teams = starts.shape[1] - 1
    capacity = figures.shape[0] // 2
    top = np.empty(16, dtype=np.int64)
    marks = np.empty((2, 1 << MOST_WANTS), dtype=np.int64)
    weakest = np.zeros((n_slots + 2, n_teams), dtype=np.int64)
    easiest = np.zeros(n_slots + 1, dtype=np.int64)
    reach = np.zeros(n_slots + 1, dtype=np.int64)
    # the set as it grows by candidates of one place, and in the last line as it is after this place
    figure = np.zeros((n_slots + 2, F_SIZE), dtype=np.int64)
    row = np.zeros((n_slots + 2, n_words), dtype=np.uint64)
    part = np.zeros((n_slots + 2, max(n_slots * n_touch, 1)), dtype=np.uint64)
    position = np.zeros(n_slots + 1, dtype=np.int64)
    later = np.zeros(n_words, dtype=np.uint64)
    last = n_slots + 1
    spent = np.int64(0)
    found = False
    place = state[SWEEP_PLACE]
    while place < n_places:
        here = capacity * (place % 2)
        there = capacity - here
        for w in range(n_words):
            later[w] = 0
            if place + 1 < n_places:
                for t in range(n_teams):
                    later[w] |= rows[(place + 1) * n_teams + t, w]
        while state[SWEEP_AT] < state[SWEEP_COUNT]:
            s = here + state[SWEEP_AT]
            state[SWEEP_AT] += 1
            for w in range(F_SIZE):
                figure[0, w] = figures[s, w]
            for w in range(n_words):
                row[0, w] = used[s, w]
            for w in range(figure[0, F_ISLANDS] * n_touch):
                part[0, w] = island[s, w]
            before = figures[s, F_PICKED]
            reach[0] = bound_ahead(
                reduced, mask, n_track, starts, lists, rows, net_table, price_table, again,
                place, figure[0, F_MONEY], figure[0, F_LEFT], row, 0, weakest, top,
            )  # fmt: skip
            d = 0
            fresh = True
            position[0] = begin[place]
            enough = spent + MOST_GROWN
            while d >= 0:
                if spent >= enough:
                    state[SWEEP_CUT] = 1
                    break
                if fresh:
                    fresh = False
                    spent += 1
                    easiest[d] = np.int64(1) << 60
                    for t in range(n_teams):
                        if figure[d, F_LEFT] >> (5 * t) & 15:
                            easiest[d] = min(easiest[d], weakest[d, t])
                    n_islands = figure[d, F_ISLANDS]
                    if (
                        figure[d, F_VALUE] * scale >= state[SWEEP_TARGET]
                        and n_islands <= 1
                        and figure[d, F_MET] == wanted
                    ):
                        found = True
                        state[SWEEP_BEST] = figure[d, F_VALUE]
                        state[SWEEP_TARGET] = (figure[d, F_VALUE] + unit) * scale
                        for q in range(n_slots):
                            choice[q] = -1
                        for q in range(before):
                            choice[q] = picks[s, q]
                        for q in range(d):
                            choice[before + q] = position[q] - 1
                    alone = place + 1 == n_places
                    hash_ = mix_bits(np.uint64(figure[d, F_LEFT]), np.uint64(figure[d, F_MET]))
                    for j in range(n_islands):
                        some = np.uint64(0)
                        for w in range(n_touch):
                            part[last, j * n_touch + w] = part[d, j * n_touch + w] & links[place + 1, w]
                            some |= part[last, j * n_touch + w]
                        if some == 0:
                            alone = True
                    if not alone:
                        sort_islands(part, last, n_islands, n_touch)
                        for w in range(n_islands * n_touch):
                            hash_ = mix_bits(hash_, part[last, w])
                        for w in range(n_words):
                            hash_ = mix_bits(hash_, row[d, w] & later[w])
                        key = np.int64(hash_ & np.uint64(0x7FFFFFFF))
                        stamp = state[SWEEP_STAMP]
                        slot = find_state(
                            figures, used, island, there, seen, stamp, key, figure, row, part, d, later
                        )
                        known = np.int64(-1)
                        if seen[slot] >> 32 == stamp:
                            known = there + (seen[slot] & 0xFFFFFFFF)
                        if known < 0 or figures[known, F_VALUE] < figure[d, F_VALUE]:
                            for w in range(n_words):
                                row[last, w] = row[d, w]
                            bound = bound_ahead(
                                reduced, mask, n_track, starts, lists, rows, net_table, price_table, again,
                                place + 1, figure[d, F_MONEY], figure[d, F_LEFT], row, last, weakest, top,
                            )  # fmt: skip
                            if bound >= state[SWEEP_TARGET] and (n_islands > 1 or figure[d, F_MET] != wanted):
                                bound -= charge_islands(
                                    reduced, mask, n_track, link, met_by, wanted & ~figure[d, F_MET], starts,
                                    lists, net_table, place + 1, figure[d, F_LEFT], row, weakest, last,
                                    part, last, n_islands, bound - state[SWEEP_TARGET], marks,
                                )  # fmt: skip
                            if bound >= state[SWEEP_TARGET]:
                                if known < 0:
                                    if state[SWEEP_NEXT] == capacity:
                                        state[SWEEP_CUT] = 1
                                        stamp += 1
                                        state[SWEEP_STAMP] = stamp
                                        state[SWEEP_NEXT] = keep_widest(
                                            figures, used, island, picks, there, capacity, width, stamp, seen
                                        )
                                        slot = find_state(
                                            figures, used, island, there, seen, stamp, key, figure, row, part,
                                            d, later,
                                        )  # fmt: skip
                                    known = there + state[SWEEP_NEXT]
                                    seen[slot] = stamp << 32 | state[SWEEP_NEXT]
                                    state[SWEEP_NEXT] += 1
                                for w in range(F_SIZE):
                                    figures[known, w] = figure[d, w]
                                figures[known, F_BOUND] = bound
                                figures[known, F_PICKED] = before + d
                                figures[known, F_HASH] = key
                                for w in range(n_words):
                                    used[known, w] = row[d, w]
                                for w in range(n_islands * n_touch):
                                    island[known, w] = part[last, w]
                                for q in range(before):
                                    picks[known, q] = picks[s, q]
                                for q in range(d):
                                    picks[known, before + q] = position[q] - 1
                c = position[d]
                if c == begin[place + 1] or reach[d] - easiest[d] + reduced[c] < state[SWEEP_TARGET]:
                    d -= 1
                    continue
                spent += 1
                position[d] = c + 1
                t = team[c]
                if figure[d, F_LEFT] >> (5 * t) & 15 == 0:
                    continue
                room = reach[d] - weakest[d, t] - state[SWEEP_TARGET]
                if room + reduced[c] < 0:
                    continue
                free = True
                for w in range(n_track):
                    if mask[c, w] & row[d, w]:
                        free = False
                if not free:
                    continue
                net = reduced[c] - repeated_worth(mask, c, row, d, n_track, net_table)
                if room + net < 0:
                    continue
                money = figure[d, F_MONEY] + net
                left = figure[d, F_LEFT] - (np.int64(1) << (5 * t))
                for w in range(n_words):
                    row[d + 1, w] = row[d, w] | mask[c, w]
                # it takes the place of the weakest; what it costs the others is looked at after this place
                reach[d + 1] = reach[d] - weakest[d, t] + net
                for q in range(n_teams):
                    weakest[d + 1, q] = weakest[d, q]
                figure[d + 1, F_MONEY] = money
                figure[d + 1, F_VALUE] = (
                    figure[d, F_VALUE] + value[c] - repeated_worth(mask, c, row, d, n_track, worth_table)
                )
                figure[d + 1, F_LEFT] = left
                figure[d + 1, F_MET] = figure[d, F_MET] | met_by[c]
                at = 0
                if n_touch:
                    for w in range(n_touch):
                        part[last, w] = link[c, w]
                    for j in range(figure[d, F_ISLANDS]):
                        meets = False
                        for w in range(n_touch):
                            if part[d, j * n_touch + w] & link[c, w]:
                                meets = True
                        for w in range(n_touch):
                            if meets:
                                part[last, w] |= part[d, j * n_touch + w]
                            else:
                                part[d + 1, at * n_touch + w] = part[d, j * n_touch + w]
                        if not meets:
                            at += 1
                    for w in range(n_touch):
                        part[d + 1, at * n_touch + w] = part[last, w]
                    at += 1
                figure[d + 1, F_ISLANDS] = at
                d += 1
                position[d] = c if again else c + 1
                fresh = True
            if found:
                state[SWEEP_NODES] += spent
                return FOUND
            if spent >= slice_:
                state[SWEEP_NODES] += spent
                return SLICE
        state[SWEEP_NEXT] = drop_worse(
            figures,
            used,
            island,
            picks,
            there,
            state[SWEEP_NEXT],
            n_touch,
            n_track,
            later,
            n_teams,
            worth_table,
        )
        if state[SWEEP_NEXT] > width:
            state[SWEEP_CUT] = 1
            state[SWEEP_STAMP] += 1
            state[SWEEP_NEXT] = keep_widest(
                figures, used, island, picks, there, state[SWEEP_NEXT], width, state[SWEEP_STAMP], seen
            )
        state[SWEEP_STAMP] += 1
        state[SWEEP_COUNT] = state[SWEEP_NEXT]
        state[SWEEP_NEXT] = 0
        state[SWEEP_AT] = 0
        place += 1
        state[SWEEP_PLACE] = place
    state[SWEEP_NODES] += spent
    return DONE
