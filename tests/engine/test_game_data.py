"""The game data equal the reference facts, every one of them.

Our facts are written out in the form of the reference files, and the two are compared key by key in both
directions: a key of the reference that we do not write out, or one of ours that it does not have, is a fault.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import MISSING, asdict, fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import support
from engine.facts import (
    Ability,
    CompanyFacts,
    Constants,
    GameFacts,
    MarketFacts,
    PhaseFacts,
    PrivateFacts,
    Reach,
    TrainFacts,
)
from engine.games import g18gb, g1873
from engine.registry import GAMES, UnknownGame, find_game
from engine.tiles import AtNode, Edge, PathEnd, Tile, TileNode

FOLDERS = {"18GB": "18gb", "18NewEngland": "18newengland"}
Json = Any


# The comparison


def differences(place: str, fact: Json, ours: Json) -> list[str]:
    """Return every place where two JSON values differ."""
    if isinstance(fact, dict) and isinstance(ours, dict):
        faults = [f"{place}.{key}: not in our data" for key in fact if key not in ours]
        faults += [f"{place}.{key}: not in the facts" for key in ours if key not in fact]
        for key in fact:
            if key in ours:
                faults += differences(f"{place}.{key}", fact[key], ours[key])
        return faults
    if isinstance(fact, list) and isinstance(ours, list):
        names = [_name(item, index) for index, item in enumerate(fact)]
        own_names = [_name(item, index) for index, item in enumerate(ours)]
        if names != own_names:
            return [f"{place}: facts list {names}, we list {own_names}"]
        pairs = zip(names, fact, ours, strict=True)
        return [fault for name, a, b in pairs for fault in differences(f"{place}[{name}]", a, b)]
    same = fact == ours and isinstance(fact, bool) == isinstance(ours, bool)
    return [] if same else [f"{place}: {fact!r} in the facts, {ours!r} in our data"]


def _name(item: Json, index: int) -> str:
    """Return what a list item is called: its own name, or its position."""
    keys = ("id", "sym", "name") if isinstance(item, dict) else ()
    return str(next((item[key] for key in keys if key in item), index))


def compare(name: str, files: dict[str, Json]) -> list[str]:
    """Return all differences between our data of a game and its reference files."""
    files = copy.deepcopy(files)
    faults: list[str] = []
    for variant in files.pop("variants"):
        players, options = variant.pop("players"), variant.pop("optional_rules")
        place = f"{players} players{''.join(f' {option}' for option in options)}: "
        expected = files | {
            key: value for key, value in variant.items() if key not in ("player_cash", "cert_limit")
        }
        facts = find_game(name).facts(players, options, in_play(name, expected))
        faults += differences(f"{place}player_cash", variant["player_cash"], facts.starting_cash)
        faults += differences(f"{place}cert_limit", variant["cert_limit"], facts.cert_limit)
        for file, fact in expected.items():
            if file not in WRITERS:
                faults.append(f"{file}: a file that the comparison does not know")
                continue
            faults += differences(place + file, normal(file, fact), WRITERS[file](facts, fact))
    return faults


def in_play(name: str, files: dict[str, Json]) -> list[str] | None:
    """Return what was drawn in the game from which the facts were taken."""
    drawn = {"1861": "companies", "1862": "companies", "18GB": "corporations"}
    return [item["sym"] for item in files[drawn[name]]] if name in drawn else None


def normal(file: str, fact: Json) -> Json:
    """Return a fact without what says nothing: an empty preference, a cost of nothing."""
    fact = copy.deepcopy(fact)
    if file == "map":
        for node in (node for item in fact["hexes"] for node in item["tile"]["nodes"]):
            if node.get("preferred_edge") == []:
                del node["preferred_edge"]
    if file == "constants":
        for lay in fact["tile_lays"]:
            if lay.get("cost") == 0:
                del lay["cost"]
    return fact


# Our data in the form of the reference


def filled(**items: Json) -> dict[str, Json]:
    """Return the items that say something."""
    return {key: value for key, value in items.items() if value not in (None, [], (), {}, "", False)}


def write_map(facts: GameFacts, _: Json) -> Json:
    hexes = [
        {"id": item.id, "x": item.coordinate.x, "y": item.coordinate.y}
        | filled(name=item.name, blocked_neighbors=_edges(facts.map.blocked(item.id)))
        | {"neighbors": _edges(facts.map.links(item.id))}
        | {"printed_tile_id": item.printed_id, "tile": write_print(item.printed)}
        for item in facts.map.hexes.values()
    ]
    return {"layout": facts.layout, "hexes": hexes}


def _edges(hexes: Any) -> dict[str, str]:
    return {str(edge): hex_id for edge, hex_id in hexes.items()}


def write_tiles(facts: GameFacts, _: Json) -> Json:
    return [
        {"id": tile.name, "count": "unlimited" if tile.count is None else tile.count} | write_print(tile)
        for tile in facts.tiles.values()
    ]


def write_print(tile: Tile) -> Json:
    future = tile.future_label
    return {
        "color": tile.color,
        "nodes": [write_node(node) for node in tile.nodes],
        "paths": [
            {"a": write_end(path.a), "b": write_end(path.b)}
            | filled(track="" if path.gauge == "broad" else path.gauge, terminal="1" if path.terminal else "")
            for path in tile.paths
        ],
        **filled(
            labels=list(tile.labels),
            terrain=[{"cost": item.cost} | filled(kinds=list(item.kinds)) for item in tile.terrain],
            borders=[{"edge": b.edge, "type": b.kind} | filled(cost=b.cost) for b in tile.borders],
            icons=list(tile.icons),
            stubs=list(tile.stubs),
            frame=tile.frame,
            future_label=future and {"label": future[0], "color": future[1]},
        ),
        **({"partitions": tile.partitions} if tile.partitions else {}),
    }


def write_node(node: TileNode) -> Json:
    written: dict[str, Json] = {"part": node.part, "kind": node.kind, "revenue": node.revenue}
    if node.kind == "city":
        written |= {"city": node.city, "slots": node.slots}
    if node.preferred_edge is not None:
        written["preferred_edge"] = node.preferred_edge
    lists = filled(groups=list(node.groups), reservations=list(node.reservations), tokens=list(node.tokens))
    return written | lists | filled(loc=node.place)


def write_end(end: PathEnd) -> Json:
    if isinstance(end, Edge):
        return {"edge": end.edge}
    return {"node": end.node} if isinstance(end, AtNode) else {"junction": 0}


def write_corporations(facts: GameFacts, _: Json) -> Json:
    if facts.name == "1862":  # the reference lists all companies, drawn or not
        facts = find_game("1862").facts(facts.players, facts.options)
    minors = facts.name == "1873"
    return by_sym(
        write_company(item, facts) for item in facts.companies.values() if not minors or item.kind != "minor"
    )


def write_minors(facts: GameFacts, _: Json) -> Json:
    minors = (
        [item for item in facts.companies.values() if item.kind == "minor"] if facts.name == "1873" else []
    )
    return by_sym(write_company(item, facts) for item in (*minors, *facts.markers.values()))


def write_company(item: CompanyFacts, facts: GameFacts) -> Json:
    untyped = facts.name in ("1862", "1873") or item.kind == "marker"
    written: dict[str, Json] = {"sym": item.sym, "name": item.name, "type": "" if untyped else item.kind}
    written["token_prices"] = list(item.token_prices)
    if item.homes:
        several = facts.name == "1873" and item.kind != "minor"
        written["home"] = list(item.homes) if several else item.homes[0]
    if item.home_city is not None:
        written["home_city"] = item.home_city
    if item.capitalization:  # not for mines and markers, which have no shares
        written |= {"float_percent": item.float_percent, "capitalization": item.capitalization}
        written["shares"] = list(item.shares) if item.shares_held_by == "company" else []
    if item.max_ownership_percent not in (None, 60):
        written["max_ownership_percent"] = item.max_ownership_percent
    return written | filled(abilities=[write_ability(ability) for ability in item.abilities])


def write_ability(item: Ability) -> Json:
    named = {"kind": "type", "owner": "owner_type", "until": "remove"}
    always = {"count_this_or", "use_across_ors", "remove_when_used_up"}
    always |= {"tile_lay": {"discount", "cost"}, "token": {"price"}, "reservation": {"city", "slot"}}.get(
        item.kind, set()
    )
    written: dict[str, Json] = {}
    for key, value in plain(item).items():
        if key in always or value not in ("", None, False, 0, []):
            written[named.get(key, key)] = value
    if item.kind == "blocks_hexes":  # known from the rules only
        assert written.pop("hexes")
    return written


def write_companies(facts: GameFacts, _: Json) -> Json:
    return by_sym(write_private(item, facts) for item in facts.privates.values())


def write_private(item: PrivateFacts, facts: GameFacts) -> Json:
    revenue: Json = item.revenue
    if facts.name == "1873":
        revenue = "NA" if revenue is None else "{}\u00a0ℳ - {}\u00a0ℳ".format(*revenue)
    written = {"sym": item.sym, "name": item.name, "value": item.value, "revenue": revenue}
    written |= {"min_price": item.min_price, "max_price": item.max_price}
    if item.discount:
        written["discount"] = item.discount
    return written | filled(abilities=[write_ability(ability) for ability in item.abilities])


def write_trains(facts: GameFacts, _: Json) -> Json:
    return [write_train(item) for item in facts.trains.values()]


def write_train(item: TrainFacts) -> Json:
    sides = [{"name": v.name, "price": v.price, "distance": write_reach(v.distance)} for v in item.variants]
    return {
        "count": "unlimited" if item.count is None else item.count,
        **sides[0],
        "variants": sides,
        "requires_token": item.requires_token,
        **filled(rusts_on=item.rusts_on, available_on=item.available_on, events=list(item.events)),
        **filled(no_local=item.no_local, multiplier=None if item.multiplier == 1 else item.multiplier),
    }


def write_reach(reach: Reach) -> Json:
    return reach if isinstance(reach, int) else [plain(entry) for entry in reach]


def write_phases(facts: GameFacts, _: Json) -> Json:
    def write(phase: PhaseFacts) -> Json:
        written = {"name": phase.name, "train_limit": phase.train_limit, "tiles": list(phase.tiles)}
        written["operating_rounds"] = phase.operating_rounds
        return written | filled(on=phase.on, status=list(phase.status))

    return [write(phase) for phase in facts.phases.values()]


def write_market(facts: GameFacts, _: Json) -> Json:
    market: MarketFacts = facts.market
    rows = [
        [cell and {"price": cell.price} | filled(types=list(cell.types)) for cell in row]
        for row in market.rows
    ]
    return {"rows": rows, "one_d": market.one_d}


OWN_FILES = {"railway_info", "public_mine_info", "mine_info"}
BY_SCENARIO = {"starting_cash", "cert_limit", "scenario"}
FROM_THE_RULES = {
    "bonus",
    "double_bonus",
    "compass_bonus_hexes",
    "estuaries",
    "distance_bonus",
    "local_subsidy",
}


def write_constants(facts: GameFacts, fact: Json) -> Json:
    """Write the constants; those that the reference leaves out must be as in most games."""
    constants = facts.constants
    defaults = {item.name: item.default for item in fields(Constants) if item.default is not MISSING}
    known = OWN_FILES | FROM_THE_RULES | (BY_SCENARIO if facts.name == "18GB" else set())
    written: dict[str, Json] = {}
    for item in fields(constants):
        value = getattr(constants, item.name)
        if item.name in fact or not (item.name in known or value == defaults.get(item.name, MISSING)):
            written[item.name] = plain(value)
    if constants.bank_cash is None:
        written["bank_cash"] = "unlimited"
    for key in ("tile_lays", "minor_tile_lays"):
        if key in written:
            written[key] = [
                {k: v for k, v in lay.items() if k in ("lay", "upgrade") or v} for lay in written[key]
            ]
    if isinstance(constants, g18gb.Constants18GB):
        written["scenarios"] = {name: write_scenario(item) for name, item in constants.scenarios.items()}
    return written


def write_scenario(item: g18gb.Scenario) -> Json:
    written = plain(item)
    del written["name"]
    hyphened = (
        "cert_limit",
        "starting_cash",
        "corporation_extra",
        "tier2_corps",
        "gray_tiles",
        "compass_hexes",
    )
    return {key.replace("_", "-") if key in hyphened else key: value for key, value in written.items()}


def write_scenarios(facts: GameFacts, fact: Json) -> Json:
    chosen = {}
    for key in fact:
        players, _, option = key.partition("/")
        other = find_game(facts.name).facts(int(players), [option] if option else [])
        chosen[key] = write_scenario(other.typed(g18gb.Constants18GB).scenario)
    return chosen


def write_corporation_info(facts: GameFacts, _: Json) -> Json:
    constants = facts.typed(g1873.Constants1873)
    info = {sym: {"type": "railway"} | plain(item) for sym, item in constants.railway_info.items()}
    info |= {sym: {"type": "mine"} | plain(item) for sym, item in constants.public_mine_info.items()}
    kinds = {sym: {"type": item.kind} for sym, item in facts.companies.items() if item.kind != "minor"}
    return {sym: entry | info.get(sym, {}) for sym, entry in kinds.items()}


def write_mine_info(facts: GameFacts, _: Json) -> Json:
    info = plain(facts.typed(g1873.Constants1873).mine_info)
    for mine in info.values():
        del mine["name"]  # that of the minor
    return info


def plain(value: Json) -> Json:
    """Return a value as JSON has it."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, tuple | list) else value


