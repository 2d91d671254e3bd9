"""The companies and privates of 18GB; which of them take part is told by the scenario."""

from engine.facts import Ability, CompanyFacts, PrivateFacts

_HOME_GREEN = ("G36", "G37", "G38")


def _company(
    sym: str,
    name: str,
    home: str,
    *,
    tokens: tuple[int, ...] = (0, 50),
    base: int = 2,
    green_home: bool = False,
) -> CompanyFacts:
    """Return a company; ``green_home``: it may lay a two-slot green city at home."""
    abilities = [Ability("base", count=base, passive=True)]
    if green_home:
        abilities.append(
            Ability(
                "tile_lay",
                passive=True,
                hexes=(home,),
                tiles=_HOME_GREEN,
                connect=True,
                reachable=True,
                special=True,
                consume_tile_lay=True,
            )
        )
    return CompanyFacts(
        sym,
        name,
        "5-share",
        (home,),
        token_prices=tokens,
        shares=(40, 20, 20, 20),
        float_percent=40,
        max_ownership_percent=100,
        capitalization="full",
        abilities=tuple(abilities),
    )


COMPANIES: tuple[CompanyFacts, ...] = (
    _company("CR", "Caledonian Railway", "G4", tokens=(0, 0)),
    _company("GER", "Great Eastern Railway", "J25", green_home=True),
    _company("GSWR", "Glasgow and South Western Railway", "F5", green_home=True),
    _company("GWR", "Great Western Railway", "D23"),
    _company("LNWR", "London and North Western Railway", "F21"),
    _company("LSWR", "London and South Western Railway", "D25"),
    _company("LYR", "Lancashire and Yorkshire Railway", "H15", tokens=(0,)),
    _company("MR", "Midland Railway", "H19", green_home=True),
    _company("MSLR", "Manchester, Sheffield and Lincolnshire Railway", "H17", tokens=(0,)),
    _company("NBR", "North British Railway", "I6", base=1),
    _company("NER", "North Eastern Railway", "J13", green_home=True),
    _company("SWR", "South Wales Railway", "A20", green_home=True),
)


def _private(sym: str, name: str, value: int, revenue: int, blocks: str, *more: Ability) -> PrivateFacts:
    """Return a private that blocks a hex and may be closed by its owner at any time."""
    abilities = (
        Ability("blocks_hexes", "player", passive=True, hexes=(blocks,)),
        Ability("choose_ability", "player", when=("any",)),
        *more,
    )
    return PrivateFacts(sym, name, value, revenue, (value + 1) // 2, 2 * value, abilities=abilities)


def _bonus(hex_id: str, amount: int) -> Ability:
    return Ability("hex_bonus", "player", passive=True, hexes=(hex_id,), amount=amount)


def _station(hex_id: str) -> tuple[Ability, Ability]:
    """Return the right to a token in a hex whose slot is kept until phase 4+2."""
    return (
        Ability("reservation", passive=True, hex=hex_id, city=0, slot=0, until="4+2"),
        Ability(
            "token",
            count=1,
            passive=True,
            hexes=(hex_id,),
            price=0,
            teleport_price=50,
            special_only=True,
            check_tokenable=True,
        ),
    )


def _lay(hex_id: str, *tiles: str, discount: int = 0, now: bool = True, consume: bool = False) -> Ability:
    """Return the right to one lay; ``now``: in the owner's track step, as an action of its own."""
    return Ability(
        "tile_lay",
        "player",
        when=("owning_player_track",) if now else (),
        count=1,
        passive=not now,
        hexes=(hex_id,),
        tiles=tiles,
        discount=discount,
        connect=True,
        reachable=True,
        consume_tile_lay=consume,
    )


_PERTH = ("G39", "G40", "G41", "G36", "G37", "G38", "G30", "G34")
_LEICESTER = ("G18", "G19", "G21", "G22", "G24", "G26", "G27", "G28", "G30")

PRIVATES: tuple[PrivateFacts, ...] = (
    _private("LB", "London & Birmingham", 40, 10, "F21"),
    _private("AF", "Arbroath & Forfar", 30, 10, "K2", _lay("I2", *_PERTH)),
    _private("GN", "Great Northern", 70, 25, "I18", *_station("I14")),
    _private("SD", "Stockton & Darlington", 35, 12, "I12", _bonus("J13", 10)),
    _private("LM", "Liverpool & Manchester", 45, 15, "F15", _bonus("E14", 30)),
    _private("LS", "Leicester & Swannington", 30, 10, "H21", _lay("H21", *_LEICESTER, now=False)),
    _private("TV", "Taff Vale", 60, 25, "C20", _lay("C22", "G33", discount=50, consume=True)),
    _private("MC", "Maryport & Carlisle", 50, 20, "G10", *_station("H9")),
    _private("CH", "Chester & Holyhead", 30, 10, "E16", _bonus("C14", 20)),
)
