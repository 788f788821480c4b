import os
import sys

import pytest

from engine.answering.prompt import build_prompt
from engine.answering.tokens import count_tokens, token_counter
from engine.errors import MissingExtraError, SettingsError
from engine.records import Chunk
from engine.settings import Settings

tokenizers = pytest.importorskip("tokenizers")


@pytest.fixture(scope="module")
def bpe_file(tmp_path_factory):
    """A byte-pair encoding trained on one line: two merges, "mo" first, then "moon"."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="?"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    trainer = tokenizers.trainers.BpeTrainer(special_tokens=["?", "<s>"], vocab_size=12, show_progress=False)
    tokenizer.train_from_iterator(["moon moon moons"], trainer)
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing("<s> $A", special_tokens=[("<s>", 1)])
    tokenizer.enable_truncation(2)
    path = tmp_path_factory.mktemp("model") / "tokenizer.json"
    tokenizer.save(str(path))
    return path


def test_without_a_tokenizer_words_and_marks_are_counted():
    assert token_counter("") is count_tokens


def test_a_tokenizer_of_byte_pairs_counts_its_own_tokens(bpe_file):
    count = token_counter(str(bpe_file))
    vocabulary = tokenizers.Tokenizer.from_file(str(bpe_file)).get_vocab()
    assert "moon" in vocabulary
    assert (count(""), count("moon"), count("moon moon")) == (0, 1, 2)
    assert count("moonmoonmoon") == 3, "no truncation, no <s> in front"
    assert count("mars") == 4, "m, then ? for each of a, r; s"


def test_the_whole_prompt_is_counted_by_it_and_stays_within_the_budget(bpe_file):
    chunks = [Chunk(at, "m.md", 0, 9, "moons " * 10, "Moon") for at in range(9)]
    count = token_counter(str(bpe_file))
    prompt = build_prompt("moons?", chunks, Settings(tokenizer=str(bpe_file), budget=300))
    assert prompt.tokens == count(prompt.text) <= 300
    assert 0 < len(prompt.sources) < 9
    assert prompt.tokens != count_tokens(prompt.text)


def test_a_lone_surrogate_is_counted(bpe_file):
    assert token_counter(str(bpe_file))("m\udc80") == 2


def test_a_changed_file_is_read_anew(bpe_file, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_bytes(bpe_file.read_bytes())
    assert token_counter(str(path))("moon") == 1
    tokenizers.Tokenizer(tokenizers.models.BPE({"m": 0, "o": 1, "n": 2}, [])).save(str(path))
    os.utime(path, ns=(1, 1))
    assert token_counter(str(path))("moon") == 4


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "No such file"), (b"", "no tokenizer"), (b"{}", "no tokenizer"), (b"\xff\x00", "no tokenizer")],
)
def test_a_file_that_is_missing_or_no_tokenizer_is_named(tmp_path, content, said):
    path = tmp_path / "tokenizer.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SettingsError, match=said) as caught:
        token_counter(str(path))
    assert str(path) in caught.value.message
    assert "tokenizer.json" in caught.value.hint


@pytest.mark.parametrize("path", ["\0", "~nosuchuser/t.json", "n" * 5000, "."])
def test_a_path_that_no_system_takes_is_an_error_too(path):
    with pytest.raises(SettingsError):
        token_counter(path)


def test_without_the_package_the_extra_is_named(bpe_file, tmp_path, monkeypatch):
    path = tmp_path / "tokenizer.json"
    path.write_bytes(bpe_file.read_bytes())
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError) as caught:
        token_counter(str(path))
    assert "-m pip install tokenizers" in caught.value.hint