def by_sym(items: Iterable[Json]) -> list[Json]:
    return sorted(items, key=lambda item: item["sym"])


WRITERS: dict[str, Callable[[GameFacts, Json], Json]] = {
    "map": write_map,
    "tiles": write_tiles,
    "corporations": write_corporations,
    "minors": write_minors,
    "companies": write_companies,
    "trains": write_trains,
    "phases": write_phases,
    "market": write_market,
    "constants": write_constants,
    "scenarios": write_scenarios,
    "corporation_info": write_corporation_info,
    "mine_info": write_mine_info,
}


def load(shared: Path, name: str) -> dict[str, Json]:
    folder = shared / "facts" / FOLDERS.get(name, name)
    return {path.stem: support.read_json(path) for path in sorted(folder.glob("*.json"))}


# Tests


def test_every_reference_game_is_ours(shared: Path) -> None:
    assert {FOLDERS.get(name, name) for name in GAMES} == {path.name for path in (shared / "facts").iterdir()}


@pytest.mark.parametrize("name", GAMES)
def test_every_fact_is_in_our_data(shared: Path, name: str) -> None:
    files = load(shared, name)
    assert len(files) >= 9
    assert compare(name, files) == []


GONE = object()
CHANGES: list[tuple[str, str, Json]] = [
    ("1861", "map hexes H8 tile nodes 0 revenue", 41),
    ("1861", "map hexes A9 tile nodes 0 revenue gray", 71),
    ("1862", "map hexes A8 tile paths 1 b node", 0),
    ("1873", "map hexes C4 tile paths 0 track", GONE),
    ("18NewEngland", "map hexes B19 tile paths 0 terminal", GONE),
    ("18GB", "map hexes G26 neighbors 3", GONE),
    ("18GB", "map hexes I6 printed_tile_id", "I6-9"),
    ("1862", "map hexes F11 tile borders", GONE),
    ("1873", "map hexes B19 tile frame", GONE),
    ("1861", "map hexes G15 tile future_label color", "brown"),
    ("1861", "map hexes H8 tile halts", 1),
    ("1861", "tiles 63 count", 4),
    ("1873", "tiles 77 paths 0 a edge", 2),
    ("18GB", "tiles G14 frame", True),
    ("1861", "corporations N home_city", 2),
    ("18GB", "corporations MR abilities 1 tiles 0", "G1"),
    ("18NewEngland", "minors G name", "Gray Dummy"),
    ("1861", "companies BSS abilities 0 amount", 20),
    ("1861", "companies BSS abilities 0 count", 1),
    ("1862", "trains B variants 2/3L distance 0 visit", 4),
    ("1861", "trains 2+2 available_on", GONE),
    ("1861", "phases 4 train_limit major", 4),
    ("18NewEngland", "market rows 2 10 price", 99),
    ("1861", "market rows 0 0", {"price": 1}),
    ("1862", "constants freight_bonus", 30),
    ("1862", "constants sell_after", GONE),
    ("1861", "constants unheard_of", 1),
    ("18GB", "constants scenarios 3 compass-hexes W 4", "E8"),
    ("18GB", "scenarios 2/two_player_ew required_bids", 1),
    ("1873", "corporation_info NWE concession_routes 1 2", "H8"),
    ("1873", "mine_info 7 multiplier", 20),
    ("1861", "variants 3 player_cash", 1),
    ("18GB", "variants 2 map hexes J11 tile color", "blue"),
    ("1861", "prices", {}),
]


