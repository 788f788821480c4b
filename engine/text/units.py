"""The name of a unit as written -> one name for it: `kilometres per hour` and `km/h` are one unit.

Units are told apart, never converted. A symbol is taken as it is written (`MB` is no `Mb`), a word in any case. What
is also a common word or a name (`in`, `A`) is left out: a number with an unknown unit is a number without one.
"""

from __future__ import annotations

import re

PERCENT = "%"

_NAMES = {
    "%": "% ％ percent per_cent pct percentage_point percentage_points",
    "$": "$ dollar dollars USD",
    "€": "€ euro euros EUR",
    "£": "£ GBP",
    "¥": "¥ yen JPY",
    "nm": "nm nanometre nanometres nanometer nanometers",
    "mm": "mm millimetre millimetres millimeter millimeters",
    "cm": "cm centimetre centimetres centimeter centimeters",
    "m": "m metre metres meter meters",
    "km": "km kilometre kilometres kilometer kilometers",
    "mile": "mi mile miles",
    "ft": "ft foot feet",
    "inch": "inch inches",
    "yard": "yd yard yards",
    "AU": "AU au astronomical_unit astronomical_units",
    "light-year": "ly light-year light-years light_year light_years",
    "mg": "mg milligram milligrams",
    "g": "g gram grams",
    "kg": "kg kilogram kilograms",
    "t": "t tonne tonnes",
    "lb": "lb lbs",
    "oz": "oz ounce ounces",
    "ms": "ms millisecond milliseconds",
    "s": "s sec secs second seconds",
    "min": "min mins minute minutes",
    "h": "h hr hrs hour hours",
    "day": "d day days",
    "week": "week weeks",
    "month": "month months",
    "year": "yr yrs year years",
    "decade": "decade decades",
    "century": "century centuries",
    "°C": "°C ℃ °_C celsius degrees_celsius degree_celsius",
    "°F": "°F ℉ °_F fahrenheit degrees_fahrenheit degree_fahrenheit",
    "K": "K kelvin kelvins",
    "Hz": "Hz hertz",
    "kHz": "kHz kilohertz",
    "MHz": "MHz megahertz",
    "GHz": "GHz gigahertz",
    "W": "W watt watts",
    "kW": "kW kilowatt kilowatts",
    "MW": "MW megawatt megawatts",
    "V": "V volt volts",
    "Pa": "Pa pascal pascals",
    "hPa": "hPa hectopascal hectopascals",
    "kPa": "kPa kilopascal kilopascals",
    "bar": "bar bars",
    "atm": "atm atmosphere atmospheres",
    "byte": "byte bytes",
    "bit": "bit bits",
    "kB": "kB KB kilobyte kilobytes",
    "MB": "MB megabyte megabytes",
    "GB": "GB gigabyte gigabytes",
    "TB": "TB terabyte terabytes",
    "ml": "ml mL millilitre millilitres milliliter milliliters",
    "l": "l L litre litres liter liters",
    "mile/h": "mph",
    "km/h": "kph kmh",
}
_CANONICAL = {name.replace("_", " "): unit for unit, names in _NAMES.items() for name in names.split()}
_SYMBOL = 4
"""Names shorter than this are symbols."""


def _alternatives() -> str:
    names = sorted(_CANONICAL, key=lambda name: (-len(name), name))
    symbols = "|".join(re.escape(name) for name in names if len(name) < _SYMBOL)
    words = "|".join(re.escape(name).replace(r"\ ", r"\s") for name in names if len(name) >= _SYMBOL)
    return rf"(?:(?i:{words})|{symbols})"


_POWER = r"(?:[²³]|\^[23](?!\d)|[23](?![^\W_]))"
_ONE = rf"(?:(?i:square|cubic|sq\.?)\s)?{_alternatives()}{_POWER}?"
PATTERN = rf"{_ONE}(?:(?:\s?/\s?|\s(?i:per)\s){_ONE})?(?![^\W_])"
"""A regular expression for a unit, without groups."""

_PARTS = re.compile(rf"(?:(?P<shape>(?i:square|cubic|sq))\.?\s)?(?P<name>{_alternatives()})(?P<power>{_POWER})?")


def canonical_unit(written: str) -> str:
    """Return the one name of a unit that `PATTERN` matched.

    >>> canonical_unit("kilometres per hour"), canonical_unit("square miles"), canonical_unit("g/cm3")
    ('km/h', 'mile²', 'g/cm³')
    """
    return "/".join(_canonical_part(part) for part in _PARTS.finditer(written))


def _canonical_part(part: re.Match[str]) -> str:
    name = " ".join(part["name"].split())
    unit = _CANONICAL.get(name) or _CANONICAL[name.lower()]
    power = (part["power"] or "").lstrip("^").translate(_RAISED)
    return unit + (power or _SHAPES.get((part["shape"] or "").lower(), ""))


_RAISED = str.maketrans("23", "²³")
_SHAPES = {"square": "²", "sq": "²", "cubic": "³"}
