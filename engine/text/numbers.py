r"""Text -> the numbers in it, by value and unit: `1,014` and `1014`, `½` and `0.5`, `1.5×10^3` and `1500` are one.

Read are digits of any script, thousands separators, decimals, fractions (`½`, `2 1/2`), powers of ten (`1.0e3`,
`1.5 \times 10^{3}`, `10³`), signs, `million` and the like, units (`engine/text/units.py`) and the words two to twelve.
`one` is a number only before a unit: elsewhere it is a pronoun. Not read, so that they are compared as words: `1990s`,
`2nd`, `1.2.3`, `CO2`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from engine.records import Span
from engine.text.units import PATTERN, PERCENT, canonical_unit

MOST_DIGITS = 40
"""A longer run of digits is no quantity."""

_WORDS = {
    word: value
    for value, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
}
_SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "bn": 9, "trillion": 12}
_SHORT = {"k": 3, "m": 6, "b": 9}
"""After an amount of money: $5m."""
_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
_RAISED = r"(?:\^\{?[-+−]?\d{1,3}\}?|[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})"
_TIMES = r"\s?(?:[×x*·⋅]|\\times|\\cdot)\s?10"
_SCALE = rf"(?:\s?(?P<scale>(?i:{'|'.join(_SCALES)}))(?![^\W_]))?"
_UNIT = rf"(?:[\s-]?(?P<unit>{PATTERN}))?"

_NUMBER = re.compile(
    rf"""(?<![^\W_])(?<!\d\.)
    (?P<sign>(?<![^\s(\[{{:=~≈<>≤≥"“'‘|])[-−–](?=[$€£¥]?[\d.{_VULGAR}])|(?i:minus)\s)?
    (?:(?:US)?(?P<currency>[$€£¥])\s?)?
    (?P<number>
        (?:(?P<units>\d{{1,4}}+)[\s-])?(?<!/)(?P<top>[1-9])[/⁄](?P<bottom>[23458])(?![/⁄\d])
        |10(?P<tower>{_RAISED})
        |(?:(?P<whole>\d{{1,3}}(?:[,\u00a0\u2009\u202f]\d{{3}})++(?!\d)|\d++)(?P<decimals>\.\d++)?|(?P<bare>\.\d++))
         (?:\s?(?P<vulgar>[{_VULGAR}])|[eE](?P<exponent>[-+]?\d{{1,3}})(?![^\W_])|{_TIMES}(?P<times>{_RAISED}))?
        |(?P<alone>[{_VULGAR}])
    )(?!\.?\d){_SCALE}(?(currency)(?:(?P<short>[kKmMbB])(?![^\W_]))?){_UNIT}(?![^\W_])""",
    re.VERBOSE,
)
_WORD = re.compile(
    rf"(?<![\w-])(?P<word>(?i:{'|'.join(_WORDS)}))(?!-?\w|\sand\sa\s(?:half|quarter)){_SCALE}{_UNIT}(?![^\W_])"
    rf"|(?<![\w-])(?P<compound>(?i:{'|'.join(_WORDS)}))-(?P<of>{PATTERN})"
)
_NUMERIC = re.compile(rf"[\d{_VULGAR}]")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d|％|．")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text."""

    value: Fraction
    """Exactly."""
    unit: str
    """One name for each unit, `km/h`, `%`, `day`; empty: none is named."""
    number: str
    """The number as written, with its sign, without the unit."""
    text: str
    """Number and unit as written."""
    span: Span
    """Where `text` stands."""
    word: bool = False
    """Whether it is a number word."""

    def agrees_with(self, other: Quantity) -> bool:
        """Return whether both can mean the same: one value, and no different units. A percentage has a unit always.

        >>> km, bare, percent = find_quantities("12 km, 12 and 12 %")
        >>> km.agrees_with(bare), percent.agrees_with(bare)
        (True, False)
        """
        return self.value == other.value and not self.differs_in_unit(other)

    def differs_in_unit(self, other: Quantity) -> bool:
        """Return whether the units exclude each other."""
        if PERCENT in (self.unit, other.unit):
            return self.unit != other.unit
        return bool(self.unit and other.unit and self.unit != other.unit)


@lru_cache(maxsize=1024)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Return the numbers of a text, in order.

    >>> [(str(found.value), found.unit) for found in find_quantities("2½ km in 1.0e3 s, −5 °C, two days")]
    [('5/2', 'km'), ('1000', 's'), ('-5', '°C'), ('2', 'day')]
    """
    found = []
    if _NUMERIC.search(text):
        digits = text if text.isascii() else _OTHER_DIGIT.sub(_ascii, text)
        found += [_quantity(text, match) for match in _NUMBER.finditer(digits)]
    found += [_spelled(text, match) for match in _WORD.finditer(text)]
    return tuple(sorted(filter(None, found), key=lambda quantity: quantity.span))


def _ascii(found: re.Match[str]) -> str:
    """Return a digit, percent sign or full stop of another script as the ASCII one: one character for one."""
    other = {"％": "%", "．": "."}
    return other.get(found[0]) or str(unicodedata.decimal(found[0]))


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    if len(match["number"]) > MOST_DIGITS or match[0].endswith("0s"):  # the 1990s are no seconds
        return None
    zeros = _SCALES.get((match["scale"] or "").lower(), 0) + _SHORT.get((match["short"] or "").lower(), 0)
    value = _value(match) * 10**zeros
    start = match.start()
    return Quantity(
        value=-value if match["sign"] else value,
        unit=canonical_unit(match["unit"] or match["currency"] or ""),
        number=text[start : max(match.end("number"), match.end("scale"), match.end("short"))],
        text=text[start : match.end()],
        span=Span(start, match.end()),
    )


def _value(match: re.Match[str]) -> Fraction:
    if match["top"]:
        return int(match["units"] or 0) + Fraction(int(match["top"]), int(match["bottom"]))
    if match["tower"]:
        return _ten_to(match["tower"])
    if match["alone"]:
        return _vulgar(match["alone"])
    whole = re.sub(r"\D", "", match["whole"] or "0")
    value = Fraction(whole + (match["decimals"] or match["bare"] or ""))
    if match["vulgar"]:
        return value + _vulgar(match["vulgar"])
    return value * _ten_to(match["exponent"] or match["times"] or "0")


def _ten_to(raised: str) -> Fraction:
    return Fraction(10) ** int(raised.strip("^{}").translate(_SUPERSCRIPT))


def _vulgar(sign: str) -> Fraction:
    return Fraction(unicodedata.normalize("NFKC", sign).replace("⁄", "/"))


def _spelled(text: str, match: re.Match[str]) -> Quantity | None:
    name = match["word"] or match["compound"]
    unit = canonical_unit(match["unit"] or match["of"] or "")
    if name.lower() == "one" and not unit:
        return None
    scale = match["scale"]
    value = Fraction(_WORDS[name.lower()]) * 10 ** _SCALES.get((scale or "").lower(), 0)
    number = text[match.start() : match.end("scale")] if scale else name
    return Quantity(value, unit, number, match[0], Span(*match.span()), word=True)
