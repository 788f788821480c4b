"""Notes -> the language they are in, told by scripts and stopwords over a sample; and the analyzer that suits it.

A folder has one language: questions and notes must be analysed alike. A script without spaces between words, or
Hangul, decides by itself; otherwise each language gets the share of words that are stopwords of its own, where a word
that several languages have counts for each of them by half, a third … (of the lists in `stopwords.py`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice

from engine.settings import STEMMING, Settings
from engine.text.analysis import Analyzer, tokenize
from engine.text.stopwords import STOPWORDS_OF, TOLD_BY_WORDS

SAMPLE_TEXTS = 200
"""Most notes looked at, evenly spread over the folder."""
SAMPLE_CHARACTERS = 1_000
"""Characters looked at in each."""
LEAST_SHARE = 0.05
"""Below this share of stopwords no language is told by them."""
LEAST_WORDS = 3
"""Different stopwords that a language is told by, at least."""
SCRIPT_SHARE = 0.25
"""From this share of a text's letters on, a script decides."""

_LETTER = re.compile(r"[^\W\d_]")
_SCRIPTS = {
    "kana": re.compile("[\u3041-\u309f\u30a0-\u30ff\uff66-\uff9f]"),
    "chinese": re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]"),
    "korean": re.compile("[\u1100-\u11ff\uac00-\ud7a3]"),
    "thai": re.compile("[\u0e01-\u0e3a]"),
}


def detect_language(texts: Sequence[str]) -> str:
    """Return the language most of the texts' words are in: one of `engine.settings.LANGUAGES`.

    English where nothing tells: few words, code, a language without a list.

    >>> detect_language(["Die Venus ist der zweite Planet und hat keinen Mond."])
    'german'
    """
    step = max(1, len(texts) // SAMPLE_TEXTS)
    sample = "\n".join(text[:SAMPLE_CHARACTERS] for text in islice(texts, 0, None, step))
    return _by_script(sample) or _by_words(tokenize(sample))


def analyzer_for(settings: Settings, language: str) -> Analyzer:
    """Return the analyzer that the settings name for notes in a language.

    >>> analyzer_for(Settings(stemming="auto"), "german")
    Analyzer(stemming='german', stopwords='german', identifiers=False)
    """
    stemming = settings.stemming
    if stemming == "auto":
        stemming = language if language in STEMMING else "none"
    stopwords = language if settings.stopwords == "auto" else settings.stopwords
    return Analyzer(stemming, stopwords, settings.identifiers)


def _by_script(sample: str) -> str:
    """Return the language whose script the sample is in; empty where the script does not tell."""
    if sample.isascii():
        return ""
    letters = len(_LETTER.findall(sample)) or 1
    shares = {name: len(script.findall(sample)) / letters for name, script in _SCRIPTS.items()}
    if shares["kana"] + shares["chinese"] >= SCRIPT_SHARE:
        return "japanese" if shares["kana"] >= 0.2 * shares["chinese"] else "chinese"
    return next((name for name in ("korean", "thai") if shares[name] >= SCRIPT_SHARE), "")


def _by_words(words: Sequence[str]) -> str:
    """Return the language with the most stopwords of its own among the words."""
    counts = Counter(words)
    found: dict[str, list[str]] = {language: [] for language in TOLD_BY_WORDS}
    for word in counts:
        for language in _sharing().get(word, ()):
            found[language].append(word)
    scores = {name: sum(counts[word] / len(_sharing()[word]) for word in own) for name, own in found.items()}
    best = max(TOLD_BY_WORDS, key=scores.__getitem__)
    told = len(found[best]) >= LEAST_WORDS and sum(counts[word] for word in found[best]) >= LEAST_SHARE * len(words)
    return best if told else "english"


@cache
def _sharing() -> Mapping[str, list[str]]:
    """Return the languages that have each stopword."""
    sharing: dict[str, list[str]] = {}
    for language in TOLD_BY_WORDS:
        for word in STOPWORDS_OF[language]:
            sharing.setdefault(word, []).append(language)
    return sharing