def change(target: Json, path: str, value: Json) -> str:
    """Change a fact in memory and return the place that the comparison must name."""
    place = ""
    steps = path.split()
    for depth, step in enumerate(steps):
        if isinstance(target, list):
            key: Json = [_name(item, index) for index, item in enumerate(target)].index(step)
            place = "" if place == "variants" else f"{place}[{step}]"
        else:
            key = step
            place = f"{place}.{step}" if place else step
        if depth < len(steps) - 1:
            target = target[key]
    if value is GONE:
        del target[key]
    else:
        target[key] = value
    return place


@pytest.mark.parametrize(("name", "path", "value"), CHANGES, ids=[f"{c[0]} {c[1]}" for c in CHANGES])
def test_a_changed_fact_is_found(shared: Path, name: str, path: str, value: Json) -> None:
    files = load(shared, name)
    place = change(files, path, value)
    faults = compare(name, files)
    assert faults
    assert all(place in fault for fault in faults), (place, faults[:5])


def test_two_players_of_18gb_play_north_south_by_default(shared: Path) -> None:
    game = find_game("18GB")
    assert game.facts(2).map.hexes.keys() == game.facts(2, ["two_player_ns"]).map.hexes.keys()
    assert game.facts(2).typed(g18gb.Constants18GB).scenario.name == "2NS"


