"""Texts -> a language model of three words at a time: small enough to see through, real enough to be wrong.

p(w|u,v) interpolates the counts of trigrams, bigrams and single words with a uniform distribution, each level
weighted by how often its context was followed by something new: Witten and Bell, "The zero-frequency problem",
1991, in the interpolated form of Chen and Goodman, 1999:

    p(w|h) = (c(h,w) + t(h) p(w|h')) / (c(h) + t(h)),

c counts, t(h) distinct words seen after h, h' is h without its first word. Words are those of `tokenize`: no case,
no punctuation. A sentence ends with an end token, which is also what stands before the first word of a text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.modelling.decoding import Mixture
from engine.modelling.rag_models import Probabilities
from engine.records import Chunk
from engine.text.analysis import tokenize
from engine.text.sentences import split_sentences

Tokens = NDArray[np.int64]

END = 0
"""The token after every sentence and before every text."""

UNKNOWN = 1
"""The token of every word that the vocabulary does not hold."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words and their token ids; ids 0 and 1 are the end of a sentence and the unknown word."""

    ids: Mapping[str, int]
    """Token id by word, from 2."""
    words: tuple[str, ...]
    """Word by token id."""

    def __len__(self) -> int:
        """Return n_vocabulary: words, the end and the unknown word."""
        return len(self.words)

    @classmethod
    def of(cls, texts: Iterable[str | Chunk], min_count: int = 1) -> Vocabulary:
        """Return the words that stand at least `min_count` times in the texts, in order of appearance.

        >>> Vocabulary.of(["The cat sat. The dog sat."]).words
        ('</s>', '<unk>', 'the', 'cat', 'sat', 'dog')
        """
        counts = Counter(word for text in texts for word in tokenize(_read(text)))
        words = ("</s>", "<unk>", *(word for word, count in counts.items() if count >= min_count))
        return cls({word: at for at, word in enumerate(words) if at > UNKNOWN}, words)

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a text without any end: what a context or the start of a sentence is."""
        return [self.ids.get(word, UNKNOWN) for word in tokenize(text)]

    def encode_sentences(self, text: str | Chunk) -> list[int]:
        """Return the tokens of a text, each sentence with its end."""
        return [self.ids.get(word, UNKNOWN) if word else END for word in sentence_words(text)]

    def decode(self, tokens: Iterable[int]) -> str:
        """Return the words of tokens, the ends left out.

        >>> Vocabulary.of(["the cat"]).decode([2, 3, END])
        'the cat'
        """
        return " ".join(self.words[token] for token in tokens if token != END)


class Trigram:
    """An interpolated trigram model; a `NextToken` for decoding.

    >>> model = Trigram(["The cat sat. The cat ran."])
    >>> [round(p, 3) for p in np.exp(model.token_log_probabilities(model.vocabulary.encode("the cat"))).tolist()]
    [0.87, 0.913]
    """

    def __init__(self, texts: Iterable[str | Chunk], vocabulary: Vocabulary | None = None) -> None:
        """Count.

        Args:
            texts: what it learns from: a collection, or the passages retrieved for a question. Of a chunk, the text
                without its header.
            vocabulary: the words it knows; `None`: those of the texts. Models can be compared and mixed only when
                they share one.
        """
        texts = list(texts)
        self.vocabulary = Vocabulary.of(texts) if vocabulary is None else vocabulary
        before, last, words = _windows([self.vocabulary.encode_sentences(text) for text in texts])
        size = len(self.vocabulary)
        counts = np.bincount(words, minlength=size)
        self.n_tokens = len(words)
        """Tokens it was trained on, ends counted."""
        types = np.count_nonzero(counts) or 1
        self._unigram: Probabilities = (counts + types / size) / (self.n_tokens + types)
        self._bigrams = _Followers(last, words, size)
        self._trigrams = _Followers(before * size + last, words, size)

    def log_probabilities(self, context: Sequence[int]) -> Probabilities:
        """Return ln p(next token | context), (n_vocabulary,); only the last two tokens of the context count."""
        before, last = (END, END, *context)[-2:]
        bigram = self._bigrams.interpolate_row(last, self._unigram)
        return np.log(self._trigrams.interpolate_row(before * len(self.vocabulary) + last, bigram))

    def token_log_probabilities(self, tokens: Sequence[int] | Tokens, context: Sequence[int] = ()) -> Probabilities:
        """Return ln p of each token given all before it, (n_tokens,): the same as token by token, at once.

        Args:
            tokens: a text's tokens.
            context: tokens that stand before the text.
        """
        stream = np.concatenate(([END, END], context, tokens)).astype(np.int64)
        words = stream[len(stream) - len(tokens) :]
        before, last = stream[-len(words) - 2 : -2], stream[-len(words) - 1 : -1]
        bigram = self._bigrams.interpolate(last, words, self._unigram[words])
        return np.log(self._trigrams.interpolate(before * len(self.vocabulary) + last, words, bigram))


def grounded(memory: Trigram, texts: Iterable[str | Chunk], share: float = 0.5) -> Mixture:
    """Return a model that has the texts before it: share times their trigrams, the rest from memory.

    A cache model (Kuhn and De Mori, 1990): the only way in which a model of three words can read a source.

    Args:
        memory: what was trained beforehand.
        texts: the sources.
        share: weight of the sources, above 0 and below 1.
    """
    return Mixture(np.log([1 - share, share]), [memory, Trigram(texts, memory.vocabulary)])


def perplexity(log_probabilities: Probabilities) -> float:
    """Return exp(-mean ln p): among how many equally likely tokens the model chose, as it were; lower is better.

    >>> round(perplexity(np.log([0.5, 0.125])), 9)
    4.0
    """
    return float(np.exp(-np.mean(log_probabilities)))


class _Followers:
    """Which words followed a context, how often: one compressed row a context, words rising."""

    def __init__(self, contexts: Tokens, words: Tokens, size: int) -> None:
        self._size = size
        self._contexts, rows = np.unique(contexts, return_inverse=True)
        self._keys, self._counts = np.unique(rows * size + words, return_counts=True)
        self._starts = np.searchsorted(self._keys, np.arange(len(self._contexts) + 1) * size)
        self._types = np.diff(self._starts)
        self._totals = np.bincount(rows, minlength=len(self._contexts))

    def interpolate_row(self, context: int, lower: Probabilities) -> Probabilities:
        """Return p(w|context) of every word, given p under the shorter context: both (n_vocabulary,)."""
        at = int(np.searchsorted(self._contexts, context))
        if at == len(self._contexts) or self._contexts[at] != context:
            return lower
        span = slice(self._starts[at], self._starts[at + 1])
        total, types = self._totals[at], self._types[at]
        row: Probabilities = lower * (types / (total + types))
        row[self._keys[span] - at * self._size] += self._counts[span] / (total + types)
        return row

    def interpolate(self, contexts: Tokens, words: Tokens, lower: Probabilities) -> Probabilities:
        """Return p(word|context) pair by pair, given p under the shorter contexts: all (n,)."""
        if not len(self._contexts):
            return lower
        at = np.minimum(np.searchsorted(self._contexts, contexts), len(self._contexts) - 1)
        keys = at * self._size + words
        place = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        counts = np.where(self._keys[place] == keys, self._counts[place], 0)
        seen = (counts + self._types[at] * lower) / (self._totals[at] + self._types[at])
        return np.where(self._contexts[at] == contexts, seen, lower)


def sentence_words(text: str | Chunk) -> list[str]:
    """Return the words of a text, an empty one at the end of every sentence: what the tokens stand for.

    >>> sentence_words("It rains. Why?")
    ['it', 'rains', '', 'why', '']
    """
    sentences = map(tokenize, split_sentences(_read(text)))
    return [word for words in sentences if words for word in (*words, "")]


def _read(text: str | Chunk) -> str:
    return text if isinstance(text, str) else text.text


def _windows(texts: Sequence[Sequence[int]]) -> tuple[Tokens, Tokens, Tokens]:
    """Return (token before the last, last token, token) for every token of every text."""

    def padded() -> Iterator[int]:
        for tokens in texts:
            yield from (-1, -1, *tokens)

    stream = np.fromiter(padded(), np.int64)
    at = np.flatnonzero(stream >= 0)
    filled = np.maximum(stream, END)
    return filled[at - 2], filled[at - 1], filled[at]
