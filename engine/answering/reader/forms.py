"""English words whose forms no stemmer brings together, and words that say about the same.

A stemmer cuts endings: "wrote" and "hottest" it leaves apart from "write" and "hot". Both lists are general English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_IRREGULAR = """
arise arose arisen | awake awoke awoken | bear bore borne born | beat beaten | become became | begin began begun
bend bent | bind bound | bite bit bitten | bleed bled | blow blew blown | break broke broken | breed bred
bring brought | build built | burn burnt | buy bought | catch caught | choose chose chosen | cling clung | come came
creep crept | deal dealt | dig dug | draw drew drawn | drink drank drunk | drive drove driven | eat ate eaten
fall fell fallen | feed fed | feel felt | fight fought | find found | flee fled | fly flew flown
forbid forbade forbidden | forget forgot forgotten | forgive forgave forgiven | freeze froze frozen | get got gotten
give gave given | go went gone | grow grew grown | hang hung | hear heard | hide hid hidden | hold held | keep kept
know knew known | lay laid | lead led | leave left | lend lent | lie lain | light lit | lose lost | make made
mean meant | meet met | oversee oversaw overseen | overthrow overthrew overthrown | pay paid | rebuild rebuilt
ride rode ridden | ring rang rung | rise rose risen | run ran | say said | see saw seen | seek sought | sell sold
send sent | shake shook shaken | shine shone | shoot shot | show shown | shrink shrank shrunk | sing sang sung
sink sank sunk | sit sat | sleep slept | speak spoke spoken | spend spent | spin spun | spring sprang sprung
stand stood | steal stole stolen | stick stuck | strike struck stricken | swear swore sworn | swim swam swum
swing swung | take took taken | teach taught | tear tore torn | tell told | think thought | throw threw thrown
undergo underwent undergone | understand understood | undertake undertook undertaken | wake woke woken
wear wore worn | weave wove woven | win won | wind wound | withdraw withdrew withdrawn | write wrote written
die dying dead death | man men | woman women | child children | foot feet | tooth teeth | person people
mouse mice | life lives | wife wives | half halves | leaf leaves | bad worse worst | good better best
far farther farthest further furthest
"""
_COMPARED = (
    "big large small high low long short old young new early late hot cold warm deep wide tall fast slow close near "
    "strong weak rich poor great heavy light hard soft thick thin bright dark few dense broad busy wealthy steep wet "
    "dry cool mild rare common simple strict loud quiet fine grand"
).split()
_ALIKE = """
start begin commence launch initiate | end finish conclude cease stop | build construct erect
name call know term title dub refer
found establish create set form | big large huge major great | buy purchase acquire
kill murder assassinate | show display demonstrate exhibit | help aid assist support | choose select pick elect
make produce manufacture | use employ utilize | live reside dwell | job occupation profession work career | movie film
city town | country nation | car automobile vehicle | ship vessel | war conflict | fight battle
get receive obtain gain | give provide offer grant | happen occur | cause lead result
important significant main primary chief major key | kind type sort form | example instance such
person population inhabitant resident | leader head chief | say state claim argue | think believe consider
want wish desire seek | area region zone territory | part portion section | reason because due | rule govern reign
win defeat beat victory | attack invade raid | destroy ruin demolish | change alter modify | increase rise grow
decrease decline reduce fall drop | keep maintain retain | leave depart exit | allow permit let enable | need require
stop prevent halt ban prohibit | write author compose pen | sing perform | join enter | hold contain
include comprise consist | near close | child son daughter | parent father mother | wife husband marry spouse
school college university | money fund cost price | amount number quantity | goal aim purpose objective
idea concept notion | way method manner means | problem issue difficulty | group organization body
company firm corporation business | law act legislation | release issue publish | album record | view opinion
travel journey trip | find discover | study research | teach instruct | invent develop design | size area large
speed fast | height high tall | depth deep | length long | width wide | age old | weight heavy mass
temperature hot cold | distance far | army military | illness disease | doctor physician | own possess | rich wealthy
entire whole total | usual typical | often frequent common | original initial first | final last
additional more other | similar like | famous known popular | begin open | replace succeed follow after
precede before | test examine | separate divide split | combine merge unite | move migrate relocate
describe depict | suggest propose | refuse reject deny | agree accept | arrest capture imprison
free release liberate | earn win receive | award prize | year annual | month monthly | day daily
"""


def _groups(text: str) -> Iterator[list[str]]:
    return (group.split() for group in re.split(r"[|\n]", text) if group.strip())


def _compared(adjective: str) -> tuple[str, str]:
    """Return the forms in -er and -est: hotter, drier, larger."""
    stem = adjective.removesuffix("e")
    if adjective.endswith("y"):
        stem = f"{adjective[:-1]}i"
    elif adjective in {"big", "hot", "thin", "wet"}:
        stem = adjective + adjective[-1]
    return f"{stem}er", f"{stem}est"


BASE_FORMS: Mapping[str, str] = {form: group[0] for group in _groups(_IRREGULAR) for form in group[1:]} | {
    form: adjective for adjective in _COMPARED for form in _compared(adjective)
}
"""Form -> the word it is a form of, in lower case."""
ALIKE: tuple[tuple[str, ...], ...] = tuple(map(tuple, _groups(_ALIKE)))
"""Groups of words of which one may stand for another."""