def test_an_unknown_game_is_refused_with_the_names_of_the_known() -> None:
    with pytest.raises(UnknownGame, match=r"1830.*1861, 1862, 18GB, 18NewEngland, 1873"):
        find_game("1830")
    assert issubclass(UnknownGame, KeyError)


@pytest.mark.parametrize(
    ("name", "players", "options", "message"),
    [
        ("18NewEngland", 2, [], "for 3, 4, 5 players, not 2"),
        ("1861", 4, ["row_market"], "no option row_market; its options: column_market"),
        ("18NewEngland", 4, ["x", "a"], "no option a, x; its options: none"),
    ],
)
def test_what_is_not_offered_is_refused(name: str, players: int, options: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        find_game(name).facts(players, options)


def test_an_option_for_other_player_counts_is_dropped() -> None:
    facts = find_game("18GB").facts(4, ["two_player_ew"])
    assert facts.options == ()
    assert facts is find_game("18GB").facts(4)


def test_options_combine() -> None:
    counts = {
        train.name: train.count
        for train in find_game("1862").facts(3, ["short_length", "long_length"]).trains.values()
    }
    assert counts == {"A": 6, "B": 5, "C": 5, "D": 4, "E": 3, "F": 2, "G": 1, "H": None}
    both = find_game("1861").facts(2, ["column_market"])
    assert (both.market.one_d, both.trains["2"].count) == (True, 7)
    (terrain,) = find_game("1873").facts(3, ["aag_variant"]).map.hexes["F7"].printed.terrain
    assert terrain.cost == 100


def test_companies_that_may_be_drawn_are_known_but_not_on_the_map() -> None:
    game = find_game("18GB")
    undrawn, drawn = game.facts(3), game.facts(3, in_play=["GSWR"])
    assert {"GSWR", "GWR", "MSLR"} <= undrawn.companies.keys()
    assert undrawn.map.hexes["F5"].printed.cities[0].tokens == ()
    assert "GWR" not in drawn.companies
    assert drawn.map.hexes["F5"].printed.cities[0].tokens == ("GSWR",)


def test_trains_are_found_by_every_name() -> None:
    facts = find_game("1862").facts()
    assert facts.train_named("2/3L").base == "B"
    assert {facts.train_named(name).base for name in ("1F", "1F*", "1F***")} == {"A"}
    with pytest.raises(KeyError):
        facts.train_named("12F")
    harz = find_game("1873").facts()
    assert harz.train_names["3M"].price == 300
    prices = {item.distance: item.price for item in harz.switchers.values()}
    assert prices == harz.typed(g1873.Constants1873).switcher_prices


def test_constants_have_the_type_of_their_game() -> None:
    with pytest.raises(TypeError, match="1861 has Constants1861, not Constants1873"):
        find_game("1861").facts().typed(g1873.Constants1873)


@pytest.mark.parametrize("name", GAMES)
def test_every_recorded_position_can_be_read(shared: Path, name: str) -> None:
    folder = shared / "positions"
    for path in (folder / f"{name}.jsonl", folder / f"random-{name}.jsonl.gz"):
        for line in support.read_jsonl(path):
            position = line["position"]
            facts = find_game(name).facts(position["players"], position.get("optionalRules", ()))
            assert position["company"] in facts.companies
            assert position["phase"] in facts.phases
            assert all(item["tile"] in facts.tiles for item in position["tiles"])
            assert all(item["hex"] in facts.map.hexes for item in position["tiles"])
            assert all(item["company"] in facts.companies for item in position["tokens"])
            assert all(facts.train_named(item["name"]) for item in position["trains"])
